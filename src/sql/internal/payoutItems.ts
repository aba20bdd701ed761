/**
 * Items of payouts as they are packed: without their id and amount, which have columns of their own, and without what
 * follows from the rest of a share, or from the entry that they are packed with.
 */
import { keyOf, type PayoutItem, type ShareKey } from "../../payouts/PayoutItem.js"
import { always, fieldsOf, ImpliedFields, isFields, type StoredFields } from "./impliedFields.js"
import { eightVersionsOf } from "./migrations/payoutLedger.js"
import { type KeptFields, Packer } from "./Packer.js"
import { documentOf, type Row, textOf, wholeOf } from "./rows.js"
import { unpack } from "./Unpacker.js"

/** What is known of a product is what is left of it. */
const productFields = new ImpliedFields<StoredFields>({
  externalId: (_, { id }) => id,
  externalVariantId: always(""),
  sku: always(null),
  vendor: always(""),
  price: always(0),
  cost: always(0),
  inventoryQuantity: always(null),
})

/** What is known of an item of an order. */
interface OfSold {
  /** The ids that the key of a share is made of. */
  readonly key: Partial<ShareKey>
  readonly createdAt: unknown
}

const soldFields = new ImpliedFields<OfSold>({
  orderId: (_, { key }) => key.orderId,
  itemId: (_, { key }) => key.itemId,
  groupId: (_, { key }) => key.groupId,
  externalId: ({ itemId }) => itemId,
  splitAt: (_, { createdAt }) => createdAt,
  discount: always(0),
  quantity: always(1),
  taxPercent: always(null),
  taxName: always(null),
  taxTotal: always(null),
  grams: always(0),
  refundedAt: always(null),
})

/** What is known of an item. */
interface OfItem {
  readonly id: string
  readonly amount: number
  /** When the entry was made that it is packed with: it does not say so again. */
  readonly at: number | undefined
}

const itemFields = new ImpliedFields<OfItem>({
  id: (_, { id }) => id,
  amount: (_, { amount }) => amount,
  kind: always("sale"),
  originalAmount: (_, { amount }) => amount,
  currencyExchangeRate: always(null),
  createdAt: (_, { at }) => at,
})

const keyParts = (id: string): ReadonlyArray<string> => {
  const parts = id.split("/")
  return id.includes("%")
    ? parts.map((part) => part.replaceAll("%2F", "/").replaceAll("%25", "%"))
    : parts
}

/** The order, its item and the group, where an id is the key of a share. */
const keyIn = (id: string): Partial<ShareKey> => {
  const [orderId = "", itemId = "", groupId = "", ...more] = keyParts(id)
  if (more.length > 0) return {}
  return keyOf({ orderId, itemId, groupId }) === id ? { orderId, itemId, groupId } : {}
}

const isText = (value: unknown): value is string => typeof value === "string"

/** The ids of an order, of its item and of the group, where an id is the key that is made of them. */
const keyAs = ({ orderId, itemId, groupId }: StoredFields, id: string): Partial<ShareKey> => {
  if (!isText(orderId) || !isText(itemId) || !isText(groupId)) return {}
  const key = { orderId, itemId, groupId }
  return keyOf(key) === id ? key : {}
}

/** What was sold, of an item with an id; `undefined`: it lacks what each has. */
const shortSold = (sold: unknown, id: string, createdAt: unknown): KeptFields | undefined => {
  if (!isFields(sold) || !isFields(sold["product"])) return undefined
  // What follows of the item's id follows of the one that is left, so that is decided first.
  const key = keyAs(sold, id)
  const ofSold = soldFields.shorten(sold, { key, createdAt })
  const ofProduct = productFields.shorten(sold["product"], sold["product"])
  const ids = [sold["orderId"], sold["itemId"], sold["groupId"]]
  const lacksId = ids.includes(undefined) && keyIn(id).orderId !== undefined
  if (lacksId || ofSold.lacks || ofProduct.lacks) return undefined
  ofSold.kept.replace("product", ofProduct.kept)
  return ofSold.kept
}

const shorten = (item: StoredFields, known: OfItem): KeptFields | undefined => {
  const { orderItem } = item
  const { kept, lacks } = itemFields.shorten(item, known)
  if (lacks) return undefined
  if (orderItem === undefined) return kept
  const sold = shortSold(orderItem, known.id, item["createdAt"])
  if (sold === undefined) return undefined
  kept.replace("orderItem", sold)
  return kept
}

const completeSold = (short: StoredFields, id: string, createdAt: unknown): StoredFields => {
  const product = isFields(short["product"]) ? short["product"] : {}
  return soldFields.complete(
    { ...short, product: productFields.complete(product, product) },
    { key: keyIn(id), createdAt },
  )
}

const complete = (short: StoredFields, known: OfItem): StoredFields => {
  const item = itemFields.complete(short, known)
  const { orderItem } = item
  if (!isFields(orderItem)) return item
  return { ...item, orderItem: completeSold(orderItem, known.id, item["createdAt"]) }
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
    : complete(given, { id, amount, at: head?.at })
  if (!isItem(item)) throw new TypeError(`the item ${id} is packed without a kind`)
  return item
}

/** What is left of an item of which no more than this follows. */
const columnFields = new ImpliedFields<PayoutItem>({
  id: (_, { id }) => id,
  amount: (_, { amount }) => amount,
})

/** An item without id and amount; one that lacks what an item has is kept as it is. */
const shortItem = (item: PayoutItem, entryAt?: number): unknown => {
  const { id, amount, createdAt } = item
  const fields = fieldsOf(item)
  // One without a time must not take that of its entry.
  const isUndated = entryAt !== undefined && createdAt === undefined
  const at = createdAt === entryAt ? entryAt : undefined
  const short = isUndated ? undefined : shorten(fields, { id, amount, at })
  return short ?? [columnFields.shorten(fields, item).kept]
}

/** An item, packed, in hexadecimal digits. */
export const packItem = (item: PayoutItem, packer = new Packer()): string =>
  packer.pack(shortItem(item))

/** What an entry says, with the item that it put first, packed, in hexadecimal digits. */
export const packEntry = (head: EntryHead, item?: PayoutItem, packer = new Packer()): string => {
  const { at, actor, total, itemsCount } = head
  const said = [at, actor, total, itemsCount]
  return packer.pack(item === undefined ? said : [...said, shortItem(item, at)])
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
