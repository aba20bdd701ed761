/** What agreements book with a sale, its adjustments and its refunds, in the transaction in which these are recorded. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type AgreementItem, agreementOf } from "../../../agreements/AgreementItem.js"
import * as Agreements from "../../../agreements/Agreements.js"
import type { AgreementBalances, HeldPart } from "../../../agreements/Balances.js"
import { escapeSlash } from "../../../internal/names.js"
import * as Cents from "../../../money/Cents.js"
import * as ExchangeRate from "../../../money/ExchangeRate.js"
import type { ConversionError } from "../../../payouts/PayoutItem.js"
import type { ScheduleError } from "../../../payouts/Schedule.js"
import type { AgreementChanges, AgreementKey, BookedLine } from "../../../ports/AgreementStore.js"
import type { Posting, RecordedSale } from "../../../ports/SaleStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { Moved } from "../payouts/payoutCycle.js"
import type { WholeReversal } from "../sales/refundReversal.js"
import { die } from "../transactions.js"
import { type BookingTerms, bookLines } from "./agreementItems.js"
import { type AgreementTerms, changedTotals, concernOf, keyText } from "./agreementTerms.js"

/** Why lines could not be booked. */
export type AgreementFailure = ConversionError | ScheduleError | StorageError

const nothing: ReadonlyArray<Moved> = []
const nothingAgreed = Effect.succeed(nothing)

/** What the core books; only amounts can be too large, anything else was checked or is broken. */
export const outcomeOf = (
  result: Result.Result<Agreements.AgreementOutcome, Agreements.PostingError>,
) =>
  Effect.catchTag(Effect.fromResult(result), "InvalidPosting", ({ message }) =>
    die(`agreements can't be applied: ${message}`),
  )

/** The agreements for which a line was booked: its own, and guarantees for which it counts, though it may count 0. */
const bookedFor = (line: AgreementItem): ReadonlyArray<AgreementKey> => {
  const own = line.kind === "share" || line.kind === "store" ? [] : [agreementOf(line)]
  const earned = "guarantees" in line ? line.guarantees : []
  return [...own, ...earned.map(({ guaranteeId: id }) => ({ kind: "guarantee", id }) as const)]
}

/** What an outcome changes of what is stored. */
export const changesOf = (
  before: AgreementBalances,
  { items, balances }: Agreements.AgreementOutcome,
  {
    lines,
    unused,
  }: { readonly lines: ReadonlyArray<BookedLine>; readonly unused: ReadonlySet<string> },
): AgreementChanges => {
  const known = new Set(before.held)
  const partOf = ({ reserveId, orderId, itemId, groupId, collaboratorId, place }: HeldPart) =>
    JSON.stringify([reserveId, orderId, itemId, groupId, collaboratorId, place])
  const left = new Set(balances.held.map(partOf))
  const used = new Map<string, AgreementKey>()
  for (const key of items.flatMap(bookedFor)) {
    if (unused.has(keyText(key))) used.set(keyText(key), key)
  }
  const bySubject = Map.groupBy(lines, ({ line }) =>
    line.kind === "shortfall"
      ? JSON.stringify([line.guaranteeId, ""])
      : JSON.stringify([line.orderId, line.itemId]),
  )
  const entries = [...bySubject.values()].flatMap((own) => {
    const line = own[0]?.line
    if (line === undefined || !own.some((one) => isNotable(one.line))) return []
    const subject =
      line.kind === "shortfall"
        ? { orderId: line.guaranteeId, itemId: "" }
        : { orderId: line.orderId, itemId: line.itemId }
    return [{ ...subject, lines: own }]
  })
  return {
    ...{ used: [...used.values()], totals: changedTotals(before, balances), entries },
    held: balances.held.filter((part) => !known.has(part)),
    gone: before.held.filter((part) => !left.has(partOf(part))),
  }
}

/** Whether anything was agreed about a line: shares and rests are noted beside such lines only. */
const isNotable = (line: AgreementItem): boolean => bookedFor(line).length > 0

// Sales.

/** A share as it was booked. */
interface BookedShare {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  /** Cents of the order's currency. */
  readonly amount: number
  readonly posting: Pick<Posting, "currency" | "rate">
}

/** The shares of a sale, or of an adjustment of one, as they were booked. */
interface BookedShares {
  readonly orderId: string
  /** The order's. */
  readonly currency: string
  /** When it was sold, in Unix seconds. */
  readonly soldAt: number
  /** The run of the adjustment; absent: it is the sale itself. */
  readonly runId?: string
  readonly shares: ReadonlyArray<BookedShare>
  /** What the store kept of each item; empty for adjustments, which bring in nothing. */
  readonly store: ReadonlyArray<{ readonly itemId: string; readonly amount: number }>
}

