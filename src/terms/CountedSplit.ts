/**
 * The division of a sale where terms count what came before: tiers and caps.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import { compareTexts } from "../internal/compare.js"
import { isFields, refusal, show } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import { attempt } from "../internal/TaggedError.js"
import { AmountOutOfRange } from "../money/Cents.js"
import * as exact from "../money/internal/exact.js"
import type { Order } from "../orders/Order.js"
import type { RuleSet } from "../rules/RuleSet.js"
import { current } from "../shares/internal/claims.js"
import { progressOf, type RefundedParts, reversedBy } from "../shares/internal/progress.js"
import { ofRecorded } from "../shares/internal/recordedSplit.js"
import { splitBy, splitErrors } from "../shares/internal/splitOrder.js"
import * as Refund from "../shares/Refund.js"
import type { Share, ShareTerms } from "../shares/Share.js"
import type { Split, SplitError } from "../shares/Split.js"
import * as SplitPolicy from "../shares/SplitPolicy.js"
import type { CountedRules } from "./CountedRules.js"
import * as Counters from "./Counters.js"
import type { CountsBefore } from "./internal/Count.js"
import { GivenCounters } from "./internal/GivenCounters.js"
import { keptBy } from "./internal/KeptCounters.js"
import { OrderCounts } from "./internal/OrderCounts.js"
import {
  type OrderPeriods,
  type PeriodOptions,
  Periods,
  RecordedPeriods,
} from "./internal/periods.js"
import { compiledOf } from "./internal/termRules.js"

/**
 * A split, and the counters after it. Its shares say what their terms did, so that they can be explained, refunded and
 * replayed without the counters.
 *
 * @since 0.6.0
 * @category models
 */
export interface Counted {
  readonly split: Split
  readonly counters: Counters.Counters
}

/**
 * Why an order could not be split with counters.
 *
 * @since 0.6.0
 * @category errors
 */
export type CountedError = SplitError | Counters.InvalidCounters

export type { PeriodOptions }

const errors = () => [...splitErrors(), Counters.InvalidCounters]

/** The order with its items by id, in which order they are counted. */
const byItemId = (order: Order): Order => {
  const { items } = order
  if (items.length <= 1) return order
  const isInOrder = items.every((item, place) => {
    const before = items[place - 1]
    return before === undefined || compareTexts(before.id, item.id) < 0
  })
  if (isInOrder) return order
  return { ...order, items: items.toSorted((one, other) => compareTexts(one.id, other.id)) }
}

/** The split with its parts in the order of the order's items. */
const inOrderOf = (order: Order, split: Split): Split => {
  const places = new Map(order.items.map(({ id }, place) => [id, place]))
  const sorted = <A extends { readonly itemId: string }>(parts: ReadonlyArray<A>) =>
    parts.toSorted((one, other) => (places.get(one.itemId) ?? 0) - (places.get(other.itemId) ?? 0))
  return {
    ...split,
    shares: sorted(split.shares),
    store: sorted(split.store),
    items: sorted(split.items),
    outranked: sorted(split.outranked),
  }
}

/** Splits orders one after another. */
class OrderCounter {
  private readonly rules: RuleSet
  private readonly counting: OrderCounts | undefined

  constructor(rules: CountedRules, counts: CountsBefore, periods: OrderPeriods) {
    const { rules: plain, terms } = compiledOf(rules)
    this.rules = plain
    this.counting = terms.size === 0 ? undefined : new OrderCounts(terms, counts, periods)
  }

  split(input: Order, policy: SplitPolicy.SplitPolicy): Split {
    const { rules, counting } = this
    if (counting === undefined) return splitBy(current, rules, input, policy)
    let known = input
    let order = input
    const split = splitBy(counting.edition, rules, input, policy, (checked) => {
      known = checked
      order = byItemId(checked)
      counting.start(order)
      return order
    })
    return order === known ? split : inOrderOf(known, split)
  }

  /** What the order that was split has made of the counters. */
  get changes(): ReadonlyArray<Counters.CounterChange> {
    return this.counting?.after ?? []
  }

  /** Keeps that, where the tally lets its counters be kept. */
  keep(): void {
    this.counting?.keep()
  }
}

const countOrder = (
  rules: CountedRules,
  input: Order,
  policy: SplitPolicy.SplitPolicy,
  counters: Counters.Counters,
  options: PeriodOptions,
): Counted => {
  const given = new GivenCounters(counters)
  const counter = new OrderCounter(rules, given, new Periods(options))
  const split = counter.split(input, policy)
  return { split, counters: given.with(counter.changes) }
}

