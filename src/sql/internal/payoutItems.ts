/**
 * Items of payouts as they are packed: without their id and amount, which have columns of their own, and without what
 * follows from the rest of a share, or from the entry that they are packed with.
 */
import { keyOf, type PayoutItem } from "../../payouts/PayoutItem.js"
import { hasAll, isFields, leaveOut, type StoredFields, without } from "./impliedFields.js"
import { eightVersionsOf } from "./migrations/payoutLedger.js"
import { pack, unpack } from "./packedJson.js"
import { documentOf, type Row, textOf, wholeOf } from "./rows.js"

/** What fields that an item lacks are made from. */
interface Known {
  readonly id: string
  readonly amount: number
  readonly createdAt: unknown
}

const impliedOfProduct = ({ id }: StoredFields): StoredFields => ({
  externalId: id,
  externalVariantId: "",
  sku: null,
  vendor: "",
  price: 0,
  cost: 0,
  inventoryQuantity: null,
})

const impliedOfSold = ({ itemId }: StoredFields, { createdAt }: Known): StoredFields => ({
  externalId: itemId,
  splitAt: createdAt,
  discount: 0,
  quantity: 1,
  taxPercent: null,
  taxName: null,
  taxTotal: null,
  grams: 0,
  refundedAt: null,
})

const impliedOfItem = ({ amount }: Known): StoredFields => ({
  kind: "sale",
  originalAmount: amount,
  currencyExchangeRate: null,
})

const keyParts = (id: string): ReadonlyArray<string> => {
  const parts = id.split("/")
  return id.includes("%")
    ? parts.map((part) => part.replaceAll("%2F", "/").replaceAll("%25", "%"))
    : parts
}

/** The order, its item and the group, where an id is the key of a share. */
const keyIn = (id: string): StoredFields => {
  const [orderId = "", itemId = "", groupId = "", ...more] = keyParts(id)
  if (more.length > 0) return {}
  return keyOf({ orderId, itemId, groupId }) === id ? { orderId, itemId, groupId } : {}
}

/** An item that came when its entry was made does not say so again. */
const impliedOfEntry = (at: number | undefined): StoredFields =>
  at === undefined ? {} : { createdAt: at }

const shorten = (item: StoredFields, known: Known, at?: number): StoredFields | undefined => {
  const { orderItem } = item
  const implied: StoredFields = { ...impliedOfItem(known), ...impliedOfEntry(at) }
  if (!hasAll(item, implied)) return undefined
  const short = leaveOut(without(item, ["id", "amount"]), implied)
  if (orderItem === undefined) return short
  if (!isFields(orderItem) || !isFields(orderItem["product"])) return undefined
  const key = keyIn(known.id)
  const ofSold = { ...key, ...impliedOfSold(orderItem, known) }
  const ofProduct = impliedOfProduct(orderItem["product"])
  if (!hasAll(orderItem, ofSold) || !hasAll(orderItem["product"], ofProduct)) return undefined
  const product = leaveOut(orderItem["product"], ofProduct)
  // What is implied of the item's id is implied of the one that is left, so that is decided first.
  const isKey = Object.keys(key).every((name) => orderItem[name] === key[name])
  const sold = leaveOut(orderItem, isKey ? ofSold : impliedOfSold(orderItem, known))
  return { ...short, orderItem: { ...sold, product } }
}

const complete = (
  short: StoredFields,
  { id, amount }: Pick<Known, "id" | "amount">,
  at: number | undefined,
): StoredFields => {
  const dated = { ...impliedOfEntry(at), ...short }
  const known = { id, amount, createdAt: dated["createdAt"] }
  const item: StoredFields = { id, amount, ...impliedOfItem(known), ...dated }
  const { orderItem } = item
  if (!isFields(orderItem)) return item
  const keyed = { ...keyIn(id), ...orderItem }
  const given = isFields(orderItem["product"]) ? orderItem["product"] : {}
  const product = { ...impliedOfProduct(given), ...given }
  return { ...item, orderItem: { ...impliedOfSold(keyed, known), ...keyed, product } }
}

const isItem = (value: StoredFields): value is StoredFields & PayoutItem =>
  typeof value["kind"] === "string"

/** What an entry of a history says itself: when it was made, by whom, and the total and the count of items after it. */
export interface EntryHead {
  readonly at: number
  readonly actor: string
  readonly total: number
  readonly itemsCount: number
}

/** The first row of an entry packs what it says, and the item that it put first, if it put any. */
const entryIn = (packed: unknown): readonly [head: EntryHead, item: unknown] | undefined => {
  if (!Array.isArray(packed) || packed.length < 4) return undefined
  const [at, actor, total, itemsCount, item]: ReadonlyArray<unknown> = packed
  const [on = Number.NaN, sum = 0, count = 0] = [at, total, itemsCount].map(Number)
  if (typeof actor !== "string" || ![on, sum, count].every(Number.isSafeInteger)) return undefined
  return [{ at: on, actor, total: sum, itemsCount: count }, item]
}

/** The item that was packed, with the id and the amount that it has beside. */
const itemOf = (packed: unknown, id: string, amount: number): PayoutItem => {
  const [head, own] = entryIn(packed) ?? [undefined, packed]
  const given = Array.isArray(own) ? own[0] : own
  if (!isFields(given)) throw new TypeError(`the item ${id} is packed as something else`)
  const item = Array.isArray(own)
    ? { ...given, id, amount }
    : complete(given, { id, amount }, head?.at)
  if (!isItem(item)) throw new TypeError(`the item ${id} is packed without a kind`)
  return item
}

