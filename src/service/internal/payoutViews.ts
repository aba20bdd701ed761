import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { show, summarize } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import type { Problem } from "../../Problem.js"
import type { PageRequest } from "../../pagination/PageRequest.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as Payout from "../../payouts/Payout.js"
import type { Event } from "../../payouts/PayoutStatus.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import * as Visibility from "../../payouts/Visibility.js"
import type { PayoutFilter, StoredPayout, TimeRange } from "../../ports/PayoutStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { ChosenItems } from "../ChosenItems.js"
import type { HistoryRequest, ListedPayout, PayoutsService, ViewedPayout } from "../Payouts.js"
import { InvalidPayoutFilter, NotFound } from "../ServiceError.js"
import { now } from "./now.js"
import { sliceOf } from "./slices.js"
import { die, logChange, type Transactor } from "./transactions.js"

// Checking which payouts are asked for.

const timeProblems = (path: string, value: number | undefined): ReadonlyArray<Problem> => {
  if (value === undefined || seconds.isSeconds(value)) return []
  return [{ path, value, message: `must be ${seconds.expected}, got ${show(value)}` }]
}

const rangeProblems = (
  name: "paid" | "expected",
  range: TimeRange | undefined,
): ReadonlyArray<Problem> => {
  const { from, to } = range ?? {}
  const found = [...timeProblems(`${name}.from`, from), ...timeProblems(`${name}.to`, to)]
  if (found.length > 0 || from === undefined || to === undefined || from <= to) return found
  const message = `must not be after ${name}.to, which is ${to}, got ${from}`
  return [{ path: `${name}.from`, value: from, message }]
}

const statusProblems = (status: PayoutFilter["status"]): ReadonlyArray<Problem> => {
  if (status === undefined || PayoutStatus.statuses.includes(status)) return []
  const message = `must be one of ${PayoutStatus.statuses.join(", ")}, got ${show(status)}`
  return [{ path: "status", value: status, message }]
}

/** The filter, or everything that is wrong with it. */
export const checkPayoutFilter = (
  filter: PayoutFilter,
): Result.Result<PayoutFilter, InvalidPayoutFilter> => {
  const problems = [
    ...statusProblems(filter.status),
    ...rangeProblems("paid", filter.paid),
    ...rangeProblems("expected", filter.expected),
  ]
  return problems.length === 0
    ? Result.succeed(filter)
    : Result.fail(new InvalidPayoutFilter({ problems, message: summarize(problems) }))
}

// Reading payouts.

/** The payout with an id, or the failure that there is none. */
export const needPayout = (
  stores: Stores,
  payoutId: string,
): Effect.Effect<StoredPayout, NotFound | StorageError> =>
  Effect.flatMap(stores.payouts.get(payoutId), (payout) =>
    payout === undefined ? Effect.fail(NotFound.of("payout", payoutId)) : Effect.succeed(payout),
  )

/** Collaborators are never removed, so a payout without one is a fault of the store. */
const withoutOwner = ({ id, collaboratorId }: StoredPayout): Effect.Effect<never> =>
  die(`payout ${id} belongs to collaborator ${collaboratorId}, whom the store does not have`)

/** The collaborator of a payout. */
export const ownerOf = (
  stores: Stores,
  payout: StoredPayout,
): Effect.Effect<Collaborator, StorageError> =>
  Effect.flatMap(stores.collaborators.get(payout.collaboratorId), (stored) =>
    stored === undefined ? withoutOwner(payout) : Effect.succeed(stored.collaborator),
  )

const requireSum = (payout: Payout.Payout, total: number): Effect.Effect<void> =>
  Effect.flatMap(Effect.orDie(Effect.fromResult(Payout.total(payout))), (sum) =>
    sum === total
      ? Effect.void
      : die(`payout ${payout.id} has a total of ${total}, its items sum to ${sum}`),
  )

/** A payout as it is stored, with its items or the part of them that is chosen, and its collaborator. */
export const viewOf = Effect.fnUntraced(function* (
  stores: Stores,
  stored: StoredPayout,
): Effect.fn.Return<ViewedPayout, StorageError> {
  const { total, itemsCount, version: _version, ...standing } = stored
  const part = (yield* ChosenItems)(itemsCount)
  const items =
    part === undefined
      ? yield* stores.payouts.items(stored.id)
      : yield* stores.payouts.someItems(stored.id, part)
  const payout = { ...standing, items }
  if (part === undefined) yield* requireSum(payout, total)
  return { payout, itemsCount, total, collaborator: yield* ownerOf(stores, stored) }
})

const withOwners = Effect.fnUntraced(function* (
  stores: Stores,
  payouts: ReadonlyArray<StoredPayout>,
): Effect.fn.Return<ReadonlyArray<ListedPayout>, StorageError> {
  const ids = [...new Set(payouts.map(({ collaboratorId }) => collaboratorId))]
  if (ids.length === 0) return []
  const found = yield* stores.collaborators.find(ids)
  const byId = new Map(found.map(({ collaborator }) => [collaborator.id, collaborator]))
  return yield* Effect.forEach(payouts, (payout) => {
    const collaborator = byId.get(payout.collaboratorId)
    return collaborator === undefined
      ? withoutOwner(payout)
      : Effect.succeed({ payout, collaborator })
  })
})

