/** Payouts as they are requested and returned: with their collaborators, and the chosen items. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { show, summarize } from "../../../internal/problems.js"
import * as seconds from "../../../internal/seconds.js"
import type { Problem } from "../../../Problem.js"
import type { Collaborator } from "../../../payouts/Collaborator.js"
import * as Payout from "../../../payouts/Payout.js"
import * as PayoutStatus from "../../../payouts/PayoutStatus.js"
import type { PayoutFilter, StoredPayout, TimeRange } from "../../../ports/PayoutStore.js"
import type { Slice } from "../../../ports/Slice.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { InvalidPayoutFilter } from "../../ServiceError.js"
import { ownerOf, withoutOwner } from "../lookups.js"
import { die } from "../transactions.js"

/**
 * Which part of a payout's items is read, of so many that it has; `undefined`: all of them.
 *
 * @since 0.6.0
 * @category models
 */
export type ItemsChoice = (itemsCount: number) => Slice | undefined

/**
 * The choice in force: every call that returns a payout with its items reads only that part of them, in the order in
 * which they were added. By default, all of them.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ChosenItems, Payouts } from "apportion/service"
 * import { Effect, Layer } from "effect"
 * import { SecureRandom } from "effect/crypto"
 *
 * const newest = (itemsCount: number) => ({ offset: Math.max(0, itemsCount - 100), limit: 100 })
 * const viewed = Effect.gen(function* () {
 *   const payouts = yield* Payouts
 *   return yield* Effect.provideService(payouts.get("shop", "p1"), ChosenItems, newest)
 * })
 * const layer = Payouts.layer.pipe(
 *   Layer.provide(MemoryStorage.layer),
 *   Layer.provide(SecureRandom.layerWebCrypto),
 * )
 * const { _tag } = await Effect.runPromise(Effect.flip(Effect.provide(viewed, layer)))
 * _tag // => "NotFound"
 * ```
 */
export const ChosenItems: Context.Reference<ItemsChoice> = Context.Reference<ItemsChoice>(
  "apportion/service/ChosenItems",
  { defaultValue: () => () => undefined },
)

/**
 * A payout in a list, with its collaborator.
 *
 * @since 0.2.0
 * @category models
 */
export interface ListedPayout {
  readonly payout: StoredPayout
  readonly collaborator: Collaborator
}

/**
 * A payout with its items, or the part of them that was chosen, and its collaborator.
 *
 * @since 0.2.0
 * @category models
 */
export interface ViewedPayout {
  readonly payout: Payout.Payout
  /**
   * How many items the payout has, however many of them were read.
   *
   * @since 0.6.0
   */
  readonly itemsCount: number
  /** The sum of all items, in cents of the payout's currency. */
  readonly total: number
  /**
   * The open attempt to pay it, which keeps its items from changing; `null`: there is none.
   *
   * @since 0.6.0
   */
  readonly paymentId: string | null
  readonly collaborator: Collaborator
}

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
  const { total, itemsCount, paymentId, version: _version, ...standing } = stored
  const part = (yield* ChosenItems)(itemsCount)
  const items =
    part === undefined
      ? yield* stores.payouts.items(stored.id)
      : yield* stores.payouts.someItems(stored.id, part)
  const payout = { ...standing, items }
  if (part === undefined) yield* requireSum(payout, total)
  return { payout, itemsCount, total, paymentId, collaborator: yield* ownerOf(stores, stored) }
})

/** Each payout with its collaborator. */
export const withOwners = Effect.fnUntraced(function* (
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

// Checking filters of payouts.

/** The problem of a time that is none. */
export const timeProblems = (path: string, value: number | undefined): ReadonlyArray<Problem> => {
  if (value === undefined || seconds.isSeconds(value)) return []
  return [{ path, value, message: `must be ${seconds.expected}, got ${show(value)}` }]
}

/** The problems of a range of times. */
export const rangeProblems = (
  name: string,
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

/** The filter, or all its problems. */
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
