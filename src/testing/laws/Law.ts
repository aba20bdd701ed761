import * as Result from "effect/Result"
import { plainOf } from "../../analysis/CountedOrders.js"
import { type AnyRules, payoutOfWitness } from "../../analysis/Options.js"
import type { Order } from "../../orders/Order.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Split from "../../shares/Split.js"
import * as SplitPolicy from "../../shares/SplitPolicy.js"
import type { CountedRules } from "../../terms/CountedRules.js"
import * as CountedSplit from "../../terms/CountedSplit.js"
import * as Counters from "../../terms/Counters.js"
import type { RuleOrderValues } from "../arbitraries/RuleOrders.js"

/**
 * The rules with their terms, and the counters before and after a sale.
 *
 * @since 0.6.0
 * @category models
 */
export interface CountedSale {
  readonly rules: CountedRules
  readonly before: Counters.Counters
  /** Those before, where the order was refused. */
  readonly after: Counters.Counters
}

/**
 * The input of laws: an order, and how rules and policy split it.
 *
 * @since 0.5.0
 * @category models
 */
export interface JudgedSale {
  /** Where groups have terms, the groups without them: tiers are their highest percentage. */
  readonly rules: RuleSet
  readonly policy: SplitPolicy.SplitPolicy
  readonly order: Order
  /** The result of `Split.orderResult` for them. */
  readonly result: Result.Result<Split.Split, Split.SplitError>
  /** The split, unless the order was refused. */
  readonly split: Split.Split | undefined
  /**
   * Where groups have terms.
   *
   * @since 0.6.0
   */
  readonly counted?: CountedSale | undefined
}

/** Whether nothing of a sale depends on counters. */
export const isPlain = ({ counted }: JudgedSale): boolean => counted === undefined

/**
 * A property that holds for every order.
 *
 * @since 0.5.0
 * @category models
 */
export interface Law {
  /** A few words, used as the name of a test. */
  readonly name: string
  /** The law as a sentence. */
  readonly description: string
  /** Why a sale breaks it, in words; `undefined` when it does not. May throw instead. */
  readonly check: (sale: JudgedSale) => string | undefined
  /** Whether it applies to a sale. When absent, it applies to every sale that is split. */
  readonly applies?: ((sale: JudgedSale) => boolean) | undefined
  /** Values that some orders must have, or the law would never apply. */
  readonly values?: RuleOrderValues | undefined
}

/** A payout that is counted for is always given, so only wrong counters are left: a mistake of the caller. */
const soldAt = (
  rules: CountedRules,
  order: Order,
  policy: SplitPolicy.SplitPolicy,
  before: Counters.Counters,
): JudgedSale => {
  const sold = CountedSplit.orderResult(rules, order, policy, before, { payout: payoutOfWitness })
  const plain = plainOf(rules)
  if (Result.isSuccess(sold)) {
    const { split, counters: after } = sold.success
    const result = Result.succeed(split)
    return { rules: plain, policy, order, result, split, counted: { rules, before, after } }
  }
  const { failure } = sold
  if (failure._tag === "InvalidCounters") throw failure
  const counted = { rules, before, after: before }
  return { rules: plain, policy, order, result: Result.fail(failure), split: undefined, counted }
}

/**
 * Splits an order for laws to look at.
 *
 * @param counters - what was counted before, for rules with terms; in the payout `Analysis.payoutOfWitness`, where a term
 *   counts for each payout
 * @since 0.5.0
 * @category constructors
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: 40 },
 * ])
 * const sale = Laws.saleOf(rules, {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }],
 * })
 * sale.split?.shares[0]?.amount // => 400
 * Laws.conserved.check(sale) // => undefined
 * ```
 */
export const saleOf = (
  rules: AnyRules,
  order: Order,
  policy: SplitPolicy.SplitPolicy = SplitPolicy.defaults,
  counters: Counters.Counters = Counters.none,
): JudgedSale => {
  if ("counted" in rules) return soldAt(rules, order, policy, counters)
  const result = Split.orderResult(rules, order, policy)
  return { rules, policy, order, result, split: Result.getOrUndefined(result) }
}

/**
 * A law of your own.
 *
 * @param name - a few words, as the name of a test
 * @param check - why a sale breaks the law, in words, or `undefined`; it may also throw, as assertions do
 * @param options - `applies`: the sales that it applies to, every sale that is split when absent;
 *   `values`: what orders must have at times for that; `description`: the name when absent
 * @since 0.5.0
 * @category constructors
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const fewShares = Laws.make("at most two are paid for an item", ({ order, split }) => {
 *   const shares = order.items.map(({ id }) => split?.shares.filter(({ itemId }) => itemId === id) ?? [])
 *   const many = shares.find((paid) => paid.length > 2)
 *   return many && `${many.length} are paid for item ${many[0]?.itemId}`
 * })
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make(
 *   ["ada", "ben", "cam"].map((id) => ({ id, collaboratorId: id, link, percent: 5 })),
 * )
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
 * fewShares.check(Laws.saleOf(rules, { id: "1001", currency: "USD", items }))
 * // => "3 are paid for item 1"
 * ```
 */
export const make = (
  name: string,
  check: Law["check"],
  options: Partial<Pick<Law, "description" | "applies" | "values">> = {},
): Law => ({ description: name, ...options, name, check })

/**
 * Whether a law applies to a sale.
 *
 * @since 0.5.0
 * @category guards
 * @example
 * ```ts
 * import { RuleSet } from "apportion"
 * import { Laws } from "apportion/testing"
 *
 * const refused = Laws.saleOf(RuleSet.make([]), { id: "1001", currency: "none", items: [] })
 * Laws.appliesTo(Laws.conserved, refused) // => false
 * ```
 */
export const appliesTo = (law: Law, sale: JudgedSale): boolean =>
  law.applies === undefined ? sale.split !== undefined : law.applies(sale)
