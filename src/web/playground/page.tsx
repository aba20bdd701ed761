/** The playground: what happens to an order, in the page itself. */
import { render } from "preact"
import * as Address from "./Address.js"
import * as Analyses from "./Analyses.js"
import { Playground } from "./Playground.js"

const start = async (place: HTMLElement): Promise<void> => {
  await Address.watch()
  render(<Playground />, place)
  performance.mark("first split")
  Analyses.watch()
}

const place = document.getElementById("page")
if (place !== null) void start(place)
