/** What agreements book when its time has come: parts of reserves are released, and shortfalls of guarantees made up. */
import * as Effect from "effect/Effect"
import type { Guarantee } from "../../../agreements/Agreement.js"
import * as Agreements from "../../../agreements/Agreements.js"
import * as Balances from "../../../agreements/Balances.js"
import type { BookedLine } from "../../../ports/AgreementStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { Moved } from "../payouts/payoutCycle.js"
import { movedData } from "../sales/postings.js"
import { emit } from "../transactions.js"
import { type AgreementFailure, changesOf, orderOf, outcomeOf } from "./agreementEntries.js"
import { type BookingTerms, bookLines } from "./agreementItems.js"
import { type AgreementTerms, agreementTerms, concernOf } from "./agreementTerms.js"

/** How many parts are released, and how many guarantees closed, in one transaction. */
export const mostBooked = 100

/** Releases what is due by now, the earliest first. */
const releaseSome = Effect.fnUntraced(function* (
  stores: Stores,
  agreed: AgreementTerms,
  terms: BookingTerms,
): Effect.fn.Return<void, AgreementFailure> {
  const { at } = terms
  const held = yield* stores.agreements.heldDue({ at, limit: mostBooked })
  if (held.length === 0) return
  const people = held.map(({ collaboratorId }) => collaboratorId)
  const { keys } = concernOf(agreed.inForce, people)
  const ended = held.map(({ reserveId: id }) => ({ kind: "reserve", id }) as const)
  const before = { ...(yield* stores.agreements.totals([...keys, ...ended])), held }
  const outcome = yield* outcomeOf(Agreements.release(agreed.inForce, before, { at }))
  const [booked, moved]: [Array<BookedLine>, Array<Moved>] = [[], []]
  const byOrder = Map.groupBy(outcome.items, (line) =>
    line.kind === "shortfall" ? "" : line.orderId,
  )
  for (const [posted, own] of byOrder) {
    const { lines, ...rest } = yield* bookLines(stores, terms, own, { orderId: orderOf(posted) })
    booked.push(...lines)
    moved.push(...rest.moved)
  }
  const { unused } = agreed
  yield* stores.agreements.book(changesOf(before, outcome, { lines: booked, unused }))
  const reserveIds = [...new Set(held.map(({ reserveId }) => reserveId))]
  const data = { parts: held.length, reserveIds, ...movedData(moved) }
  yield* emit({ type: "reserve.released", data })
})

/** The guarantees whose period is over and whose shortfall is not booked, with their balances. */
const endedGuarantees = Effect.fnUntraced(function* (
  { agreements }: Stores,
  { inForce }: AgreementTerms,
  at: number,
) {
  const over = inForce.guarantees.filter(({ until }) => until <= at)
  const keys = over.map(({ id }) => ({ kind: "guarantee", id }) as const)
  const totals = keys.length === 0 ? undefined : yield* agreements.totals(keys)
  const open = over.filter(
    ({ id }) => totals?.guarantees.find((one) => one.guaranteeId === id)?.isClosed !== true,
  )
  const isBookable = (guarantee: Guarantee) =>
    totals === undefined || Balances.shortfall(totals, guarantee) !== null
  const bookable = open.filter(isBookable)
  return { totals, bookable, others: open.filter((one) => !bookable.includes(one)) }
})

/** Books the shortfalls of guarantees whose period is over. */
const closeSome = Effect.fnUntraced(function* (
  stores: Stores,
  agreed: AgreementTerms,
  terms: BookingTerms,
): Effect.fn.Return<void, AgreementFailure> {
  const { at } = terms
  const { totals, bookable } = yield* endedGuarantees(stores, agreed, at)
  const guarantees = bookable.slice(0, mostBooked)
  if (totals === undefined || guarantees.length === 0) return
  const before = { ...totals, held: [] }
  const set = { ...agreed.inForce, guarantees }
  const outcome = yield* outcomeOf(Agreements.close(set, before, { at }))
  const { lines, moved } = yield* bookLines(stores, terms, outcome.items, { orderId: null })
  yield* stores.agreements.book(changesOf(before, outcome, { lines, unused: agreed.unused }))
  const data = { guaranteeIds: guarantees.map(({ id }) => id), ...movedData(moved) }
  yield* emit({ type: "guarantee.closed", data })
})

/** Books some of what is due by now, once each however often it is asked for. */
export const bookDue = Effect.fnUntraced(function* (
  stores: Stores,
  terms: BookingTerms,
): Effect.fn.Return<void, AgreementFailure> {
  const agreed = yield* agreementTerms(stores)
  if (agreed.revision === 0) return
  yield* releaseSome(stores, agreed, terms)
  yield* closeSome(stores, agreed, terms)
})

const warnOfHuge = ({ id, collaboratorId }: Guarantee): Effect.Effect<void> =>
  Effect.annotateLogs(
    Effect.logWarning("the shortfall of a guarantee is too much to be booked, so it stays open"),
    { guaranteeId: id, collaboratorId },
  )

/** Whether anything is due that can be booked. */
export const isAnyDue = Effect.fnUntraced(function* (
  stores: Stores,
  at: number,
): Effect.fn.Return<boolean, StorageError> {
  const agreed = yield* agreementTerms(stores)
  if (agreed.revision === 0) return false
  if ((yield* stores.agreements.heldDue({ at, limit: 1 })).length > 0) return true
  const { bookable, others } = yield* endedGuarantees(stores, agreed, at)
  if (bookable.length === 0) yield* Effect.forEach(others, warnOfHuge, { discard: true })
  return bookable.length > 0
})
