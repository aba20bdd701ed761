// `apportion statement`, `backtest` and `explain` on stores of several sizes: time and the peak of memory.
//
//   node bench/cli/statement.mjs                        the sizes below
//   node bench/cli/statement.mjs 105000 40 2 1          orders, collaborators, partners (who share every item), items of an order
//   BENCH_PROGRAM=…/dist/cli/main.js BENCH_FORMATS=csv,html node bench/cli/statement.mjs
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { figure, table } from "../report.mjs"
import { writeStore } from "./store.mjs"

const program =
  process.env.BENCH_PROGRAM ?? fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
const formats = (process.env.BENCH_FORMATS ?? "csv,html").split(",")
const given = process.argv.slice(2).map(Number)
const sizes =
  given.length === 4
    ? [given]
    : [
        [105_000, 40, 2, 1],
        [105_000, 1_500, 5, 1],
        [100_000, 3_000, 1, 2],
        [300_000, 3_000, 1, 2],
        [1_000_000, 3_000, 1, 2],
      ]

/** Tells the peak of memory of the process that it is loaded into, at its end. */
const peak = new URL("peak.mjs", import.meta.url).href

const measured = async (args) => {
  const child = spawn(process.execPath, ["--import", peak, program, ...args], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  })
  const hash = createHash("sha256")
  let [bytes, said] = [0, ""]
  child.stdout.on("data", (chunk) => {
    bytes += chunk.length
    hash.update(chunk)
  })
  child.stdio[3].on("data", (chunk) => {
    said += chunk
  })
  const began = performance.now()
  const [code] = await once(child, "close")
  const seconds = (performance.now() - began) / 1_000
  return {
    code,
    seconds,
    bytes,
    megabytes: JSON.parse(said).maxRSS / 1_024,
    hash: hash.digest("hex"),
  }
}

const commandsOf = (folder) => {
  const file = (name) => join(folder, name)
  const common = ["--orders", file("orders.ndjson"), "--policy", file("policy.json")]
  const books = [
    ...["--collaborators", file("collaborators.json"), "--refunds", file("refunds.json")],
    ...["--entries", file("entries.json"), "--rates", file("rates.json"), "--until", "2025-12-31"],
  ]
  const groups = ["--groups", file("groups.json")]
  return [
    ...formats.map((format) => ["statement", ...groups, ...common, ...books, "--format", format]),
    ["backtest", ...groups, ...common, "--against", file("groups-next.json")],
    ["explain", ...groups, ...common, "--order", "7000000"],
  ]
}

/** What is asked; all of it when nothing is said. */
const asked = (process.env.BENCH_COMMANDS ?? "statement,backtest,explain").split(",")

const rows = []
for (const [orders, collaborators, partners, items] of sizes) {
  const folder = mkdtempSync(join(tmpdir(), "apportion-bench-"))
  try {
    await writeStore(folder, { orders, collaborators, partners, items, seed: 20 })
    const input = statSync(join(folder, "orders.ndjson")).size
    for (const args of commandsOf(folder).filter(([command]) => asked.includes(command))) {
      const { code, seconds, bytes, megabytes, hash } = await measured(args)
      rows.push([
        `${args[0]} ${args[0] === "statement" ? args.at(-1) : ""}`.trim(),
        `${orders.toLocaleString("en-US")} (${figure(input / 1e6)} MB)`,
        (collaborators + partners).toLocaleString("en-US"),
        `${figure(seconds)} s`,
        `${figure(megabytes)} MB`,
        `${figure(bytes / 1e6)} MB`,
        `${code} ${hash.slice(0, 8)}`,
      ])
      console.log(rows.at(-1).join("  "))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const header = ["command", "orders", "collaborators", "time", "memory", "output", "exit code, hash"]
console.log(`\n${table(header, rows)}`)
