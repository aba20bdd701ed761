/**
 * Recognises the content of a WooCommerce document by its shape.
 *
 * @since 0.6.0
 */
import { type Fields, isFields } from "../internal/reader.js"

/**
 * The content of a document.
 *
 * @since 0.6.0
 * @category models
 */
export type Kind = "order" | "orders" | "refund" | "refunds" | "product" | "products"

const hasAny = (fields: Fields, names: ReadonlyArray<string>): boolean =>
  names.some((name) => Object.hasOwn(fields, name))

/** A product, or a variation of one, which has no visibility of its own in the catalogue. */
const isProduct = (fields: Fields): boolean =>
  hasAny(fields, ["regular_price"]) && hasAny(fields, ["stock_status", "catalog_visibility"])

const bareKind = (value: unknown): "order" | "refund" | "product" | undefined => {
  if (!isFields(value) || hasAny(value, ["items"])) return undefined
  if (!Array.isArray(value.line_items)) return isProduct(value) ? "product" : undefined
  if (hasAny(value, ["refunded_by", "refunded_payment"])) return "refund"
  return hasAny(value, ["billing", "order_key", "coupon_lines", "cart_tax"]) ? "order" : undefined
}

const kindOf = (input: unknown): Kind | undefined => {
  if (!Array.isArray(input)) return bareKind(input)
  const kind = bareKind(input[0])
  return kind === undefined ? undefined : `${kind}s`
}

/**
 * Recognises the content of a JSON value from WooCommerce's REST API or its webhooks. `undefined` for anything else,
 * including Shopify's orders and the host formats.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { recognise } from "apportion/woocommerce"
 *
 * recognise({ id: 723, order_key: "wc_order_1", billing: {}, line_items: [] }) // => "order"
 * recognise({ id: 1, total_price: "1.00", line_items: [] }) // => undefined
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
