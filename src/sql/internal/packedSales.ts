/**
 * Parts of orders as they are packed: groups and policy by number, as many sales have the same ones, and without what
 * follows from the rest. What follows is worked out here alone, and stays worked out so: a field that is otherwise is kept.
 * The services' own arithmetic has no say in it, so what was recorded stays what it was when that changes.
 */
import { keyOf } from "../../payouts/PayoutItem.js"
import type { Posting, RecordedSale } from "../../ports/SaleStore.js"
import {
  always,
  apart,
  fieldsOf,
  ImpliedFields,
  isFields,
  type StoredFields,
} from "./impliedFields.js"
import { type KeptFields, Packer, pack } from "./Packer.js"
import { idOf, nameOf, type PayoutIds, type PayoutNumbers } from "./payoutNumbers.js"
import { unpack } from "./Unpacker.js"

/** What packed parts name by numbers. */
export interface NamedByParts {
  readonly rules: ReadonlyMap<number, unknown>
  readonly payouts: PayoutIds
}

/** What was recorded once and never changes. */
export type SaleDocument = Pick<RecordedSale, "order" | "groups" | "policy" | "split">

/** What a packed part is made of beside itself. */
interface Known {
  readonly orderId: string
  readonly policy: unknown
  readonly groups: ReadonlyArray<StoredFields>
}

const listOf = (value: unknown): ReadonlyArray<StoredFields> =>
  Array.isArray(value) ? value.map(fieldsOf) : []

const isList = (value: unknown): value is ReadonlyArray<StoredFields> =>
  Array.isArray(value) && value.every(isFields)

const numberOr = (value: unknown, other: number): number =>
  typeof value === "number" ? value : other

/** How an item of an order was split. */
const itemFields = new ImpliedFields<StoredFields>({
  itemId: (_, { id }) => id,
  amount: (_, { amount }) => amount,
  quantity: (_, { quantity }) => quantity,
  discount: (_, { discount = 0 }) => discount,
  tax: always(0),
  cost: always(0),
  gatewayFee: always(0),
  shipping: always(0),
  base: (_, item) => leftOf(item),
  deducted: always(0),
  distributable: (_, item) => leftOf(item),
  overAllocated: always(false),
})

const leftOf = ({ amount, discount = 0 }: StoredFields): number =>
  numberOr(amount, 0) - numberOr(discount, 0)

/** The cents of a percentage as a rule, never -0; what was rounded otherwise is kept. */
const percentOf = (base: unknown, percent: unknown): number =>
  percent === null ? 0 : Math.round((numberOr(base, 0) * Number(percent)) / 100) + 0

/** What shares are made from, besides those before them. */
interface OfSplit {
  readonly groups: ReadonlyArray<StoredFields>
  readonly orderItems: ReadonlyArray<StoredFields>
  readonly items: ReadonlyArray<StoredFields>
}

/** What is known of a share. */
interface OfShare {
  /** The ids that follow from the share before it. */
  readonly itemId: unknown
  readonly groupId: unknown
  /** What the ids that it has stand for. */
  readonly group: StoredFields
  readonly base: unknown
}

/** What follows of a share. */
const shareFields = new ImpliedFields<OfShare>({
  itemId: (_, { itemId }) => itemId,
  groupId: (_, { groupId }) => groupId,
  collaboratorId: (_, { group }) => group["collaboratorId"],
  base: (_, { base }) => base,
  percent: (_, { group }) => group["percent"],
  flatAmount: (_, { group }) => group["amount"],
  deducting: (_, { group }) => group["deductForOtherSplits"],
  percentTotal: ({ base, percent }) => percentOf(base, percent),
  flatTotal: always(0),
  shippingAmount: always(0),
  beforeShipping: ({ percentTotal, flatTotal }) =>
    numberOr(percentTotal, 0) + numberOr(flatTotal, 0),
  claim: ({ beforeShipping, shippingAmount }) =>
    numberOr(beforeShipping, 0) + numberOr(shippingAmount, 0),
  amount: ({ claim }) => claim,
})

/** What is known of a share that is given with all fields, or without those that follow. */
const knownOfShare = (
  { groups, orderItems, items }: OfSplit,
  before: StoredFields | undefined,
  given: StoredFields,
): OfShare => {
  const lastPlace = groups.findIndex(({ id }) => id === before?.["groupId"])
  const itemId = before === undefined ? orderItems[0]?.["id"] : before["itemId"]
  const groupId = groups[(lastPlace + 1) % Math.max(groups.length, 1)]?.["id"]
  const { itemId: ownItem = itemId, groupId: ownGroup = groupId } = given
  return {
    itemId,
    groupId,
    group: groups.find(({ id }) => id === ownGroup) ?? {},
    base: items.find((item) => item["itemId"] === ownItem)?.["base"],
  }
}

const impliedOfStore = (
  orderItems: ReadonlyArray<StoredFields>,
  items: ReadonlyArray<StoredFields>,
  shares: ReadonlyArray<StoredFields>,
): ReadonlyArray<StoredFields> =>
  orderItems.map(({ id }, index) => {
    const amount = numberOr(items[index]?.["distributable"], 0)
    let shared = 0
    for (const one of shares) if (one["itemId"] === id) shared += numberOr(one["amount"], 0)
    return { itemId: id, amount: amount - shared }
  })

