/**
 * One fact of a statement as bytes: its sort key, its figures, and the item as text. A fact is a
 * sale, a refund of one share, an expense or an income.
 */
import * as PayoutItem from "../../payouts/PayoutItem.js"
import type { SoldItem } from "../../payouts/SoldItem.js"
import type { Compare } from "./Spool.js"

/** The order of facts in the same second: sales come first, then refunds. */
const ranks = { sale: 1, refund: 2, income: 3, expense: 3 } as const

/** The figures of an item that can change later: a refund before the payment reduces both amounts. */
export interface Figures {
  readonly amount: number
  readonly originalAmount: number
  /** Unix seconds; `null`: never. */
  readonly refundedAt: number | null
}

/** The key of a fact. */
export interface Key {
  /** The number of its account. */
  readonly account: number
  /** The number of the fact, in the order of reading. */
  readonly number: number
  /** Of a sale: how many refunds follow. Of a refund: the number of its sale. */
  readonly link: number
}

const place = { length: 0, account: 4, rank: 8, time: 12, number: 20, link: 28, currency: 36 }

/** The positions of the figures in a record: the current ones, and those at the beginning of the period. */
export const places = { now: 40, earlier: 64 } as const
const headBytes = 88
const figuresLength = 24

/** Sorts by account, then by time, then by the kind of fact, then by number. */
export const compare: Compare = (one, at, other, otherAt) =>
  one.readUInt32LE(at + place.account) - other.readUInt32LE(otherAt + place.account) ||
  one.readDoubleLE(at + place.time) - other.readDoubleLE(otherAt + place.time) ||
  one.readUInt32LE(at + place.rank) - other.readUInt32LE(otherAt + place.rank) ||
  one.readDoubleLE(at + place.number) - other.readDoubleLE(otherAt + place.number)

const putFigures = (bytes: Buffer, at: number, figures: Figures): void => {
  bytes.writeDoubleLE(figures.amount, at)
  bytes.writeDoubleLE(figures.originalAmount, at + 8)
  bytes.writeDoubleLE(figures.refundedAt ?? Number.NaN, at + 16)
}

const figuresAtPlace = (bytes: Buffer, at: number): Figures => {
  const refundedAt = bytes.readDoubleLE(at + 16)
  return {
    amount: bytes.readDoubleLE(at),
    originalAmount: bytes.readDoubleLE(at + 8),
    refundedAt: Number.isNaN(refundedAt) ? null : refundedAt,
  }
}

/** The figures of an item. */
export const figuresOf = (item: PayoutItem.PayoutItem): Figures => ({
  amount: item.amount,
  originalAmount: item.originalAmount,
  refundedAt: "name" in item ? null : item.orderItem.refundedAt,
})

/** The figures as bytes. */
export const figuresBytes = (figures: Figures): Buffer => {
  const bytes = Buffer.alloc(figuresLength)
  putFigures(bytes, 0, figures)
  return bytes
}

type SoldText = ReturnType<typeof soldText>

/** A sold item without the names of its fields, which would take more space than the values. */
const soldText = ({ product, details, ...item }: SoldItem) =>
  [
    item.orderId,
    item.itemId,
    item.groupId,
    item.amount,
    item.discount,
    item.quantity,
    item.taxPercent,
    item.taxName,
    item.taxTotal,
    item.grams,
    item.externalId,
    item.splitAt,
    product.id,
    product.externalId,
    product.externalVariantId,
    product.name,
    product.sku,
    product.vendor,
    product.price,
    product.cost,
    product.tags,
    product.inventoryQuantity,
    details?.orderName ?? null,
  ] as const

const soldItem = (text: SoldText, refundedAt: number | null): SoldItem => ({
  orderId: text[0],
  itemId: text[1],
  groupId: text[2],
  amount: text[3],
  discount: text[4],
  quantity: text[5],
  taxPercent: text[6],
  taxName: text[7],
  taxTotal: text[8],
  grams: text[9],
  externalId: text[10],
  splitAt: text[11],
  product: {
    id: text[12],
    externalId: text[13],
    externalVariantId: text[14],
    name: text[15],
    sku: text[16],
    vendor: text[17],
    price: text[18],
    cost: text[19],
    tags: text[20],
    inventoryQuantity: text[21],
  },
  refundedAt,
  ...(text[22] === null ? {} : { details: { orderName: text[22] } }),
})

