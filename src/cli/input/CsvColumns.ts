/** Which columns a CSV file can have, and where each one's value goes in the JSON form of the input. */

import * as Result from "effect/Result"
import * as Currency from "../../money/Currency.js"
import { permissionFields } from "../../wire/Collaborator.js"

/** How a cell is read. An empty cell is absent, whatever its column. */
export type CellKind = "text" | "number" | "amount" | "decimal" | "flag" | "tags" | "values"

/** One column: where its value goes, and how it is read. */
export interface CsvColumn {
  readonly path: ReadonlyArray<string>
  readonly kind: CellKind
}

export type Columns = Readonly<Record<string, CsvColumn>>

const column = (kind: CellKind, ...path: ReadonlyArray<string>): CsvColumn => ({ path, kind })

const columnsOf = (kinds: Readonly<Record<string, CellKind>>): Columns =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, column(kind, name)]))

/** A product group for each line. */
export const groups: Columns = columnsOf({
  id: "text",
  collaborator_id: "text",
  itemType: "text",
  items: "values",
  type_modifier: "text",
  splitConditionType: "text",
  splitConditions: "values",
  condition_modifier: "text",
  type: "text",
  percentage: "text",
  percent: "text",
  amount: "number",
  shipping_percent: "text",
  shipping_amount: "number",
  deduct_for_other_splits: "flag",
  min_amount: "number",
  max_amount: "number",
  starts_at: "number",
  ends_at: "number",
  created_at: "number",
})

/**
 * Says how a line's amounts are written: in the lowest unit, or in decimals of the line's currency. Its value
 * goes nowhere.
 */
const amountsIn: Columns = { amounts_in: column("text") }

/** What the lines of one order repeat. */
export const orders: Columns = {
  ...columnsOf({
    currency: "text",
    created_at: "number",
    tags: "tags",
    discount_codes: "tags",
    billing_country: "text",
    referer: "text",
    taxes_included: "flag",
    shipping_amount: "amount",
    shipping_tax: "amount",
    gateway_fee: "amount",
  }),
  ...amountsIn,
  order_id: column("text", "id"),
  customer_tags: column("tags", "customer", "tags"),
}

/** What each line of an order says of its item. */
export const orderItems: Columns = {
  item_id: column("text", "external_id"),
  quantity: column("number", "quantity"),
  amount: column("amount", "amount"),
  discount: column("amount", "discount"),
  tax_total: column("amount", "tax_total"),
  tax_percent: column("decimal", "tax_percent"),
  tax_name: column("text", "tax_name"),
  grams: column("number", "grams"),
  product_id: column("text", "product", "id"),
  product_external_id: column("text", "product", "external_id"),
  product_external_variant_id: column("text", "product", "external_variant_id"),
  product_name: column("text", "product", "name"),
  product_sku: column("text", "product", "sku"),
  product_vendor: column("text", "product", "vendor"),
  product_tags: column("tags", "product", "tags"),
  product_price: column("amount", "product", "price"),
  product_cost: column("amount", "product", "cost"),
}

/** A refund for each line. */
export const refunds: Columns = {
  ...columnsOf({
    order_id: "text",
    item_id: "text",
    amount: "amount",
    quantity: "number",
    remaining: "flag",
    shipping_amount: "amount",
    shipping_total: "amount",
    refunded_at: "number",
  }),
  ...amountsIn,
  currency: column("text"),
}

/** An expense or an extra income for each line. */
export const entries: Columns = {
  ...columnsOf({
    collaborator_id: "text",
    kind: "text",
    amount: "amount",
    name: "text",
    at: "number",
  }),
  ...amountsIn,
  currency: column("text"),
}

/** A collaborator for each line. */
export const collaborators: Columns = {
  ...columnsOf({
    id: "text",
    currency: "text",
    payout_measurement: "text",
    payout_frequency: "number",
    payout_threshold: "number",
    payout_holding_days: "number",
    should_pay_automatically: "flag",
    notes: "text",
  }),
  name: column("text", "account", "name"),
  paypal_email: column("text", "account", "paypal_email"),
  ...Object.fromEntries(
    permissionFields.map((name) => [name, column("flag", "permissions", name)]),
  ),
}

/** An exchange rate for each line. */
export const rates: Columns = columnsOf({
  from: "text",
  to: "text",
  rate: "text",
  from_date: "text",
})

const whole = /^[+-]?\d+$/
const decimal = /^[+-]?\d+(\.\d+)?$/

/** Thousands that are separated, and decimals behind another sign. */
const separated = /^([+-]?\d{1,3}(?:([.,' ])\d{3})(?:\2\d{3})*)([.,])(\d+)$/

/** The amount as `Currency.parseAmount` reads it; `undefined` where it could be two amounts. */
const plainDecimal = (text: string): string | undefined => {
  if (decimal.test(text)) return text
  if (/^[+-]?\d+,\d+$/.test(text)) return /,\d{3}$/.test(text) ? undefined : text.replace(",", ".")
  const [, whole = "", thousands, point, decimals] = separated.exec(text) ?? []
  return point === undefined || thousands === point
    ? undefined
    : `${whole.replaceAll(thousands ?? "", "")}.${decimals}`
}

/** An amount in decimals of a currency; what can't be told stays a text. */
const decimalAmount = (text: string, currency: string): number | string => {
  const plain = plainDecimal(text)
  const amount = plain === undefined ? undefined : Currency.parseAmount(plain, currency)
  return amount !== undefined && Result.isSuccess(amount) ? amount.success : text
}

/**
 * The value of a cell; amounts are in the lowest unit, unless `decimalsOf` names the currency whose decimals
 * they are in. What does not fit its column stays a text, so that the reader tells the problem.
 */
export const cellValue = (text: string, kind: CellKind, decimalsOf?: string): unknown => {
  const trimmed = text.trim()
  if (kind === "amount" && decimalsOf !== undefined) return decimalAmount(trimmed, decimalsOf)
  // `60.00` is no 60: an amount in cents with a decimal point is one in dollars by mistake.
  if (kind === "number" || kind === "amount") return whole.test(trimmed) ? Number(trimmed) : trimmed
  if (kind === "decimal") return decimal.test(trimmed) ? Number(trimmed) : trimmed
  if (kind === "flag") return /^true$/i.test(trimmed) || (!/^false$/i.test(trimmed) && trimmed)
  if (kind === "text") return trimmed
  return trimmed
    .split(kind === "tags" ? /[;,]/ : ";")
    .map((value) => value.trim())
    .filter((value) => value !== "")
}
