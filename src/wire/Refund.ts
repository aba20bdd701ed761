/**
 * A refund as JSON.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type * as Core from "../shares/Refund.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * A refund as {@link write} writes it: by amount (cents), by quantity, of what remains, or of shipping; the others are
 * left out.
 *
 * @since 0.1.0
 * @category models
 */
export interface RefundJson {
  readonly order_id: string
  readonly item_id: string
  readonly amount?: number
  readonly quantity?: number
  /**
   * @since 0.6.0
   */
  readonly remaining?: true
  /**
   * @since 0.6.0
   */
  readonly shipping_amount?: number
  /**
   * @since 0.6.0
   */
  readonly shipping_total?: number
  /** Unix seconds. */
  readonly refunded_at: number
}

const ways = ["amount", "quantity", "remaining", "shipping_amount"] as const

type HowMuch = Omit<Core.Refund, "orderId" | "itemId" | "refundedAt">

/** The refunded shipping, and the shipping that was paid. */
const readShipping = (node: reader.Node, isGiven: boolean): HowMuch => {
  const shippingAmount = reader.whole(node, "shipping_amount")
  const shippingTotal = reader.whole(node, "shipping_total")
  if (shippingAmount === 0) reader.refuse(node, "shipping_amount", "other than 0")
  if (shippingTotal === 0) reader.refuse(node, "shipping_total", "other than 0")
  const total = reader.field(node, "shipping_total")
  if (isGiven && total === undefined) {
    reader.note(node, "shipping_total", "is missing: what was paid for the order's shipping")
  }
  if (!isGiven && total !== undefined) {
    reader.note(node, "shipping_total", "must be left out without shipping_amount")
  }
  return { shippingAmount, shippingTotal }
}

/** Exactly one of amount, quantity, remaining and shipping, and its value. */
const readHowMuch = (node: reader.Node): HowMuch => {
  const given = ways.filter((way) => (reader.field(node, way) ?? false) !== false)
  for (const way of given.slice(1)) {
    reader.note(
      node,
      way,
      `must be left out when there is ${way === "quantity" ? "an amount" : given[0]}`,
    )
  }
  if (given.length === 0) {
    reader.note(
      node,
      "amount",
      "is missing: a refund has an amount or a quantity, takes back what is remaining, or is of shipping",
    )
  }
  const amount = reader.whole(node, "amount")
  if (amount === 0) reader.refuse(node, "amount", "other than 0")
  const quantity = reader.whole(node, "quantity", 1)
  const remaining = reader.flag(node, "remaining")
  const shipping = readShipping(node, given.includes("shipping_amount"))
  if (given[0] === "amount") return { amount }
  if (given[0] === "shipping_amount") return shipping
  return remaining === true ? { remaining } : { quantity }
}

const fields: ReadonlyArray<string> = [
  "order_id",
  "item_id",
  ...ways,
  "shipping_total",
  "refunded_at",
]

const readRefund = (node: reader.Node): Core.Refund => {
  reader.refuseMisspelt(node, fields)
  return {
    orderId: reader.neededId(node, "order_id"),
    itemId: reader.neededId(node, "item_id"),
    ...readHowMuch(node),
    refundedAt: reader.neededTime(node, "refunded_at"),
  }
}

/**
 * Reads a refund of one item of an order: `amount` in cents of the order's currency, `quantity`,
 * `remaining: true`, or `shipping_amount` out of `shipping_total`, and exactly one of the four. Ids may be whole numbers, the time Unix seconds or ISO 8601 with an offset. Fails
 * with `Unreadable`, which lists every problem with its path.
 *
 * @param options - `path`: the refund's path in a larger input, for the paths of problems
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const refund = Refund.read({ order_id: 1001, item_id: 1, quantity: 1, refunded_at: 1735689600 })
 * Result.getOrThrow(refund).orderId // => "1001"
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string | undefined } = {},
): Result.Result<Core.Refund, Unreadable> =>
  reader.read(input, { what: "refund", path: options.path, read: readRefund })

/**
 * A refund of an order that the request names elsewhere, with the host's own id, which identifies a repeated request.
 *
 * @since 0.6.0
 * @category models
 */
export interface RefundRequest extends Omit<Core.Refund, "orderId" | "refundedAt"> {
  readonly id: string
  /** Unix seconds; now when absent. */
  readonly refundedAt?: number | undefined
}

const requestFields: ReadonlyArray<string> = [
  "id",
  "item_id",
  ...ways,
  "shipping_total",
  "refunded_at",
]

/** Leaves out fields without a value. */
const saying = (howMuch: HowMuch): HowMuch =>
  Object.fromEntries(Object.entries(howMuch).filter(([, value]) => value !== undefined))

/**
 * Reads a requested refund: its own `id`, the `item_id`, how much as in {@link read}, and `refunded_at`, which may be
 * absent. Fails with `Unreadable`, which lists every problem.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Refund } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const request = Refund.readRequest({ id: "r1", item_id: 1, quantity: 1 })
 * Result.getOrThrow(request) // => { id: "r1", itemId: "1", quantity: 1, refundedAt: undefined }
 * ```
 */
export const readRequest = (input: unknown): Result.Result<RefundRequest, Unreadable> =>
  reader.read(input, {
    what: "refund",
    known: requestFields,
    read: (node) => ({
      id: reader.neededId(node, "id"),
      itemId: reader.neededId(node, "item_id"),
      ...saying(readHowMuch(node)),
      refundedAt: reader.time(node, "refunded_at"),
    }),
  })

/**
 * Writes a refund.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Refund } from "apportion/wire"
 *
 * Refund.write({ orderId: "1001", itemId: "1", amount: 500, refundedAt: 0 }).amount // => 500
 * ```
 */
export const write = (refund: Core.Refund): RefundJson => ({
  order_id: refund.orderId,
  item_id: refund.itemId,
  ...(refund.amount === undefined ? {} : { amount: refund.amount }),
  ...(refund.quantity === undefined ? {} : { quantity: refund.quantity }),
  ...(refund.remaining === undefined ? {} : { remaining: refund.remaining }),
  ...(refund.shippingAmount === undefined ? {} : { shipping_amount: refund.shippingAmount }),
  ...(refund.shippingTotal === undefined ? {} : { shipping_total: refund.shippingTotal }),
  refunded_at: refund.refundedAt,
})

/**
 * What a refund took back of an item, as {@link writeReversal} writes it; amounts in cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReversalJson {
  readonly fully_refunded: boolean
  readonly shares: ReadonlyArray<{
    readonly group_id: string
    readonly collaborator_id: string
    readonly amount: number
    readonly shipping_amount: number
  }>
  /** The store's part of the refund. */
  readonly store: number
}

/**
 * Writes what a refund took back of an item.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Refund } from "apportion/wire"
 *
 * const share = { groupId: "g1", collaboratorId: "ada", amount: 250, shippingAmount: 0 }
 * Refund.writeReversal({ fullyRefunded: true, shares: [share], store: 750 }).store // => 750
 * ```
 */
export const writeReversal = (
  reversal: Pick<Core.Reversal, "fullyRefunded" | "shares" | "store">,
): ReversalJson => ({
  fully_refunded: reversal.fullyRefunded,
  shares: reversal.shares.map((share) => ({
    group_id: share.groupId,
    collaborator_id: share.collaboratorId,
    amount: share.amount,
    shipping_amount: share.shippingAmount,
  })),
  store: reversal.store,
})
