/**
 * Ten thousands of generated lines here; for a long run, so many as are asked for:
 *
 *     APPORTION_LINES=10000000 APPORTION_SEED=1 npx vitest run --project source test/oracle/long
 */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { isWhole } from "../../generators/Runs.js"
import { library, policies } from "./Engine.js"
import { tooSeldom } from "./Expected.js"
import { play } from "./Play.js"
import { type Report, run, tellFinding } from "./Run.js"
import { policyCount, roundOf, type Step } from "./Script.js"

const asked = (name: string, usual: number): number => {
  const given = Number(process.env[name] ?? usual)
  if (Number.isSafeInteger(given) && given >= 0) return given
  throw new Error(`${name} must be a whole number, got "${process.env[name]}"`)
}

const lines = asked("APPORTION_LINES", isWhole ? 20_000 : 4_000)

/** A slow machine still gets through ten million lines: two thousand a second, at the least. */
const patience = 60_000 + lines / 2

const answered = (report: Report): string =>
  report.finding === undefined ? "the same answers" : tellFinding(report.finding)

test("the library answers every generated line as the oracle does, whatever was asked before", {
  timeout: patience,
}, () => {
  const started = performance.now()
  const report = run({ lines, seed: asked("APPORTION_SEED", 1) })
  expect(answered(report)).toBe("the same answers")
  expect(report.lines).toBeGreaterThanOrEqual(lines)
  // Fewer lines can miss what seldom comes.
  if (isWhole) expect(tooSeldom(report)).toEqual([])
  const perSecond = (report.lines / (performance.now() - started)) * 1_000
  console.log(`${report.lines} lines in ${report.rounds} rounds, ${perSecond.toFixed(0)} a second`)
})

test("every one of the policies is asked about", () => {
  expect(policies).toHaveLength(policyCount)
  expect(new Set(policies.map((policy) => JSON.stringify(policy))).size).toBe(policyCount)
})

test("a seed and a round always make the same steps", () => {
  expect(roundOf(7, 3, 100)).toEqual(roundOf(7, 3, 100))
  expect(roundOf(7, 3, 100)).not.toEqual(roundOf(7, 4, 100))
  expect(roundOf(7, 3, 100)).not.toEqual(roundOf(8, 3, 100))
})

const regressions: ReadonlyArray<{ readonly why: string; readonly steps: ReadonlyArray<Step> }> =
  JSON.parse(readFileSync(new URL("./regressions.json", import.meta.url), "utf8"))

test.each(regressions)("still agree where they once did not, or nearly: $why", ({ steps }) => {
  expect(play(steps, library)).toBeUndefined()
})
