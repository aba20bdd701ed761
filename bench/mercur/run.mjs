// The closest peer for the whole job: the commission module of @mercurjs/core. It is installed here when it is
// raced for the first time.
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { settings } from "../measure.mjs"
import { runPart } from "../parts.mjs"
import { ratio, spread, table, time, writeSection } from "../report.mjs"

const sizes = [10, 100, 1_000, 10_000]
const here = fileURLToPath(new URL(".", import.meta.url))

const install = () => {
  if (existsSync(new URL("node_modules/@mercurjs/core", import.meta.url))) return
  console.log("Installing @mercurjs/core 2.1.5 for its bench (250 MB)")
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "ignore" })
}

/** Measures, prints, and writes the section on the closest peer. */
export const run = async () => {
  install()
  const options = settings({ rounds: 5, seconds: 0.1 })
  const began = performance.now()
  const rows = []
  for (const count of sizes) {
    const part = new URL("mercurPart.mjs", import.meta.url)
    const { results } = await runPart(part, { count, ...options })
    const [ours, theirs] = results
    rows.push([count.toLocaleString("en-US"), spread(ours), spread(theirs), ratio(theirs, ours)])
  }
  const text = `## The closest peer

The commission module of @mercurjs/core 2.1.5 gives each line of an order the commission of one rate, the one with the highest priority that matches. Both get the same rates, of one payee: in percent or a fixed sum for a line, some with a minimum, by product, by seller, or for all; tags, NOT, conditions, dates, several payees of a line and rounding are beyond it. Its service is its own class, with its database answered from memory, which favours it; its sums, which it does not round, are rounded for comparing.

${table(["rates", "apportion, Split.order, for a line", "@mercurjs/core, getCommissionLines, for a line", "times apportion (range)"], rows)}`
  console.log(`${text}\n`)
  writeSection("mercur", text)
  console.log(`the closest peer: ${time((performance.now() - began) * 1000)} in all\n`)
}
