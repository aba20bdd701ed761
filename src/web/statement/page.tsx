/** The page behind a collaborator's link. */
import { render } from "preact"
import * as State from "./State.js"
import { StatementPage } from "./StatementPage.js"

const place = document.getElementById("page")
if (place !== null) {
  State.follow()
  render(<StatementPage />, place)
  window.addEventListener("hashchange", () => void State.open())
  void State.open()
}
