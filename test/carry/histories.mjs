/**
 * Compares carried splits and refunds with the oracle and with the reckoning, on the built library; `--source` takes
 * the sources instead.
 *
 *     node test/carry/histories.mjs 1000000 1
 *
 * With a third number, one of the planted faults is in the library; it has to be noticed.
 */
import { plant } from "../oracle/planted.mjs"
import { faults } from "./faults.mjs"

const [count = 10_000, seed = 1, fault] = process.argv
  .slice(2)
  .filter((text) => /^\d+$/.test(text))
  .map(Number)
if (faults[fault] !== undefined) {
  process.argv.push("--source")
  plant(faults[fault])
}
await import("../oracle/library.mjs")
const { Chance } = await import("../generators/Chance.ts")
const { difference, history } = await import("./Histories.ts")

const started = performance.now()
let [items, open] = [0, 0]
const watch = {
  open: (isOpen) => {
    items += 1
    if (isOpen) open += 1
  },
}

for (let number = 0; number < count; number += 1) {
  const made = history(new Chance(seed * 1_000_003 + number))
  const found = difference(made, undefined, watch)
  if (found === undefined) continue
  console.log(`history ${number} of seed ${seed}: ${found.slice(0, 2_000)}`)
  if (fault === undefined) console.log(JSON.stringify(made, null, 1))
  process.exit(1)
}
const seconds = Math.round((performance.now() - started) / 1_000)
console.log(
  `${count} histories of seed ${seed} without a difference, in ${seconds} s; of ${items} items reckoned anew, ${open} are left open`,
)
