/**
 * Random histories of agreements against the oracle, on the sources:
 *
 *     node test/agreements/histories.mjs 1000000 7
 *
 * With a third number, one of the planted faults is in the library; it has to be noticed.
 */
import { plant } from "../oracle/planted.mjs"
import { faults } from "./faults.mjs"

const [count = 10_000, first = 1, fault] = process.argv.slice(2).map(Number)
if (!process.argv.includes("--source")) process.argv.push("--source")
if (faults[fault] !== undefined) plant(faults[fault])
await import("../oracle/library.mjs")
const { played } = await import("./Histories.ts")
const begun = performance.now()
for (let index = 0; index < count; index += 1) {
  const { found } = played(first * 1_000_003 + index)
  if (found === undefined) continue
  console.log(`history ${index} of seed ${first}: ${found.slice(0, 2_000)}`)
  process.exit(1)
}
const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
console.log(`${count} histories of seed ${first} without a difference, in ${seconds} s`)
