/** Which columns a CSV file can have, and where each one's value goes in the JSON form of the input. */

import { permissionFields } from "../wire/Collaborator.js"

/** How a cell is read. An empty cell is absent, whatever its column. */
export type CellKind = "text" | "number" | "decimal" | "flag" | "tags" | "values"

/** One column: where its value goes, and how it is read. */
export interface Column {
  readonly path: ReadonlyArray<string>
  readonly kind: CellKind
}

export type Columns = Readonly<Record<string, Column>>

const column = (kind: CellKind, ...path: ReadonlyArray<string>): Column => ({ path, kind })

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
    shipping_amount: "number",
    shipping_tax: "number",
    gateway_fee: "number",
  }),
  order_id: column("text", "id"),
  customer_tags: column("tags", "customer", "tags"),
}

/** What each line of an order says of its item. */
export const orderItems: Columns = {
  item_id: column("text", "external_id"),
  quantity: column("number", "quantity"),
  amount: column("number", "amount"),
  discount: column("number", "discount"),
  tax_total: column("number", "tax_total"),
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
  product_price: column("number", "product", "price"),
  product_cost: column("number", "product", "cost"),
}

/** A refund for each line. */
export const refunds: Columns = columnsOf({
  order_id: "text",
  item_id: "text",
  amount: "number",
  quantity: "number",
  remaining: "flag",
  refunded_at: "number",
})

/** An expense or an extra income for each line. */
export const entries: Columns = columnsOf({
  collaborator_id: "text",
  kind: "text",
  amount: "number",
  name: "text",
  at: "number",
})

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

/** The value of a cell. What does not fit its column stays a text, so that the reader tells the problem. */
export const cellValue = (text: string, kind: CellKind): unknown => {
  const trimmed = text.trim()
  // `60.00` is no 60: an amount in cents with a decimal point is one in dollars by mistake.
  if (kind === "number") return whole.test(trimmed) ? Number(trimmed) : trimmed
  if (kind === "decimal") return decimal.test(trimmed) ? Number(trimmed) : trimmed
  if (kind === "flag") return /^true$/i.test(trimmed) || (!/^false$/i.test(trimmed) && trimmed)
  if (kind === "text") return trimmed
  return trimmed
    .split(kind === "tags" ? /[;,]/ : ";")
    .map((value) => value.trim())
    .filter((value) => value !== "")
}
