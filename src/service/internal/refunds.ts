/**
 * Taking back what was shared: a payout that is not settled has its items reduced, after that the
 * collaborator's active payout gets negative ones.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { misspelt } from "../../internal/misspelling.js"
import { decode, show, summarize } from "../../internal/problems.js"
import { Seconds } from "../../internal/seconds.js"
import * as Lifecycle from "../../payouts/Lifecycle.js"
import type { Posting, RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import * as Refund from "../../shares/Refund.js"
import type { PostingError, RefundRequest } from "../Sales.js"
import { RefundChanged } from "../ServiceError.js"
import { needCollaborator } from "./collaborators.js"
import { addItems, closeOrRoll, openOrActive, replaceItem } from "./payoutCycle.js"
import { type PlacingTerms, unusedId } from "./posting.js"
import { die } from "./transactions.js"

const requestFields = {
  id: Schema.NonEmptyString,
  orderId: Schema.String,
  itemId: Schema.String,
  amount: Schema.optional(Schema.Number),
  quantity: Schema.optional(Schema.Number),
  remaining: Schema.optional(Schema.Literal(true)),
  shippingAmount: Schema.optional(Schema.Number),
  shippingTotal: Schema.optional(Schema.Number),
  refundedAt: Schema.optional(Seconds),
}

const RefundRequestSchema: Schema.Codec<RefundRequest> = Schema.Struct(requestFields)

const requestNames = Object.keys(requestFields)

/** A refund as it is asked for, with every field of the right kind. */
export const checkRequest = (
  input: unknown,
): Result.Result<RefundRequest, Refund.InvalidRefund> => {
  const decoded = decode(RefundRequestSchema, input)
  const unmeant = misspelt(input, requestNames)
  if (Result.isSuccess(decoded) && unmeant.length === 0) return Result.succeed(decoded.success)
  const problems = [...unmeant, ...(Result.isFailure(decoded) ? decoded.failure : [])]
  return Result.fail(new Refund.InvalidRefund({ problems, message: summarize(problems) }))
}

const fields = [
  "orderId",
  "itemId",
  "amount",
  "quantity",
  "remaining",
  "shippingAmount",
  "shippingTotal",
  "refundedAt",
] as const

/** The refund that was recorded under an id, when it is the one that is asked for. */
export const recordedAgain = (
  recorded: RecordedRefund,
  request: RefundRequest,
): Result.Result<RecordedRefund, RefundChanged> => {
  const problems = fields.flatMap((path) => {
    const [before, value] = [recorded.refund[path], request[path]]
    const isDefault = path === "refundedAt" && value === undefined
    const message = `was recorded as ${show(before)}, got ${show(value)}`
    return isDefault || before === value ? [] : [{ path, value, message }]
  })
  if (problems.length === 0) return Result.succeed(recorded)
  const message = `refund ${request.id} was recorded differently: ${summarize(problems)}`
  return Result.fail(new RefundChanged({ refundId: request.id, problems, message }))
}

const toRefund = (request: RefundRequest, at: number): Refund.Refund => {
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

const unknownItem = (
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

const hasItem = (part: RecordedSale, itemId: string): boolean =>
  part.split.items.some((item) => item.itemId === itemId)

/** A share that is to be reduced. */
interface Taking {
  readonly posting: Posting
  /** What is taken back of it, in cents of the order's currency. */
  readonly amount: number
  /** Unix seconds. */
  readonly refundedAt: number
}

/** The item and the payout of a recorded share; they are there, or what is stored contradicts itself. */
const findShare = Effect.fnUntraced(function* (
  stores: Stores,
  { payoutId, payoutItemId }: Posting,
) {
  const payout = yield* stores.payouts.get(payoutId)
  const item = yield* stores.payouts.item(payoutId, payoutItemId)
  if (payout !== undefined && item?.kind === "sale") return { payout, item }
  return yield* die(`payout ${payoutId} has no sale ${payoutItemId}`)
})

/** Takes something back of one share, and tells what its posting is like then. */
const takeBack = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PlacingTerms,
  taking: Taking,
): Effect.fn.Return<Posting, PostingError | StorageError> {
  const { posting, amount, refundedAt } = taking
  const { payout: found, item: sale } = yield* findShare(stores, posting)
  const { collaborator } = yield* needCollaborator(stores, posting.collaboratorId)
  const due = { payout: found, collaborator, timeZone: terms.timeZone, at: terms.at }
  const { payout } = yield* closeOrRoll(stores, due)
  const refund = Lifecycle.refund(payout, { ...posting, sale }, { amount, at: refundedAt })
  const { item, reversed, refunds } = yield* Effect.fromResult(refund)
  if (item?.kind === "sale") yield* replaceItem(stores, payout, { before: sale, after: item })
  if (item?.kind === "refund") {
    const { currency } = payout
    const active = yield* openOrActive(stores, { ...terms, collaborator, currency })
    const id = yield* unusedId(stores, active.id, item.id)
    yield* addItems(stores, active, [{ ...item, id, createdAt: terms.at }])
  }
  return { ...posting, reversed, refunds }
})

/** Takes back what a refund reverses, share by share, and gives the postings of the whole part. */
const takeAllBack = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PlacingTerms,
  part: RecordedSale,
  reversal: Refund.Reversal,
) {
  const amounts = new Map(reversal.shares.map((share) => [share.groupId, share.amount]))
  const postings: Array<Posting> = []
  for (const posting of part.postings) {
    const amount = posting.itemId === reversal.itemId ? amounts.get(posting.groupId) : undefined
    const taking = { posting, amount: amount ?? 0, refundedAt: reversal.refundedAt }
    const isTouched = amount !== undefined
    postings.push(isTouched ? yield* takeBack(stores, terms, taking) : posting)
  }
  return postings
})

/** Records a refund that is new. */
export const recordRefund = Effect.fnUntraced(function* (
  stores: Stores,
  terms: PlacingTerms,
  request: RefundRequest,
): Effect.fn.Return<RecordedRefund, Refund.RefundError | PostingError | StorageError> {
  const parts = yield* stores.sales.ofOrder(request.orderId)
  const part = parts.find((one) => hasItem(one, request.itemId))
  if (part === undefined) return yield* unknownItem(request, parts)
  const refund = toRefund(request, terms.at)
  const others = part.refunds.map((recorded) => recorded.refund)
  const earlier = others.filter(({ itemId }) => itemId === request.itemId)
  const reversal = yield* Effect.fromResult(Refund.reverse(part.split, refund, { earlier }))
  const postings = yield* takeAllBack(stores, terms, part, reversal)
  const recorded: RecordedRefund = { id: request.id, refund, reversal, recordedAt: terms.at }
  const { orderId, part: number, version } = part
  yield* stores.sales.addRefund({ orderId, part: number, version, refund: recorded, postings })
  return recorded
})
