/** Orders that show something about rules, in words. */
import * as Result from "effect/Result"
import type { Order, OrderItem } from "../../orders/Order.js"
import { keyOf } from "../../orders/Product.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Explanation from "../../shares/Explanation.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { oneLine } from "./Printable.js"
import { money } from "./Table.js"

const named = (kind: string, values: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (values.length === 0) return []
  const quoted = values.map((value) => JSON.stringify(value))
  return [`the ${kind}${values.length === 1 ? "" : "s"} ${quoted.join(" and ")}`]
}

const isThere = (value: string | null | undefined): value is string => value != null

const joined = (having: ReadonlyArray<string>): string =>
  having.length === 0 ? "" : ` with ${having.join(", ")}`

/** A product that was made up: only what is said of it matters. */
const inventedText = ({ product: { id, externalId, vendor, tags = [] } }: OrderItem): string => {
  const ids = [id, externalId].filter(isThere).filter((value) => !value.startsWith("any-product"))
  const having = [
    ...named("id", ids),
    ...named("tag", tags),
    ...named("vendor", [vendor].filter(isThere)),
  ]
  return having.length === 0 ? "any product" : `a product${joined(having)}`
}

const knownText = ({ product }: OrderItem): string => {
  const name = product.name === undefined ? "" : ` (${product.name})`
  return `product ${keyOf(product)}${name}`
}

const itemText = (item: OrderItem, currency: string, isKnown: boolean): string => {
  const units = `${item.quantity} ${item.quantity === 1 ? "unit" : "units"}`
  const discount =
    (item.discount ?? 0) === 0 ? "" : ` less ${money(item.discount ?? 0, currency)} discount`
  const tax =
    (item.taxTotal ?? 0) === 0 ? "" : `, ${money(item.taxTotal ?? 0, currency)} of it tax,`
  const product = isKnown ? knownText(item) : inventedText(item)
  return `${units} at ${money(item.amount, currency)}${discount}${tax} of ${product}`
}

/** Everything that the order has beside its items. */
const attributesText = (order: Order): string => {
  const having = [
    ...named("order tag", order.tags ?? []),
    ...named("customer tag", order.customerTags ?? []),
    ...named("discount code", order.discountCodes ?? []),
    ...named("referer", order.referers ?? []),
    ...named("billing country", [order.billingCountry].filter(isThere)),
    ...((order.shippingAmount ?? 0) === 0
      ? []
      : [`${money(order.shippingAmount ?? 0, order.currency)} of shipping`]),
  ]
  const made =
    order.createdAt == null ? "" : `, made at ${new Date(order.createdAt * 1000).toISOString()}`
  return `${having.length === 0 ? "" : `,${joined(having)}`}${made}`
}

/**
 * An order in one line: `an order of 1 unit at 100.00 USD of a product with the tag "art"`.
 *
 * @param isKnown - whether its product is one of a catalogue
 */
export const toLine = (order: Order, isKnown: boolean): string => {
  const items = order.items.map((item) => itemText(item, order.currency, isKnown))
  return oneLine(`an order of ${items.join(" and ")}${attributesText(order)}`)
}

/** How an order is split, in lines. More than there is may be claimed: that is told, not refused. */
export const claimLines = (
  rules: RuleSet,
  order: Order,
  policy: SplitPolicy,
): ReadonlyArray<string> => {
  const split = Split.orderResult(rules, order, { ...policy, overAllocation: "allow" })
  return Result.isSuccess(split)
    ? Explanation.toText(Explanation.ofSplit(split.success)).split("\n")
    : [oneLine(split.failure.message)]
}

/** Lines further to the right. */
export const indented = (lines: ReadonlyArray<string>, by: string): ReadonlyArray<string> =>
  lines.map((line) => (line === "" ? line : `${by}${line}`))