/** What is known of a split. */
interface SplitKnown {
  readonly order: StoredFields
  readonly policy: unknown
  readonly store: ReadonlyArray<StoredFields>
}

/** What follows of a split. */
const splitFields = new ImpliedFields<SplitKnown>({
  store: (_, { store }) => store,
  orderId: (_, { order }) => order["id"],
  currency: (_, { order }) => order["currency"],
  createdAt: (_, { order }) => order["createdAt"] ?? null,
  policy: (_, { policy }) => policy,
  outranked: () => [],
  shares: apart,
  items: apart,
})

const orderFields = new ImpliedFields<string>({ id: (_, orderId) => orderId })

/** Where something with an id is in a list, which is shorter than the id; the id, if it is not there. */
const placeOf = (list: ReadonlyArray<StoredFields>, id: unknown): unknown => {
  const place = list.findIndex((one) => one["id"] === id)
  return place === -1 ? id : place
}

const idAt = (list: ReadonlyArray<StoredFields>, place: unknown): unknown =>
  typeof place === "number" ? list[place]?.["id"] : place

/** How items were split, without what follows from the order's; nothing of items of which all does. */
const shortItems = (
  orderItems: ReadonlyArray<StoredFields>,
  items: ReadonlyArray<StoredFields>,
): ReadonlyArray<unknown> | undefined => {
  const short: Array<KeptFields | StoredFields> = []
  let isAll = items.length === orderItems.length
  for (const [index, item] of items.entries()) {
    const orderItem = orderItems[index]
    if (orderItem === undefined) short.push(item)
    else {
      const { kept, lacks } = itemFields.shorten(item, orderItem)
      if (lacks) return undefined
      isAll &&= kept.names.length === 0
      short.push(kept)
    }
  }
  return isAll ? [] : short
}

const completeItems = (
  orderItems: ReadonlyArray<StoredFields>,
  short: ReadonlyArray<StoredFields>,
): ReadonlyArray<StoredFields> =>
  short.length === 0
    ? orderItems.map((item) => itemFields.complete({}, item))
    : short.map((one, index) => {
        const orderItem = orderItems[index]
        return orderItem === undefined ? one : itemFields.complete(one, orderItem)
      })

const shortShares = (
  of: OfSplit,
  shares: ReadonlyArray<StoredFields>,
): ReadonlyArray<unknown> | undefined => {
  const short: Array<KeptFields> = []
  for (const [index, share] of shares.entries()) {
    const { itemId, groupId } = share
    const isNumbered = typeof itemId === "number" || typeof groupId === "number"
    const { kept, lacks } = shareFields.shorten(share, knownOfShare(of, shares[index - 1], share))
    if (isNumbered || lacks) return undefined
    if (kept.drop("itemId")) kept.keep("itemId", placeOf(of.orderItems, itemId))
    if (kept.drop("groupId")) kept.keep("groupId", placeOf(of.groups, groupId))
    short.push(kept)
  }
  return short
}

const completeShares = (
  of: OfSplit,
  shares: ReadonlyArray<StoredFields>,
): ReadonlyArray<StoredFields> => {
  const all: Array<StoredFields> = []
  for (const { itemId, groupId, ...rest } of shares) {
    const given = {
      ...rest,
      ...(itemId === undefined ? {} : { itemId: idAt(of.orderItems, itemId) }),
      ...(groupId === undefined ? {} : { groupId: idAt(of.groups, groupId) }),
    }
    all.push(shareFields.complete(given, knownOfShare(of, all.at(-1), given)))
  }
  return all
}

/** What is packed of a part; `undefined`: it lacks what each has. */
const shorten = (
  order: StoredFields,
  split: StoredFields,
  { orderId, policy, groups }: Known,
): ReadonlyArray<unknown> | undefined => {
  const { items: orderItems } = order
  const { items, shares } = split
  if (!isList(orderItems) || !isList(items) || !isList(shares)) return undefined
  // An empty list stands for items of which nothing is to be said.
  if (items.length === 0 && orderItems.length > 0) return undefined
  const store = impliedOfStore(orderItems, items, shares)
  const shortOrder = orderFields.shorten(order, orderId)
  const shortSplit = splitFields.shorten(split, { order, policy, store })
  if (shortOrder.lacks || shortSplit.lacks) return undefined
  const ofItems = shortItems(orderItems, items)
  const ofShares = shortShares({ groups, orderItems, items }, shares)
  if (ofItems === undefined || ofShares === undefined) return undefined
  const { kept } = shortSplit
  if (ofItems.length > 0) kept.keep("items", ofItems)
  kept.keep("shares", ofShares)
  return [shortOrder.kept, kept]
}

