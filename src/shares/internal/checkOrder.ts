import { show } from "../../internal/problems.js"
import type { Order, OrderItem } from "../../matching/Order.js"
import * as Currency from "../../money/Currency.js"
import type { Problem } from "../../Problem.js"

const cents = "must be a whole number within ±9007199254740991"

const checkCents = (
  found: Array<Problem>,
  path: string,
  value: number | null | undefined,
): void => {
  if (value == null || Number.isSafeInteger(value)) return
  found.push({ path, value, message: `${cents}, got ${show(value)}` })
}

const checkItem = (found: Array<Problem>, item: OrderItem, path: string): void => {
  if (typeof item.id !== "string" || item.id === "") {
    found.push({
      path: `${path}.id`,
      value: item.id,
      message: `must be a text, got ${show(item.id)}`,
    })
  }
  if (!Number.isSafeInteger(item.quantity) || item.quantity < 0) {
    const message = `must be a whole number of 0 or more, got ${show(item.quantity)}`
    found.push({ path: `${path}.quantity`, value: item.quantity, message })
  }
  // An absent amount is no zero: it is the one figure that an item can't be without.
  checkCents(found, `${path}.amount`, item.amount ?? Number.NaN)
  checkCents(found, `${path}.discount`, item.discount)
  checkCents(found, `${path}.amount less discount`, item.amount - (item.discount ?? 0))
  checkCents(found, `${path}.taxTotal`, item.taxTotal)
  checkCents(found, `${path}.product.cost`, item.product.cost)
}

const checkIds = (found: Array<Problem>, items: ReadonlyArray<OrderItem>): void => {
  if (items.length < 2) return
  const first = new Map<string, number>()
  items.forEach((item, index) => {
    const earlier = first.get(item.id)
    if (earlier === undefined) first.set(item.id, index)
    else {
      const message = `must be unique in the order, items[${earlier}] has ${show(item.id)} too`
      found.push({ path: `items[${index}].id`, value: item.id, message })
    }
  })
}

/**
 * What keeps an order from being split exactly. Readers of outside data check much more; these are the
 * figures that the arithmetic relies on, looked at again because money depends on them.
 */
export const problemsOf = (order: Order): ReadonlyArray<Problem> => {
  const found: Array<Problem> = []
  if (!Currency.isCurrency(order.currency)) {
    const message = `must be an ISO 4217 currency code, got ${show(order.currency)}`
    found.push({ path: "currency", value: order.currency, message })
  }
  checkCents(found, "createdAt", order.createdAt)
  checkCents(found, "shippingAmount", order.shippingAmount)
  checkCents(found, "gatewayFee", order.gatewayFee)
  if (!Array.isArray(order.items)) {
    const message = `must be a list, got ${show(order.items)}`
    return [...found, { path: "items", value: order.items, message }]
  }
  order.items.forEach((item, index) => {
    checkItem(found, item, `items[${index}]`)
  })
  checkIds(found, order.items)
  return found
}
