/**
 * Orders as Shopify's GraphQL API writes them: in the files of bulk operations, line by line, and in the answers of
 * queries.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { NotASale, Sale as SaleReading } from "../internal/sales.js"
import type { Unreadable } from "../Unreadable.js"
import { partsOfId, restOrderOf } from "./internal/graphqlOrder.js"
import type { ShopifyOrderOptions } from "./internal/orders.js"
import * as Sale from "./Sale.js"

const parentOf = (value: unknown): string | undefined => {
  const parent = reader.isFields(value) ? value.__parentId : undefined
  return typeof parent === "string" ? parent : undefined
}

const kindOf = (value: unknown): "order" | "child" | undefined => {
  if (parentOf(value) !== undefined) return "child"
  const id = reader.isFields(value) ? partsOfId(value.id) : undefined
  return id?.type === "Order" ? "order" : undefined
}

/**
 * Recognises a line of a bulk operation's file: an order, or a nested object of an order (`"child"`).
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { BulkExport } from "apportion/shopify"
 *
 * BulkExport.recognise({ id: "gid://shopify/Order/1" }) // => "order"
 * BulkExport.recognise({ id: "gid://shopify/LineItem/2", __parentId: "gid://shopify/Order/1" }) // => "child"
 * BulkExport.recognise({ id: 1, line_items: [] }) // => undefined
 * ```
 */
export const recognise = (value: unknown): "order" | "child" | undefined => {
  try {
    return kindOf(value)
  } catch {
    // The value throws when it is read, so it is no line.
    return undefined
  }
}

/** The list of the parent that holds a child, by the type in the child's id. */
const lists: ReadonlyMap<string, string> = new Map([
  ["LineItem", "lineItems"],
  ["ShippingLine", "shippingLines"],
  ["Refund", "refunds"],
  ["RefundLineItem", "refundLineItems"],
  ["RefundShippingLine", "refundShippingLines"],
  ["OrderAdjustment", "orderAdjustments"],
  ["OrderTransaction", "transactions"],
])

/** The list for a child. Allocations and taxes have no id and are recognised by their fields. */
const listOf = (child: reader.Fields): string | undefined => {
  const id = partsOfId(child.id)
  if (id !== undefined) return lists.get(id.type)
  if (Object.hasOwn(child, "allocatedAmountSet")) return "discountAllocations"
  return Object.hasOwn(child, "priceSet") && Object.hasOwn(child, "rate") ? "taxLines" : undefined
}

const apart = (child: unknown, parent: string | undefined): Unreadable => {
  const message = `names ${reader.describe(parent)}, which is not among the lines from the order to it`
  return reader.unreadable("Shopify order", [{ path: "__parentId", value: child, message }])
}

/**
 * Joins an order of a bulk operation's file with the lines below it: each is put into the list of its parent for its
 * type. A line whose parent is neither the order nor an earlier one of these lines is refused. Lines of other types,
 * such as metafields, are left out.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { BulkExport } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const line = { id: "gid://shopify/LineItem/2", __parentId: "gid://shopify/Order/1", quantity: 1 }
 * const joined = Result.getOrThrow(BulkExport.join({ id: "gid://shopify/Order/1" }, [line]))
 * joined.lineItems // => [{ id: "gid://shopify/LineItem/2", __parentId: "gid://shopify/Order/1", quantity: 1 }]
 * Result.isFailure(BulkExport.join({ id: "gid://shopify/Order/9" }, [line])) // => true
 * ```
 */
export const join = (
  order: reader.Fields,
  children: ReadonlyArray<unknown>,
): Result.Result<reader.Fields, Unreadable> => {
  const joined: Record<string, unknown> = { ...order }
  const byId = new Map<unknown, Record<string, unknown>>([[order.id, joined]])
  for (const child of children) {
    const [parentId, own] = [parentOf(child), reader.isFields(child) ? { ...child } : undefined]
    const parent = byId.get(parentId)
    if (own === undefined || parent === undefined) return Result.fail(apart(child, parentId))
    if (own.id !== undefined) byId.set(own.id, own)
    const list = listOf(own)
    if (list === undefined) continue
    const others = parent[list]
    parent[list] = Array.isArray(others) ? [...others, own] : [own]
  }
  return Result.succeed(joined)
}

/**
 * Reads an order with its refunds, as `Sale.read` reads an order of the REST API, with the same result to the cent.
 * Connections may be lists, `nodes` or `edges`. An order of an export that lacks a field without which cents would be
 * wrong is refused, and the problem's path names the field. A bulk operation can't export the lines of refunds: an
 * order with refunds is refused when these have no `refundLineItems`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { BulkExport } from "apportion/shopify"
 * import { Result } from "effect"
 *
 * const refused = BulkExport.read({ id: "gid://shopify/Order/1", lineItems: [] })
 * const failure = Result.getOrThrow(Result.flip(refused))
 * failure._tag === "Unreadable" && failure.problems.map(({ path }) => path).slice(0, 3)
 * // => ["createdAt", "cancelledAt", "test"]
 * ```
 */
export const read = (
  input: unknown,
  options: ShopifyOrderOptions = {},
): Result.Result<SaleReading, Unreadable | NotASale> => {
  const { path } = options
  const mapped = reader.read(input, { what: "Shopify order", path, read: restOrderOf })
  return Result.flatMap(mapped, (order) => Sale.read(order, options))
}