/** An item without its figures. */
type Text = readonly [
  kind: PayoutItem.PayoutItem["kind"],
  currency: string,
  rate: string | null,
  what: string | SoldText,
]

const textOf = (item: PayoutItem.PayoutItem): Text => [
  item.kind,
  item.originalCurrency,
  item.currencyExchangeRate,
  "name" in item ? item.name : soldText(item.orderItem),
]

/** A fact as bytes: an item, or a reversal of one. */
export const write = (
  item: PayoutItem.PayoutItem,
  { account, number, link }: Key,
): Buffer<ArrayBuffer> => {
  const text = JSON.stringify(textOf(item))
  const bytes = Buffer.allocUnsafe(headBytes + Buffer.byteLength(text))
  bytes.writeUInt32LE(bytes.length, place.length)
  bytes.writeUInt32LE(account, place.account)
  bytes.writeUInt32LE(ranks[item.kind], place.rank)
  bytes.writeDoubleLE(item.createdAt, place.time)
  bytes.writeDoubleLE(number, place.number)
  bytes.writeDoubleLE(link, place.link)
  bytes.write(item.originalCurrency.padEnd(places.now - place.currency), place.currency, "latin1")
  putFigures(bytes, places.now, figuresOf(item))
  putFigures(bytes, places.earlier, figuresOf(item))
  bytes.write(text, headBytes)
  return bytes
}

/** When it happened, in Unix seconds. */
export const timeOf = (record: Buffer): number => record.readDoubleLE(place.time)

export const isRefund = (record: Buffer): boolean =>
  record.readUInt32LE(place.rank) === ranks.refund

/** The currency of the sale; `undefined` for an expense or an income. */
export const currencyOf = (record: Buffer): string | undefined =>
  record.readUInt32LE(place.rank) <= ranks.refund
    ? record.toString("latin1", place.currency, places.now).trimEnd()
    : undefined

export const keyOf = (record: Buffer): Key => ({
  account: record.readUInt32LE(place.account),
  number: record.readDoubleLE(place.number),
  link: record.readDoubleLE(place.link),
})

/** The figures of a record. */
export const figuresIn = (record: Buffer): Figures => figuresAtPlace(record, places.now)

/** The figures of a record at the beginning of the period, if it is from before. */
export const earlierIn = (record: Buffer): Figures => figuresAtPlace(record, places.earlier)

/** The item of a record. */
export const read = (record: Buffer): PayoutItem.PayoutItem => {
  const { amount, originalAmount, refundedAt } = figuresIn(record)
  const text: Text = JSON.parse(record.toString("utf8", headBytes))
  const [kind, originalCurrency, currencyExchangeRate, what] = text
  const createdAt = timeOf(record)
  const money = { createdAt, amount, originalAmount, originalCurrency, currencyExchangeRate }
  if (typeof what === "string") {
    const id = `entry ${keyOf(record).number}`
    return { kind: kind === "income" ? "income" : "expense", id, name: what, ...money }
  }
  const orderItem = soldItem(what, refundedAt)
  const id = PayoutItem.keyOf(orderItem)
  return { kind: kind === "refund" ? "refund" : "sale", id, ...money, orderItem }
}

/**
 * The item of a record in a period that begins at a time: the item itself if it is of the period, or the part of an
 * earlier sale that was reversed in the period, as a refund.
 */
export const readSince =
  (from: number) =>
  (record: Buffer): PayoutItem.PayoutItem | undefined => {
    if (timeOf(record) >= from) return read(record)
    const earlier = earlierIn(record)
    const { amount, originalAmount, refundedAt } = figuresIn(record)
    if (refundedAt === null || refundedAt === earlier.refundedAt) return undefined
    const item = read(record)
    if ("name" in item) return undefined
    return {
      ...item,
      kind: "refund",
      createdAt: refundedAt,
      amount: amount - earlier.amount,
      originalAmount: originalAmount - earlier.originalAmount,
    }
  }