const complete = (
  [shortOrder, shortSplit]: ReadonlyArray<unknown>,
  { orderId, policy, groups }: Known,
): StoredFields => {
  const order = orderFields.complete(fieldsOf(shortOrder), orderId)
  const short = fieldsOf(shortSplit)
  const orderItems = listOf(order["items"])
  const items = completeItems(orderItems, listOf(short["items"]))
  const shares = completeShares({ groups, orderItems, items }, listOf(short["shares"]))
  const store = impliedOfStore(orderItems, items, shares)
  const split = splitFields.complete({ ...short, items, shares }, { order, policy, store })
  return { order, groups, policy, split }
}

const isSale = (value: StoredFields): value is StoredFields & SaleDocument =>
  isFields(value["order"]) && isFields(value["split"]) && Array.isArray(value["groups"])

/** A packed part, in hexadecimal digits, with the rules that it names: its policy, then its groups. */
export interface PackedSale {
  readonly packed: string
  readonly rules: ReadonlyArray<string>
}

/** What a part is recorded with, packed. */
export const packSale = (
  orderId: string,
  document: SaleDocument,
  packer = new Packer(),
  packRule: (rule: object) => string = pack,
): PackedSale => {
  const { order, groups, policy, split } = document
  const known = { orderId, policy, groups: listOf(groups) }
  const short = shorten(fieldsOf(order), fieldsOf(split), known)
  return short === undefined
    ? { packed: packer.pack({ order, groups, policy, split }), rules: [] }
    : { packed: packer.pack(short), rules: [policy, ...groups].map(packRule) }
}

/** What was packed, with the rules that it names. */
export const unpackSale = (
  orderId: string,
  packed: string,
  [policy, ...groups]: ReadonlyArray<unknown>,
): SaleDocument => {
  const given = unpack(packed)
  const known = { orderId, policy, groups: listOf(groups) }
  const sale = Array.isArray(given) ? complete(given, known) : fieldsOf(given)
  if (!isSale(sale)) throw new TypeError(`the order ${orderId} is packed as something else`)
  return sale
}

// Where shares were booked.

type Sold = Pick<RecordedSale, "orderId" | "split">

/** What is known of a posting. */
interface OfPosting {
  readonly orderId: string
  readonly currency: string
  /** The share that it is of. */
  readonly share: StoredFields
  readonly runId: unknown
}

const postingFields = new ImpliedFields<OfPosting>({
  itemId: (_, { share }) => share["itemId"],
  groupId: (_, { share }) => share["groupId"],
  collaboratorId: (_, { share }) => share["collaboratorId"],
  currency: (_, { currency }) => currency,
  rate: always(null),
  reversed: always(0),
  refunds: always(0),
  payoutItemId: (posting, { orderId, share, runId }) => {
    const { itemId = share["itemId"], groupId = share["groupId"] } = posting
    if (typeof itemId !== "string" || typeof groupId !== "string") return undefined
    const key = { orderId, itemId, groupId }
    return keyOf(typeof runId === "string" ? { ...key, runId } : key)
  },
  payoutId: apart,
})

const knownOfPosting = (
  { orderId, split }: Sold,
  index: number,
  { runId }: StoredFields,
): OfPosting => ({
  orderId,
  currency: split.currency,
  share: fieldsOf(split.shares[index]),
  runId,
})

/** Postings, packed, in hexadecimal digits: what follows from the shares that they are of is left out. */
export const packPostings = (
  sale: Sold,
  postings: ReadonlyArray<Posting>,
  numbers: PayoutNumbers,
  packer = new Packer(),
): string =>
  packer.pack(
    postings.map((posting, index) => {
      const fields = fieldsOf(posting)
      const { kept } = postingFields.shorten(fields, knownOfPosting(sale, index, fields))
      const payoutId = nameOf(posting.payoutId, numbers)
      if (kept.names.length === 0) return payoutId
      kept.keep("payoutId", payoutId)
      return kept
    }),
  )

const isPosting = (value: StoredFields): value is StoredFields & Posting =>
  typeof value["payoutId"] === "string"

/** Each posting that was packed, by what it says itself. */
const postingsIn = (packed: string): ReadonlyArray<StoredFields> => {
  const given = unpack(packed)
  const all: ReadonlyArray<unknown> = Array.isArray(given) ? given : []
  return all.map((one) => (isFields(one) ? one : { payoutId: one }))
}

/** The numbers of payouts that postings name. */
export const payoutNumbersIn = (packed: string): ReadonlyArray<number> =>
  postingsIn(packed).flatMap(({ payoutId }) => (typeof payoutId === "number" ? [payoutId] : []))

/** The postings that were packed, of the part that they are of, with the ids of the payouts that they name. */
export const unpackPostings = (
  sale: Sold,
  packed: string,
  ids: PayoutIds,
): ReadonlyArray<Posting> =>
  postingsIn(packed).map((short, index) => {
    const fields = { ...short, payoutId: idOf(short["payoutId"], ids) }
    const posting = postingFields.complete(fields, knownOfPosting(sale, index, fields))
    if (!isPosting(posting)) {
      throw new TypeError(`a posting of the order ${sale.orderId} is packed as something else`)
    }
    return posting
  })
