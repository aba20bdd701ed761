/**
 * The order format for hosts: a sale as JSON, in the names of the order item of the payout view.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import { readCurrency } from "../internal/reader.js"
import type * as Core from "../orders/Order.js"
import type { Unreadable } from "../Unreadable.js"
import { allProductFields, readProduct, taxPercent } from "./internal/items.js"
import * as Product from "./Product.js"

/**
 * An order item as {@link write} writes it. Amounts are cents.
 *
 * @since 0.1.0
 * @category models
 */
export interface ItemJson {
  readonly external_id: string
  readonly amount: number
  readonly discount: number
  readonly quantity: number
  readonly tax_percent: number | null
  readonly tax_name: string | null
  readonly tax_total: number | null
  readonly grams: number | null
  readonly product: Product.WholeProductView
}

/**
 * An order as {@link write} writes it. Amounts are cents, times Unix seconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface OrderJson {
  readonly id: string
  readonly currency: string
  readonly created_at: number | null
  readonly tags: ReadonlyArray<string>
  readonly customer: {
    readonly tags: ReadonlyArray<string>
    readonly email: string | null
    readonly name: string | null
  }
  readonly discount_codes: ReadonlyArray<string>
  readonly billing_country: string | null
  readonly referer: ReadonlyArray<string>
  readonly taxes_included: boolean
  readonly shipping_amount: number
  /** Only if the order has it. */
  readonly shipping_tax?: number
  readonly gateway_fee: number
  readonly status: string | null
  readonly payment_gateway: string | null
  readonly shipping_address: string | null
  readonly billing_address: string | null
  /** The order's name in the shop, such as `#1001`; absent when unknown. @since 0.6.0 */
  readonly name?: string
  readonly items: ReadonlyArray<ItemJson>
}

/**
 * Every field that an order's JSON can have. Others have no effect; misspelt ones are refused.
 *
 * @since 0.1.0
 * @category constants
 */
export const fields: ReadonlyArray<string> = [
  ...["id", "currency", "created_at", "tags", "customer", "discount_codes", "billing_country"],
  ...["referer", "taxes_included", "shipping_amount", "shipping_tax", "gateway_fee", "items"],
  ...["status", "payment_gateway", "shipping_address", "billing_address", "name"],
]

/**
 * Every field that the JSON of an order's item can have.
 *
 * @since 0.1.0
 * @category constants
 */
export const itemFields: ReadonlyArray<string> = [
  ...["id", "external_id", "amount", "discount", "quantity", "product", "grams"],
  ...["tax_percent", "tax_name", "tax_total", "split_at", "refunded_at"],
]

/**
 * Every field that the JSON of an item's product can have.
 *
 * @since 0.6.0
 * @category constants
 */
export const productFields: ReadonlyArray<string> = allProductFields

/**
 * Every field of an order's customer that has an effect. Further ones belong to the host.
 *
 * @since 0.6.0
 * @category constants
 */
export const customerFields: ReadonlyArray<string> = ["tags"]

const isBlank = (text: string): boolean => text.trim() === ""

const readReferers = (node: reader.Node): ReadonlyArray<string> => {
  const value = reader.field(node, "referer")
  if (value === undefined) return []
  if (typeof value === "string") return isBlank(value) ? [] : [value]
  if (Array.isArray(value)) {
    return (reader.texts(node, "referer") ?? []).filter((text) => !isBlank(text))
  }
  reader.refuse(node, "referer", "a text or a list of texts")
  return []
}

const readItem = (node: reader.Node): Core.OrderItem => {
  reader.refuseMisspelt(node, itemFields)
  const product = reader.neededChild(node, "product")
  const key =
    reader.field(node, "external_id") === undefined && "id" in node.fields ? "id" : "external_id"
  return {
    id: reader.neededId(node, key),
    product: product === undefined ? { id: "" } : readProduct(product),
    quantity: reader.whole(node, "quantity", 0) ?? 1,
    amount: reader.neededWhole(node, "amount"),
    discount: reader.whole(node, "discount") ?? 0,
    taxTotal: reader.whole(node, "tax_total") ?? null,
    taxPercent: reader.parsed(node, "tax_percent", taxPercent) ?? null,
    taxName: reader.text(node, "tax_name") ?? null,
    grams: reader.whole(node, "grams"),
  }
}

const noteRepeatedIds = (
  nodes: ReadonlyArray<reader.Node>,
  items: ReadonlyArray<Core.OrderItem>,
): void => {
  if (items.length < 2) return
  const firstPaths = new Map<string, string>()
  for (const [index, node] of nodes.entries()) {
    const id = items[index]?.id
    if (id === undefined || id === "") continue
    const first = firstPaths.get(id)
    const key = reader.field(node, "external_id") === undefined ? "id" : "external_id"
    if (first === undefined) firstPaths.set(id, reader.pathOf(node, key))
    else reader.note(node, key, `must be unique in the order, ${first} is the same`)
  }
}

