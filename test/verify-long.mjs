/**
 * Everything that is too long for each change: generated lines against the oracle, the whole small scope, the
 * analyses against brute force, and the faults that all of this has to notice.
 *
 *     npm run verify:long
 *     APPORTION_LINES=50000000 APPORTION_SEED=7 npm run verify:long
 */
import { spawn } from "node:child_process"
import { mkdirSync, openSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const logs = `${root}/temp/verify-long`
mkdirSync(logs, { recursive: true })

const lines = Number(process.env.APPORTION_LINES ?? 10_000_000)
const seed = Number(process.env.APPORTION_SEED ?? Math.floor(Date.now() / 1_000))
const jobs = availableParallelism()

const node = (name, args, environment = {}) => ({ name, args, environment })
const vitest = (name, files, environment) =>
  node(
    name,
    ["node_modules/vitest/vitest.mjs", "run", "--project", "whole", "--project", "long", ...files],
    environment,
  )

const parts = (count) => Array.from({ length: count }, (_, part) => part)

/** The longest come first, so that none is left alone at the end. */
const work = [
  ...parts(jobs).map((part) =>
    node(`lines, seed ${seed + part}`, ["test/oracle/long/run.mjs"], {
      APPORTION_LINES: String(Math.ceil(lines / jobs)),
      APPORTION_SEED: String(seed + part),
    }),
  ),
  ...parts(jobs * 2).map((part) =>
    node(`scope of 3 groups, part ${part + 1}`, [
      "test/oracle/scope/run.mjs",
      "3",
      `${part}/${jobs * 2}`,
    ]),
  ),
  ...parts(jobs).map((part) =>
    node(`scope of 2 groups, part ${part + 1}`, [
      "test/oracle/scope/run.mjs",
      "2",
      `${part}/${jobs}`,
    ]),
  ),
  node("scope of 1 group", ["test/oracle/scope/run.mjs", "1"]),
  ...["RULE_SETS", "PAIRS"].map((kind) => {
    const other = kind === "PAIRS" ? "RULE_SETS" : "PAIRS"
    return node(
      `analyses of ${kind === "PAIRS" ? "pairs" : "rule sets"}, seed ${seed}`,
      ["test/analysis/brute/run.mjs"],
      {
        [`APPORTION_${kind}`]: process.env[`APPORTION_${kind}`] ?? "200000",
        [`APPORTION_${other}`]: "0",
        APPORTION_SEED: String(seed),
      },
    )
  }),
  vitest("analyses against brute force", ["test/analysis"], { APPORTION_SCOPE: "all" }),
  vitest("faults that must be noticed", [
    "test/oracle/long/canaries.long.test.ts",
    "test/oracle/scope",
  ]),
]

const run = ({ name, args, environment }) =>
  new Promise((resolve) => {
    const log = `${logs}/${name.replace(/\W+/g, "-")}.log`
    const out = openSync(log, "w")
    const started = performance.now()
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1", ...environment },
      stdio: ["ignore", out, out],
    })
    child.on("close", (code) => {
      const seconds = Math.round((performance.now() - started) / 1_000)
      const said = readFileSync(log, "utf8").trim().split("\n").slice(-6)
      const told = code === 0 ? said.filter((line) => /\d/.test(line)).slice(-2) : said
      console.log(`${code === 0 ? "passed" : "FAILED"}: ${name}, ${seconds} s`)
      for (const line of told) console.log(`  ${line.trim()}`)
      resolve(code === 0)
    })
  })

console.log(`seed ${seed}, ${lines} lines, ${jobs} at a time; logs are in temp/verify-long`)
const left = [...work]
const results = []
const worker = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift())
    results.push(await run(next))
}
await Promise.all(parts(jobs).map(worker))
const failed = results.filter((passed) => !passed).length
console.log(failed === 0 ? "all passed" : `${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
