import * as Result from "effect/Result"
import { type Occurrence, withoutBuyer } from "../../internal/platform.js"
import * as reader from "../../internal/reader.js"
import type { NotASale } from "../../internal/sales.js"
import type { Unreadable } from "../../Unreadable.js"
import { readFound, time } from "./orders.js"
import { optionProblems, type ProductReadOptions, readProduct } from "./products.js"
import { neededRefund } from "./refundDocument.js"

/**
 * How the orders and products of a shop are read.
 *
 * @since 0.6.0
 * @category models
 */
export interface TopicOptions extends ProductReadOptions {}

type Occurrences = Result.Result<ReadonlyArray<Occurrence>, Unreadable>

type TopicReader = (body: unknown, options: TopicOptions) => Occurrences

const one = (occurrence: Occurrence): ReadonlyArray<Occurrence> => [occurrence]

const modified = (node: reader.Node): number | null =>
  time(node, ["date_modified_gmt", "date_modified"])

// Orders.

type RefundSums = Extract<Occurrence, { readonly kind: "refunds listed" }>

/** The sums of an order's refunds. The order does not have their times, so its own time is used. */
const refundsOf = (node: reader.Node, updatedAt: number | null): RefundSums => {
  const orderId = reader.neededId(node, "id")
  const at = updatedAt ?? time(node, ["date_created_gmt", "date_created"])
  const refunds = (reader.children(node, "refunds") ?? []).map((refund) => ({
    refundId: reader.neededId(refund, "id"),
    document: { id: refund.fields.id, total: refund.fields.total, date_created_gmt: at },
  }))
  return { kind: "refunds listed", orderId, refunds, updatedAt }
}

interface OrderState {
  readonly updatedAt: number | null
  readonly status: string
  readonly isPaid: boolean
  readonly listed: RefundSums
}

const readState = (node: reader.Node): OrderState => {
  const updatedAt = modified(node)
  return {
    updatedAt,
    status: reader.text(node, "status") ?? "",
    isPaid: time(node, ["date_paid_gmt", "date_paid"]) !== null,
    listed: refundsOf(node, updatedAt),
  }
}

const takenBack = (orderId: string, updatedAt: number | null) =>
  ({ kind: "order cancelled", orderId, updatedAt, mayReturn: true }) as const

const passedOver = (orderId: string, updatedAt: number | null) =>
  ({ kind: "order passed over", orderId, updatedAt, isFirst: true }) as const

/** The occurrence for an order whose payment failed after it was paid: a person decides. */
const failed = (orderId: string, updatedAt: number | null) => {
  const reason = `order ${orderId} was paid, and its payment failed since`
  const passed = passedOver(orderId, updatedAt)
  return { ...passed, isFinal: false, isDoubtful: true, reason } as const
}

/** The occurrences for an order that is not a sale. */
const unsold = ({ orderId, reason, message }: NotASale, { updatedAt, status }: OrderState) => {
  if (status === "trash") return one({ kind: "order deleted", orderId })
  if (reason === "cancelled") {
    return one(takenBack(orderId, updatedAt))
  }
  const isFinal = reason === "nothing to share"
  const passed = passedOver(orderId, updatedAt)
  return one({ ...passed, isFinal, isDoubtful: status === "failed", reason: message })
}

/**
 * The state of an order. It was a sale if it was paid, even if it was cancelled or failed later. Of a completely
 * refunded order nothing is left, whatever the sum of its refunds is.
 */
const orderReader: TopicReader = (body, { idsFrom }) =>
  Result.gen(function* () {
    const what = { what: "WooCommerce order", read: readState }
    const found = yield* reader.read(body, what)
    const { status, isPaid, updatedAt, listed } = found
    const isTakenBack = status === "refunded" || (status === "cancelled" && isPaid)
    const hasFailed = status === "failed" && isPaid
    const sold = readFound(body, {
      idsFrom,
      include: isTakenBack ? ["cancelled"] : hasFailed ? ["unpaid"] : [],
    })
    if (Result.isFailure(sold)) {
      if (sold.failure._tag === "Unreadable") return yield* Result.fail(sold.failure)
      return unsold(sold.failure, found)
    }
    const { order, leftOut } = sold.success
    const state = { order: withoutBuyer(order), leftOut, updatedAt, goneProducts: [] }
    // Waits for a delivery in which the order is a sale.
    if (hasFailed) return [{ kind: "order changed", ...state }, failed(order.id, updatedAt)]
    const recorded: Occurrence = { kind: "order recorded", ...state }
    return isTakenBack ? [recorded, takenBack(order.id, updatedAt), listed] : [recorded, listed]
  })

const has = (body: unknown, name: string): boolean =>
  reader.isFields(body) && (body[name] ?? null) !== null

/** The topic is not signed: the body of a deletion has only the id. */
const orderDeletion: TopicReader = (body, options) =>
  has(body, "line_items")
    ? orderReader(body, options)
    : reader.read(body, {
        what: "WooCommerce order",
        read: (node) => one({ kind: "order deleted", orderId: reader.neededId(node, "id") }),
      })

// Refunds.

/** Reads a topic for refunds that a shop has added: its body is the order, as in all topics of orders. */
const refundReader: TopicReader = (body, options) =>
  has(body, "status") && has(body, "line_items")
    ? orderReader(body, options)
    : reader.read(body, {
        what: "WooCommerce refund",
        read: (node) => one({ kind: "refund", ...neededRefund(node) }),
      })

// Products.

const productReader =
  (isRestored: boolean): TopicReader =>
  (body, options) =>
    Result.gen(function* () {
      const problems = optionProblems(options)
      if (problems.length > 0) return yield* Result.fail(reader.unreadable("options", problems))
      return yield* reader.read(body, {
        what: "WooCommerce product",
        read: (node) => {
          const { id, entries, isVariation } = readProduct(node, options)
          const updatedAt = modified(node)
          const [variant] = entries
          if (isVariation && variant !== undefined) {
            return one({ kind: "variant put", productId: id, product: variant, updatedAt })
          }
          const put = { kind: "product put", productId: id, products: entries, updatedAt } as const
          return one({ ...put, namesVariants: true, isRestored })
        },
      })
    })

const productRemoval: TopicReader = (body, options) =>
  has(body, "name")
    ? productReader(false)(body, options)
    : reader.read(body, {
        what: "WooCommerce product",
        read: (node) =>
          one({
            kind: "product removed",
            productId: reader.neededId(node, "id"),
            updatedAt: null,
          }),
      })

const nothing =
  (reason: string): TopicReader =>
  () =>
    Result.succeed(one({ kind: "nothing", reason }))

const ofCoupon = nothing("an order says which coupons it used")

/** How the body of each topic is read. */
export const readers: ReadonlyMap<string, TopicReader> = new Map([
  ["order.created", orderReader],
  ["order.updated", orderReader],
  ["order.restored", orderReader],
  ["order.deleted", orderDeletion],
  ["order.refunded", refundReader],
  ["refund.created", refundReader],
  ["product.created", productReader(false)],
  ["product.updated", productReader(false)],
  ["product.restored", productReader(true)],
  ["product.deleted", productRemoval],
  ["coupon.created", ofCoupon],
  ["coupon.updated", ofCoupon],
  ["coupon.deleted", ofCoupon],
  ["coupon.restored", ofCoupon],
])
