/**
 * Parts of orders as they are packed: groups and policy by number, as many sales have the same ones, and without what
 * follows from the rest. What follows is worked out here alone, and stays worked out so: a field that is otherwise is kept.
 * The services' own arithmetic has no say in it, so what was recorded stays what it was when that changes.
 */
import { keyOf } from "../../payouts/PayoutItem.js"
import type { Posting, RecordedSale } from "../../ports/SaleStore.js"
import { hasAll, isFields, leaveOut, type StoredFields, without } from "./impliedFields.js"
import { pack, unpack } from "./packedJson.js"
import { idOf, nameOf, type PayoutIds, type PayoutNumbers } from "./payoutNumbers.js"

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

const fieldsOf = (value: unknown): StoredFields => (isFields(value) ? value : {})

const listOf = (value: unknown): ReadonlyArray<StoredFields> =>
  Array.isArray(value) ? value.map(fieldsOf) : []

const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isFields)

const numberOr = (value: unknown, other: number): number =>
  typeof value === "number" ? value : other

const impliedOfItem = ({ id, amount, quantity, discount = 0 }: StoredFields): StoredFields => {
  const left = numberOr(amount, 0) - numberOr(discount, 0)
  return {
    itemId: id,
    amount,
    quantity,
    discount,
    tax: 0,
    cost: 0,
    gatewayFee: 0,
    shipping: 0,
    base: left,
    deducted: 0,
    distributable: left,
    overAllocated: false,
  }
}

/** The cents of a percentage as a rule, never -0; what was rounded otherwise is kept. */
const percentOf = (base: unknown, percent: unknown): number =>
  percent === null ? 0 : Math.round((numberOr(base, 0) * Number(percent)) / 100) + 0

/** What shares are made from, besides those before them. */
interface OfSplit {
  readonly groups: ReadonlyArray<StoredFields>
  readonly orderItems: ReadonlyArray<StoredFields>
  readonly items: ReadonlyArray<StoredFields>
}

/** Where something with an id is in a list, which is shorter than the id; the id, if it is not there. */
const placeOf = (list: ReadonlyArray<StoredFields>, id: unknown): unknown => {
  const place = list.findIndex((one) => one["id"] === id)
  return place === -1 ? id : place
}

const idAt = (list: ReadonlyArray<StoredFields>, place: unknown): unknown =>
  typeof place === "number" ? list[place]?.["id"] : place

/** What is implied of a share that is given with all fields, or without those that are. */
const impliedOfShare = (
  { groups, orderItems, items }: OfSplit,
  before: StoredFields | undefined,
  given: StoredFields,
): StoredFields => {
  const own = (name: string, implied: unknown) =>
    given[name] === undefined ? implied : given[name]
  const lastPlace = groups.findIndex(({ id }) => id === before?.["groupId"])
  const itemId = before === undefined ? orderItems[0]?.["id"] : before["itemId"]
  const groupId = groups[(lastPlace + 1) % Math.max(groups.length, 1)]?.["id"]
  const ownId = own("itemId", itemId)
  const ownGroup = own("groupId", groupId)
  const group = groups.find(({ id }) => id === ownGroup) ?? {}
  const base = items.find((item) => item["itemId"] === ownId)?.["base"]
  const percent = group["percent"]
  const percentTotal = percentOf(own("base", base), own("percent", percent))
  const beforeShipping =
    numberOr(own("percentTotal", percentTotal), 0) + numberOr(own("flatTotal", 0), 0)
  const claim =
    numberOr(own("beforeShipping", beforeShipping), 0) + numberOr(own("shippingAmount", 0), 0)
  return {
    itemId,
    groupId,
    collaboratorId: group["collaboratorId"],
    base,
    percent,
    flatAmount: group["amount"],
    deducting: group["deductForOtherSplits"],
    percentTotal,
    flatTotal: 0,
    shippingAmount: 0,
    beforeShipping,
    claim,
    amount: own("claim", claim),
  }
}

const impliedOfStore = (
  orderItems: ReadonlyArray<StoredFields>,
  items: ReadonlyArray<StoredFields>,
  shares: ReadonlyArray<StoredFields>,
): ReadonlyArray<StoredFields> =>
  orderItems.map(({ id }, index) => {
    const own = shares.filter(({ itemId }) => itemId === id)
    const shared = own.reduce((sum, { amount }) => sum + numberOr(amount, 0), 0)
    return { itemId: id, amount: numberOr(items[index]?.["distributable"], 0) - shared }
  })

const impliedOfSplit = (order: StoredFields, policy: unknown): StoredFields => ({
  ...{ orderId: order["id"], currency: order["currency"], createdAt: order["createdAt"] ?? null },
  ...{ policy, outranked: [] },
})

/** How items were split, without what follows from the order's; nothing of items of which all does. */
const shortItems = (
  orderItems: ReadonlyArray<StoredFields>,
  items: ReadonlyArray<StoredFields>,
): ReadonlyArray<StoredFields> | undefined => {
  const implied = orderItems.map(impliedOfItem)
  if (!items.every((item, index) => hasAll(item, implied[index] ?? {}))) return undefined
  const short = items.map((item, index) => leaveOut(item, implied[index] ?? {}))
  const isAll =
    items.length === orderItems.length && short.every((one) => Object.keys(one).length === 0)
  return isAll ? [] : short
}

