/**
 * Recognises the content of a Shopify document by its shape.
 *
 * @since 0.1.0
 */
import { type Fields, isFields } from "../internal/reader.js"

/**
 * The content of a document: one object, or a list.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = "order" | "orders" | "refund" | "refunds" | "product" | "products"

type One = "order" | "refund" | "product"

const hasAny = (fields: Fields, names: ReadonlyArray<string>): boolean =>
  names.some((name) => Object.hasOwn(fields, name))

/** The fields of orders in the host format and of WooCommerce, which also have line items by this name. */
const foreign = ["items", "billing", "order_key", "coupon_lines", "fee_lines", "refunded_by"]

/** An order of the host format has `items`, Shopify's has `line_items` and totals in decimals. */
const isOrder = (fields: Fields): boolean =>
  !hasAny(fields, foreign) &&
  hasAny(fields, ["line_items", "total_price", "subtotal_price", "total_line_items_price"])

/** A refund of the host format has `item_id` and `refunded_at`. */
const isRefund = (fields: Fields): boolean =>
  !hasAny(fields, ["item_id", "refunded_at"]) &&
  (hasAny(fields, ["refund_line_items", "order_adjustments"]) ||
    (hasAny(fields, ["order_id"]) && Array.isArray(fields.transactions)))

const isProduct = (fields: Fields): boolean =>
  Array.isArray(fields.variants) || hasAny(fields, ["body_html", "product_type"])

const bareKind = (value: unknown): One | undefined => {
  if (!isFields(value)) return undefined
  if (isRefund(value)) return "refund"
  if (isOrder(value)) return "order"
  return isProduct(value) ? "product" : undefined
}

const ones: ReadonlyArray<One> = ["order", "refund", "product"]

const listKind = (values: ReadonlyArray<unknown>): Kind | undefined => {
  const kind = bareKind(values[0])
  return kind === undefined ? undefined : `${kind}s`
}

/** The kind of a wrapper. A document with an id is an object itself: an order also has a list of refunds. */
const wrappedKind = (fields: Fields): Kind | undefined => {
  if (hasAny(fields, ["id"])) return undefined
  for (const one of ones) {
    if (bareKind(fields[one]) === one) return one
    const list = fields[`${one}s`]
    if (Array.isArray(list) && (list.length === 0 || bareKind(list[0]) === one)) return `${one}s`
  }
  return undefined
}

const kindOf = (input: unknown): Kind | undefined => {
  if (Array.isArray(input)) return listKind(input)
  if (!isFields(input)) return undefined
  return bareKind(input) ?? wrappedKind(input)
}

/**
 * Recognises the content of a JSON value from Shopify by its shape: bare as in a webhook, wrapped as the admin API
 * sends it, or a list. `undefined` for anything else, including the host formats.
 *
 * @since 0.1.0
 * @category guards
 * @example
 * ```ts
 * import { recognise } from "apportion/shopify"
 *
 * recognise({ orders: [{ id: 1, line_items: [] }] }) // => "orders"
 * recognise({ id: "1001", currency: "USD", items: [] }) // => undefined
 * ```
 */
export const recognise = (input: unknown): Kind | undefined => {
  try {
    return kindOf(input)
  } catch {
    // The value throws when it is read, so it is no document.
    return undefined
  }
}
