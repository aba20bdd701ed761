/** Importing a sale or a refund of the past in its transaction: nothing is written until nothing can fail. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import * as PayoutItem from "../../../payouts/PayoutItem.js"
import type { Posting, RecordedRefund, RecordedSale } from "../../../ports/SaleStore.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Refund from "../../../shares/Refund.js"
import type { Share } from "../../../shares/Share.js"
import type { RefundChanged } from "../../ServiceError.js"
import { isAgreedOn } from "../agreements/agreementEntries.js"
import type { Batch } from "../batch/Batch.js"
import type { PayoutOf } from "../counters/countedOrder.js"
import { countRefund } from "../counters/saleCounts.js"
import { needCollaborator } from "../lookups.js"
import type { Moved } from "../payouts/payoutCycle.js"
import type { SaleRates } from "../rates.js"
import type { DatedOrder } from "../sales/completeOrder.js"
import { keep, type Recording, type Splitting, splitNew } from "../sales/newSale.js"
import {
  collaboratorsOf,
  groupByCollaborator,
  hasItem,
  itemOf,
  movedData,
  type PostingError,
  postingOf,
  type SoldOrder,
  soldOrder,
} from "../sales/postings.js"
import { type RefundRequest, recordedAgain, toRefund, unknownItem } from "../sales/refundRequest.js"
import type { SaleError } from "../sales/saleAttempts.js"
import * as saleTotals from "../sales/saleTotals.js"
import { die, emit } from "../transactions.js"
import { type PastEntry, PastLedger, type PastTerms, tellOpened } from "./pastLedger.js"

/** A refund with its time. */
export interface PastRefundRequest extends RefundRequest {
  readonly refundedAt: number
}

/** The transaction in which sales of the past are imported. */
export interface PastSession extends Omit<Splitting, "payoutOf"> {
  readonly ledger: PastLedger
  readonly rates: SaleRates
}

/** Begins a transaction's import. */
export const pastSession = (
  {
    batch,
    ...session
  }: Pick<PastSession, "policy" | "rates" | "rules"> & { readonly batch: Batch },
  terms: PastTerms,
): PastSession => {
  const { stores } = batch
  const { timeZone } = terms
  const ledger = new PastLedger(stores, terms)
  return { ...session, stores, timeZone, ledger }
}

/** The outcome of a sale. */
type PastSaleResult =
  | { readonly type: "imported" | "known"; readonly recording: Recording }
  /** Rates have to be asked for first; nothing was written. */
  | { readonly type: "rates"; readonly missing: ReadonlyArray<string> }

/** The outcome of a refund; `as usual`: its shares were not paid in the past. */
type PastRefundResult =
  | { readonly type: "imported" | "known"; readonly recorded: RecordedRefund }
  | { readonly type: "as usual" }

type RefundFailure = Refund.RefundError | PostingError | RefundChanged | StorageError

const movedBy = (entries: ReadonlyArray<PastEntry>): ReadonlyArray<Moved> =>
  entries.flatMap(({ account, items }) =>
    items.map(({ amount }) => ({ payoutId: account.head.id, amount })),
  )

/** The payout items of a collaborator's shares, and where they are booked. */
const entryOf = Effect.fnUntraced(function* (
  { ledger }: PastSession,
  collaborator: Collaborator,
  sold: SoldOrder<DatedOrder>,
  shares: ReadonlyArray<Share>,
) {
  const { currency } = collaborator
  const { id: orderId, createdAt: at } = sold.order
  const account = yield* ledger.of(collaborator, { currency, at })
  const items: Array<PayoutItem.Sale> = []
  const postings: Array<Posting> = []
  for (const share of shares) {
    const id = PayoutItem.keyOf({ ...share, orderId })
    const item = yield* Effect.fromResult(itemOf(share, sold, { id, currency, at }))
    items.push(item)
    postings.push(postingOf(share, item, account.head))
  }
  return { entry: yield* ledger.entry(account, items), postings }
})

const postAll = Effect.fnUntraced(function* (
  session: PastSession,
  sold: SoldOrder<DatedOrder>,
  people: ReadonlyMap<string, Collaborator>,
  shares: ReadonlyArray<Share>,
) {
  const entries: Array<PastEntry> = []
  const postings: Array<Posting> = []
  for (const [collaboratorId, own] of groupByCollaborator(shares)) {
    const collaborator = people.get(collaboratorId)
    if (collaborator === undefined) return yield* die(`there is no collaborator ${collaboratorId}`)
    const posted = yield* entryOf(session, collaborator, sold, own)
    entries.push(posted.entry)
    postings.push(...posted.postings)
  }
  return { entries, postings }
})

/** The payouts of the past in which sales of a time were paid. */
const pastPayoutOf =
  ({ stores, ledger }: PastSession, at: number): PayoutOf<PostingError | StorageError> =>
  (collaboratorId) =>
    Effect.gen(function* () {
      const { collaborator } = yield* needCollaborator(stores, collaboratorId)
      const { currency } = collaborator
      return (yield* ledger.of(collaborator, { currency, at })).head.id
    })

