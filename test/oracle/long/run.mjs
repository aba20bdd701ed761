/**
 * The long comparison without a test runner, on the built library; `--source` takes the sources instead.
 *
 *     APPORTION_LINES=10000000 APPORTION_SEED=1 node test/oracle/long/run.mjs
 */
import { existsSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

const source = process.argv.includes("--source")
const entry = new URL("../../../src/index.ts", import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    if (source && specifier === "apportion") return next(entry, context)
    if (specifier.startsWith(".") && specifier.endsWith(".js")) {
      const typed = new URL(specifier.replace(/\.js$/, ".ts"), context.parentURL)
      if (existsSync(fileURLToPath(typed))) return next(typed.href, context)
    }
    return next(specifier, context)
  },
})

const { run, tellFinding } = await import("./Run.ts")
const { tooSeldom } = await import("./Expected.ts")

const number = (name, usual) => {
  const given = Number(process.env[name] ?? usual)
  if (Number.isSafeInteger(given) && given >= 0) return given
  throw new Error(`${name} must be a whole number, got "${process.env[name]}"`)
}

const lines = number("APPORTION_LINES", 1_000_000)
const seed = number("APPORTION_SEED", 1)
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
