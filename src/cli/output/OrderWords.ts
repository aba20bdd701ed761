/** The example orders of findings about rules, in words. */
import * as Result from "effect/Result"
import { splitAt } from "../../analysis/CountedOrders.js"
import type { AnyRules, Witness } from "../../analysis/Options.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import { keyOf } from "../../orders/Product.js"
import * as Words from "../../orders/Words.js"
import * as Explanation from "../../shares/Explanation.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { countersText } from "../../terms/CounterWords.js"

const named = (attribute: Attribute.Attribute, values: ReadonlyArray<string>) => {
  const list = (texts: ReadonlyArray<string>) => Words.quoted(texts, " and ")
  return values.length === 0 ? [] : [Attribute.phrase(attribute, values, list)]
}

const joined = (having: ReadonlyArray<string>): string =>
  having.length === 0 ? "" : ` with ${having.join(", ")}`

/** The text of an invented product, of which only the given attributes matter. */
const inventedText = ({ product }: OrderItem): string => {
  const having = Attribute.productAttributes.flatMap((attribute) => {
    const values = Attribute.ofProduct[attribute](product)
    return named(
      attribute,
      attribute === "products" ? values.filter((id) => !id.startsWith("any-product")) : values,
    )
  })
  return having.length === 0 ? "any product" : `a product${joined(having)}`
}

const knownText = ({ product }: OrderItem): string => {
  const name = product.name === undefined ? "" : ` (${product.name})`
  return `product ${keyOf(product)}${name}`
}

const itemText = (item: OrderItem, currency: string, isKnown: boolean): string => {
  const units = Words.counted(item.quantity, "unit")
  const discount =
    (item.discount ?? 0) === 0 ? "" : ` less ${Words.money(item.discount ?? 0, currency)} discount`
  const tax =
    (item.taxTotal ?? 0) === 0 ? "" : `, ${Words.money(item.taxTotal ?? 0, currency)} of it tax,`
  const product = isKnown ? knownText(item) : inventedText(item)
  return `${units} at ${Words.money(item.amount, currency)}${discount}${tax} of ${product}`
}

/** The attributes of an order besides its items. */
const attributesText = (order: Order): string => {
  const having = [
    ...Attribute.orderAttributes.flatMap((attribute) =>
      named(attribute, Attribute.ofOrder[attribute](order)),
    ),
    ...((order.shippingAmount ?? 0) === 0
      ? []
      : [`${Words.money(order.shippingAmount ?? 0, order.currency)} of shipping`]),
  ]
  const made = order.createdAt == null ? "" : `, made at ${Words.date(order.createdAt)}`
  return `${having.length === 0 ? "" : `,${joined(having)}`}${made}`
}

/**
 * An order in one line: `an order of 1 unit at 100.00 USD of a product with the tag "art"`.
 *
 * @param isKnown - whether its product is one of a catalogue
 */
export const toLine = ({ order, counters = {} }: Witness, isKnown: boolean): string => {
  const items = order.items.map((item) => itemText(item, order.currency, isKnown))
  const counted = countersText(counters)
  const after = counted === "" ? "" : `, after ${counted} were counted`
  return Words.oneLine(`an order of ${items.join(" and ")}${attributesText(order)}${after}`)
}

/** How an order is split, in lines. Over-allocation is reported, not refused. */
export const claimLines = (
  rules: AnyRules,
  { order, counters = {} }: Witness,
  policy: SplitPolicy,
): ReadonlyArray<string> => {
  const split = splitAt(rules, order, { ...policy, overAllocation: "allow" }, counters)
  return Result.isSuccess(split)
    ? Explanation.toText(Explanation.ofSplit(split.success)).split("\n")
    : [Words.oneLine(split.failure.message)]
}

/** Lines with an indentation. */
export const indented = (lines: ReadonlyArray<string>, by: string): ReadonlyArray<string> =>
  lines.map((line) => (line === "" ? line : `${by}${line}`))
