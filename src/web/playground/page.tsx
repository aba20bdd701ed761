/** The playground: what happens to an order, in the page itself. */
import { render } from "preact"
import { Playground } from "./Playground.js"

const place = document.getElementById("page")
if (place !== null) render(<Playground />, place)
