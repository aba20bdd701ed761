/**
 * Splitting an order where its shares depend on what came before: on counters of terms, or on remainders that are carried.
 * Which of them it needs follows from the order and the rules alone, so an order is split, what it lacks is looked up, and
 * it is split again.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CarriedSplit from "../../../carry/CarriedSplit.js"
import type { Order } from "../../../orders/Order.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import * as Split from "../../../shares/Split.js"
import type { SplitPolicy } from "../../../shares/SplitPolicy.js"
import type { CountedRules } from "../../../terms/CountedRules.js"
import * as CountedSplit from "../../../terms/CountedSplit.js"
import type * as Counters from "../../../terms/Counters.js"
import { foresee, type Passing } from "../payouts/payoutCycle.js"
import { type SaleRules, termsWithCarry } from "../rules/saleRules.js"
import { remainderKey } from "./saleCounts.js"

/** What an order left its counters at, by their keys. */
type CountsAfter = ReadonlyMap<string, number>

/** What a split has made of the counters, and what it lacked: of that it took each counter to be at 0. */
interface CountAttempt {
  readonly split: Result.Result<Split.Split, Split.SplitError | Counters.InvalidCounters>
  readonly after: CountsAfter
  readonly lacked: ReadonlySet<string>
}

/** Whether sales are counted under such rules and such a policy. */
export const isCounted = ({ counted }: SaleRules, { rounding }: SplitPolicy): boolean =>
  counted !== undefined || rounding === "carry"

/** Counters as far as they are known. */
class KnownCounts implements Counters.CounterTally {
  readonly lacked = new Set<string>()
  after: CountsAfter = new Map()
  readonly #known: ReadonlyMap<string, number>

  constructor(known: ReadonlyMap<string, number>) {
    this.#known = known
  }

  at(key: string): number {
    const count = this.#known.get(key)
    if (count === undefined) this.lacked.add(key)
    return count ?? 0
  }

  set(changes: ReadonlyArray<Counters.CounterChange>): void {
    this.after = new Map(changes.map(({ key, count }) => [key, count]))
  }
}

const countTerms = (
  rules: CountedRules,
  order: Order,
  known: ReadonlyMap<string, number>,
  { policy, ...periods }: CountedSplit.PeriodOptions & { readonly policy: SplitPolicy },
): CountAttempt => {
  const counts = new KnownCounts(known)
  const [split] = CountedSplit.orders(rules, [order], counts, policy, periods)
  if (split === undefined) throw new RangeError(`nothing became of order ${order.id}`)
  return { split, after: counts.after, lacked: counts.lacked }
}

const carryOn = (
  { rules }: SaleRules,
  order: Order,
  known: ReadonlyMap<string, number>,
  policy: SplitPolicy,
): CountAttempt => {
  const counts = new KnownCounts(known)
  const { currency } = order
  const keyOf = (groupId: string | null) => remainderKey(currency, groupId)
  const first = Split.orderResult(rules, order, { ...policy, rounding: "largest-remainder" })
  if (Result.isFailure(first)) return { split: first, after: counts.after, lacked: counts.lacked }
  const parties = [null, ...new Set(first.success.shares.map(({ groupId }) => groupId))]
  const before = parties.map((groupId) => ({
    ...{ currency, groupId, remainder: counts.at(keyOf(groupId)) },
  }))
  const carried = CarriedSplit.order(rules, order, policy, before)
  const left = new Map(parties.map((groupId) => [keyOf(groupId), 0]))
  for (const { groupId, remainder } of Result.isSuccess(carried)
    ? carried.success.remainders
    : []) {
    left.set(keyOf(groupId), remainder)
  }
  const split = Result.map(carried, (done) => done.split)
  return { split, after: left, lacked: counts.lacked }
}

/** How orders are counted. */
export interface Counting {
  readonly policy: SplitPolicy
  readonly timeZone: string
}

