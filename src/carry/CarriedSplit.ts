/**
 * Splitting sales one after another, with what rounding left of each carried to the next, so that many small sales
 * don't favour anybody.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import { at } from "../internal/at.js"
import { compareTexts } from "../internal/compare.js"
import { refusal, show } from "../internal/problems.js"
import { sameData } from "../internal/sameData.js"
import { attempt } from "../internal/TaggedError.js"
import { AmountOutOfRange } from "../money/Cents.js"
import * as Percent from "../money/Percent.js"
import type { Order } from "../orders/Order.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import * as RuleSet from "../rules/RuleSet.js"
import { goesWithGoods, progressOf, reversedBy } from "../shares/internal/progress.js"
import { ofRecorded } from "../shares/internal/recordedSplit.js"
import * as Refund from "../shares/Refund.js"
import type { ItemBreakdown, Share, StoreShare } from "../shares/Share.js"
import * as Split from "../shares/Split.js"
import * as SplitPolicy from "../shares/SplitPolicy.js"
import { isReadable, policy } from "./CarriedPolicy.js"
import { carriedItem } from "./internal/carriedItem.js"
import { type CurrencyRemainders, RemainderBook } from "./internal/runningRemainders.js"
import type { Remainder, Remainders } from "./Remainder.js"

export { policy } from "./CarriedPolicy.js"

/** A policy that carries, and the same without carrying. */
interface Policies {
  readonly carrying: SplitPolicy.SplitPolicy
  readonly plain: SplitPolicy.SplitPolicy
}

const knownPolicies = /* @__PURE__ */ new WeakMap<object, Policies>()

const policiesOf = (given: SplitPolicy.SplitPolicy): Policies => {
  const known = knownPolicies.get(given)
  if (known !== undefined && SplitPolicy.isSame(known.carrying, given)) return known
  const rounding: unknown = isReadable(given) ? given.rounding : undefined
  if (rounding !== "carry") {
    const message = `must be "carry" to split with remainders, got ${show(rounding)}`
    throw refusal(SplitPolicy.InvalidPolicy)([{ path: "rounding", value: rounding, message }])
  }
  const carrying = Result.getOrThrow(policy(given))
  const { rounding: plainly } = SplitPolicy.defaults
  const policies = { carrying, plain: SplitPolicy.make({ ...carrying, rounding: plainly }) }
  knownPolicies.set(given, policies)
  return policies
}

/** The items' places, in the order of their ids: in this order remainders pass through an order. */
const inTurn = (items: ReadonlyArray<ItemBreakdown>): ReadonlyArray<number> =>
  items
    .map((_item, place) => place)
    .sort((one, other) => compareTexts(at(items, one).itemId, at(items, other).itemId))

/** The shares of each item; they stand item by item. */
const sharesByItem = (split: Split.Split): ReadonlyArray<ReadonlyArray<Share>> => {
  let start = 0
  return split.items.map(({ itemId }) => {
    let end = start
    while (split.shares[end]?.itemId === itemId) end += 1
    const shares = split.shares.slice(start, end)
    start = end
    return shares
  })
}

const groupOf = (rules: RuleSet.RuleSet, { groupId }: Share): ProductGroup => {
  const group = RuleSet.get(rules, groupId)
  if (group === undefined) throw new RangeError(`the rule set has no group ${groupId}`)
  return group
}

const carry = (
  rules: RuleSet.RuleSet,
  plain: Split.Split,
  carrying: SplitPolicy.SplitPolicy,
  remainders: CurrencyRemainders,
): Split.Split => {
  const sharesOf = sharesByItem(plain)
  const items = [...plain.items]
  const store = [...plain.store]
  const shares: Array<ReadonlyArray<Share>> = [...sharesOf]
  for (const place of items.length === 1 ? [0] : inTurn(items)) {
    const plainShares = at(sharesOf, place)
    const split = carriedItem(
      {
        item: at(items, place),
        shares: plainShares,
        groups: plainShares.map((share) => groupOf(rules, share)),
        store: at(store, place),
      },
      carrying,
      {
        groups: plainShares.map(({ groupId }) => remainders.of(groupId)),
        store: remainders.of(null),
      },
    )
    items[place] = split.item
    store[place] = split.store
    shares[place] = split.shares
    for (const share of split.shares) remainders.set(share.groupId, share.carried.after)
    remainders.set(null, split.store.carried.after)
  }
  return { ...plain, policy: carrying, items, store, shares: shares.flat() }
}