/** Imports what is new of an order of the past. */
export const importSale = Effect.fnUntraced(function* (
  session: PastSession,
  input: DatedOrder,
): Effect.fn.Return<PastSaleResult, SaleError | StorageError> {
  const { stores, ledger } = session
  const { createdAt } = input
  const payoutOf = pastPayoutOf(session, createdAt)
  const sale = yield* splitNew({ ...session, payoutOf }, input, createdAt)
  if (!sale.isNew) return { type: "known", recording: sale.recording }
  const { order, split } = sale
  const people = yield* collaboratorsOf(stores, split.shares)
  const need = { currency: order.currency, at: createdAt }
  const { known: rates, missing } = yield* session.rates.of(need, people.values())
  if (missing.length > 0) return { type: "rates", missing }
  const sold = soldOrder(order, rates)
  const { entries, postings } = yield* postAll(session, sold, people, split.shares)
  yield* tellOpened(entries)
  ledger.enter(entries)
  const booked = { postings, moved: movedBy(entries) }
  const recording = yield* keep(stores, sale, {
    ...booked,
    ...{ recordedAt: createdAt, soldAt: createdAt },
  })
  return { type: "imported", recording }
})

/** What is taken back of one share. */
const takingOf = Effect.fnUntraced(function* (
  { stores, ledger }: PastSession,
  posting: Posting,
  taken: { readonly amount: number; readonly at: number },
) {
  const share = yield* ledger.share(posting.payoutId, posting.payoutItemId)
  if (share === undefined) return undefined
  const { head, item: sale } = share
  const refund = Lifecycle.refund(head, { ...posting, sale }, taken)
  const { item, reversed, refunds } = yield* Effect.fromResult(refund)
  const after = { ...posting, reversed, refunds }
  if (item === null) return { posting: after, entry: undefined }
  const { collaborator } = yield* needCollaborator(stores, posting.collaboratorId)
  const owner = { currency: head.currency, at: taken.at }
  const account = yield* ledger.of(collaborator, owner)
  return { posting: after, entry: { account, item } }
})

/** All that is taken back, with the sums of the payouts afterwards; `undefined`: a share was not paid in the past. */
const takeAllBack = Effect.fnUntraced(function* (
  session: PastSession,
  part: RecordedSale,
  { itemId, shares, refundedAt: at }: Refund.Reversal,
): Effect.fn.Return<
  | { readonly postings: ReadonlyArray<Posting>; readonly entries: ReadonlyArray<PastEntry> }
  | undefined,
  PostingError | AmountOutOfRange | StorageError
> {
  const amounts = new Map(shares.map((share) => [share.groupId, share.amount]))
  const postings: Array<Posting> = []
  const byAccount = new Map<PastEntry["account"], Array<PayoutItem.PayoutItem>>()
  for (const posting of part.postings) {
    const amount = posting.itemId === itemId ? amounts.get(posting.groupId) : undefined
    if (amount === undefined) {
      postings.push(posting)
      continue
    }
    const taking = yield* takingOf(session, posting, { amount, at })
    if (taking === undefined) return undefined
    postings.push(taking.posting)
    if (taking.entry === undefined) continue
    const { account, item } = taking.entry
    byAccount.set(account, [...(byAccount.get(account) ?? []), item])
  }
  const entries: Array<PastEntry> = []
  for (const [account, items] of byAccount) {
    entries.push(yield* session.ledger.entry(account, items))
  }
  return { postings, entries }
})

/** Imports a refund of the past, of shares that were paid in the past. */
export const importRefund = Effect.fnUntraced(function* (
  session: PastSession,
  request: PastRefundRequest,
): Effect.fn.Return<PastRefundResult, RefundFailure> {
  const { stores, ledger } = session
  const known = yield* stores.sales.refund(request.id)
  if (known !== undefined) {
    const recorded = yield* Effect.fromResult(recordedAgain(known, request))
    return { type: "known", recorded }
  }
  const all = yield* stores.sales.ofOrder(request.orderId)
  const part = all.find((one) => hasItem(one, request.itemId))
  if (part === undefined) return yield* Effect.fail(unknownItem(request, all))
  // A part that was split again since is refunded as usual.
  if (part.adjustments !== undefined) return { type: "as usual" }
  // So is one of which agreements booked something, which is not of the past.
  if (yield* isAgreedOn(stores, part, request.itemId)) return { type: "as usual" }
  const refund = toRefund(request, request.refundedAt)
  const others = part.refunds.map((recorded) => recorded.refund)
  const earlier = others.filter(({ itemId }) => itemId === request.itemId)
  const reversal = yield* Effect.fromResult(Refund.reverse(part.split, refund, { earlier }))
  const taken = yield* takeAllBack(session, part, reversal)
  if (taken === undefined) return { type: "as usual" }
  const { postings, entries } = taken
  const { id, orderId, itemId, refundedAt } = request
  const recorded = { id, refund, reversal, recordedAt: refundedAt }
  const { part: number, version, split } = part
  // It may fail, and nothing is noted before.
  yield* countRefund(stores, part, refund)
  yield* stores.sales.addRefund({ orderId, part: number, version, refund: recorded, postings })
  yield* tellOpened(entries)
  ledger.enter(entries)
  const about = { refundId: id, orderId, itemId, currency: split.currency }
  const data = {
    ...{ ...about, shares: reversal.shares.length, ...saleTotals.ofRefund(recorded) },
    ...{ refundedAt, ...movedData(movedBy(entries)) },
  }
  yield* emit({ type: "refund.imported", data })
  return { type: "imported", recorded }
})
