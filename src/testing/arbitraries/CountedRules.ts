import fc from "fast-check"
import { CountedOrders, plainOf } from "../../analysis/CountedOrders.js"
import type { Order } from "../../orders/Order.js"
import * as CountedRules from "../../terms/CountedRules.js"
import type { Counters } from "../../terms/Counters.js"
import type * as Terms from "../../terms/Terms.js"
import type { AmountRange } from "./internal/Choice.js"
import { amount } from "./internal/pools.js"
import { type GroupOptions, productGroupInput } from "./ProductGroups.js"
import { percentInput } from "./Scalars.js"

const per = fc.constantFrom<Terms.Per>("group", "collaborator")

const period = fc.constantFrom<Terms.CountPeriod>("lifetime", "year", "month", "payout")

/** Rising bounds, the first of them 0: close together, so that a sale passes some of them, or far apart. */
const bounds = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 31, max: 20_000 })), {
    maxLength: 3,
  })
  .map((widths) => {
    let bound = 0
    return [0, ...widths.map((width) => (bound += width))]
  })

const tiers = bounds.chain((all) =>
  fc.record({
    counted: fc.constantFrom<Terms.Counted>("units", "base", "share"),
    per,
    period,
    bands: fc.tuple(...all.map((from) => percentInput().map((percent) => ({ from, percent })))),
  }),
)

const cap = (options: AmountRange) => fc.record({ amount: amount(options), per, period })

/**
 * Terms of product groups: tiers of one to four bands, caps, and both, counted in every way.
 *
 * @since 0.6.0
 * @category terms
 * @example
 * ```ts
 * import { Terms } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const all = fc.sample(Arbitraries.terms(), 50)
 * all.every((terms) => Result.isSuccess(Terms.parse(terms))) // => true
 * ```
 */
export const terms = (options: AmountRange = {}): fc.Arbitrary<Terms.TermsInput> =>
  fc.oneof(
    fc.record({ tiers }),
    fc.record({ cap: cap(options) }),
    fc.record({ tiers, cap: cap(options) }),
  )

/**
 * Product groups with terms as hosts write them, and some without.
 *
 * @since 0.6.0
 * @category terms
 * @example
 * ```ts
 * import { CountedRules } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const groups = fc.sample(Arbitraries.countedGroupInput(), 50)
 * groups.every((group) => Result.isSuccess(CountedRules.parse([group]))) // => true
 * ```
 */
export const countedGroupInput = (
  options: GroupOptions = {},
): fc.Arbitrary<CountedRules.CountedGroupInput> =>
  fc
    .tuple(productGroupInput(options), fc.option(terms(options), { freq: 4 }))
    .map(([group, own]) => {
      if (own === null) return group
      const { percent, ...rest } = group
      return own.tiers == null ? { ...group, terms: own } : { ...rest, terms: own }
    })

/**
 * Rule sets of up to five groups with different ids, most of which have terms.
 *
 * @param options.maxLength - the most groups; 5 when absent
 * @since 0.6.0
 * @category terms
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const [rules] = fc.sample(Arbitraries.countedRules({ maxLength: 2 }), 1)
 * rules !== undefined && rules.counted.length <= 2 // => true
 * ```
 */
export const countedRules = (
  options: GroupOptions & { readonly maxLength?: number | undefined } = {},
): fc.Arbitrary<CountedRules.CountedRules> =>
  fc
    .uniqueArray(countedGroupInput(options), {
      selector: ({ id }) => id,
      maxLength: options.maxLength ?? 5,
    })
    .map(CountedRules.make)

/**
 * Counters at which something changes for an order: at 0, at the bounds of bands and just below them, at what a cap
 * leaves, and below 0, as after returns; and near those. The order needs a time if rules count by year or month; those
 * of a payout are counted in `Analysis.payoutOfWitness`.
 *
 * @since 0.6.0
 * @category terms
 * @example
 * ```ts
 * import { CountedRules } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 1_000, percent: 15 }]
 * const rules = CountedRules.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, terms: { tiers: { counted: "units", bands } } },
 * ])
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
 * const counters = fc.sample(Arbitraries.countersFor(rules, { id: "1001", currency: "USD", items }), 100)
 * counters.some((each) => each["units/USD/lifetime/group/g1"] === 999) // => true
 * ```
 */
export const countersFor = (
  rules: CountedRules.CountedRules,
  order: Order,
): fc.Arbitrary<Counters> => {
  const settings = new CountedOrders([plainOf(rules)], undefined).settings(order)
  return fc
    .tuple(fc.constantFrom(...settings), fc.constantFrom(0, 0, 0, 1, -1, 7))
    .map(([setting, more]) =>
      Object.fromEntries(Object.entries(setting).map(([key, count]) => [key, count + more])),
    )
}
