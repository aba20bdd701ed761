/**
 * The analyses against brute force without a test runner, on the built library. A part of it: from which seed, and
 * how many.
 *
 *     APPORTION_RULE_SETS=200000 APPORTION_PAIRS=200000 APPORTION_SEED=1 node test/analysis/brute/run.mjs
 *
 * Those with terms are all of a small vocabulary: `APPORTION_COUNTED`, `APPORTION_COUNTED_PAIRS`.
 */
import { wholeNumber } from "../../oracle/library.mjs"

const { pairAt, ruleSetAt, run } = await import("./Run.ts")
const { countedAt, countedPairAt } = await import("./Counted.ts")

const first = wholeNumber("APPORTION_SEED", 1)
const mostTold = 10
let isRight = true

for (const [name, at, count] of [
  ["rule sets", ruleSetAt, wholeNumber("APPORTION_RULE_SETS", 200_000)],
  ["pairs", pairAt, wholeNumber("APPORTION_PAIRS", 200_000)],
  ["rule sets with terms", countedAt, wholeNumber("APPORTION_COUNTED", 26_500)],
  ["pairs with terms", countedPairAt, wholeNumber("APPORTION_COUNTED_PAIRS", 8_000)],
]) {
  const started = process.cpuUsage().user
  const seconds = () => Math.round((process.cpuUsage().user - started) / 1e6)
  let complained = 0
  const told = (looked, seed) => {
    if (looked % 10_000 > 0) return
    const sofar = `${looked} ${name} up to seed ${seed}, ${complained} complaints`
    console.log(`${sofar}, ${seconds()} s of processor time`)
  }
  const complain = ({ seed, what, about }) => {
    complained += 1
    if (complained <= mostTold) {
      console.log(`${name}, seed ${seed}: ${what}\n${JSON.stringify(about)}`)
    }
  }
  const { looked, counts, complaints } = run(at, { first, count, told, complain })
  for (const [answer, times] of [...counts].sort()) console.log(`${answer}: ${times}`)
  console.log(
    `${looked} ${name} from seed ${first}, ${complaints.length} complaints, ${seconds()} s of processor time`,
  )
  isRight &&= complaints.length === 0
}
process.exitCode = isRight ? 0 : 1
