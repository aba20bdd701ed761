/**
 * Random histories of agreements against the oracle, on the sources:
 *
 *     node test/agreements/histories.mjs 1000000 7
 *
 * With a third number, one of the planted faults is in the library; it has to be noticed.
 */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { faults } from "./faults.mjs"

const [count = 10_000, first = 1, fault] = process.argv.slice(2).map(Number)
const planted = faults[fault]
const root = new URL("../../", import.meta.url).href

if (!process.argv.includes("--source")) process.argv.push("--source")
await import("../oracle/library.mjs")

registerHooks({
  load(url, context, next) {
    if (planted === undefined || url !== `${root}src/agreements/${planted.file}`) {
      return next(url, context)
    }
    const text = readFileSync(new URL(url), "utf8")
    if (!text.includes(planted.from)) throw new RangeError(`fault ${fault} has no place`)
    const source = text.replace(planted.from, planted.to)
    return { format: "module-typescript", source, shortCircuit: true }
  },
})

const { play } = await import("./Histories.ts")
const begun = performance.now()
for (let index = 0; index < count; index += 1) {
  const found = play(first * 1_000_003 + index)
  if (found === undefined) continue
  console.log(`history ${index} of seed ${first}: ${found.slice(0, 2_000)}`)
  process.exit(1)
}
const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
console.log(`${count} histories of seed ${first} without a difference, in ${seconds} s`)
