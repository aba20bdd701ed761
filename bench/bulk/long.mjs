// Many lines from record batches to columns, without files: `BulkSplit` over all of them, `Split.order` over every so many
// batches of the same. Of each batch that both split every answer is compared. The processor's time of each, and the peak
// of the memory of all of it, which the objects of the samples decide. `BENCH_LINES` says how many lines, `BENCH_SAMPLE` that every so many batches go both ways.
import { cpuUsage, resourceUsage } from "node:process"
import * as arrow from "apache-arrow"
import { BulkSplit } from "../../dist/node/bulk.js"
import { RuleSet, Split } from "../../dist/node/index.js"
import { Group, Order } from "../../dist/node/wire.js"
import { groups as groupsOfWire, makeOrders } from "../cli/orders.mjs"
import { median, settings } from "../measure.mjs"
import { figure, table } from "../report.mjs"
import { orderBatches } from "./arrow.mjs"
import { linesOf, ordersOf } from "./orders.mjs"

const { seed } = settings()
const lines = Number(process.env.BENCH_LINES ?? 100_000_000)
const sample = Number(process.env.BENCH_SAMPLE ?? 100)
const ordersOfBatch = 32_768
const batchCount = 16

/** The places in an order's id that say how often its batch was made anew. */
const digits = 4

const groups = groupsOfWire.map((group) => Group.read(group).success)
const rules = RuleSet.make(groups)
const places = new Map(rules.groups.map(({ id }, place) => [id, place]))

const batches = () => {
  const batchOf = orderBatches({ coded: true })
  const named = (order) => ({ ...order, id: `${"0".repeat(digits)}-${order.id}` })
  const orders = makeOrders({ count: ordersOfBatch * batchCount, seed })
  return Array.from({ length: batchCount }, () =>
    batchOf(
      Array.from({ length: ordersOfBatch }, () => named(Order.read(orders.next().value).success)),
    ),
  )
}

/** The same rows as other orders with other amounts. */
const anew = (batch, time) => {
  const { fields } = batch.schema
  const children = batch.data.children.map((column, place) => {
    const { name } = fields[place]
    if (name === "amount") {
      const more = BigInt(time)
      const data = column.values.map((amount) => amount + more)
      return arrow.makeData({ type: column.type, length: batch.numRows, nullCount: 0, data })
    }
    if (name !== "order_id") return column
    const { valueOffsets } = column
    const data = column.values.slice()
    const prefix = new TextEncoder().encode(String(time).padStart(digits, "0"))
    for (let row = 0; row < batch.numRows; row += 1) data.set(prefix, valueOffsets[row])
    const texts = { type: column.type, length: batch.numRows, nullCount: 0 }
    return arrow.makeData({ ...texts, data, valueOffsets })
  })
  const type = new arrow.Struct(fields)
  const rows = { type, length: batch.numRows, nullCount: 0 }
  return new arrow.RecordBatch(batch.schema, arrow.makeData({ ...rows, children }))
}

const textsOf = ({ count, orderIds, itemIds, ...lines }) => {
  const decoder = new TextDecoder()
  const text = ({ values, valueOffsets }, line) =>
    decoder.decode(values.subarray(valueOffsets[line], valueOffsets[line + 1]))
  return Array.from({ length: count }, (_, line) => {
    const [from, to] = [lines.shareOffsets[line], lines.shareOffsets[line + 1]]
    return [
      ...[text(orderIds, line), text(itemIds, line), lines.store[line]],
      ...lines.shareGroups.subarray(from, to),
      ...lines.shareAmounts.subarray(from, to),
      ...lines.shareShippingAmounts.subarray(from, to),
    ].join(" ")
  })
}

const mustAgree = (given, expected) => {
  if (given.count === 0) throw new Error("there was nothing to compare")
  const others = textsOf(expected)
  for (const [line, text] of textsOf(given).entries()) {
    if (text === others[line]) continue
    console.error(`They don't agree: BulkSplit says ${text}, Split.order says ${others[line]}`)
    process.exit(1)
  }
  return given.count
}

/** Does something, and adds the microseconds of the processor that it took. */
const timed = (taken, work) => {
  const before = cpuUsage()
  const result = work()
  const { user, system } = cpuUsage(before)
  taken.push(user + system)
  return result
}

const run = () => {
  const sources = batches()
  const rows = sources.map(({ numRows }) => numRows)
  const bulk = new BulkSplit(rules)
  const taken = { bulk: [], sampled: [], objects: [], orders: [], columns: [] }
  const sums = { lines: 0, split: 0, shares: 0, refused: 0, compared: 0 }
  const add = (parts) => {
    for (const { count, shareGroups, refusals } of parts) {
      sums.split += count
      sums.shares += shareGroups.length
      sums.refused += refusals.size
    }
  }
  for (let index = 0; sums.lines < lines; index += 1) {
    const batch = anew(sources[index % batchCount], Math.floor(index / batchCount))
    const parts = timed(taken.bulk, () => bulk.split(batch))
    add(parts)
    sums.lines += rows[index % batchCount]
    if (index % sample === 0) {
      const orders = timed(taken.objects, () => ordersOf(batch))
      const splits = timed(taken.orders, () => orders.map((order) => Split.order(rules, order)))
      const columns = timed(taken.columns, () => linesOf(splits, places))
      taken.sampled.push(taken.bulk.at(-1))
      sums.compared += mustAgree(parts.at(-1), columns)
    }
  }
  add(bulk.end())
  if (sums.split !== sums.lines) throw new Error(`${sums.lines - sums.split} lines were lost`)
  report({ taken, sums, perBatch: rows[0] })
}

const total = (list) => list.reduce((sum, one) => sum + one, 0)

const report = ({ taken, sums, perBatch }) => {
  const sampledLines = taken.orders.length * perBatch
  // Of the first samples nothing is warm.
  const warm = Math.min(2, taken.orders.length - 1)
  const ratios = taken.orders.map((orders, at) => ({
    alone: orders / taken.sampled[at],
    whole: (taken.objects[at] + orders + taken.columns[at]) / taken.sampled[at],
  }))
  const ratio = (key) => {
    const values = ratios.slice(warm).map((one) => one[key])
    return `${figure(median(values))} (${figure(Math.min(...values))}-${figure(Math.max(...values))})`
  }
  const cost = (micros, lines) => `${figure(micros / lines)} us`
  const sampled = total(taken.objects) + total(taken.orders) + total(taken.columns)
  const count = (value) => value.toLocaleString("en-US")
  console.log(
    table(
      [
        "way",
        "lines",
        "processor's time for a line",
        "times what `BulkSplit` takes for the same batches",
      ],
      [
        ["`BulkSplit`", count(sums.lines), cost(total(taken.bulk), sums.lines), "1"],
        [
          "`Split.order` alone",
          count(sampledLines),
          cost(total(taken.orders), sampledLines),
          ratio("alone"),
        ],
        [
          "objects, `Split.order`, columns",
          count(sampledLines),
          cost(sampled, sampledLines),
          ratio("whole"),
        ],
      ],
    ),
  )
  const peak = figure(resourceUsage().maxRSS / 1024)
  const [shares, compared] = [count(sums.shares), count(sums.compared)]
  console.log(`${shares} shares, ${sums.refused} lines refused, ${compared} lines compared`)
  console.log(`${figure(total(taken.bulk) / 1e6)} s of the processor; peak of memory ${peak} MB`)
}

run()
