/** Refunds as hosts ask for them. */
import * as Result from "effect/Result"
import { misspelt } from "../../../internal/fieldNames.js"
import {
  id,
  objectOf,
  optional,
  read,
  type Shape,
  scalar,
  seconds,
  text,
} from "../../../internal/fields.js"
import { refusal, show } from "../../../internal/problems.js"
import type { RecordedRefund, RecordedSale } from "../../../ports/SaleStore.js"
import * as Refund from "../../../shares/Refund.js"
import { RefundChanged } from "../../ServiceError.js"
import { longIds } from "../longIds.js"

/**
 * A refund with the host's own id, which identifies it when it is repeated.
 *
 * @since 0.2.0
 * @category models
 */
export interface RefundRequest extends Omit<Refund.Refund, "refundedAt"> {
  readonly id: string
  /** Unix seconds; now when absent. */
  readonly refundedAt?: number | undefined
}

const anyNumber = scalar("number", (value) => typeof value === "number")

const requestShape: Shape<RefundRequest> = {
  id,
  orderId: text,
  itemId: text,
  amount: optional(anyNumber),
  quantity: optional(anyNumber),
  remaining: optional(scalar("true", (value) => value === true)),
  shippingAmount: optional(anyNumber),
  shippingTotal: optional(anyNumber),
  refundedAt: optional(seconds),
}

const requestNames = Object.keys(requestShape)

/** A requested refund, with every field of the right type. */
export const checkRequest = (
  input: unknown,
): Result.Result<RefundRequest, Refund.InvalidRefund> => {
  const request = read(input, objectOf(requestShape))
  const unmeant = misspelt(input, requestNames)
  const rest = Result.isFailure(request) ? request.failure : longIds([["id", request.success.id]])
  const problems = [...unmeant, ...rest]
  if (Result.isSuccess(request) && problems.length === 0) return Result.succeed(request.success)
  return Result.fail(refusal(Refund.InvalidRefund)(problems))
}

const refundFields = [
  "orderId",
  "itemId",
  "amount",
  "quantity",
  "remaining",
  "shippingAmount",
  "shippingTotal",
  "refundedAt",
] as const

/** The refund that was recorded under an id, when it is the requested one. */
export const recordedAgain = (
  recorded: RecordedRefund,
  request: RefundRequest,
): Result.Result<RecordedRefund, RefundChanged> => {
  const problems = refundFields.flatMap((path) => {
    const [before, value] = [recorded.refund[path], request[path]]
    const isDefault = path === "refundedAt" && value === undefined
    const message = `was recorded as ${show(before)}, got ${show(value)}`
    return isDefault || before === value ? [] : [{ path, value, message }]
  })
  if (problems.length === 0) return Result.succeed(recorded)
  return Result.fail(RefundChanged.of(request.id, problems))
}

/** A refund as the core reads it. */
export const toRefund = (request: RefundRequest, at: number): Refund.Refund => {
  const { orderId, itemId, amount, quantity, remaining, refundedAt = at } = request
  const { shippingAmount, shippingTotal } = request
  return {
    orderId,
    itemId,
    ...(amount === undefined ? {} : { amount }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(shippingAmount === undefined ? {} : { shippingAmount }),
    ...(shippingTotal === undefined ? {} : { shippingTotal }),
    refundedAt,
  }
}

/** Why there is nothing that a refund could reverse. */
export const unknownItem = (
  { orderId, itemId }: RefundRequest,
  parts: ReadonlyArray<RecordedSale>,
): Refund.RefundOfUnknownItem => {
  const unknown = parts.length === 0 ? "order" : "item"
  const message =
    unknown === "order"
      ? `order ${show(orderId)} was never recorded`
      : `no item ${show(itemId)} of order ${show(orderId)} was recorded`
  return new Refund.RefundOfUnknownItem({ unknown, orderId, itemId, message })
}
