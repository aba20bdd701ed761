/** Carrying out the refunds that platforms report. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Order } from "../../../orders/Order.js"
import type { PlatformRefund, SoldOrder } from "../../../ports/Platform.js"
import type { Stores } from "../../../ports/Storage.js"
import type { Unreadable } from "../../../Unreadable.js"
import { asSold } from "../sales/orderStates.js"
import { now } from "../transactions.js"
import { knownOrder, type Told, whyOver } from "./inboxOrders.js"
import { ask } from "./inboxQuestions.js"
import {
  done,
  type InboxCall,
  type InboxDelivery,
  type InboxTools,
  isOlder,
  type KnownOrder,
  keyOf,
  listedKey,
  NotLikeThis,
  NotYet,
  nothing,
  type OrderNote,
} from "./inboxSteps.js"
import { correctAfter, isCorrected } from "./orderCorrections.js"
import { refundRequests, unknownLine } from "./refundRequests.js"

/** The order of a refund, which may name it by another id, such as that of its payment. */
const orderOf = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  namedId: string,
) {
  const [name] = yield* stores.inbox.notes([keyOf(platform, "order", namedId)])
  const orderId = name?.kind === "name" ? name.orderId : namedId
  const key = keyOf(platform, "order", orderId)
  return { orderId, key, known: yield* knownOrder(stores, key, orderId) }
})

interface RefundIn {
  readonly told: Told<"refund">
  readonly delivery: InboxDelivery
}

/** Whether a refund arrived inside its order, so that the order is as it was after the refund. */
const isWithOrder = ({ told: { orderId }, delivery }: RefundIn): boolean =>
  delivery.occurrences.some(
    (other) =>
      (other.kind === "order recorded" || other.kind === "order changed") &&
      other.order.id === orderId,
  )

/** A payment may fail after its refund was carried out. The refund stays, and a person is asked, once. */
const askIfFailed = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  refund: RefundIn,
  sold: SoldOrder,
) {
  const { told } = refund
  const { document, refundId, orderId } = told
  const reading = Result.getOrUndefined(platform.readRefund(document, sold, 0))
  const key = `${keyOf(platform, "refund", refundId)}/failed`
  if (reading?.hasFailed !== true || (yield* stores.inbox.notes([key])).length > 0) return
  const reason = `refund ${refundId} of order ${orderId} was taken back, and its payment failed since: give it back with entries of the collaborators, and drop this`
  yield* ask(stores, { key, reason, told }, refund.delivery)
  yield* stores.inbox.putNotes([{ key, at: yield* now, kind: "refund", orderId, counts: false }])
})

interface RefundPlace {
  readonly refundId: string
  readonly orderId: string
  readonly isInOrder: boolean
}

/** Why a refund can't be carried out now, given its reading; `undefined`: it can. */
const whyNotNow = (
  { refundId, orderId, isInOrder }: RefundPlace,
  { platform }: InboxCall,
  reading: PlatformRefund,
  { note, order }: { readonly note: OrderNote; readonly order: Order },
): NotYet | undefined => {
  const waitsFor = keyOf(platform, "order", orderId)
  const line = unknownLine(reading, order)
  if (line !== undefined) {
    const message = `refund ${refundId} is of more of line ${line} of order ${orderId} than was recorded yet`
    return new NotYet({ waitsFor, message })
  }
  // An edit before it may still arrive; the platform sends the order after each refund.
  const isLater = reading.refunds.some(({ refundedAt }) => isOlder(note.updatedAt, refundedAt))
  if (reading.isOfAllLines === true && isLater && !isInOrder) {
    const message = `refund ${refundId} is of all lines of order ${orderId}, which is not known as it was then`
    return new NotYet({ waitsFor, message })
  }
  const { vague } = reading
  if (vague === undefined) return undefined
  const message = `refund ${refundId} ${vague}`
  return new NotYet({ waitsFor: keyOf(platform, "refund", refundId), message })
}

/** The keys of the refunds that a refund includes. Fails when one of them was carried out on its own before. */
const includedIn = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  { refundId, ids }: { readonly refundId: string; readonly ids: ReadonlyArray<string> },
) {
  const keys = ids.map((id) => keyOf(platform, "refund", id))
  const notes = keys.length === 0 ? [] : yield* stores.inbox.notes(keys)
  const taken = notes.find((note) => note.kind === "refund" && note.counts !== false)
  if (taken === undefined) return keys
  const message = `refund ${refundId} tells of ${taken.key}, which was taken back by itself before`
  return yield* new NotLikeThis({ message })
})

interface RefundBack {
  readonly ownKey: string
  readonly document: unknown
  /** The keys of the refunds that it includes. */
  readonly others: ReadonlyArray<string>
}

const putBack = Effect.fnUntraced(function* (
  stores: Stores,
  { ownKey, document, others }: RefundBack,
  { note, orderId }: KnownOrder & { readonly orderId: string },
  moneyBack = 0,
) {
  const at = yield* now
  const about = { at, kind: "refund", orderId } as const
  const refunds = [{ ...about, key: ownKey, document }, ...others.map((key) => ({ ...about, key }))]
  const money = (note.moneyBack ?? 0) + moneyBack
  const changed = moneyBack === 0 ? note : { ...note, at, moneyBack: money }
  yield* stores.inbox.putNotes([...refunds, ...(moneyBack === 0 ? [] : [changed])])
  return changed
})

