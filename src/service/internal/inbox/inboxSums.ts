/** Refunds of which a platform sends only the sum: a person, or the host, has to deliver the whole document. */
import * as Effect from "effect/Effect"
import type { Occurrence } from "../../../ports/Platform.js"
import type { RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import { knownOrder, whyOver } from "./inboxOrders.js"
import { ask, type InboxQuestion } from "./inboxQuestions.js"
import { refundStep } from "./inboxRefunds.js"
import {
  type InboxCall,
  type InboxDelivery,
  type InboxTools,
  keyOf,
  listedKey,
  NotLikeThis,
  nothing,
} from "./inboxSteps.js"

type RefundSums = Extract<Occurrence, { readonly kind: "refunds listed" }>

interface SumsIn {
  readonly told: RefundSums
  readonly delivery: InboxDelivery
}

type Missing = InboxQuestion<RefundSums>

const documentMissing = ({ platform }: InboxCall, { orderId, refunds }: RefundSums) =>
  refunds.map((refund): Missing => {
    const { refundId } = refund
    const reason = `order ${orderId} has refund ${refundId}, of which only the sum came: fetch the refund and deliver it, or force this to divide the sum over all lines`
    const told: RefundSums = { kind: "refunds listed", orderId, refunds: [refund], updatedAt: null }
    return { key: listedKey(platform, refundId), reason, told }
  })

/** The platform's ids of refunds that were carried out before the order was in this state. */
const takenBack = (parts: ReadonlyArray<RecordedSale>, before: number): ReadonlySet<string> =>
  new Set(
    parts
      .flatMap(({ refunds }) => refunds)
      .filter(({ refund }) => refund.refundedAt < before)
      .flatMap(({ id }) => id.split("/")[0] ?? []),
  )

/** Refunds that were carried out, and that the platform no longer has. */
const goneRefunds = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  { orderId, refunds, updatedAt }: RefundSums,
) {
  if (updatedAt === null) return []
  const listed = new Set(refunds.map(({ refundId }) => refundId))
  const parts = yield* stores.sales.ofOrder(orderId)
  const others = [...takenBack(parts, updatedAt)].filter((id) => !listed.has(id))
  const keys = others.map((id) => keyOf(platform, "refund", id))
  const notes = keys.length === 0 ? [] : yield* stores.inbox.notes(keys)
  return notes.map(({ key }): Missing => {
    const reason = `${key} was taken back, and the platform deleted it since: give it back with entries of the collaborators, and drop this`
    return {
      key: `${key}/gone`,
      reason,
      told: { kind: "refunds listed", orderId, refunds: [], updatedAt },
    }
  })
})

/**
 * Looks for the listed refunds. One that was not carried out, or that is gone, is kept for a person; the rest of the
 * delivery is carried out. When a person forces it, the sum is divided over all lines.
 */
export const sumsStep = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  { told, delivery }: SumsIn,
) {
  const { orderId, refunds } = told
  const { note } = yield* knownOrder(stores, keyOf(call.platform, "order", orderId), orderId)
  const over = whyOver(note)
  if (over !== undefined) {
    // Nothing is left of the order, so nobody has to look at its refunds.
    for (const { refundId } of refunds) {
      yield* stores.inbox.remove(listedKey(call.platform, refundId))
    }
    return nothing(over)
  }
  const keys = refunds.map(({ refundId }) => keyOf(call.platform, "refund", refundId))
  const known = keys.length === 0 ? [] : yield* stores.inbox.notes(keys)
  const done = new Set(known.map(({ key }) => key))
  const open = refunds.filter(({ refundId }) => !done.has(keyOf(call.platform, "refund", refundId)))
  const missing = [
    ...documentMissing(call, { ...told, refunds: open }),
    ...(yield* goneRefunds(call, stores, told)),
  ]
  const [own] = missing.filter(({ key }) => key === delivery.entry?.key)
  const [refund] = open
  if (own !== undefined && (!call.isForced || refund === undefined)) {
    return yield* new NotLikeThis({ message: own.reason })
  }
  if (own !== undefined && refund !== undefined) {
    const alone = { ...({ kind: "refund", orderId } as const), ...refund }
    return yield* refundStep(tools, call, stores, { told: alone, delivery })
  }
  for (const one of missing) yield* ask(stores, one, delivery)
  // There is no message when all refunds are known.
  return { ...nothing(""), told: missing.map(({ reason }) => reason) }
})