const readItems = (node: reader.Node): ReadonlyArray<Core.OrderItem> => {
  const nodes = reader.neededChildren(node, "items")
  const items = nodes.map(readItem)
  noteRepeatedIds(nodes, items)
  return items
}

const textOnly = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** Fields for display. Hosts also use these names for other things, so only texts are read. */
const readDetails = (
  node: reader.Node,
  customer: reader.Node | undefined,
): Core.OrderDetails | undefined => {
  const orderName = textOnly(node.fields.name)
  const details = {
    customerEmail: textOnly(customer?.fields.email),
    customerName: textOnly(customer?.fields.name),
    status: textOnly(node.fields.status),
    paymentGateway: textOnly(node.fields.payment_gateway),
    shippingAddress: textOnly(node.fields.shipping_address),
    billingAddress: textOnly(node.fields.billing_address),
    ...(orderName === null ? {} : { orderName }),
  }
  return Object.values(details).every((value) => value === null) ? undefined : details
}

const readOrder = (node: reader.Node): Core.Order => {
  reader.refuseMisspelt(node, fields)
  const customer = reader.child(node, "customer")
  if (customer !== undefined) reader.refuseMisspelt(customer, customerFields)
  return {
    id: reader.neededId(node, "id"),
    currency: readCurrency(node, "currency"),
    createdAt: reader.time(node, "created_at") ?? null,
    tags: reader.texts(node, "tags") ?? [],
    customerTags: (customer && reader.texts(customer, "tags")) ?? [],
    discountCodes: reader.texts(node, "discount_codes") ?? [],
    billingCountry: reader.text(node, "billing_country") ?? null,
    referers: readReferers(node),
    taxesIncluded: reader.flag(node, "taxes_included") ?? false,
    shippingAmount: reader.whole(node, "shipping_amount") ?? 0,
    shippingTax: reader.whole(node, "shipping_tax"),
    gatewayFee: reader.whole(node, "gateway_fee") ?? 0,
    items: readItems(node),
    details: readDetails(node, customer),
  }
}

/**
 * Reads an order. Only `id`, `currency` and `items` are required, and in an item `external_id` (or `id`), `amount` and
 * `product`. Amounts are cents; times are Unix seconds or ISO 8601 with an offset; ids may be whole numbers; `referer`
 * is a text or a list of texts; null is the same as absent; unknown fields are ignored (including `split_at` and
 * `refunded_at` of an item, which say what happened to it, not what was sold), except misspelt ones, such as `discout`,
 * which are refused. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @param options - `path`: the order's path in a larger input, for the paths of problems
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Order } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const order = Order.read({
 *   id: 1001,
 *   currency: "usd",
 *   created_at: "2024-03-01T12:00:00+01:00",
 *   items: [{ external_id: "1", amount: 10_000, product: { id: "p1" } }],
 * })
 * Result.getOrThrow(order).currency // => "USD"
 * Result.getOrThrow(order).createdAt // => 1709290800
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string } = {},
): Result.Result<Core.Order, Unreadable> =>
  reader.read(input, { what: "order", path: options.path, read: readOrder })

const writeItem = (item: Core.OrderItem): ItemJson => ({
  external_id: item.id,
  amount: item.amount,
  discount: item.discount ?? 0,
  quantity: item.quantity,
  tax_percent: item.taxPercent ?? null,
  tax_name: item.taxName ?? null,
  tax_total: item.taxTotal ?? null,
  grams: item.grams ?? null,
  product: Product.writeWhole(item.product),
})

/**
 * Writes an order in the host format. Reading it again gives an order with the same split.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Order } from "apportion/wire"
 *
 * const json = Order.write({ id: "1001", currency: "USD", items: [] })
 * json.taxes_included // => false
 * ```
 */
export const write = (order: Core.Order): OrderJson => ({
  id: order.id,
  currency: order.currency,
  created_at: order.createdAt ?? null,
  tags: order.tags ?? [],
  customer: {
    tags: order.customerTags ?? [],
    email: order.details?.customerEmail ?? null,
    name: order.details?.customerName ?? null,
  },
  discount_codes: order.discountCodes ?? [],
  billing_country: order.billingCountry ?? null,
  referer: order.referers ?? [],
  taxes_included: order.taxesIncluded ?? false,
  shipping_amount: order.shippingAmount ?? 0,
  ...(order.shippingTax === undefined ? {} : { shipping_tax: order.shippingTax }),
  gateway_fee: order.gatewayFee ?? 0,
  status: order.details?.status ?? null,
  payment_gateway: order.details?.paymentGateway ?? null,
  shipping_address: order.details?.shippingAddress ?? null,
  billing_address: order.details?.billingAddress ?? null,
  ...(order.details?.orderName == null ? {} : { name: order.details.orderName }),
  items: order.items.map(writeItem),
})