/**
 * Splits an order by rules with terms, and returns it with the counters after it; throws the {@link CountedError} when
 * it can't be split.
 *
 * Items count in the order of their ids. Groups without terms get what `Split.order` gives them.
 *
 * @param options - `timeZone`: where years and months begin (UTC); `payout`: the name of the payout that collects sales
 *   now, or that of each collaborator, for terms that count for each payout
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CountedRules, CountedSplit } from "apportion"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 1_000, percent: 15 }]
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, terms: { tiers: { counted: "units", bands } } },
 * ])
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 500, amount: 500_000 }],
 * }
 * const before = { "units/USD/lifetime/group/g1": 800 }
 * const { split, counters } = CountedSplit.order(rules, order, undefined, before)
 * split.shares[0]?.amount // => 65000
 * split.shares[0]?.terms?.tiers?.bands.map(({ percent, counted }) => [percent, counted]) // => [["10.00", 200], ["15.00", 300]]
 * counters // => { "units/USD/lifetime/group/g1": 1300 }
 * ```
 */
export const order = (
  rules: CountedRules,
  order: Order,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
  counters: Counters.Counters = Counters.none,
  options: PeriodOptions = {},
): Counted => countOrder(rules, order, policy, counters, options)

/**
 * Splits an order by rules with terms, and returns the typed error when it can't be split; the counters are then as
 * they were.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CountedRules, CountedSplit, SplitPolicy } from "apportion"
 * import { Result } from "effect"
 *
 * const terms = { cap: { amount: 500, period: "month" } } as const
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10, terms },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 9_000 }]
 * const undated = CountedSplit.orderResult(rules, { id: "1001", currency: "USD", items })
 * Result.isFailure(undated) && undated.failure.message // => 'createdAt: is missing: the terms of group "g1" count by year or month'
 * ```
 */
export const orderResult = (
  rules: CountedRules,
  input: Order,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
  counters: Counters.Counters = Counters.none,
  options: PeriodOptions = {},
): Result.Result<Counted, CountedError> =>
  attempt<Counted, CountedError>(errors(), () =>
    countOrder(rules, input, policy, counters, options),
  )

/**
 * Splits orders lazily, one after another, and counts them in a tally. An order that can't be split counts nothing.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CountedRules, CountedSplit, Counters } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10, terms: { cap: { amount: 150 } } },
 * ])
 * const order = (id: string) => ({
 *   id,
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
 * })
 * const tally = Counters.tally()
 * const splits = [...CountedSplit.orders(rules, [order("1"), order("2"), order("3")], tally)]
 * splits.map((split) => Result.getOrThrow(split).shares[0]?.amount) // => [100, 50, 0]
 * tally.counters // => { "share/USD/lifetime/group/g1": 150 }
 * ```
 */
export function* orders(
  rules: CountedRules,
  orders: Iterable<Order>,
  tally: Counters.CounterTally,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
  options: PeriodOptions = {},
): Generator<Result.Result<Split, CountedError>, void> {
  const expected = errors()
  const counter = attempt<OrderCounter, CountedError>(
    expected,
    () => new OrderCounter(rules, countsOfTally(tally), new Periods(options)),
  )
  const isKept = keptBy(tally) !== undefined
  for (const each of orders) {
    if (Result.isFailure(counter)) {
      yield Result.fail(counter.failure)
      continue
    }
    yield attempt<Split, CountedError>(expected, () => {
      const split = counter.success.split(each, policy)
      if (isKept) counter.success.keep()
      else tally.set(counter.success.changes)
      return split
    })
  }
}

const countsOfTally = (tally: unknown): CountsBefore => {
  if (isTally(tally)) return keptBy(tally) ?? tally
  const message = `must have a way to read and to set counters, got ${show(tally)}`
  throw refusal(Counters.InvalidCounters)([{ path: "tally", value: tally, message }])
}

const isTally = (tally: unknown): tally is Counters.CounterTally => {
  try {
    return (
      isFields(tally) && [tally["at"], tally["set"]].every((each) => typeof each === "function")
    )
  } catch {
    return false
  }
}

/** What the shares of a split found the counters at, each at the first share that counted there. */
const countsOf = (split: Split): Counters.Counters => {
  const counts = new Map<string, number>()
  for (const part of partsOf(split)) {
    if (!counts.has(part.counter)) counts.set(part.counter, part.before)
  }
  return Object.fromEntries(counts)
}

/** Every counting of a split, in the order in which they happened. */
const partsOf = (split: Split) =>
  split.shares
    .toSorted((one, other) => compareTexts(one.itemId, other.itemId))
    .flatMap(({ terms }) => [terms?.tiers ?? [], terms?.cap ?? []].flat())

/**
 * Whether a recorded split can be reproduced: whether splitting the order by the rules, from the counters and in the
 * periods that its shares recorded, gives the same split.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CountedRules, CountedSplit } from "apportion"
 *
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 10, terms: { cap: { amount: 150 } } },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
 * const order = { id: "1001", currency: "USD", items }
 * const { split } = CountedSplit.order(rules, order, undefined, { "share/USD/lifetime/group/g1": 120 })
 * CountedSplit.comesOutAgain(split, rules, order) // => true
 * CountedSplit.comesOutAgain({ ...split, shares: [] }, rules, order) // => false
 * ```
 */