/** Shares, and the postings of those that were booked. */
interface PostedShares extends Omit<BookedShares, "shares"> {
  readonly shares: ReadonlyArray<Omit<BookedShare, "posting">>
  readonly postings: ReadonlyArray<Posting>
}

/** The shares among them that have postings, each with its own. */
const bookedShares = (
  shares: ReadonlyArray<Omit<BookedShare, "posting">>,
  postings: ReadonlyArray<Posting>,
): ReadonlyArray<BookedShare> => {
  const keyOf = (one: Omit<BookedShare, "posting" | "amount">) =>
    JSON.stringify([one.itemId, one.groupId, one.collaboratorId])
  const byKey = new Map(postings.map((posting) => [keyOf(posting), posting]))
  return shares.flatMap(({ itemId, groupId, collaboratorId, amount }) => {
    const posting = byKey.get(keyOf({ itemId, groupId, collaboratorId }))
    return posting === undefined ? [] : [{ itemId, groupId, collaboratorId, amount, posting }]
  })
}

/** What is posted together: everything in one currency; of an adjustment, of one collaborator. */
interface PostedWhole {
  readonly currency: string
  readonly runId?: string | undefined
  readonly collaboratorId?: string | undefined
}

/** The id under which such a part of an order is posted: ids of orders can't have it, which have no slash in it. */
const postedId = (orderId: string, { currency, runId, collaboratorId }: PostedWhole): string => {
  const id = `${escapeSlash(orderId)}/${currency}`
  return runId === undefined
    ? id
    : `${id}/${escapeSlash(runId)}/${escapeSlash(collaboratorId ?? "")}`
}

/** The order of a posted id. */
export const orderOf = (posted: string): string =>
  (posted.split("/")[0] ?? "").replaceAll("%2F", "/").replaceAll("%25", "%")

const converted = (
  amount: number,
  { from, to, rate }: { readonly from: string; readonly to: string; readonly rate: string | null },
): Result.Result<number, ConversionError> =>
  rate === null || from === to
    ? Result.succeed(amount)
    : ExchangeRate.convert(amount, { from, to, rate })

const wholeOf = ({ runId }: BookedShares, { posting, collaboratorId }: BookedShare): PostedWhole =>
  runId === undefined
    ? { currency: posting.currency }
    : { currency: posting.currency, runId, collaboratorId }

const amountsOf = (all: ReadonlyArray<{ readonly amount: number }>): ReadonlyArray<number> =>
  all.map(({ amount }) => amount)

/** One posting of a sale: its own shares in their currency, and all else of their items as what the store kept. */
const postedSale = (
  sold: BookedShares,
  whole: PostedWhole,
  own: ReadonlyArray<BookedShare>,
): Result.Result<Agreements.PostedSale, ConversionError> =>
  Result.gen(function* () {
    const { currency: from, orderId, soldAt: at } = sold
    const { currency: to } = whole
    const shares: Array<Omit<BookedShare, "posting">> = []
    for (const { posting, ...share } of own) {
      const amount = yield* converted(share.amount, { from, to, rate: posting.rate })
      shares.push({ ...share, amount })
    }
    const isAll = from === to && whole.runId === undefined
    const items = isAll
      ? sold.store.map(({ itemId }) => itemId)
      : [...new Set(own.map(({ itemId }) => itemId))]
    const rate = own[0]?.posting.rate ?? null
    const store: Array<{ readonly itemId: string; readonly amount: number }> = []
    for (const itemId of items) {
      const ofItem = sold.shares.filter((share) => share.itemId === itemId)
      const rest = sold.store.find((one) => one.itemId === itemId)?.amount ?? 0
      const all = whole.runId === undefined ? yield* Cents.sum([...amountsOf(ofItem), rest]) : 0
      const broughtIn = yield* converted(all, { from, to, rate })
      const mine = amountsOf(shares.filter((share) => share.itemId === itemId))
      const what = `what is left of item ${itemId} beside the shares in ${to}`
      const left = yield* Cents.sum([broughtIn, ...mine.map((one) => -one)], { what })
      store.push({ itemId, amount: left })
    }
    const isDifference = whole.runId !== undefined
    return { orderId: postedId(orderId, whole), currency: to, at, shares, store, isDifference }
  })

