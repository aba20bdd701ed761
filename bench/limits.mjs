// What speed is asked for, beside the limits that it is asked against, in short runs: `node bench/limits.mjs rules` for
// matching and splits, `node bench/limits.mjs files` for the command line. Each takes about two minutes, on a machine that does
// nothing else, and writes its section of docs/benchmarks.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { groups as fileGroups, writeOrders } from "./cli/orders.mjs"
import { leastArguments, measure, outputOf, splitArguments, writeOutput } from "./cli/split.mjs"
import { compareAnswers, settings, summary } from "./measure.mjs"
import { runPart } from "./parts.mjs"
import { figure, named, ratio, spread, table, writeSection } from "./report.mjs"
import { names } from "./rules/contenders.mjs"

const options = settings({ rounds: 3, seconds: 0.1 })
const part = (path) => new URL(path, import.meta.url)
const groups = 10_000
const sold = 10_000
const header = ["", "asked", "takes times (range)", "the limit", "apportion"]

const rowOf = (title, asked, ours, limit) => [
  ...[title, asked, ratio(ours, limit), spread(limit), spread(ours)],
]

/** Matching in processes of its own, which have matched nothing before: soon, and when they are warm. */
const matching = async (kind) => {
  const isDense = kind === "dense"
  const limitName = isDense ? names.lists : names.limit
  const [title, asked] = isDense
    ? ["thousands match a line, beside the limit that makes lists", "1.5"]
    : ["some twenty match a line, beside the limit", "1.1"]
  const args = {
    kind,
    groups,
    sold,
    popularity: 3,
    lines: isDense ? 300 : 6_000,
    ordersOfBatch: 20,
  }
  await runPart(part("rules/popularityPart.mjs"), { ...args, ...options, isCheck: true })
  const stages = isDense ? [100, 1_000, 6_000] : [1_000, 20_000, 120_000]
  const found = new Map([names.apportion, limitName].map((name) => [name, []]))
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [name, rounds] of found) {
      const asked = { name, kind, groups, sold, seed: options.seed, stages }
      rounds.push((await runPart(part("rules/soonPart.mjs"), asked)).microseconds)
    }
  }
  const count = (lines) => lines.toLocaleString("en-US")
  return [1, 2].map((stage) => {
    const [ours, limit] = [...found].map(([name, rounds]) =>
      summary(
        name,
        rounds.map((times) => times[stage]),
      ),
    )
    const lines = `lines ${count(stages[stage - 1])} to ${count(stages[stage])} of a process`
    return rowOf(`${title}, ${lines}`, asked, ours, limit)
  })
}

const firstSight = async () => {
  const args = { sizes: [groups], freshProducts: true, ...options }
  const { results } = await runPart(part("rules/growthPart.mjs"), args)
  const ours = named(results, `${names.apportion} ${groups}`)
  return [names.limit, names.remembering].map((name) =>
    rowOf(
      `a product's first sight, beside the ${name}`,
      "2",
      ours,
      named(results, `${name} ${groups}`),
    ),
  )
}

const splits = async (title, asked, workload) => {
  const args = { groups, ...workload, ...options }
  await runPart(part("shares/splitPart.mjs"), { ...args, isCheck: true })
  const { results } = await runPart(part("shares/splitPart.mjs"), args)
  const alone = named(results, "matching alone")
  return [
    rowOf(
      `a split with ${title}, beside matching alone`,
      asked,
      named(results, "Split.order"),
      alone,
    ),
    rowOf(
      `the same by hand: matching, and an object for each payee`,
      "",
      named(results, "matching, and an object for each payee"),
      alone,
    ),
  ]
}

const rules = async () => {
  const rows = [
    ...(await matching("selective")),
    ...(await matching("dense")),
    ...(await firstSight()),
    ...(await splits("twenty payees", "4", { itemsOfOrder: 5 })),
    ...(await splits("thousands of payees", "5", {
      kind: "dense",
      collaborators: 6_000,
      itemsOfOrder: 1,
    })),
  ]
  const text = `10,000 groups, 10,000 products of uneven popularity; time for a line, median (range), ${options.rounds} rounds:

${table(header, rows)}`
  console.log(`${text}\n`)
  writeSection("limits of rules", text)
}