export const comesOutAgain = (recorded: Split, rules: CountedRules, order: Order): boolean => {
  const again = attempt<Split, CountedError>(errors(), () => {
    const periods = new RecordedPeriods(compiledOf(rules).terms, recorded)
    const counts = new GivenCounters(countsOf(recorded))
    return new OrderCounter(rules, counts, periods).split(order, recorded.policy)
  })
  return Result.isSuccess(again) && sameData(again.success, recorded)
}

/**
 * What a refund reverses, and the counters after it.
 *
 * @since 0.6.0
 * @category models
 */
export interface CountedReversal {
  readonly reversal: Refund.Reversal
  readonly counters: Counters.Counters
}

/** So much of a count as goes with a part of its item, half-up. */
const ofCount = (count: number, parts: RefundedParts): bigint =>
  reversedBy(parts, { amount: count, shipping: 0 }, true)

/** What a share counted at each of its counters: of the item, or of the share itself. */
const countedBy = (share: Share, terms: ShareTerms): ReadonlyMap<string, number | "share"> => {
  const { tiers, cap } = terms
  const own = new Map<string, number | "share">()
  if (tiers !== null) {
    const units = tiers.bands.reduce((sum, { counted }) => sum + counted, 0)
    own.set(tiers.counter, { units, base: share.base, share: "share" as const }[tiers.counted])
  }
  if (cap !== null) own.set(cap.counter, "share")
  return own
}

/**
 * Computes what a refund reverses of a recorded split, as `Refund.reverse` does, and takes what the shares had counted
 * off the counters. A refund of everything leaves the counters as if the item had never been sold; sales in between
 * stay as they are.
 *
 * @param options - `earlier`: the refunds of the order that were made before this one; `counters`: as they stand now
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CountedRules, CountedSplit } from "apportion"
 * import { Result } from "effect"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 8, percent: 20 }]
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, terms: { tiers: { counted: "units", bands } } },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 10, amount: 10_000 }]
 * const { split, counters } = CountedSplit.order(rules, { id: "1001", currency: "USD", items })
 * const refund = { orderId: "1001", itemId: "1", quantity: 2, refundedAt: 1_735_689_600 }
 * const after = Result.getOrThrow(CountedSplit.refund(split, refund, { counters }))
 * after.reversal.shares[0]?.amount // => 400
 * after.counters // => { "units/USD/lifetime/group/g1": 8 }
 * ```
 */
export const refund = (
  split: Split,
  refund: Refund.Refund,
  options: {
    readonly earlier?: ReadonlyArray<Refund.Refund>
    readonly counters: Counters.Counters
  },
): Result.Result<CountedReversal, Refund.RefundError | Counters.InvalidCounters> => {
  const reversed = Refund.reverse(split, refund, options)
  if (Result.isFailure(reversed)) return Result.fail(reversed.failure)
  const reversal = reversed.success
  const make = () =>
    attempt<CountedReversal, AmountOutOfRange | Counters.InvalidCounters>(
      [AmountOutOfRange, Counters.InvalidCounters],
      () => {
        const { earlier = [], counters } = options
        return { reversal, counters: lowered(split, refund, { earlier, counters, reversal }) }
      },
    )
  return ofRecorded(split, make, refusal(Refund.InvalidRefund))
}

const lowered = (
  split: Split,
  refund: Refund.Refund,
  of: {
    readonly earlier: ReadonlyArray<Refund.Refund>
    readonly counters: Counters.Counters
    readonly reversal: Refund.Reversal
  },
): Counters.Counters => {
  const item = split.items.find(({ itemId }) => itemId === refund.itemId)
  const earlier = of.earlier.filter(
    ({ orderId, itemId }) => orderId === refund.orderId && itemId === refund.itemId,
  )
  if (item === undefined) return of.counters
  const before = progressOf(item, earlier)
  const after = progressOf(item, [...earlier, refund])
  const counts = new GivenCounters(of.counters)
  const left = new Map<string, number>()
  for (const share of split.shares) {
    if (share.itemId !== item.itemId || share.terms === undefined) continue
    const back = of.reversal.shares.find(({ groupId }) => groupId === share.groupId)
    for (const [key, counted] of countedBy(share, share.terms)) {
      const off =
        counted === "share"
          ? BigInt(back?.amount ?? 0) - BigInt(back?.shippingAmount ?? 0)
          : ofCount(counted, after) - ofCount(counted, before)
      const rest = BigInt(left.get(key) ?? counts.at(key)) - off
      const safe = exact.toSafe(rest)
      if (safe === undefined) throw AmountOutOfRange.of(`the counter ${key}`, rest)
      left.set(key, safe)
    }
  }
  return counts.with(Array.from(left, ([key, count]) => ({ key, count })))
}
