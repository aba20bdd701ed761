/** The whole page. */
import type { JSX } from "preact"
import { Money } from "../parts/Money.js"
import { Toasts } from "../parts/Toast.js"

/** The playground. */
export const Playground = (): JSX.Element => (
  <>
    <header class="top">
      <h1>Apportion playground</h1>
    </header>
    <main>
      <Money cents={0} currency="USD" />
    </main>
    <Toasts />
  </>
)