/** What a refund changes in a remainder: the exact share that it takes back, less the cents. */
const takenBack = (
  share: Share,
  {
    item,
    earlier,
    refund,
  }: {
    readonly item: ItemBreakdown
    readonly earlier: ReadonlyArray<Refund.Refund>
    readonly refund: Refund.Refund
  },
  cents: number,
): bigint => {
  const { carried, amount, shippingAmount } = share
  if (carried === undefined) return 0n
  const unit = BigInt(Percent.whole)
  const exact = BigInt(amount) * unit + BigInt(carried.after - carried.before)
  const parts = { amount: exact, shipping: BigInt(shippingAmount) * unit }
  const withGoods = goesWithGoods(share)
  const before = reversedBy(progressOf(item, earlier), parts, withGoods)
  const after = reversedBy(progressOf(item, [...earlier, refund]), parts, withGoods)
  return after - before - BigInt(cents) * unit
}

/**
 * The remainders of sales one after another. Each split and each refund changes them; what
 * {@link RunningRemainders.remainders} answers is plain data, to be stored until the next sales come.
 *
 * @since 0.6.0
 * @category models
 * @example
 * ```ts
 * import { CarriedSplit, RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "0.40" },
 * ])
 * const policy = Result.getOrThrow(CarriedSplit.policy())
 * const running = new CarriedSplit.RunningRemainders()
 * const amounts = ["1001", "1002", "1003"].map((id) => {
 *   const item = { id: "1", product: { id: "song" }, quantity: 1, amount: 99 }
 *   const split = running.split(rules, { id, currency: "USD", items: [item] }, policy)
 *   return Result.getOrThrow(split).shares[0]?.amount
 * })
 * amounts // => [0, 1, 0]
 * running.remainders
 * // => [
 * //   { currency: "USD", groupId: null, remainder: -1880 },
 * //   { currency: "USD", groupId: "g1", remainder: 1880 },
 * // ]
 * ```
 */
export class RunningRemainders {
  private readonly book: RemainderBook

  /**
   * Throws `InvalidRemainders`; `Remainder.parse` returns it as a value.
   *
   * @since 0.6.0
   */
  constructor(remainders: Remainders = []) {
    this.book = new RemainderBook(remainders)
  }

  /**
   * The remainders by now.
   *
   * @since 0.6.0
   */
  get remainders(): Remainders {
    return this.book.list
  }

  /**
   * Splits the next order. One that can't be split changes no remainder.
   *
   * @since 0.6.0
   */
  split(
    rules: RuleSet.RuleSet,
    order: Order,
    policy: SplitPolicy.SplitPolicy,
  ): Result.Result<Split.Split, Split.SplitError> {
    const policies = attempt([SplitPolicy.InvalidPolicy], () => policiesOf(policy))
    if (Result.isFailure(policies)) return Result.fail(policies.failure)
    const { carrying, plain } = policies.success
    return Result.flatMap(Split.orderResult(rules, order, plain), (split) =>
      attempt([AmountOutOfRange], () => {
        const remainders = this.book.open(split.currency)
        const carried = carry(rules, split, carrying, remainders)
        remainders.keep()
        return carried
      }),
    )
  }

  /**
   * Reverses a part of a recorded split as `Refund.reverse` does, and takes its remainders back: what stays carried of
   * the item is its exact share of what was not refunded, less the cents that stay. After a refund of everything, it is
   * as if the item had never left anything. A refund that can't be made changes no remainder.
   *
   * @since 0.6.0
   */
  refund(
    split: Split.Split,
    refund: Refund.Refund,
    options: { readonly earlier?: ReadonlyArray<Refund.Refund> } = {},
  ): Result.Result<Refund.Reversal, Refund.RefundError> {
    return Result.flatMap(Refund.reverse(split, refund, options), (reversal) => {
      const make = () =>
        attempt([AmountOutOfRange], () => {
          this.takeBack(split, refund, { reversal, earlier: options.earlier ?? [] })
          return reversal
        })
      return ofRecorded(split, make, refusal(Refund.InvalidRefund))
    })
  }

  private takeBack(
    split: Split.Split,
    refund: Refund.Refund,
    {
      reversal,
      earlier,
    }: { readonly reversal: Refund.Reversal; readonly earlier: ReadonlyArray<Refund.Refund> },
  ): void {
    const item = split.items.find(({ itemId }) => itemId === refund.itemId)
    if (item === undefined) return
    const remainders = this.book.open(split.currency)
    const cents = new Map(reversal.shares.map(({ groupId, amount }) => [groupId, amount]))
    const ofItem = earlier.filter(
      ({ orderId, itemId }) => orderId === split.orderId && itemId === item.itemId,
    )
    const change = (groupId: string | null, by: bigint) => {
      remainders.set(groupId, BigInt(remainders.of(groupId)) + by)
    }
    for (const share of split.shares) {
      if (share.itemId !== item.itemId) continue
      const reversed = cents.get(share.groupId) ?? 0
      const taken = takenBack(share, { item, earlier: ofItem, refund }, reversed)
      change(share.groupId, -taken)
      change(null, taken)
    }
    remainders.keep()
  }
}

