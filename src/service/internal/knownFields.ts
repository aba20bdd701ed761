/**
 * Fields that are a known one misspelt. Hosts may hand over orders and products with much in them that is
 * no field here; but a `referer` that should have been `referers` would pay otherwise than was meant, and
 * what is recorded can't be changed.
 */
import { misspelt } from "../../internal/misspelling.js"
import { addProblems } from "../../internal/problems.js"
import type { Order, OrderItem } from "../../matching/Order.js"
import type { Product } from "../../matching/Product.js"
import type { Problem } from "../../Problem.js"
import type { RefundRequest } from "../Sales.js"

/** The names of a type's fields; the compiler sees to it that none is missing. */
const namesOf = <A extends object>(names: { readonly [Name in keyof A]-?: true }) =>
  Object.keys(names)

const orderFields = namesOf<Order>({
  ...{ id: true, currency: true, createdAt: true, items: true, details: true },
  ...{ tags: true, customerTags: true, discountCodes: true, billingCountry: true, referers: true },
  ...{ taxesIncluded: true, shippingAmount: true, shippingTax: true, gatewayFee: true },
})

const itemFields = namesOf<OrderItem>({
  ...{ id: true, product: true, quantity: true, amount: true, discount: true },
  ...{ taxTotal: true, taxPercent: true, taxName: true, grams: true },
})

const productFields = namesOf<Product>({
  ...{ id: true, externalId: true, externalVariantId: true, name: true, sku: true, vendor: true },
  ...{ price: true, cost: true, tags: true, inventoryQuantity: true },
})

const refundFields = namesOf<RefundRequest>({
  ...{ id: true, orderId: true, itemId: true, amount: true, quantity: true, remaining: true },
  refundedAt: true,
})

const partOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

export const misspeltInProduct = (product: unknown, place = ""): ReadonlyArray<Problem> =>
  misspelt(product, productFields, place)

export const misspeltInRefund = (refund: unknown): ReadonlyArray<Problem> =>
  misspelt(refund, refundFields)

export const misspeltInOrder = (order: unknown): ReadonlyArray<Problem> => {
  const items = partOf(order, "items")
  const found = [...misspelt(order, orderFields)]
  for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
    addProblems(found, misspelt(item, itemFields, `items[${index}]`))
    addProblems(found, misspeltInProduct(partOf(item, "product"), `items[${index}].product`))
  }
  return found
}