/** Divides a file of lines into two of about the same size. */
const writeHalves = (path, halves) => {
  const bytes = readFileSync(path)
  const middle = bytes.indexOf("\n", bytes.length / 2) + 1
  writeFileSync(halves[0], bytes.subarray(0, middle))
  writeFileSync(halves[1], bytes.subarray(middle))
}

/** Processes that run at the same time, as if they were one. */
const together = async (all) => {
  const runs = await Promise.all(all.map(measure))
  const sum = (figureOf) => runs.reduce((total, run) => total + figureOf(run), 0)
  return {
    seconds: Math.max(...runs.map(({ seconds }) => seconds)),
    cpu: sum(({ cpu }) => cpu),
    megabytes: sum(({ megabytes }) => megabytes),
  }
}

const files = async () => {
  const folder = mkdtempSync(join(tmpdir(), "apportion-bench-"))
  const file = (name) => join(folder, name)
  try {
    const count = Number(process.env.BENCH_ORDERS ?? 400_000)
    writeFileSync(file("groups.json"), JSON.stringify(fileGroups))
    const write = (name, orders) =>
      writeOrders(file(name), { form: "ndjson", count: orders, seed: options.seed })
    await write("few.ndjson", 2_000)
    await write("orders.ndjson", count)
    const split = (orders, jobs) =>
      splitArguments({ groups: file("groups.json"), orders: file(orders), format: "ndjson", jobs })
    await writeOutput(split("few.ndjson", 1), file("splits.ndjson"))
    await compareAnswers(
      [1, 2].map((jobs) => ({
        name: `--jobs ${jobs}`,
        answers: async () => [await outputOf(split("orders.ndjson", jobs))],
      })),
    )
    const least = leastArguments({ orders: file("orders.ndjson"), splits: file("splits.ndjson") })
    const halves = ["first.ndjson", "second.ndjson"]
    writeHalves(file("orders.ndjson"), halves.map(file))
    const tasks = new Map([
      ["least", [least]],
      ["one", [split("orders.ndjson", 1)]],
      ["two", [split("orders.ndjson", 2)]],
      ["halves", halves.map((half) => split(half, 1))],
    ])
    const runs = new Map([...tasks.keys()].map((name) => [name, []]))
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [name, args] of tasks) runs.get(name).push(await together(args))
    }
    const processor = (name) =>
      summary(
        name,
        runs.get(name).map(({ cpu }) => cpu * 1e6),
      )
    const wall = (name) =>
      summary(
        name,
        runs.get(name).map(({ seconds }) => seconds * 1e6),
      )
    const megabytes = (name) => Math.max(...runs.get(name).map((run) => run.megabytes))
    const text = `\`apportion split\`, ${count.toLocaleString("en-US")} orders from NDJSON to NDJSON, whole processes, ${options.rounds} rounds. The limit is \`JSON.parse\` and \`JSON.stringify\` of the same texts; memory ${figure(megabytes("one"))} MB with one job, ${figure(megabytes("two"))} MB with two:

${table(header, [
  rowOf("time of the processor", "1.6", processor("one"), processor("least")),
  rowOf("the same with two jobs", "", processor("two"), processor("least")),
  [
    "two jobs are so many times as fast as one",
    "1.8",
    ratio(wall("one"), wall("two")),
    spread(wall("one")),
    spread(wall("two")),
  ],
  [
    "two processes of one job, with half of the orders each, are so many times as fast",
    "",
    ratio(wall("one"), wall("halves")),
    spread(wall("one")),
    spread(wall("halves")),
  ],
])}`
    console.log(`${text}\n`)
    writeSection("limits of files", text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const benches = { rules, files }
const asked = process.argv[2]
if (!Object.hasOwn(benches, asked ?? "")) {
  console.error("asked for is one of rules, files")
  process.exit(2)
}
await benches[asked]()
