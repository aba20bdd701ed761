/** The console of a store: its sales, its payouts and its product groups, by the API that serves this page. */
import { render } from "preact"
import { App } from "./App.js"

const place = document.getElementById("page")
if (place !== null) render(<App />, place)