/** Splits an order with the counters that are known. */
export const countedOrder = (
  rules: SaleRules,
  order: Order,
  known: ReadonlyMap<string, number>,
  { policy, ...periods }: Counting & CountedSplit.PeriodOptions,
): CountAttempt => {
  const { counted } = rules
  if (counted === undefined) return carryOn(rules, order, known, policy)
  if (policy.rounding !== "carry") return countTerms(counted, order, known, { policy, ...periods })
  return { split: Result.fail(termsWithCarry(rules)), after: new Map(), lacked: new Set() }
}

/** The split of an order, and what it has made of its counters. */
export interface CountedOrder {
  readonly split: Split.Split
  readonly after: CountsAfter
  /** The counters that it needs and that were not looked up, because that is done for many orders at once. */
  readonly lacked: ReadonlySet<string>
  /** The collaborators by whose payouts it is counted. */
  readonly payoutsOf: ReadonlySet<string>
}

/** The name of a payout that is not opened yet. */
const noPayout = "none"

const activeOf = Effect.fnUntraced(function* (
  { collaborators, payouts }: Stores,
  collaboratorId: string,
) {
  const collaborator = (yield* collaborators.get(collaboratorId))?.collaborator
  if (collaborator === undefined) return undefined
  const payout = yield* payouts.active({ collaboratorId, currency: collaborator.currency })
  return { collaborator, payout }
})

/** The payout that collects the shares of a collaborator. */
export type PayoutOf<E> = (collaboratorId: string) => Effect.Effect<string, E>

/** The active payouts, of which some may be due: enough to foresee which counters are needed. */
export const activePayoutOf =
  (stores: Stores): PayoutOf<StorageError> =>
  (collaboratorId) =>
    Effect.map(activeOf(stores, collaboratorId), (found) => found?.payout?.id ?? noPayout)

/**
 * The payouts that collect at a time. One that is due by then and would be closed makes way for another, whose counters
 * are at 0; one that is too small rolls and goes on collecting.
 */
export const collectingPayoutOf =
  (
    stores: Stores,
    terms: Pick<Passing, "at" | "timeZone" | "maturityDays">,
  ): PayoutOf<StorageError> =>
  (collaboratorId) =>
    Effect.gen(function* () {
      const { payout, collaborator } = (yield* activeOf(stores, collaboratorId)) ?? {}
      if (payout === undefined || collaborator === undefined) return noPayout
      if (!Lifecycle.isDue(payout, terms.at)) return payout.id
      const after = yield* foresee(stores, { ...terms, payout, collaborator })
      const isClosed = after.some(({ id, status }) => id === payout.id && status !== "active")
      return isClosed ? noPayout : payout.id
    })

/** Splits an order with the counters of the account; `foresees`: with those at 0, of which only the keys are wanted. */
export const splitCounted = Effect.fnUntraced(function* <E>(
  { counters }: Stores,
  { rules, order }: { readonly rules: SaleRules; readonly order: Order },
  {
    payoutOf,
    foresees = false,
    ...counting
  }: Counting & { readonly payoutOf: PayoutOf<E>; readonly foresees?: boolean | undefined },
): Effect.fn.Return<CountedOrder, Split.SplitError | E | StorageError> {
  const known = new Map<string, number>()
  const payouts = new Map<string, string>()
  for (;;) {
    const asked = new Set<string>()
    const payout = (collaboratorId: string): string => {
      const id = payouts.get(collaboratorId)
      if (id === undefined) asked.add(collaboratorId)
      return id ?? "unknown"
    }
    const { split, after, lacked } = countedOrder(rules, order, known, { ...counting, payout })
    for (const collaboratorId of asked) {
      payouts.set(collaboratorId, yield* payoutOf(collaboratorId))
    }
    if (asked.size > 0) continue
    if (lacked.size === 0 || foresees) {
      // Names of payouts and time zones were checked, and so was each counter when it was stored.
      const done = yield* Effect.catchTag(Effect.fromResult(split), "InvalidCounters", Effect.die)
      return { split: done, after, lacked, payoutsOf: new Set(payouts.keys()) }
    }
    for (const key of lacked) known.set(key, 0)
    for (const { key, count } of yield* counters.find([...lacked])) known.set(key, count)
  }
})
