/**
 * Bringing a collaborator's active payout up to a time, before anything is added to it or when its due
 * date has come.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as Payout from "../../payouts/Payout.js"
import type { TransitionError } from "../../payouts/PayoutStatus.js"
import * as Schedule from "../../payouts/Schedule.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import { logChange } from "./transactions.js"

interface Owner {
  readonly collaboratorId: string
  readonly currency: string
}

/** What became of an active payout, and how it is stored now. */
export interface Brought {
  readonly payout: StoredPayout
  readonly done: "closed" | "rolled" | "nothing"
}

/** The next due date after a time, counted from when the owner's first payout was opened. */
const nextDueDate = Effect.fnUntraced(function* (
  stores: Stores,
  owner: Owner,
  options: { readonly collaborator: Collaborator; readonly timeZone: string; readonly at: number },
) {
  const { collaborator, timeZone, at } = options
  const { collaboratorId, currency } = owner
  const openedAt = (yield* stores.payouts.firstOpenedAt({ collaboratorId, currency })) ?? at
  const due = Schedule.nextDueDate(collaborator, { openedAt, after: at, timeZone })
  return yield* Effect.fromResult(due)
})

/** Of what can stand in the way of closing, only dates can go wrong for a payout that is active and due. */
const refuse = (error: TransitionError): Effect.Effect<never, Schedule.ScheduleError> =>
  error._tag === "InvalidTime" || error._tag === "UnknownTimeZone"
    ? Effect.fail(error)
    : Effect.die(error)

/**
 * Closes an active payout that is due by a time, as of its due date. When its total is not above 0 or
 * below the threshold, its due date moves to the first one after that time instead, because nothing
 * happened to it in between. A payout that is not active or not due stays as it is.
 */
export const closeOrRoll = Effect.fnUntraced(function* (
  stores: Stores,
  options: {
    readonly payout: StoredPayout
    readonly collaborator: Collaborator
    readonly timeZone: string
    /** Unix seconds. */
    readonly at: number
  },
): Effect.fn.Return<Brought, Schedule.ScheduleError | StorageError> {
  const { payout, collaborator, timeZone, at } = options
  if (payout.status !== "active" || payout.toBePaidAt > at) return { payout, done: "nothing" }
  const event = { type: "close", at: payout.toBePaidAt, terms: collaborator, timeZone } as const
  const closing = Payout.move(payout, event)
  if (Result.isSuccess(closing)) {
    const closed = yield* stores.payouts.update({ payout: closing.success })
    yield* logChange("payout closed", { payoutId: payout.id })
    return { payout: closed, done: "closed" }
  }
  if (closing.failure._tag !== "PayoutBelowThreshold") return yield* refuse(closing.failure)
  const toBePaidAt = yield* nextDueDate(stores, payout, { collaborator, timeZone, at })
  const rolled = yield* stores.payouts.update({ payout: { ...payout, toBePaidAt } })
  yield* logChange("payout rolled to its next due date", { payoutId: payout.id, toBePaidAt })
  return { payout: rolled, done: "rolled" }
})

/**
 * The active payout of a collaborator in a currency, into which items of a time can go: what was due by
 * then is closed or rolled before, and a payout is opened when none is left.
 */
export const openOrActive = Effect.fnUntraced(function* (
  stores: Stores,
  options: {
    readonly collaborator: Collaborator
    /** ISO 4217 code of the payout; not always the collaborator's own, who may have changed it. */
    readonly currency: string
    /** Unix seconds. */
    readonly at: number
    readonly timeZone: string
    /** Names a payout that is opened. */
    readonly newId: Effect.Effect<string>
  },
): Effect.fn.Return<StoredPayout, Schedule.ScheduleError | StorageError> {
  const { collaborator, currency, at } = options
  const owner = { collaboratorId: collaborator.id, currency }
  const active = yield* stores.payouts.active(owner)
  if (active !== undefined) {
    const brought = yield* closeOrRoll(stores, { ...options, payout: active })
    if (brought.done !== "closed") return brought.payout
  }
  const toBePaidAt = yield* nextDueDate(stores, owner, options)
  const id = yield* options.newId
  const { items: _none, ...opened } = Payout.open({ ...owner, id, openedAt: at, toBePaidAt })
  const payout = yield* stores.payouts.insert({ payout: { ...opened, total: 0, itemsCount: 0 } })
  yield* logChange("payout opened", { payoutId: id, collaboratorId: collaborator.id })
  return payout
})

/**
 * The same where no date can go wrong: time zones and schedules were checked when they were set, so one
 * that can't be computed is a fault.
 */
export const upToDate = (
  ...given: Parameters<typeof closeOrRoll>
): Effect.Effect<StoredPayout, StorageError> =>
  closeOrRoll(...given).pipe(
    Effect.catchTags({ UnknownTimeZone: Effect.die, InvalidTime: Effect.die }),
    Effect.map(({ payout }) => payout),
  )

/** Closes or rolls all that is due of a collaborator by a time, under the terms in force until then. */
export const allUpToDate = Effect.fnUntraced(function* (
  stores: Stores,
  options: {
    readonly collaborator: Collaborator
    readonly timeZone: string
    /** Unix seconds. */
    readonly at: number
  },
): Effect.fn.Return<void, StorageError> {
  const collaboratorId = options.collaborator.id
  // One for each currency that the collaborator ever had: few.
  const slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const active = yield* stores.payouts.list({ collaboratorId, status: "active" }, slice)
  for (const payout of active.entries) yield* upToDate(stores, { ...options, payout })
})