/** Whether an edit that arrived before the refund happened after it, or deliveries overtook each other. */
const isOvertaken = ({ note, parts }: KnownOrder, { refunds }: PlatformRefund): boolean =>
  note.late !== undefined ||
  isCorrected(parts) ||
  (parts.length > 1 && refunds.some(({ refundedAt }) => isOlder(refundedAt, note.updatedAt)))

/** The parts that existed at a time, as far as their times are known. */
const partsUntil = ({ note, parts }: KnownOrder, at: number): KnownOrder["parts"] => {
  const { states = [] } = note
  const isThere = (index: number) => (states[index] ?? Number.NEGATIVE_INFINITY) <= at
  return states.length === parts.length ? parts.filter((_, index) => isThere(index)) : parts
}

/**
 * A refund, read with its order. Money that names no line belongs to the lines that existed then, not to later ones.
 */
const readingOf = (
  { platform }: InboxCall,
  known: KnownOrder,
  document: unknown,
  sold: SoldOrder,
): Result.Result<
  { readonly reading: PlatformRefund; readonly of: KnownOrder["parts"] },
  Unreadable
> => {
  const { note, parts } = known
  const read = (order: SoldOrder) => platform.readRefund(document, order, note.moneyBack ?? 0)
  return Result.flatMap(read(sold), (reading) => {
    const at = Math.min(...reading.refunds.map(({ refundedAt }) => refundedAt))
    const then = reading.isOfAllLines === true ? partsUntil(known, at) : parts
    const soldThen = then.length < parts.length ? asSold(then, note) : undefined
    const all = { reading, of: parts }
    if (soldThen === undefined) return Result.succeed(all)
    // Lines that existed then may not have arrived yet: no money that is known to be back may be lost.
    return Result.map(read(soldThen), (earlier) =>
      earlier.refunds.length === 0 ? all : { reading: earlier, of: then },
    )
  })
}

/** Reverses what was refunded, once. */
export const refundStep = Effect.fnUntraced(function* (
  tools: InboxTools,
  call: InboxCall,
  stores: Stores,
  refund: RefundIn,
) {
  const { accountId, platform, isForced } = call
  const { orderId: namedId, refundId, document } = refund.told
  const ownKey = keyOf(platform, "refund", refundId)
  const [earlier] = yield* stores.inbox.notes([ownKey])
  if (earlier?.kind === "refund" && earlier.counts === false) {
    return nothing("the refund was withdrawn")
  }
  const { orderId, key, known } = yield* orderOf(call, stores, namedId)
  const { note, parts } = known
  const sold = asSold(parts, note)
  if (earlier?.kind === "refund") {
    if (sold !== undefined) yield* askIfFailed(call, stores, refund, sold)
    return nothing("the refund was taken back before")
  }
  const over = whyOver(note)
  if (over !== undefined) return nothing(over)
  if (sold === undefined) {
    const message = `refund ${refundId} is of order ${orderId}, which was not recorded yet`
    return yield* new NotYet({ waitsFor: key, message })
  }
  const { reading, of } = yield* Effect.fromResult(readingOf(call, known, document, sold))
  const { refunds, notRead, moneyBack, includes = [] } = reading
  const about = { refundId, orderId, isInOrder: isWithOrder(refund) }
  const wait = isForced ? undefined : whyNotNow(about, call, reading, { note, order: sold.order })
  if (wait !== undefined) return yield* wait
  const messages = notRead.map(({ path, message }) => `${path}: ${message}`)
  // A refund whose payment failed may be paid later.
  if (refunds.length === 0) return { ...nothing("the refund takes nothing back"), told: messages }
  const others = yield* includedIn(call, stores, { refundId, ids: includes })
  for (const request of refundRequests(refundId, reading, of)) {
    yield* tools.sales.refund(accountId, request)
  }
  const back = { ownKey, document, others }
  const changed = yield* putBack(stores, back, { ...known, orderId }, moneyBack)
  if (isOvertaken(known, reading)) {
    const all = yield* stores.sales.ofOrder(orderId)
    const { delivery } = refund
    yield* correctAfter(tools, call, stores, { known: { note: changed, parts: all }, delivery })
  }
  yield* stores.inbox.remove(listedKey(platform, refundId))
  return done(others, messages)
})

/** Notes that a refund was withdrawn, whether or not it arrived before. */
export const withdrawalStep = Effect.fnUntraced(function* (
  { platform }: InboxCall,
  stores: Stores,
  { refundId, reason }: Told<"refund withdrawn">,
) {
  const key = keyOf(platform, "refund", refundId)
  const [note] = yield* stores.inbox.notes([key])
  if (note?.kind === "refund" && note.counts !== false) {
    const message = `${reason}; it was taken back before, which a person has to put right`
    return yield* new NotLikeThis({ message })
  }
  const at = yield* now
  yield* stores.inbox.putNotes([{ key, at, kind: "refund", orderId: "", counts: false }])
  yield* stores.inbox.remove(key)
  return nothing(reason)
})
