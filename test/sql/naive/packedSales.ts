/** Parts of orders and postings as they are packed, made plainly. */
import { PayoutItem } from "apportion"
import type { SaleDocument } from "../../../src/sql/internal/packedSales.js"
import { fieldsOf, hasAll, isFields, leaveOut, numberOr, without } from "./impliedFields.js"
import { type Fields, naivePack } from "./packedJson.js"

type List = ReadonlyArray<Fields>

const listOf = (value: unknown): List => (Array.isArray(value) ? value.map(fieldsOf) : [])

const impliedOfItem = ({ id, amount, quantity, discount = 0 }: Fields): Fields => {
  const left = numberOr(amount, 0) - numberOr(discount, 0)
  return {
    ...{ itemId: id, amount, quantity, discount, base: left, distributable: left },
    ...{ tax: 0, cost: 0, gatewayFee: 0, shipping: 0, deducted: 0, overAllocated: false },
  }
}

const shortItems = (orderItems: List, items: List): List | undefined => {
  const implied = items.map((_, index) => {
    const item = orderItems[index]
    return item === undefined ? {} : impliedOfItem(item)
  })
  if (!items.every((item, index) => hasAll(item, implied[index] ?? {}))) return undefined
  const short = items.map((item, index) => leaveOut(item, implied[index] ?? {}))
  const isEmpty = (one: Fields) => Object.values(one).every((field) => field === undefined)
  const isAll = items.length === orderItems.length && short.every(isEmpty)
  return isAll ? [] : short
}

const percentOf = (base: unknown, percent: unknown): number =>
  percent === null ? 0 : Math.round((numberOr(base, 0) * Number(percent)) / 100) + 0

interface OfSplit {
  readonly groups: List
  readonly orderItems: List
  readonly items: List
}

const impliedOfShare = (of: OfSplit, before: Fields | undefined, share: Fields): Fields => {
  const { groups, orderItems, items } = of
  const last = groups.findIndex(({ id }) => id === before?.["groupId"])
  const group = groups.find(({ id }) => id === share["groupId"]) ?? {}
  const { base: ownBase, percent: ownPercent, percentTotal, flatTotal } = share
  return {
    itemId: before === undefined ? orderItems[0]?.["id"] : before["itemId"],
    groupId: groups[(last + 1) % Math.max(groups.length, 1)]?.["id"],
    collaboratorId: group["collaboratorId"],
    base: items.find((item) => item["itemId"] === share["itemId"])?.["base"],
    percent: group["percent"],
    flatAmount: group["amount"],
    deducting: group["deductForOtherSplits"],
    ...{ percentTotal: percentOf(ownBase, ownPercent), flatTotal: 0, shippingAmount: 0 },
    beforeShipping: numberOr(percentTotal, 0) + numberOr(flatTotal, 0),
    claim: numberOr(share["beforeShipping"], 0) + numberOr(share["shippingAmount"], 0),
    amount: share["claim"],
  }
}

const shortShares = (of: OfSplit, shares: List): List | undefined => {
  const isNumbered = ({ itemId, groupId }: Fields) =>
    typeof itemId === "number" || typeof groupId === "number"
  const implied = shares.map((share, index) => impliedOfShare(of, shares[index - 1], share))
  const isWhole = (share: Fields, index: number) => hasAll(share, implied[index] ?? {})
  if (shares.some(isNumbered) || !shares.every(isWhole)) return undefined
  const placeOf = (list: List, given: unknown) => {
    const place = list.findIndex(({ id }) => id === given)
    return place === -1 ? given : place
  }
  return shares.map((share, index) => {
    const { itemId, groupId, ...rest } = leaveOut(share, implied[index] ?? {})
    return {
      ...rest,
      ...(itemId === undefined ? {} : { itemId: placeOf(of.orderItems, itemId) }),
      ...(groupId === undefined ? {} : { groupId: placeOf(of.groups, groupId) }),
    }
  })
}

const storeOf = (orderItems: List, items: List, shares: List): List =>
  orderItems.map(({ id }, index) => {
    const own = shares.filter(({ itemId }) => itemId === id)
    const shared = own.reduce((sum, { amount }) => sum + numberOr(amount, 0), 0)
    return { itemId: id, amount: numberOr(items[index]?.["distributable"], 0) - shared }
  })

/** What is packed of a part; `undefined`: it lacks what each has. */
const shorten = (orderId: string, document: SaleDocument): ReadonlyArray<unknown> | undefined => {
  const [order, split] = [fieldsOf(document.order), fieldsOf(document.split)]
  const isList = (value: unknown) => Array.isArray(value) && value.every(isFields)
  if (![order["items"], split["items"], split["shares"]].every(isList)) return undefined
  const [orderItems, groups] = [listOf(order["items"]), listOf(document.groups)]
  const [items, shares] = [listOf(split["items"]), listOf(split["shares"])]
  const all = {
    ...{ orderId: order["id"], currency: order["currency"], createdAt: order["createdAt"] ?? null },
    ...{ policy: document.policy, outranked: [], store: storeOf(orderItems, items, shares) },
  }
  if (!hasAll(order, { id: orderId }) || !hasAll(split, all)) return undefined
  if (items.length === 0 && orderItems.length > 0) return undefined
  const ofItems = shortItems(orderItems, items)
  const ofShares = shortShares({ groups, orderItems, items }, shares)
  if (ofItems === undefined || ofShares === undefined) return undefined
  const rest = leaveOut(without(split, "items", "shares"), all)
  const named = ofItems.length === 0 ? {} : { items: ofItems }
  return [leaveOut(order, { id: orderId }), { ...rest, ...named, shares: ofShares }]
}

export const naivePackSale = (orderId: string, document: SaleDocument) => {
  const { order, groups, policy, split } = document
  const short = shorten(orderId, document)
  return short === undefined
    ? { packed: naivePack({ order, groups, policy, split }), rules: [] }
    : { packed: naivePack(short), rules: [policy, ...groups].map(naivePack) }
}

/** Postings of a split, which name payouts by their numbers where they have one. */
export const naivePackPostings = (
  { orderId, split }: { readonly orderId: string; readonly split: SaleDocument["split"] },
  postings: List,
  numbers: ReadonlyMap<unknown, number>,
): string =>
  naivePack(
    postings.map((posting, index) => {
      const { itemId, groupId, collaboratorId } = split.shares[index] ?? {}
      const { itemId: item = itemId, groupId: group = groupId, runId } = posting
      const implied = {
        ...{ itemId, groupId, collaboratorId, currency: split.currency },
        ...{ rate: null, reversed: 0, refunds: 0 },
      }
      const run = typeof runId === "string" ? { runId } : {}
      const isKeyed = typeof item === "string" && typeof group === "string"
      const key = isKeyed
        ? { payoutItemId: PayoutItem.keyOf({ orderId, itemId: item, groupId: group, ...run }) }
        : {}
      const rest = without(leaveOut(posting, { ...implied, ...key }), "payoutId")
      const payoutId = numbers.get(posting["payoutId"]) ?? posting["payoutId"]
      return Object.values(rest).some((value) => value !== undefined)
        ? { ...rest, payoutId }
        : payoutId
    }),
  )