/** Books what agreements make of booked shares, and gives the payouts that changed. */
export const postAgreements = (
  stores: Stores,
  agreed: AgreementTerms,
  terms: BookingTerms,
  posted: PostedShares,
): Effect.Effect<ReadonlyArray<Moved>, AgreementFailure> =>
  agreed.revision === 0 ? nothingAgreed : postAgreed(stores, agreed, terms, posted)

const postAgreed = Effect.fnUntraced(function* (
  stores: Stores,
  agreed: AgreementTerms,
  terms: BookingTerms,
  { postings, ...posted }: PostedShares,
): Effect.fn.Return<ReadonlyArray<Moved>, AgreementFailure> {
  const sold = { ...posted, shares: bookedShares(posted.shares, postings) }
  const set = sold.runId === undefined ? agreed.inForce : agreed.ofShares
  const concern = concernOf(
    set,
    sold.shares.map(({ collaboratorId }) => collaboratorId),
  )
  if (!concern.isAny) return nothing
  const wholes = new Map<
    string,
    { readonly whole: PostedWhole; readonly own: Array<BookedShare> }
  >()
  const add = (whole: PostedWhole, ...shares: ReadonlyArray<BookedShare>) => {
    const key = postedId(sold.orderId, whole)
    const known = wholes.get(key)
    if (known === undefined) wholes.set(key, { whole, own: [...shares] })
    else known.own.push(...shares)
  }
  // Overrides of every sale are of what it brought in, in the order's own currency.
  if (sold.runId === undefined) add({ currency: sold.currency })
  for (const share of sold.shares) add(wholeOf(sold, share), share)
  const before = yield* stores.agreements.totals(concern.keys)
  let balances: AgreementBalances = { ...before, held: [] }
  const items: Array<AgreementItem> = []
  for (const { whole, own } of wholes.values()) {
    const sale = yield* Effect.fromResult(postedSale(sold, whole, own))
    const isOwn = whole.currency === sold.currency
    const outcome = yield* outcomeOf(Agreements.post(isOwn ? set : agreed.ofShares, balances, sale))
    items.push(...outcome.items)
    balances = outcome.balances
  }
  if (!items.some(isNotable)) return nothing
  const { lines, moved } = yield* bookLines(stores, terms, items, { orderId: sold.orderId })
  const { unused } = agreed
  const start = { ...before, held: [] }
  yield* stores.agreements.book(changesOf(start, { items, balances }, { lines, unused }))
  return moved
})

// Refunds.

/** A part of an order under which lines may be recorded, and the rate of its currency. */
type RatedWhole = PostedWhole & Pick<Posting, "rate">

/** Such a part of which lines are recorded. */
interface RecordedWhole {
  readonly id: string
  readonly whole: RatedWhole
  readonly booked: ReadonlyArray<BookedLine>
}

/** What was taken back of a posting. */
export interface TakenPosting {
  readonly posting: Posting
  /** By how much its item or another one changed its payout, in cents of the payout's currency. */
  readonly change: number
}

/** What recorded lines are told apart by, whether they are of a sale or take one back. */
const traceOf = (line: AgreementItem): string => {
  const { kind } = line
  if (kind === "share" || kind === "store" || kind === "shortfall") return kind
  const of = [kind, agreementOf(line).id, line.groupId, line.collaboratorId]
  if (line.kind === "override")
    return JSON.stringify([...of, line.side, line.share?.collaboratorId])
  return JSON.stringify(line.kind === "recoupment" ? [...of, line.part] : of)
}

const recordedTotals = (lines: ReadonlyArray<AgreementItem>): ReadonlyArray<AgreementKey> => {
  const keys = new Map<string, AgreementKey>()
  const add = (key: AgreementKey) => keys.set(keyText(key), key)
  for (const line of lines) {
    if (line.kind === "recoupment" || line.kind === "reserve") add(agreementOf(line))
    if ("guarantees" in line) {
      for (const { guaranteeId: id } of line.guarantees) add({ kind: "guarantee", id })
    }
  }
  return [...keys.values()]
}

/** What is back of an item in the order's currency, with a refund: of its shares and of what the store kept. */
const backOf = (
  { refunds }: RecordedSale,
  { reversal }: WholeReversal,
): Result.Result<number, Cents.AmountOutOfRange> => {
  const all = [...refunds.map((one) => one.reversal), reversal]
  const own = all.filter(({ itemId }) => itemId === reversal.itemId)
  return Cents.sum(own.flatMap(({ shares, store }) => [...amountsOf(shares), store]))
}

/** What refunds took back of shares and of what the store kept, below 0 where these were above. */
const takenBefore = (lines: ReadonlyArray<AgreementItem>): ReadonlyArray<number> =>
  amountsOf(lines.filter(({ kind, event }) => event === "refund" && givenKinds.has(kind)))

