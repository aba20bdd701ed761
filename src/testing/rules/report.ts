/** Orders and splits in words, for those who have to find out what is wrong with their rules. */
import * as Result from "effect/Result"
import type { Order, OrderItem } from "../../orders/Order.js"
import * as Explanation from "../../shares/Explanation.js"
import type { JudgedSale } from "../laws/Law.js"
import { money } from "../laws/reasons.js"

/** A text with everything in it made visible: accents that stand alone, and spaces that are none. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\p{M}\p{Zs}\p{Cf}]/gu, (letter) =>
    letter === " " ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const listed = (kind: string, values: ReadonlyArray<string> | undefined): ReadonlyArray<string> => {
  if (values === undefined || values.length === 0) return []
  return [`the ${kind}${values.length === 1 ? "" : "s"} ${values.map(quoted).join(", ")}`]
}

const having = (parts: ReadonlyArray<string>): string =>
  parts.length === 0 ? "" : ` with ${parts.join(" and ")}`

const itemText = (item: OrderItem, order: Order): string => {
  const { id, externalId, vendor, tags, cost } = item.product
  const product = having([
    ...(externalId === undefined ? [] : [`the external id ${quoted(externalId)}`]),
    ...(vendor === undefined ? [] : [`the vendor ${quoted(vendor)}`]),
    ...listed("tag", tags),
    ...(cost === undefined ? [] : [`a cost of ${money(cost, order)}`]),
  ])
  const units = `${item.quantity} ${item.quantity === 1 ? "unit" : "units"}`
  const sums = [
    ` for ${money(item.amount, order)}`,
    ...(item.discount === undefined ? [] : [`less a discount of ${money(item.discount, order)}`]),
    ...(item.taxTotal == null ? [] : [`with ${money(item.taxTotal, order)} of tax`]),
  ]
  return `item ${item.id}: ${units} of product ${quoted(id)}${product}${sums.join(", ")}`
}

const date = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** What an order says, a line for each item and one for the order itself. */
export const orderLines = (order: Order): ReadonlyArray<string> => {
  const facts = [
    ...(order.createdAt == null ? [] : [`made at ${date(order.createdAt)} (${order.createdAt})`]),
    ...listed("order tag", order.tags),
    ...listed("customer tag", order.customerTags),
    ...listed("discount code", order.discountCodes),
    ...listed("referer", order.referers),
    ...(order.billingCountry == null
      ? []
      : [`the billing country ${quoted(order.billingCountry)}`]),
    ...(order.taxesIncluded === true ? ["taxes included"] : []),
    ...(order.shippingAmount === undefined
      ? []
      : [`shipping of ${money(order.shippingAmount, order)}`]),
    ...(order.gatewayFee === undefined
      ? []
      : [`a gateway fee of ${money(order.gatewayFee, order)}`]),
  ]
  const items = order.items.map((item) => itemText(item, order))
  return facts.length === 0 ? items : [...items, `the order: ${facts.join("; ")}`]
}

/** So many reasons are enough to read. */
const enough = 5

/** Why groups gave nothing of items of which nobody has a share. */
const absences = ({ rules, order, policy, split }: JudgedSale): ReadonlyArray<string> => {
  const shared = new Set(split?.shares.map(({ itemId }) => itemId))
  const [bare] = order.items.filter(({ id }) => !shared.has(id))
  if (bare === undefined) return []
  const reasons = Explanation.notApplied(rules, order, { itemId: bare.id, policy })
  const more = reasons.length - enough
  return [
    ...reasons
      .slice(0, enough)
      .map(
        ({ groupId, message }) => `Group ${groupId} gives nothing of item ${bare.id}: ${message}.`,
      ),
    ...(more > 0 ? [`${more} more groups give nothing of it.`] : []),
  ]
}

/** How an order is split and why, or why it is not. */
export const splitLines = (sale: JudgedSale): ReadonlyArray<string> =>
  Result.match(sale.result, {
    onFailure: (error) => [`It is not split: ${error.message}.`],
    onSuccess: (split) => [
      ...Explanation.toText(Explanation.ofSplit(split)).split("\n"),
      ...absences(sale),
    ],
  })