/** `Payouts.get` */
export const getPayout = ({ read }: Transactor): PayoutsService["get"] =>
  Effect.fn("Payouts.get")(function* (accountId: string, payoutId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    return yield* read(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), (payout) => viewOf(stores, payout)),
    )
  })

/** `Payouts.getAsSeen` */
export const getPayoutAsSeen = ({ read }: Transactor): PayoutsService["getAsSeen"] =>
  Effect.fn("Payouts.getAsSeen")(function* (accountId: string, payoutId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const viewed = yield* read(accountId, (stores) =>
      Effect.flatMap(needPayout(stores, payoutId), (payout) => viewOf(stores, payout)),
    )
    const { payout, collaborator, ...figures } = viewed
    return {
      ...figures,
      payout: Visibility.asSeenBy(payout, collaborator.permissions),
      collaborator: Visibility.collaboratorAsSeen(collaborator),
    }
  })

/** `Payouts.list` */
export const listPayouts = ({ read }: Transactor): PayoutsService["list"] =>
  Effect.fn("Payouts.list")(function* (accountId: string, filter: PayoutFilter, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId, page: page.page, perPage: page.perPage })
    const checked = yield* Effect.fromResult(checkPayoutFilter(filter))
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { entries, total } = yield* stores.payouts.list(checked, sliceOf(page))
        return { entries: yield* withOwners(stores, entries), total }
      }),
    )
  })

const isPayable = ({ payout, collaborator }: ListedPayout): boolean =>
  collaborator.shouldPayAutomatically && payout.total >= 0

/** How many are looked at first; it is twice as many each time that too few of them can be paid. */
const leastLook = 100
const mostAtFirst = 1_000

/** `Payouts.listPayable` */
export const listPayable = ({ read }: Transactor): PayoutsService["listPayable"] =>
  Effect.fn("Payouts.listPayable")(function* (accountId: string, limit: number) {
    yield* Effect.annotateCurrentSpan({ accountId, limit })
    const wanted = Math.floor(limit)
    if (!(wanted >= 1)) return []
    const at = yield* now
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        for (let look = Math.max(leastLook, Math.min(wanted, mostAtFirst)); ; look *= 2) {
          const payouts = yield* stores.payouts.payable({ at, limit: look })
          const payable = (yield* withOwners(stores, payouts)).filter(isPayable)
          if (payable.length >= wanted || payouts.length < look) return payable.slice(0, wanted)
        }
      }),
    )
  })

const usualEntries = 100
const mostEntries = 1_000

/** A number that nobody can mean is brought to the nearest one that can be meant. */
const wholeWithin = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.floor(value) || least, least), most)

/** `Payouts.history` */
export const historyOf = ({ read }: Transactor): PayoutsService["history"] =>
  Effect.fn("Payouts.history")(function* (
    accountId: string,
    payoutId: string,
    request: HistoryRequest = {},
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const after = wholeWithin(request.after ?? 0, 0, Number.MAX_SAFE_INTEGER)
    const limit = wholeWithin(request.limit ?? usualEntries, 1, mostEntries)
    return yield* read(accountId, (stores) =>
      Effect.andThen(
        needPayout(stores, payoutId),
        stores.payouts.history({ payoutId, after, limit }),
      ),
    )
  })

// Moving payouts from one status to another.

/** How each event shows in spans and in the log. */
const events = {
  pay: { span: "Payouts.pay", change: "payout paid" },
  fail: { span: "Payouts.fail", change: "payment of payout failed" },
  retry: { span: "Payouts.retry", change: "payment of payout to be tried again" },
  "set-paid": { span: "Payouts.setPaid", change: "payout set as paid" },
} as const

type HostEvent = Exclude<Event, { type: "close" }>

/** What a host can say of a payout; the reason of a failure is its own. */
const move = Effect.fnUntraced(function* (
  { write }: Transactor,
  accountId: string,
  payoutId: string,
  eventAt: (at: number) => HostEvent,
) {
  yield* Effect.annotateCurrentSpan({ accountId, payoutId })
  const event = eventAt(yield* now)
  return yield* write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const payout = yield* needPayout(stores, payoutId)
      const moved = yield* Effect.fromResult(Payout.move(payout, event))
      // What was set as paid by hand before stays as it is.
      if (moved.status === payout.status) return yield* viewOf(stores, payout)
      const stored = yield* stores.payouts.update({ payout: moved })
      yield* logChange(events[event.type].change, { payoutId })
      return yield* viewOf(stores, stored)
    }),
  )
})

/** `Payouts.pay`, `Payouts.retry` and `Payouts.setPaid` */
export const noteEvent = (
  transactor: Transactor,
  type: "pay" | "retry" | "set-paid",
): PayoutsService["pay"] =>
  Effect.fn(events[type].span)((accountId: string, payoutId: string) =>
    move(transactor, accountId, payoutId, (at) => ({ type, at })),
  )

/** `Payouts.fail` */
export const noteFailure = (transactor: Transactor): PayoutsService["fail"] =>
  Effect.fn(events.fail.span)((accountId: string, payoutId: string, reason: string) =>
    move(transactor, accountId, payoutId, (at) => ({ type: "fail", at, reason })),
  )
