import { at } from "../../internal/at.js"
import { isSeconds } from "../../internal/seconds.js"
import * as Currency from "../../money/Currency.js"
import * as Order from "../../orders/Order.js"
import { netOf } from "./base.js"

const isAmount = (value: number | null | undefined): boolean =>
  value == null || Number.isSafeInteger(value)

const isTextOrAbsent = (value: string | undefined): boolean =>
  value === undefined || typeof value === "string"

const areTexts = (values: ReadonlyArray<string> | undefined): boolean => {
  if (values === undefined) return true
  if (!Array.isArray(values)) return false
  for (const value of values) if (typeof value !== "string") return false
  return true
}

const isProduct = (product: Order.OrderItem["product"]): boolean => {
  const { id, externalId, otherIds, vendor, tags, cost } = product
  return (
    typeof id === "string" &&
    isTextOrAbsent(externalId) &&
    areTexts(otherIds) &&
    isTextOrAbsent(vendor) &&
    areTexts(tags) &&
    isAmount(cost)
  )
}

const isItem = (item: Order.OrderItem): boolean =>
  typeof item.id === "string" &&
  isProduct(item.product) &&
  Number.isSafeInteger(item.amount) &&
  Number.isSafeInteger(item.quantity) &&
  item.quantity >= 0 &&
  isAmount(item.discount) &&
  isAmount(item.taxTotal) &&
  Number.isSafeInteger(netOf(item))

/** Checks index by index: a sparse list with a length of billions fails at its first hole. */
const areItems = (items: ReadonlyArray<Order.OrderItem>): boolean => {
  if (!Array.isArray(items)) return false
  for (const item of items) if (!isItem(item)) return false
  return true
}

/** Up to this many items are compared with each other, which is faster. */
const fewItems = 8

const haveDistinctIds = (items: ReadonlyArray<Order.OrderItem>): boolean => {
  if (items.length > fewItems) return new Set(items.map((item) => item.id)).size === items.length
  return items.every(({ id }, index) => {
    for (let place = 0; place < index; place += 1) if (at(items, place).id === id) return false
    return true
  })
}

const hasAttributes = (order: Order.Order): boolean =>
  areTexts(order.tags) &&
  areTexts(order.customerTags) &&
  areTexts(order.discountCodes) &&
  areTexts(order.referers) &&
  (order.billingCountry == null || typeof order.billingCountry === "string")

/**
 * Whether everything that matching and arithmetic rely on is valid. Readers of outside data check much more; this is
 * checked for each order, because money depends on it.
 */
export const isSplittable = (order: Order.Order): boolean =>
  typeof order.id === "string" &&
  Currency.isCurrency(order.currency) &&
  (order.taxesIncluded === undefined || typeof order.taxesIncluded === "boolean") &&
  (order.createdAt == null || isSeconds(order.createdAt)) &&
  isAmount(order.shippingAmount) &&
  isAmount(order.shippingTax) &&
  isAmount(order.gatewayFee) &&
  hasAttributes(order) &&
  areItems(order.items) &&
  haveDistinctIds(order.items) &&
  Order.misspelt(order).length === 0
