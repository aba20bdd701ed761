/**
 * Fields that are a known one misspelt. Hosts may hand over orders and products with much in them that is
 * no field here; but a `referer` that should have been `referers` would pay otherwise than was meant, and
 * what is recorded can't be changed.
 */
import { misspelt } from "../../internal/misspelling.js"
import type { Problem } from "../../Problem.js"

const orderFields = [
  ...["id", "currency", "createdAt", "tags", "customerTags", "discountCodes", "billingCountry"],
  ...["referers", "taxesIncluded", "shippingAmount", "gatewayFee", "items", "details"],
]

const itemFields = [
  ...["id", "product", "quantity", "amount", "discount"],
  ...["taxTotal", "taxPercent", "taxName", "grams"],
]

const productFields = [
  ...["id", "externalId", "externalVariantId", "name", "sku", "vendor", "price", "cost", "tags"],
  "inventoryQuantity",
]

const refundFields = ["id", "orderId", "itemId", "amount", "quantity", "refundedAt"]

const partOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

export const misspeltInProduct = (product: unknown, place = ""): ReadonlyArray<Problem> =>
  misspelt(product, productFields, place)

export const misspeltInRefund = (refund: unknown): ReadonlyArray<Problem> =>
  misspelt(refund, refundFields)

export const misspeltInOrder = (order: unknown): ReadonlyArray<Problem> => {
  const items = partOf(order, "items")
  const ofItems = (Array.isArray(items) ? items : []).flatMap((item: unknown, index) => [
    ...misspelt(item, itemFields, `items[${index}]`),
    ...misspeltInProduct(partOf(item, "product"), `items[${index}].product`),
  ])
  return [...misspelt(order, orderFields), ...ofItems]
}
