// `apportion check` on shops of several sizes: time, the processor's time, and the peak of memory.
//
//   node bench/cli/check.mjs               the sizes below
//   node bench/cli/check.mjs 3000 50000    groups (200 of them affiliates on everything), products
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { workloads } from "../analysis/workload.mjs"
import { figure, table } from "../report.mjs"
import { told } from "./split.mjs"

const program =
  process.env.BENCH_PROGRAM ?? fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))
const given = process.argv.slice(2).map(Number)
const sizes =
  given.length === 2
    ? [given]
    : [
        [1_000, 10_000],
        [3_000, 50_000],
        [10_000, 100_000],
      ]

/** A group as the command line reads it. */
const written = ({ link, condition, percent, createdAt, collaboratorId, id }) => ({
  ...{ id, collaborator_id: collaboratorId, itemType: link.type, items: link.values ?? [] },
  ...(condition === undefined
    ? {}
    : { splitConditionType: condition.type, splitConditions: condition.values }),
  ...{ type: "percentage", percentage: percent.toFixed(2), created_at: createdAt ?? null },
})

const rows = []
for (const [groups, products] of sizes) {
  const folder = mkdtempSync(join(tmpdir(), "apportion-bench-"))
  try {
    const shop = workloads.shop(groups, products)
    const files = { groups: join(folder, "groups.json"), products: join(folder, "products.json") }
    writeFileSync(files.groups, JSON.stringify(shop.groups.map(written)))
    writeFileSync(files.products, JSON.stringify(shop.products))
    const args = ["check", "--groups", files.groups, "--products", files.products]
    const { code, seconds, cpu, megabytes, last } = await told([program, ...args])
    rows.push([
      groups.toLocaleString("en-US"),
      products.toLocaleString("en-US"),
      `${figure(seconds)} s`,
      `${figure(cpu)} s`,
      `${figure(megabytes)} MB`,
      `${code}: ${last}`,
    ])
    console.log(rows.at(-1).join("  "))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const header = ["groups", "products", "time", "processor", "memory", "exit code, what it says last"]
console.log(`\n${table(header, rows)}`)