/**
 * A split with the remainders after it.
 *
 * @since 0.6.0
 * @category models
 */
export interface CarriedSplit {
  readonly split: Split.Split
  readonly remainders: Remainders
}

/**
 * Splits an order with the remainders of earlier ones. Each share, and the store's, notes its remainder before and
 * after each item. Throws `InvalidRemainders`; `Remainder.parse` returns it as a value.
 *
 * Each percentage is rounded to the cent below or above what is due by now: its exact value and the remainder. For each
 * item, shares and the store's rest add up to what it brought in. A group is always less than a cent from the exact sum
 * of its percentages, except while an item can't pay what is due, or what was paid is refunded. So is the store, as
 * long as the items have the same groups.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CarriedSplit, RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "0.40" },
 * ])
 * const item = { id: "1", product: { id: "song" }, quantity: 1, amount: 99 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const policy = Result.getOrThrow(CarriedSplit.policy())
 * const before = [{ currency: "USD", groupId: "g1", remainder: 3_960 }]
 * const { split } = Result.getOrThrow(CarriedSplit.order(rules, order, policy, before))
 * split.shares[0]?.amount // => 1
 * split.shares[0]?.carried // => { before: 3960, after: -2080 }
 * ```
 */
export const order = (
  rules: RuleSet.RuleSet,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
  remainders: Remainders = [],
): Result.Result<CarriedSplit, Split.SplitError> => {
  const running = new RunningRemainders(remainders)
  return Result.map(running.split(rules, order, policy), (split) => ({
    split,
    remainders: running.remainders,
  }))
}

/**
 * Splits orders one after another, in the order in which they come. Each has its own result; one that can't be split
 * changes no remainder. Throws `InvalidRemainders`; `Remainder.parse` returns it as a value.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CarriedSplit, RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "0.40" },
 * ])
 * const sale = (id: string) => ({
 *   id,
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "song" }, quantity: 1, amount: 99 }],
 * })
 * const policy = Result.getOrThrow(CarriedSplit.policy())
 * const year = Array.from({ length: 2_240 }, (_, place) => sale(`${place}`))
 * const { splits } = CarriedSplit.orders(rules, year, policy)
 * const shares = splits.flatMap((split) => Result.getOrThrow(split).shares)
 * shares.reduce((sum, { amount }) => sum + amount, 0) // => 887
 * ```
 */
export const orders = (
  rules: RuleSet.RuleSet,
  orders: Iterable<Order>,
  policy: SplitPolicy.SplitPolicy,
  remainders: Remainders = [],
): {
  readonly splits: ReadonlyArray<Result.Result<Split.Split, Split.SplitError>>
  readonly remainders: Remainders
} => {
  const running = new RunningRemainders(remainders)
  const splits = Array.from(orders, (each) => running.split(rules, each, policy))
  return { splits, remainders: running.remainders }
}

/** The remainders before a recorded split, as far as it changed them. */
const remaindersBefore = (recorded: Split.Split): Remainders => {
  const before = new Map<string | null, number>()
  const note = (groupId: string | null, carried: Share["carried"]) => {
    if (carried !== undefined && !before.has(groupId)) before.set(groupId, carried.before)
  }
  const sharesOf = sharesByItem(recorded)
  for (const place of inTurn(recorded.items)) {
    for (const { groupId, carried } of at(sharesOf, place)) note(groupId, carried)
    const rest: StoreShare | undefined = recorded.store[place]
    note(null, rest?.carried)
  }
  return [...before].map(
    ([groupId, remainder]): Remainder => ({ currency: recorded.currency, groupId, remainder }),
  )
}

/**
 * Whether a recorded split can be reproduced from the rules of the time, the order, and what the split itself says of
 * the remainders before it.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CarriedSplit, RuleSet } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "0.40" },
 * ])
 * const item = { id: "1", product: { id: "song" }, quantity: 1, amount: 99 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const policy = Result.getOrThrow(CarriedSplit.policy())
 * const before = [{ currency: "USD", groupId: "g1", remainder: 3_960 }]
 * const { split } = Result.getOrThrow(CarriedSplit.order(rules, order, policy, before))
 * const recorded = JSON.parse(JSON.stringify(split))
 * CarriedSplit.comesOutAgain(recorded, rules, order) // => true
 * CarriedSplit.comesOutAgain({ ...recorded, shares: [] }, rules, order) // => false
 * ```
 */
export const comesOutAgain = (
  recorded: Split.Split,
  rules: RuleSet.RuleSet,
  input: Order,
): boolean =>
  Result.match(
    attempt([Error], () => order(rules, input, recorded.policy, remaindersBefore(recorded))),
    {
      onSuccess: (again) =>
        Result.match(again, {
          onSuccess: ({ split }) => sameData(split, recorded),
          onFailure: () => false,
        }),
      onFailure: () => false,
    },
  )
