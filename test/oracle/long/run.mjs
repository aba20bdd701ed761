/**
 * The long comparison without a test runner, on the built library; `--source` takes the sources instead.
 *
 *     APPORTION_LINES=10000000 APPORTION_SEED=1 node test/oracle/long/run.mjs
 */
import { wholeNumber } from "../library.mjs"

const { run, tellFinding } = await import("./Run.ts")
const { tooSeldom } = await import("./Expected.ts")

const lines = wholeNumber("APPORTION_LINES", 1_000_000)
const seed = wholeNumber("APPORTION_SEED", 1)
const started = performance.now()
const perSecond = (done) => Math.round(done / ((performance.now() - started) / 1_000))
const step = 250_000
let told = 0

const report = run({
  lines,
  seed,
  onRound: (coverage) => {
    if (coverage.lines < told + step) return
    told = coverage.lines
    console.log(`${coverage.lines} lines, ${perSecond(coverage.lines)} a second`)
  },
})

for (const [label, count] of [...report.counts].sort()) console.log(`${label}: ${count}`)
const { orders, rounds } = report
console.log(
  `${report.lines} lines of ${orders} orders in ${rounds} rounds, ${perSecond(report.lines)} lines a second`,
)
if (report.finding !== undefined) console.log(tellFinding(report.finding))
const seldom = report.finding === undefined ? tooSeldom(report) : []
for (const one of seldom) console.log(`too seldom: ${one}`)
process.exitCode = report.finding === undefined && seldom.length === 0 ? 0 : 1
