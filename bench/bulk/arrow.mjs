// Orders as record batches of Arrow, and record batches of what their lines are split into.
import { createReadStream, createWriteStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import * as arrow from "apache-arrow"

const { Bool, Dictionary, Field, Int32, Int64, List, RecordBatch, Schema, Struct, Utf8 } = arrow

/** Texts that come again and again as codes, unless plain ones are asked for. */
const columnsOf = (coded) => {
  let dictionaries = 0
  const word = () => {
    if (!coded) return new Utf8()
    dictionaries += 1
    return new Dictionary(new Utf8(), new Int32(), dictionaries)
  }
  const words = () => new List(new Field("item", word(), true))
  const whole = (value) => (value == null ? null : BigInt(value))
  return [
    ["order_id", new Utf8(), ({ order }) => order.id],
    ["currency", word(), ({ order }) => order.currency],
    ["created_at", new Int64(), ({ order }) => whole(order.createdAt)],
    ["tags", words(), ({ order }) => order.tags ?? []],
    ["customer_tags", words(), ({ order }) => order.customerTags ?? []],
    ["discount_codes", words(), ({ order }) => order.discountCodes ?? []],
    ["billing_country", word(), ({ order }) => order.billingCountry],
    ["referer", words(), ({ order }) => order.referers ?? []],
    ["taxes_included", new Bool(), ({ order }) => order.taxesIncluded],
    ["shipping_amount", new Int64(), ({ order }) => whole(order.shippingAmount)],
    ["item_id", new Utf8(), ({ item }) => item.id],
    ["quantity", new Int32(), ({ item }) => item.quantity],
    ["amount", new Int64(), ({ item }) => whole(item.amount)],
    ["discount", new Int64(), ({ item }) => whole(item.discount)],
    ["tax_total", new Int64(), ({ item }) => whole(item.taxTotal)],
    ["product_id", word(), ({ item }) => item.product.id],
    ["product_vendor", word(), ({ item }) => item.product.vendor],
    ["product_tags", words(), ({ item }) => item.product.tags ?? []],
  ]
}

/** Makes record batches of lists of orders, whose dictionaries grow from batch to batch. */
export const orderBatches = ({ coded }) => {
  const columns = columnsOf(coded)
  const builders = columns.map(([, type]) =>
    arrow.makeBuilder({ type, nullValues: [null, undefined] }),
  )
  const schema = new Schema(columns.map(([name, type]) => new Field(name, type, true)))
  return (orders) => {
    const rows = orders.flatMap((order) => order.items.map((item) => ({ order, item })))
    const children = columns.map(([, , read], place) => {
      for (const row of rows) builders[place].append(read(row))
      return builders[place].flush()
    })
    const type = new Struct(schema.fields)
    return new RecordBatch(schema, arrow.makeData({ type, length: rows.length, children }))
  }
}

/** Makes record batches of split lines. */
export const lineBatches = (groups) => {
  const textsOf = (list) => arrow.vectorFromArray(list, new Utf8())
  const people = [...new Set(groups.map(({ collaboratorId }) => collaboratorId))]
  const [groupIds, collaboratorIds] = [textsOf(groups.map(({ id }) => id)), textsOf(people)]
  const numbers = new Map(people.map((id, number) => [id, number]))
  const collaborators = Int32Array.from(groups, (group) => numbers.get(group.collaboratorId))
  const [group, collaborator] = [1, 2].map((id) => new Dictionary(new Utf8(), new Int32(), id))
  const share = new Struct([
    new Field("group_id", group),
    new Field("collaborator_id", collaborator),
    new Field("amount", new Int64()),
    new Field("shipping_amount", new Int64()),
  ])
  const shares = new List(new Field("item", share))
  const schema = new Schema([
    new Field("order_id", new Utf8()),
    new Field("item_id", new Utf8()),
    new Field("store", new Int64()),
    new Field("shares", shares),
  ])
  const column = (type, data, more = {}) =>
    arrow.makeData({ type, length: data.length, nullCount: 0, data, ...more })
  const text = ({ length, values, valueOffsets }) =>
    arrow.makeData({ type: new Utf8(), length, nullCount: 0, data: values, valueOffsets })
  return (lines) => {
    const { count, shareGroups } = lines
    const people = shareGroups.map((place) => collaborators[place])
    const parts = arrow.makeData({
      ...{ type: share, length: shareGroups.length, nullCount: 0 },
      children: [
        column(group, shareGroups, { dictionary: groupIds }),
        column(collaborator, people, { dictionary: collaboratorIds }),
        column(new Int64(), lines.shareAmounts),
        column(new Int64(), lines.shareShippingAmounts),
      ],
    })
    const list = { type: shares, length: count, nullCount: 0, child: parts }
    const children = [
      text(lines.orderIds),
      text(lines.itemIds),
      column(new Int64(), lines.store),
      arrow.makeData({ ...list, valueOffsets: lines.shareOffsets }),
    ]
    const type = new Struct(schema.fields)
    return new RecordBatch(schema, arrow.makeData({ type, length: count, nullCount: 0, children }))
  }
}

/** The record batches of a file, one after another; `-` is the standard input. */
export async function* readBatches(path) {
  const input = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: 1 << 20 })
  yield* await arrow.RecordBatchReader.from(input)
}

/** Where a writer puts its bytes, until they are taken: its own stream accepts batches however many wait. */
class Sink extends arrow.AsyncByteQueue {
  chunks = []

  write(chunk) {
    this.chunks.push(chunk)
  }

  *taken() {
    const { chunks } = this
    this.chunks = []
    yield* chunks
  }
}

/** The bytes of record batches, each batch's when those of the one before were taken. */
export async function* bytesOf(batches) {
  const sink = new Sink()
  const writer = new arrow.RecordBatchStreamWriter({ autoDestroy: false })
  writer.reset(sink)
  for await (const batch of batches) {
    writer.write(batch)
    yield* sink.taken()
  }
  writer.close()
  yield* sink.taken()
}

/** Writes record batches to a file as they come, no faster than it takes them; `-` is the standard output. */
export const writeBatches = (path, batches) =>
  pipeline(bytesOf(batches), path === "-" ? process.stdout : createWriteStream(path))
