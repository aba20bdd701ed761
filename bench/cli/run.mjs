// `apportion split` with one job and with several, over whole files of orders.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { compareAnswers, settings, summary } from "../measure.mjs"
import { figure, ratio, table, writeSection } from "../report.mjs"
import { groups, writeOrders } from "./orders.mjs"
import { measure, outputOf } from "./split.mjs"

const many = Number(process.env.BENCH_ORDERS ?? 1_000_000)
const fewer = Math.ceil(many / 5)

const jobCounts = [1, 2, 4, 8].filter((count) => count <= Math.max(2, availableParallelism()))

/** What is split, and how often: the shorter ones show that memory does not grow, and what other forms gain. */
const cases = [
  { title: "NDJSON", form: "ndjson", format: "ndjson", count: many, most: 5 },
  { title: "NDJSON", form: "ndjson", format: "ndjson", count: fewer, most: 3 },
  { title: "NDJSON, as tables", form: "ndjson", format: "table", count: fewer, most: 3 },
  { title: "NDJSON, as CSV", form: "ndjson", format: "csv", count: fewer, most: 3 },
  { title: "JSON list", form: "json", format: "ndjson", count: fewer, most: 3 },
  { title: "CSV", form: "csv", format: "ndjson", count: fewer, most: 3 },
]

const rotated = (list, by) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

/** Interleaved rounds: each number of jobs once, each time in another order. */
const raced = async (tasks, rounds) => {
  const runs = new Map(tasks.map(({ jobs }) => [jobs, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const task of rotated(tasks, round)) runs.get(task.jobs).push(await measure(task))
  }
  return tasks.map(({ jobs }) => {
    const seconds = runs.get(jobs).map((run) => run.seconds)
    const megabytes = runs.get(jobs).map((run) => run.megabytes)
    return { ...summary(`${jobs}`, seconds, "s"), jobs, megabytes: Math.max(...megabytes) }
  })
}

const spreadOf = ({ median, lowest, highest }) =>
  `${figure(median)} s (${figure(lowest)}-${figure(highest)})`

const rowsOf = ({ title, count, bytes }, results) =>
  results.map((result) => [
    title,
    `${count.toLocaleString("en-US")} (${figure(bytes / 1e6)} MB)`,
    result.jobs,
    spreadOf(result),
    result.jobs === 1 ? "1" : ratio(results[0], result),
    `${figure(result.megabytes)} MB`,
  ])

const runCase = async (folder, each, { rounds, seed }) => {
  const orders = join(folder, `${each.form}-${each.count}.${each.form}`)
  const bytes = await writeOrders(orders, { ...each, seed })
  const tasks = jobCounts.map((jobs) => {
    return { groups: join(folder, "groups.json"), orders, format: each.format, jobs }
  })
  await compareAnswers(
    tasks.map((task) => ({
      name: `split --jobs ${task.jobs} (${each.title})`,
      answers: async () => [await outputOf(task)],
    })),
  )
  const results = await raced(tasks, Math.min(rounds, each.most))
  rmSync(orders)
  return rowsOf({ ...each, bytes }, results)
}

export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), "apportion-bench-"))
  try {
    writeFileSync(join(folder, "groups.json"), JSON.stringify(groups))
    const rows = []
    for (const each of cases) rows.push(...(await runCase(folder, each, settings())))
    const text = `## Splitting files of orders

\`apportion split\` as a process of its own, from its start to its end, over orders of two items with five groups; the output goes nowhere. The outputs of all numbers of jobs were compared byte for byte first. The speed-up is that over one job; memory is the peak of the whole process.

${table(["orders", "how many", "jobs", "time, median (range)", "times as fast (range)", "memory"], rows)}`
    console.log(`${text}\n`)
    writeSection("cli", text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
