/**
 * Compares the library with the oracle on random histories of sales and refunds under terms, on the built library;
 * `--source` takes the sources instead.
 *
 *     node test/terms/histories.mjs 2000000 1
 */
import "../oracle/library.mjs"

const { Chance } = await import("../generators/Chance.ts")
const { history } = await import("./History.ts")
const { difference } = await import("./Answers.ts")

const [count = 10_000, seed = 1] = process.argv
  .slice(2)
  .filter((text) => /^\d+$/.test(text))
  .map(Number)
const started = performance.now()
let differences = 0

for (let number = 0; number < count && differences < 3; number += 1) {
  const made = history(new Chance(seed * 1_000_003 + number))
  const found = difference(made)
  if (found !== undefined) {
    differences += 1
    console.log(JSON.stringify({ number, ...found, history: made }, null, 1))
  }
  if ((number + 1) % 100_000 === 0) {
    const seconds = (performance.now() - started) / 1_000
    console.log(`${number + 1} histories, ${Math.round((number + 1) / seconds)} a second`)
  }
}
console.log(differences === 0 ? `${count} histories, no difference` : "they differ")
process.exitCode = differences === 0 ? 0 : 1
