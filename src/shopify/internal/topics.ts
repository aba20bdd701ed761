import * as Result from "effect/Result"
import { type Occurrence, withoutBuyer } from "../../internal/platform.js"
import * as reader from "../../internal/reader.js"
import type { NotASale } from "../../internal/sales.js"
import type { Unreadable } from "../../Unreadable.js"
import * as Products from "../Products.js"
import { readFound, type ShopifyOrderOptions } from "./orders.js"
import { neededRefund } from "./refundDocument.js"

/**
 * How the orders and products of a shop are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface TopicOptions
  extends Pick<ShopifyOrderOptions, "refererParameters" | "giftCards" | "tips">,
    Pick<Products.ReadOptions, "tagsFrom" | "idsFrom" | "collections"> {
  /** The shop's own currency, an ISO 4217 code: products do not name it. */
  readonly currency: string
  /** When it happened, in Unix seconds, for bodies that do not say. */
  readonly happenedAt?: number | null | undefined
}

type Occurrences = Result.Result<ReadonlyArray<Occurrence>, Unreadable>

type TopicReader = (body: unknown, options: TopicOptions) => Occurrences

const one = (occurrence: Occurrence): ReadonlyArray<Occurrence> => [occurrence]

// Orders.

/** The products of the order that Shopify no longer has. */
const goneProducts = (node: reader.Node): ReadonlyArray<string> => {
  const lines = reader.children(node, "line_items") ?? []
  return lines.flatMap((line) =>
    line.fields.product_exists === false ? (reader.id(line, "product_id") ?? []) : [],
  )
}

/** The refunds inside an order, which another webhook may report as well. */
const refundsInside = (node: reader.Node, orderId: string): ReadonlyArray<Occurrence> =>
  (reader.children(node, "refunds") ?? []).flatMap((refund) => {
    const { refundId, document } = neededRefund(refund)
    return [{ kind: "refund", orderId, refundId, document } as const]
  })

/** The occurrences for an order that is not a sale. */
const unsold = (
  { orderId, reason, message }: NotASale,
  { updatedAt, isFirst }: { readonly updatedAt: number | null; readonly isFirst: boolean },
): Occurrence =>
  reason === "cancelled" || reason === "voided"
    ? { kind: "order cancelled", orderId, updatedAt }
    : {
        ...{ kind: "order passed over", orderId, updatedAt, isFirst, reason: message },
        isFinal: reason !== "unpaid",
      }

const orderReader =
  (kind: "order recorded" | "order changed"): TopicReader =>
  (body, { refererParameters, giftCards, tips, idsFrom }) =>
    Result.gen(function* () {
      const read = (node: reader.Node) => ({
        updatedAt: reader.time(node, "updated_at") ?? null,
        goneProducts: goneProducts(node),
        refunds: refundsInside(node, reader.neededId(node, "id")),
      })
      const { refunds, ...rest } = yield* reader.read(body, { what: "Shopify order", read })
      const found = { path: "", value: body }
      const sold = readFound(found, { refererParameters, giftCards, tips, idsFrom })
      if (Result.isSuccess(sold)) {
        const { order, leftOut } = sold.success
        return [{ kind, order: withoutBuyer(order), leftOut, ...rest }, ...refunds]
      }
      const { failure } = sold
      if (failure._tag === "Unreadable") return yield* Result.fail(failure)
      return one(unsold(failure, { ...rest, isFirst: kind === "order recorded" }))
    })

const has = (body: unknown, name: string): boolean =>
  reader.isFields(body) && (body[name] ?? null) !== null

/** The topic is not signed, so the body must show that the order was cancelled. */
const cancelled: TopicReader = (body, options) =>
  has(body, "cancelled_at") ? readCancelled(body) : orderReader("order changed")(body, options)

const readCancelled = (body: unknown): Occurrences =>
  reader.read(body, {
    what: "Shopify order",
    read: (node) =>
      one({
        kind: "order cancelled",
        orderId: reader.neededId(node, "id"),
        updatedAt: reader.time(node, "updated_at") ?? null,
      }),
  })

// Refunds.

const refundReader: TopicReader = (body) =>
  reader.read(body, {
    what: "Shopify refund",
    read: (node) => {
      const orderId = reader.neededId(node, "order_id")
      return one({ kind: "refund", orderId, ...neededRefund(node) })
    },
  })

// Products.

const productReader: TopicReader = (body, { currency, tagsFrom, idsFrom, collections }) =>
  Result.gen(function* () {
    const read = (node: reader.Node) => ({
      productId: reader.neededId(node, "id"),
      updatedAt: reader.time(node, "updated_at") ?? null,
    })
    const known = yield* reader.read(body, { what: "Shopify product", read })
    const products = yield* Products.read([body], {
      ...{ currency, tagsFrom, idsFrom, collections },
      oddAmounts: "leave-out",
    })
    return one({ kind: "product put", ...known, products })
  })

/** The topic is not signed: the body of a removal has only the id. */
const productRemoval: TopicReader = (body, options) =>
  has(body, "variants") ? productReader(body, options) : readRemoval(body, options)

const readRemoval: TopicReader = (body, { happenedAt = null }) =>
  reader.read(body, {
    what: "Shopify product",
    read: (node) =>
      one({
        kind: "product removed",
        productId: reader.neededId(node, "id"),
        updatedAt: happenedAt,
      }),
  })

// The app, and the buyers' privacy.

const uninstalled: TopicReader = () => Result.succeed(one({ kind: "app uninstalled" }))

const privacyReader =
  (
    request: "customer data" | "customer redaction" | "shop redaction",
    orders: string,
  ): TopicReader =>
  (body) =>
    reader.read(body, {
      what: "Shopify privacy request",
      read: (node) => {
        const asked = reader.child(node, "data_request")
        const requestId = (asked && reader.id(asked, "id")) ?? null
        const orderIds = reader.ids(node, orders) ?? []
        return one({ kind: "privacy request", request, requestId, orderIds })
      },
    })

const nothing =
  (reason: string): TopicReader =>
  () =>
    Result.succeed(one({ kind: "nothing", reason }))

/** How the body of each topic is read. */
export const readers: ReadonlyMap<string, TopicReader> = new Map([
  ["orders/create", orderReader("order recorded")],
  ["orders/updated", orderReader("order changed")],
  ["orders/paid", orderReader("order changed")],
  ["orders/partially_fulfilled", orderReader("order changed")],
  ["orders/fulfilled", orderReader("order changed")],
  ["orders/cancelled", cancelled],
  ["orders/edited", nothing("orders/updated says what the order is like after the edit")],
  ["orders/delete", nothing("an order that is deleted was cancelled or archived before")],
  ["refunds/create", refundReader],
  ["products/create", productReader],
  ["products/update", productReader],
  ["products/delete", productRemoval],
  ["app/uninstalled", uninstalled],
  ["customers/data_request", privacyReader("customer data", "orders_requested")],
  ["customers/redact", privacyReader("customer redaction", "orders_to_redact")],
  ["shop/redact", privacyReader("shop redaction", "orders_to_redact")],
])