const givenKinds: ReadonlySet<string> = new Set(["share", "store"])

/** The parts of an item under which lines may be recorded: of each currency, and of each run of a re-split. */
const wholesOf = (
  { orderId, split, postings }: RecordedSale,
  itemId: string,
): ReadonlyMap<string, RatedWhole> => {
  const wholes = new Map<string, RatedWhole>()
  const add = (one: RatedWhole) => wholes.set(postedId(orderId, one), one)
  add({ currency: split.currency, rate: null })
  for (const posting of postings) {
    if (posting.itemId !== itemId) continue
    const { runId, collaboratorId, currency, rate } = posting
    add(runId === undefined ? { currency, rate } : { currency, rate, runId, collaboratorId })
  }
  return wholes
}

/** What was booked of an item, by the parts of it. */
const recordedOf = Effect.fnUntraced(function* (
  { agreements }: Stores,
  part: RecordedSale,
  itemId: string,
): Effect.fn.Return<ReadonlyArray<RecordedWhole>, StorageError> {
  if ((yield* agreements.revision) === 0) return []
  const wholes = wholesOf(part, itemId)
  const subjects = Array.from(wholes.keys(), (orderId) => ({ orderId, itemId }))
  const entries = yield* agreements.entriesOf(subjects)
  return [...wholes].flatMap(([id, whole]) => {
    const booked = entries.filter((entry) => entry.orderId === id).flatMap(({ lines }) => lines)
    return booked.length === 0 ? [] : [{ id, whole, booked }]
  })
})

/** Whether agreements booked anything of an item. */
export const isAgreedOn = (
  stores: Stores,
  part: RecordedSale,
  itemId: string,
): Effect.Effect<boolean, StorageError> =>
  Effect.map(recordedOf(stores, part, itemId), (recorded) => recorded.length > 0)

/** Takes back what agreements booked of an item, and gives the payouts that changed. */
export const refundAgreements = Effect.fnUntraced(function* (
  stores: Stores,
  terms: BookingTerms,
  part: RecordedSale,
  { whole, taken }: { readonly whole: WholeReversal; readonly taken: ReadonlyArray<TakenPosting> },
): Effect.fn.Return<ReadonlyArray<Moved>, AgreementFailure> {
  const { itemId, refundedAt } = whole.reversal
  const { orderId, split } = part
  const moved: Array<Moved> = []
  for (const { id, whole: one, booked } of yield* recordedOf(stores, part, itemId)) {
    const recorded = booked.map(({ line }) => line)
    const shares = taken.flatMap(({ posting, change }) => {
      const isOf =
        posting.currency === one.currency &&
        posting.runId === one.runId &&
        (one.runId === undefined || posting.collaboratorId === one.collaboratorId)
      return isOf && change !== 0 ? [{ groupId: posting.groupId, amount: -change }] : []
    })
    const { currency: to, rate } = one
    const all = one.runId === undefined ? yield* Effect.fromResult(backOf(part, whole)) : 0
    const back = yield* Effect.fromResult(converted(all, { from: split.currency, to, rate }))
    const others = [...amountsOf(shares).map((amount) => -amount), ...takenBefore(recorded)]
    const what = `what is taken back of item ${itemId} beside the shares in ${to}`
    const store = yield* Effect.fromResult(Cents.sum([back, ...others], { what }))
    const totals = yield* stores.agreements.totals(recordedTotals(recorded))
    const held = yield* stores.agreements.heldOf([{ orderId: id, itemId }])
    const before = { ...totals, held }
    const reversal = { orderId: id, itemId, refundedAt, shares, store }
    const outcome = yield* outcomeOf(Agreements.refund(before, recorded, reversal))
    const items = new Map(
      booked.toReversed().flatMap(({ line, payoutItemId }) => {
        const isFirst = line.event !== "refund" && payoutItemId !== null
        return isFirst ? [[traceOf(line), payoutItemId] as const] : []
      }),
    )
    const given = { orderId, before: (line: AgreementItem) => items.get(traceOf(line)) ?? null }
    const { lines, moved: changed } = yield* bookLines(stores, terms, outcome.items, given)
    moved.push(...changed)
    const changes = changesOf(before, outcome, { lines, unused: new Set() })
    // Shares and rests are noted whatever became of them, because later refunds go on from there.
    const entry = { orderId: id, itemId, lines }
    yield* stores.agreements.book({ ...changes, entries: lines.length === 0 ? [] : [entry] })
  }
  return moved
})
