// `apportion split` with one job and with several, over whole files of orders.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { compareAnswers, settings, summary } from "../measure.mjs"
import { figure, ratio, table, writeSection } from "../report.mjs"
import { groups, writeOrders } from "./orders.mjs"
import { leastArguments, measure, outputOf, splitArguments, writeOutput } from "./split.mjs"

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

/** Interleaved rounds: each task once, each time in another order. */
const raced = async (tasks, rounds) => {
  const runs = new Map(tasks.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, args } of rotated(tasks, round)) runs.get(name).push(await measure(args))
  }
  return tasks.map(({ name }) => {
    const own = runs.get(name)
    const all = (figureOf) => own.map(figureOf)
    return {
      ...summary(
        name,
        all(({ seconds }) => seconds),
        "s",
      ),
      processor: summary(
        name,
        all(({ cpu }) => cpu),
        "s",
      ),
      megabytes: Math.max(...all(({ megabytes }) => megabytes)),
    }
  })
}

const spreadOf = ({ median, lowest, highest }) =>
  `${figure(median)} s (${figure(lowest)}-${figure(highest)})`

const rowsOf = ({ title, count, bytes }, results) => {
  const one = results.find(({ name }) => name === "1")
  const alone = results.find(({ name }) => name === leastName)
  return results.map((result) => [
    title,
    `${count.toLocaleString("en-US")} (${figure(bytes / 1e6)} MB)`,
    result.name,
    spreadOf(result),
    result === one ? "1" : ratio(one, result),
    spreadOf(result.processor),
    alone === undefined ? "" : ratio(result.processor, alone.processor),
    `${figure(result.megabytes)} MB`,
  ])
}

const leastName = "JSON alone"
const fewOrders = 2_000

/** The least that can be done with lines of JSON, beside what is done with them. */
const leastTask = async (folder, orders, each, seed) => {
  const [few, splits] = [join(folder, "few.ndjson"), join(folder, "splits.ndjson")]
  await writeOrders(few, { form: each.form, count: Math.min(each.count, fewOrders), seed })
  const groups = join(folder, "groups.json")
  await writeOutput(splitArguments({ groups, orders: few, format: each.format, jobs: 1 }), splits)
  return { name: leastName, args: leastArguments({ orders, splits }) }
}

const runCase = async (folder, each, { rounds, seed }) => {
  const orders = join(folder, `${each.form}-${each.count}.${each.form}`)
  const bytes = await writeOrders(orders, { ...each, seed })
  const tasks = jobCounts.map((jobs) => {
    const args = { groups: join(folder, "groups.json"), orders, format: each.format, jobs }
    return { name: `${jobs}`, args: splitArguments(args) }
  })
  await compareAnswers(
    tasks.map(({ name, args }) => ({
      name: `split --jobs ${name} (${each.title})`,
      answers: async () => [await outputOf(args)],
    })),
  )
  const hasLeast = each.form === "ndjson" && each.format === "ndjson"
  const alone = hasLeast ? [await leastTask(folder, orders, each, seed)] : []
  const results = await raced([...tasks, ...alone], Math.min(rounds, each.most))
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

\`apportion split\` as a process of its own, from its start to its end, over orders of two items with five groups; the output goes nowhere. The outputs of all numbers of jobs were compared byte for byte first. The speed-up is that over one job; memory is the peak of the whole process. JSON alone is the least that there is to do: each order's line through \`JSON.parse\`, and a split of the same kind through \`JSON.stringify\`, in a process of its own that reads and writes the same bytes; beside it stands the processor time of all threads.

${table(
  [
    ...["orders", "how many", "jobs", "time, median (range)", "times as fast (range)"],
    ...["processor, median (range)", "times JSON alone (range)", "memory"],
  ],
  rows,
)}`
    console.log(`${text}\n`)
    writeSection("cli", text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
