/** Items of payouts as they are packed, made plainly. */
import { PayoutItem } from "apportion"
import type { EntryHead } from "../../../src/sql/internal/payoutItems.js"
import { fieldsOf, hasAll, isFields, leaveOut, without } from "./impliedFields.js"
import { type Fields, naivePack } from "./packedJson.js"

const impliedOfProduct = ({ id }: Fields): Fields => ({
  ...{ externalId: id, externalVariantId: "", sku: null, vendor: "", price: 0, cost: 0 },
  inventoryQuantity: null,
})

const impliedOfSold = ({ itemId }: Fields, createdAt: unknown): Fields => ({
  ...{ externalId: itemId, splitAt: createdAt, discount: 0, quantity: 1, taxPercent: null },
  ...{ taxName: null, taxTotal: null, grams: 0, refundedAt: null },
})

/** The order, its item and the group, where an id is the key of a share. */
const keyIn = (id: string): Fields => {
  const parts = id.split("/").map((part) => part.replaceAll("%2F", "/").replaceAll("%25", "%"))
  const [orderId = "", itemId = "", groupId = ""] = parts
  const isKey = parts.length <= 3 && PayoutItem.keyOf({ orderId, itemId, groupId }) === id
  return isKey ? { orderId, itemId, groupId } : {}
}

const shortSold = (sold: unknown, id: string, createdAt: unknown): Fields | undefined => {
  const product = fieldsOf(sold)["product"]
  if (!isFields(sold) || !isFields(product)) return undefined
  const [key, ofProduct] = [keyIn(id), impliedOfProduct(product)]
  const ofSold = impliedOfSold(sold, createdAt)
  if (!hasAll(sold, { ...key, ...ofSold }) || !hasAll(product, ofProduct)) return undefined
  const isKey = Object.keys(key).every((name) => sold[name] === key[name])
  const short = leaveOut(sold, isKey ? { ...key, ...ofSold } : ofSold)
  return { ...short, product: leaveOut(product, ofProduct) }
}

const shorten = (item: Fields, id: string, at: number | undefined): Fields | undefined => {
  const { amount, createdAt, orderItem } = item
  const implied = {
    ...{ kind: "sale", originalAmount: amount, currencyExchangeRate: null },
    ...(at === undefined ? {} : { createdAt: at }),
  }
  if (!hasAll(item, implied)) return undefined
  const short = leaveOut(without(item, "id", "amount"), implied)
  if (orderItem === undefined) return short
  const sold = shortSold(orderItem, id, createdAt)
  return sold === undefined ? undefined : { ...short, orderItem: sold }
}

const shortItem = (item: PayoutItem.PayoutItem, entryAt?: number): unknown => {
  const { id, createdAt } = item
  const isUndated = entryAt !== undefined && createdAt === undefined
  const at = createdAt === entryAt ? entryAt : undefined
  const short = isUndated ? undefined : shorten(fieldsOf(item), id, at)
  return short ?? [without(fieldsOf(item), "id", "amount")]
}

export const naivePackItem = (item: PayoutItem.PayoutItem): string => naivePack(shortItem(item))

export const naivePackEntry = (head: EntryHead, item: PayoutItem.PayoutItem): string =>
  naivePack([head.at, head.actor, head.total, head.itemsCount, shortItem(item, head.at)])