const completeItems = (
  orderItems: ReadonlyArray<StoredFields>,
  short: ReadonlyArray<StoredFields>,
): ReadonlyArray<StoredFields> => {
  const implied = orderItems.map(impliedOfItem)
  return short.length === 0 ? implied : short.map((one, index) => ({ ...implied[index], ...one }))
}

const shortShares = (of: OfSplit, shares: ReadonlyArray<StoredFields>): unknown => {
  const short = shares.map((share, index) => {
    const implied = impliedOfShare(of, shares[index - 1], share)
    const isNumbered = [share["itemId"], share["groupId"]].some((id) => typeof id === "number")
    if (isNumbered || !hasAll(share, implied)) return undefined
    const { itemId, groupId, ...rest } = leaveOut(share, implied)
    return {
      ...rest,
      ...(itemId === undefined ? {} : { itemId: placeOf(of.orderItems, itemId) }),
      ...(groupId === undefined ? {} : { groupId: placeOf(of.groups, groupId) }),
    }
  })
  return short.includes(undefined) ? undefined : short
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
    all.push({ ...impliedOfShare(of, all.at(-1), given), ...given })
  }
  return all
}

/** What is packed of a part; `undefined`: it lacks what each has. */
const shorten = (
  order: StoredFields,
  split: StoredFields,
  { orderId, policy, groups }: Known,
): ReadonlyArray<unknown> | undefined => {
  if (![order["items"], split["items"], split["shares"]].every(isList)) return undefined
  const implied = impliedOfSplit(order, policy)
  const orderItems = listOf(order["items"])
  const [items, shares] = [listOf(split["items"]), listOf(split["shares"])]
  const inStore = { store: impliedOfStore(orderItems, items, shares) }
  const ids = { id: orderId }
  const all = { ...implied, ...inStore, items, shares }
  if (!hasAll(order, ids) || !hasAll(split, all)) return undefined
  // An empty list stands for items of which nothing is to be said.
  if (items.length === 0 && orderItems.length > 0) return undefined
  const short = {
    items: shortItems(orderItems, items),
    shares: shortShares({ groups, orderItems, items }, shares),
  }
  if (short.items === undefined || short.shares === undefined) return undefined
  return [leaveOut(order, ids), { ...leaveOut(split, all), ...leaveOut(short, { items: [] }) }]
}

const complete = (
  [shortOrder, shortSplit]: ReadonlyArray<unknown>,
  { orderId, policy, groups }: Known,
): StoredFields => {
  const order: StoredFields = { id: orderId, ...fieldsOf(shortOrder) }
  const split: StoredFields = { ...impliedOfSplit(order, policy), ...fieldsOf(shortSplit) }
  const orderItems = listOf(order["items"])
  const items = completeItems(orderItems, listOf(split["items"]))
  const shares = completeShares({ groups, orderItems, items }, listOf(split["shares"]))
  const store = impliedOfStore(orderItems, items, shares)
  return { order, groups, policy, split: { store, ...split, items, shares } }
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
  packRule: (rule: object) => string = pack,
): PackedSale => {
  const { order, groups, policy, split } = document
  const known = { orderId, policy, groups: listOf(groups) }
  const short = shorten({ ...order }, { ...split }, known)
  if (short === undefined) return { packed: pack({ order, groups, policy, split }), rules: [] }
  return { packed: pack(short), rules: [policy, ...groups].map(packRule) }
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

const impliedOfPosting = (
  { orderId, split }: Sold,
  index: number,
  given: StoredFields,
): StoredFields => {
  const { itemId, groupId, collaboratorId } = split.shares[index] ?? {}
  const { itemId: item = itemId, groupId: group = groupId, runId } = given
  const run = typeof runId === "string" ? { runId } : {}
  const implied = {
    itemId,
    groupId,
    collaboratorId,
    currency: split.currency,
    rate: null,
    reversed: 0,
    refunds: 0,
  }
  if (typeof item !== "string" || typeof group !== "string") return implied
  return { ...implied, payoutItemId: keyOf({ orderId, itemId: item, groupId: group, ...run }) }
}

/** Postings, packed, in hexadecimal digits: what follows from the shares that they are of is left out. */
export const packPostings = (
  sale: Sold,
  postings: ReadonlyArray<Posting>,
  numbers: PayoutNumbers,
): string =>
  pack(
    postings.map((posting, index) => {
      const fields = { ...posting }
      const short = leaveOut(fields, impliedOfPosting(sale, index, fields))
      const rest = without(short, ["payoutId"])
      const payoutId = nameOf(posting.payoutId, numbers)
      return Object.keys(rest).some((name) => rest[name] !== undefined)
        ? { ...rest, payoutId }
        : payoutId
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
    const posting = { ...impliedOfPosting(sale, index, fields), ...fields }
    if (!isPosting(posting)) {
      throw new TypeError(`a posting of the order ${sale.orderId} is packed as something else`)
    }
    return posting
  })
