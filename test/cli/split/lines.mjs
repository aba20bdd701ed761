/**
 * Compares the two ways of `apportion split` over random lines of orders: as objects, and from bytes by columns.
 *
 *     node test/cli/split/lines.mjs 20000 1
 *
 * The first number is how many inputs of up to forty lines are compared. With a third number, one of the planted faults
 * is in the program; it has to be noticed.
 */
import { plant } from "../../oracle/planted.mjs"
import { faults } from "./faults.mjs"

const [count = 2_000, seed = 1, fault] = process.argv
  .slice(2)
  .filter((text) => /^\d+$/.test(text))
  .map(Number)
process.argv.push("--source")
if (faults[fault] !== undefined) plant(faults[fault])
await import("../../oracle/library.mjs")
const { orderInputs } = await import("./OrderLines.ts")
const { byColumns, difference } = await import("./TwoWays.ts")

let [number, lines, taken] = [0, 0, 0]
for (const input of orderInputs(count, seed)) {
  let found
  try {
    found = difference(input)
  } catch (cause) {
    found = `by columns it ended with ${cause}`
  }
  if (found !== undefined) {
    console.log(`input ${number} of seed ${seed}: ${found.slice(0, 2_000)}`)
    process.exit(1)
  }
  if (number % 50 === 0) {
    const sample = byColumns(input)
    lines += sample.counts.orders
    taken += sample.taken
  }
  number += 1
}
console.log(
  `${number} inputs of seed ${seed} without a difference; ${taken} of ${lines} lines by columns`,
)
