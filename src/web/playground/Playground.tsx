/** The whole page. */
import type { JSX } from "preact"
import { Toasts } from "../parts/Toast.js"
import { GroupPane } from "./GroupPane.js"
import { OrderPane } from "./OrderPane.js"
import { ResultPane } from "./ResultPane.js"
import { Toolbar } from "./Toolbar.js"

/** The playground. */
export const Playground = (): JSX.Element => (
  <>
    <button type="button" class="skip" onClick={() => document.getElementById("result")?.focus()}>
      To the split
    </button>
    <Toolbar />
    <main class="panes">
      <GroupPane />
      <OrderPane />
      <ResultPane />
    </main>
    <footer class="foot faint">
      Everything is computed in this page, by the library itself. Nothing leaves it.
    </footer>
    <Toasts />
  </>
)