/** An item without id and amount; one that lacks what an item has is kept as it is. */
const shortItem = (item: PayoutItem, at?: number): unknown => {
  const { id, amount, createdAt } = item
  const fields: StoredFields = { ...item }
  // One without a time must not take that of its entry.
  const isUndated = at !== undefined && createdAt === undefined
  const known = { id, amount, createdAt }
  const short = isUndated ? undefined : shorten(fields, known, createdAt === at ? at : undefined)
  return short ?? [without(fields, ["id", "amount"])]
}

/** An item, packed, in hexadecimal digits. */
export const packItem = (item: PayoutItem): string => pack(shortItem(item))

/** What an entry says, with the item that it put first, packed, in hexadecimal digits. */
export const packEntry = (head: EntryHead, item?: PayoutItem): string => {
  const { at, actor, total, itemsCount } = head
  return pack([at, actor, total, itemsCount, ...(item === undefined ? [] : [shortItem(item, at)])])
}

/** What the entry in a row says. */
export const readHead = (row: Row): EntryHead => {
  const [head] = entryIn(unpack(textOf(row, "packed"))) ?? []
  if (head === undefined) throw new TypeError("an entry of a history is packed as something else")
  return head
}

/** The item in a row: packed, or the document that it was before version 0.6.0. */
export const readItem = (row: Row): PayoutItem => {
  const { packed } = row
  if (typeof packed !== "string") return documentOf(row)
  return itemOf(unpack(packed), textOf(row, "item_id"), wholeOf(row, "amount"))
}

// Where items are found: in the entries that put them, or in the table that they were in before version 0.6.0.

/** The number by which the entries of a payout name it. */
export const numberOf = (payoutId: string): string =>
  `(SELECT number FROM apportion.payouts WHERE account_id = $1 AND payout_id = ${payoutId})`

/** What became of an item after it was put, and what an item replaced. */
const fates = `LEFT JOIN apportion.payout_replacements was ON was.payout = e.payout
      AND was.version = e.version AND was.place = e.place
    LEFT JOIN apportion.payout_replacements now ON now.payout = e.payout
      AND now.now_version = e.version AND now.now_place = e.place`

/** Whether an item that was put is in the payout still. */
const isThere = "((e.place >= 0 AND was.payout IS NULL) OR now.payout IS NOT NULL)"

/** Columns of before version 0.6.0 in which something of an item stands beside its document. */
const copies = ["kind", "original_amount", "original_currency", "exchange_rate", "created_at"]

const ofEarlier = `i.item_id, i.amount, NULL::bytea AS packed, i.document, ${copies.map((name) => `i.${name}`).join(", ")}`

const ofEntry = `e.item_id, e.amount, e.packed, NULL::json, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::bigint`

/** What `readItem` reads of a row of the queries below: only for rows that are given out are the bytes made digits. */
export const columnsOfItem = (row: string): string =>
  `${row}.item_id, ${row}.amount, encode(${row}.packed, 'hex') AS packed, ${row}.document::text AS document,
    ${copies.map((name) => `${row}.${name}`).join(", ")}`

interface ItemPlaces {
  /** The payout's number. */
  readonly number: string
  readonly payoutId: string
  readonly itemId: string
}

/** The place at which a payout has an item, with what it is. */
export const placeOfItem = ({ number, payoutId, itemId }: ItemPlaces): string =>
  `SELECT i.added_in::integer AS version, i.place::integer AS place, ${ofEarlier}
    FROM apportion.payout_items i
    WHERE i.account_id = $1 AND i.payout_id = ${payoutId} AND i.item_id = ${itemId}
    UNION ALL SELECT coalesce(now.version, e.version), coalesce(now.place, e.place), ${ofEntry}
    FROM apportion.payout_ledger e ${fates}
    WHERE e.payout = ${number} AND hashtext(e.item_id) = hashtext(${itemId})
      AND e.item_id = ${itemId} AND ${isThere}`

/** The items of the payout $2 in their order, from the place $3 on at most $4; all, where those are NULL. */
export const itemsOfPayout = `SELECT ${columnsOfItem("part")} FROM (SELECT * FROM (
    SELECT i.added_in::integer AS version, i.place::integer AS place, ${ofEarlier}
    FROM apportion.payout_items i WHERE i.account_id = $1 AND i.payout_id = $2
    UNION ALL SELECT e.version, e.place, ${ofEntry} FROM apportion.payout_ledger e
    LEFT JOIN apportion.payout_replacements was ON was.payout = e.payout
      AND was.version = e.version AND was.place = e.place
    WHERE e.payout = ${numberOf("$2")} AND e.place >= 0 AND e.item_id IS NOT NULL
      AND was.payout IS NULL
    UNION ALL SELECT was.version, was.place, ${ofEntry}
    FROM apportion.payout_replacements was JOIN apportion.payout_ledger e
      ON e.payout = was.payout AND hashtext(e.item_id) = was.item AND e.item_id IS NOT NULL
      AND e.version = was.now_version AND e.place = was.now_place
    WHERE was.payout = ${numberOf("$2")} AND was.now_version IS NOT NULL
  ) AS found ORDER BY ${eightVersionsOf("version")}, version, place OFFSET $3 LIMIT $4
  ) AS part ORDER BY part.version, part.place`
