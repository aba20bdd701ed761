// What recording a sale costs, by part: a thousand sales at a time with `recordAll`, in PostgreSQL. Parts and the whole are of
// the same run: the process is sampled while it records, and each sample belongs to one part, so parts add up to the whole.
// What the server takes is told by its processes, from one answer to the next. Writes its section of docs/benchmarks.md; with
// BENCH_TOGETHER, how many sales are recorded at a time, it only tells.
import { strict as assert } from "node:assert"
import { readFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { loadavg } from "node:os"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Sales } from "../../dist/service/index.js"
import { table, writeSection } from "../report.mjs"
import { median, range, startServer } from "./database.mjs"
import { orderOf } from "./orders.mjs"
import { observed, runtimeOf, setUp } from "./recorders.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const usual = 1_000
const count = Number(process.env.BENCH_TOGETHER ?? usual)
const [timesInRound, timesBefore] = [5, 10].map((times) => Math.min(500, (times * usual) / count))

let orders = 0
const nextOrders = () => {
  orders += count
  return Array.from({ length: count }, (_, index) => orderOf(orders - index))
}

// The process. A sample belongs to the part that its innermost call with a part is of: what several parts call, such as
// packing, belongs to who called it.

const file =
  (...paths) =>
  ({ url }) =>
    paths.some((path) => url.includes(path))

const partsOfProcess = [
  { name: "collecting garbage", of: ({ functionName }) => functionName === "(garbage collector)" },
  { name: "the bench, which makes the orders", of: file("/bench/sql/") },
  {
    name: "reading orders",
    of: file("/dist/orders/Order.js", "/dist/service/internal/sales/storableOrder"),
  },
  { name: "splitting them", of: file("/dist/shares/", "/dist/rules/") },
  { name: "texts of histories, which are hashed", of: file("/dist/ports/PayoutHistory.js") },
  { name: "parts of orders packed", of: file("/dist/sql/internal/newSales.js") },
  {
    name: "entries of payouts packed",
    of: file("/dist/sql/internal/payoutChanges.js", "/dist/sql/internal/payoutAdditions.js"),
  },
  { name: "events packed", of: file("/dist/sql/internal/eventStore.js") },
  { name: "all else of the storage", of: file("/dist/sql/") },
  { name: "the driver", of: file("/@effect/sql-pg/", "node:net") },
  { name: "steps of effects", of: file("/node_modules/effect/dist/") },
  { name: "the services", of: file("/dist/") },
]
const helpers = file(
  ...["Packer", "impliedFields", "packedSales", "payoutItems", "payoutNumbers", "soldSums"],
  ...["saleSubjects", "internal/rows", "/dist/internal/", "/dist/money/"],
)
const outside = "node itself"
const processParts = [...partsOfProcess.map(({ name }) => name), outside]

/** What the process does not do for sales: it waits, or its profile is written. */
const isAside = ({ functionName, url }) =>
  functionName === "(idle)" || (functionName === "post" && url === "node:inspector")

/** Of each call in a profile, the part that it is of. */
const partsIn = ({ nodes }) => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parts = new Map()
  const visit = ({ id, callFrame, children = [] }, around) => {
    const own = helpers(callFrame) ? undefined : partsOfProcess.find(({ of }) => of(callFrame))
    const part = own?.name ?? around
    parts.set(id, isAside(callFrame) ? undefined : part)
    for (const child of children) visit(byId.get(child), part)
  }
  visit(nodes[0], outside)
  return parts
}

/** Of the samples in which the process was busy, which share each part has. */
const sharesIn = (profile) => {
  const parts = partsIn(profile)
  const busy = new Map(processParts.map((name) => [name, 0]))
  for (const [index, id] of profile.samples.entries()) {
    const part = parts.get(id)
    if (part !== undefined) busy.set(part, busy.get(part) + profile.timeDeltas[index])
  }
  const all = [...busy.values()].reduce((sum, time) => sum + time, 0)
  return new Map([...busy].map(([name, time]) => [name, time / all]))
}

// The server. Its processes say how long each of them has had a processor, which is read at the answer to each statement.

const partsOfServer = [
  { name: "parts of orders, and what they come to", of: /INSERT INTO apportion.sale_parts/ },
  { name: "entries of payouts, with their hashes", of: /INSERT INTO apportion.payout_ledger/ },
  { name: "events", of: /INSERT INTO apportion.new_events/ },
  { name: "which items payouts have", of: /found.item_id/ },
  { name: "all other statements", of: /^/ },
]
let processes = []
const served = () =>
  processes.reduce((sum, { pid }) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")
    return sum + Number(nanoseconds) / 1_000
  }, 0)

let spent = new Map()
/** What the server had taken at the last answer: several statements may be under way, which it answers one after the other. */
let before = 0
const noting = (asked, statement) =>
  Effect.suspend(() => {
    const { name } = partsOfServer.find(({ of }) => of.test(statement))
    const note = Effect.sync(() => {
      const now = served()
      spent.set(name, (spent.get(name) ?? 0) + now - before)
      before = now
    })
    return Effect.onExit(asked, () => note)
  })

const server = await startServer()
const runtime = runtimeOf(observed(server.client(2), noting))
const profiler = new Session()
try {
  await runtime.runPromise(setUp("shop"))
  const asked = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"),
  )
  processes = await runtime.runPromise(asked)
  const record = async () => {
    const given = nextOrders()
    const recorded = Effect.flatMap(Sales, (sales) => sales.recordAll("shop", given))
    const outcomes = await runtime.runPromise(recorded)
    assert.ok(outcomes.every(({ type }) => type === "recorded"))
  }
  for (let times = 0; times < timesBefore; times += 1) await record()
  profiler.connect()
  await profiler.post("Profiler.enable")
  await profiler.post("Profiler.setSamplingInterval", { interval: 250 })
  const found = []
  for (let round = 0; round < rounds; round += 1) {
    spent = new Map()
    await profiler.post("Profiler.start")
    const [cpu, first] = [process.cpuUsage(), served()]
    before = first
    for (let times = 0; times < timesInRound; times += 1) await record()
    const { user, system } = process.cpuUsage(cpu)
    const ofServer = served() - first
    const { profile } = await profiler.post("Profiler.stop")
    found.push({ cpu: user + system, ofServer, shares: sharesIn(profile), spent })
  }
  const figures = (of) => {
    const all = found.map((one) => of(one) / (count * timesInRound))
    return `${median(all).toFixed(0)} (${range(all)})`
  }
  const rows = [
    ["**the process**", figures(({ cpu }) => cpu)],
    ...processParts.map((name) => [name, figures(({ cpu, shares }) => cpu * shares.get(name))]),
    ["**the server**", figures(({ ofServer }) => ofServer)],
    ...partsOfServer.map(({ name }) => [name, figures(({ spent }) => spent.get(name) ?? 0)]),
  ]
  const load = loadavg()[0].toFixed(1)
  const told = [
    `What of a sale of two items and four shares takes a processor, ${count} at a time with \`recordAll\`: ${rounds} rounds of ${timesInRound}, with the load of the machine at ${load} (\`node bench/sql/costs.mjs\`). What the process and the server had of a processor is what the system says. The process is sampled while it records, and each sample is of the part that its innermost call with a part is of; a part has its share of the process's time, so the parts of a round are the whole. The server's parts are what it takes from the answer to the statement before to that to the part's own.`,
    table(["", "µs a sale, median (range)"], rows),
  ].join("\n\n")
  console.log(told)
  if (count === usual) writeSection("costs", told)
} finally {
  await runtime.dispose()
  await server.stop()
}
