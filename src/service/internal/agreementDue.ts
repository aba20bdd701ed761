/** What agreements book when its time has come: parts of reserves are released, and shortfalls of guarantees made up. */
import * as Effect from "effect/Effect"
import * as Agreements from "../../agreements/Agreements.js"
import type { BookedLine } from "../../ports/AgreementStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { type AgreementFailure, changesOf, orderOf, outcomeOf } from "./agreementEntries.js"
import { type BookingTerms, bookLines } from "./agreementItems.js"
import { type AgreementTerms, agreementTerms, concernOf } from "./agreementTerms.js"
import type { Moved } from "./payoutCycle.js"
import { movedData } from "./postings.js"
import { emit } from "./transactions.js"

/** How many parts are released, and how many guarantees closed, in one transaction. */
const mostAtOnce = 100

/** Releases what is due by now, the earliest first; gives how many parts. */
const releaseSome = Effect.fnUntraced(function* (
  stores: Stores,
  agreed: AgreementTerms,
  terms: BookingTerms,
): Effect.fn.Return<number, AgreementFailure> {
  const { at } = terms
  const held = yield* stores.agreements.heldDue({ at, limit: mostAtOnce })
  if (held.length === 0) return 0
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
  return held.length
})

/** Books the shortfalls of guarantees whose period is over; gives how many. */
const closeSome = Effect.fnUntraced(function* (
  stores: Stores,
  agreed: AgreementTerms,
  terms: BookingTerms,
): Effect.fn.Return<number, AgreementFailure> {
  const { at } = terms
  const over = agreed.inForce.guarantees.filter(({ until }) => until <= at)
  if (over.length === 0) return 0
  const keys = over.map(({ id }) => ({ kind: "guarantee", id }) as const)
  const totals = yield* stores.agreements.totals(keys)
  const closed = new Set(
    totals.guarantees.flatMap((one) => (one.isClosed ? [one.guaranteeId] : [])),
  )
  const guarantees = over.filter(({ id }) => !closed.has(id)).slice(0, mostAtOnce)
  if (guarantees.length === 0) return 0
  const before = { ...totals, held: [] }
  const set = { ...agreed.inForce, guarantees }
  const outcome = yield* outcomeOf(Agreements.close(set, before, { at }))
  const { lines, moved } = yield* bookLines(stores, terms, outcome.items, { orderId: null })
  yield* stores.agreements.book(changesOf(before, outcome, { lines, unused: agreed.unused }))
  const data = { guaranteeIds: guarantees.map(({ id }) => id), ...movedData(moved) }
  yield* emit({ type: "guarantee.closed", data })
  return guarantees.length
})

/** Books some of what is due by now, once each however often it is asked for; gives whether there may be more. */
export const bookDue = Effect.fnUntraced(function* (
  stores: Stores,
  terms: BookingTerms,
): Effect.fn.Return<boolean, AgreementFailure> {
  const agreed = yield* agreementTerms(stores)
  if (agreed.revision === 0) return false
  const released = yield* releaseSome(stores, agreed, terms)
  const closed = yield* closeSome(stores, agreed, terms)
  return Math.max(released, closed) === mostAtOnce
})

/** Whether anything is due. */
export const isAnyDue = Effect.fnUntraced(function* (
  stores: Stores,
  at: number,
): Effect.fn.Return<boolean, StorageError> {
  const agreed = yield* agreementTerms(stores)
  if (agreed.revision === 0) return false
  if ((yield* stores.agreements.heldDue({ at, limit: 1 })).length > 0) return true
  const over = agreed.inForce.guarantees.filter(({ until }) => until <= at)
  if (over.length === 0) return false
  const keys = over.map(({ id }) => ({ kind: "guarantee", id }) as const)
  const { guarantees } = yield* stores.agreements.totals(keys)
  return guarantees.filter(({ isClosed }) => isClosed).length < over.length
})
