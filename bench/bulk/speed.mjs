// From file to file: lines that are columns, through `BulkSplit` and through `Split.order`, beside `apportion split` on the
// same orders in NDJSON. The processor's time of whole processes, their start included, and the peak of their memory.
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Group, Order } from "../../dist/node/wire.js"
import { groups, writeOrders } from "../cli/orders.mjs"
import { measure, splitArguments, writeOutput } from "../cli/split.mjs"
import { compareAnswers, median, settings } from "../measure.mjs"
import { figure, table } from "../report.mjs"
import { orderBatches, readBatches, writeBatches } from "./arrow.mjs"

const { rounds, seed } = settings({ rounds: 5 })
const count = Number(process.env.BENCH_ORDERS ?? 500_000)
/** How often the same rows are read in the longest run, by columns alone. */
const times = Number(process.env.BENCH_TIMES ?? 10)
const ordersOfBatch = 32_768

const program = (name) => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "apportion-bulk-"))
const file = (name) => join(folder, name)

async function* ordersOf(path) {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    yield Order.read(JSON.parse(line)).success
  }
}

async function* batchesOf(path, coded) {
  const batchOf = orderBatches({ coded })
  let orders = []
  for await (const order of ordersOf(path)) {
    orders.push(order)
    if (orders.length < ordersOfBatch) continue
    yield batchOf(orders)
    orders = []
  }
  if (orders.length > 0) yield batchOf(orders)
}

async function* repeated(path, count) {
  for (let time = 0; time < count; time += 1) yield* readBatches(path)
}

/** Every line's rest and shares, as a text for each. */
const linesOfColumns = async (path) => {
  const lines = []
  for await (const batch of readBatches(path)) {
    for (const { order_id, item_id, store, shares } of batch) {
      const paid = [...shares].map(
        (share) => `${share.group_id} ${share.amount} ${share.shipping_amount}`,
      )
      lines.push([order_id, item_id, store, ...paid].join(" "))
    }
  }
  return lines
}

const linesOfTexts = async (path) => {
  const lines = []
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const { order_id, shares, store } = JSON.parse(text)
    for (const { item_id, amount } of store) {
      const paid = shares
        .filter((share) => share.item_id === item_id)
        .map((share) => `${share.group_id} ${share.amount} ${share.shipping_amount}`)
      lines.push([order_id, item_id, amount, ...paid].join(" "))
    }
  }
  return lines
}

/** Writes orders as texts and as columns, and returns what is told to each program. */
const makeFiles = async (name, orders) => {
  const text = file(`${name}.ndjson`)
  await writeOrders(text, { form: "ndjson", count: orders, seed })
  for (const coded of [true, false]) {
    await writeBatches(file(`${name}-${coded}.arrow`), batchesOf(text, coded))
  }
}

const byCli = (name) =>
  splitArguments({
    ...{ groups: file("wire.json"), orders: file(`${name}.ndjson`) },
    ...{ format: "ndjson", jobs: 1 },
  })
const byColumns = (script, name, output = "/dev/null") => [
  ...[program(script), file("groups.json"), file(name), output],
]

const compare = async () => {
  await makeFiles("few", 20_000)
  await writeOutput(byCli("few"), file("few-out.ndjson"))
  const contenders = [
    { name: "apportion split", answers: () => linesOfTexts(file("few-out.ndjson")) },
  ]
  for (const [name, script, input] of [
    ["columns of codes", "columns.mjs", "few-true.arrow"],
    ["columns of texts", "columns.mjs", "few-false.arrow"],
    ["objects", "objects.mjs", "few-true.arrow"],
  ]) {
    const output = file(`${script}-${input}`)
    await measure(byColumns(script, input, output))
    contenders.push({ name, answers: () => linesOfColumns(output) })
  }
  await compareAnswers(contenders)
}

const run = async () => {
  writeFileSync(file("wire.json"), JSON.stringify(groups))
  const read = groups.map((group) => Group.read(group).success)
  writeFileSync(file("groups.json"), JSON.stringify(read))
  await compare()
  await makeFiles("all", count)
  await writeBatches(file("long.arrow"), repeated(file("all-true.arrow"), times))
  const lines = 2 * count
  const contenders = [
    { name: "`apportion split`, NDJSON", lines, args: byCli("all") },
    { name: "`Split.order`, Arrow", lines, args: byColumns("objects.mjs", "all-true.arrow") },
    { name: "`BulkSplit`, Arrow, codes", lines, args: byColumns("columns.mjs", "all-true.arrow") },
    { name: "`BulkSplit`, Arrow, texts", lines, args: byColumns("columns.mjs", "all-false.arrow") },
    {
      name: `\`BulkSplit\`, Arrow, codes, ${times} times as many`,
      ...{ lines: lines * times, args: byColumns("columns.mjs", "long.arrow") },
    },
  ]
  const taken = contenders.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, { args }] of contenders.entries()) taken[place].push(await measure(args))
  }
  const costs = contenders.map(({ lines }, place) =>
    taken[place].map(({ cpu }) => (cpu * 1e6) / lines),
  )
  const rows = contenders.map(({ name, lines }, place) => {
    const ratios = costs[place].map((cost, round) => costs[0][round] / cost)
    return [
      ...[name, lines.toLocaleString("en-US")],
      `${figure(median(costs[place]))} us (${figure(Math.min(...costs[place]))}-${figure(Math.max(...costs[place]))})`,
      `${figure(median(ratios))} (${figure(Math.min(...ratios))}-${figure(Math.max(...ratios))})`,
      `${figure(Math.max(...taken[place].map(({ megabytes }) => megabytes)))} MB`,
    ]
  })
  const header = [
    "way",
    "lines",
    "processor's time for a line, median (range)",
    "times as fast",
    "memory",
  ]
  console.log(table(header, rows))
}

try {
  await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
