/**
 * Whether two rule sets pay everyone the same, and whether one group applies wherever another does.
 *
 * @since 0.5.0
 */
import { at } from "../internal/at.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import { aloneOf } from "./CountedOrders.js"
import { finish } from "./internal/Budget.js"
import { Comparison } from "./internal/Comparison.js"
import { findOddCents } from "./internal/countingPairs.js"
import { ask, exampleOf, type GroupsPart, type Inquiry } from "./internal/Inquiry.js"
import { sizeOf } from "./internal/OrderShape.js"
import { isNone, smallest } from "./internal/smallest.js"
import {
  findDifferentSums,
  findDifferentTerms,
  findDividedFlats,
} from "./internal/termDifferences.js"
import type { AnyRules, Options, Steps, Witness } from "./Options.js"

/**
 * `equivalent` is a proof; `different` comes with an order that the two split differently. `undecided`: either the
 * budget was spent, or the rules differ where no such order was found. Only orders of one item are searched: where flat
 * amounts are paid once per order and differently grouped items are paid together, the answer is `undecided` too.
 *
 * @since 0.5.0
 * @category models
 */
export interface Equivalence {
  readonly verdict: "equivalent" | "different" | "undecided"
  readonly witness: Witness | null
}

function* compare(comparison: Comparison, parts: ReadonlyArray<GroupsPart>): Steps<void> {
  const { setting, budget } = comparison
  const find = setting.policy.stacking === "all" ? findDifferentSums : findDifferentTerms
  for (const part of parts) {
    if (budget.isSpent) return
    yield* find(comparison, part)
    budget.work.next()
  }
  if (!budget.isSpent) yield* findOddCents(comparison, parts)
  if (!budget.isSpent) yield* findDividedFlats(comparison, parts)
}

/** Compares two rule sets. */
export function* equivalentIn(inquiry: Inquiry): Steps<Equivalence> {
  const comparison = new Comparison(inquiry)
  const { budget } = comparison
  const parts = yield* inquiry.parts(budget)
  if (parts === undefined) return { verdict: "undecided", witness: null }
  inquiry.work.begin("collaborators who are paid differently", parts.length)
  yield* compare(comparison, parts)
  const { witness, masked, isGivenUp } = comparison
  const isOpen = isGivenUp || budget.isSpent
  if (witness === undefined) {
    const isDecided = !isOpen && masked.length === 0
    return { verdict: isDecided ? "equivalent" : "undecided", witness: null }
  }
  const isRuledOut =
    witness.attributeCount === 0 ||
    (!isOpen && masked.every((sketch) => sizeOf(sketch) >= witness.attributeCount))
  return { verdict: "different", witness: { ...witness, isSmallest: isRuledOut } }
}

/**
 * Whether two rule sets pay every collaborator the same amounts, to the cent, for every item of every possible order;
 * otherwise a smallest order for which they do not. An order that both refuse counts as the same.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const groupFor = (id: string, values: ReadonlyArray<string>) =>
 *   ({ id, collaboratorId: "ada", link: { type: "products.tag", values }, percent: 10 }) as const
 * const before = RuleSet.make([groupFor("art", ["art", "print"])])
 * const after = RuleSet.make([groupFor("art", ["Print"]), groupFor("more", ["ART "])])
 * Analysis.equivalent(before, after).verdict // => "equivalent"
 *
 * const { verdict, witness } = Analysis.equivalent(before, RuleSet.remove(after, "more"))
 * verdict // => "different"
 * witness?.order.items[0]?.product.tags // => ["art"]
 * ```
 */
export const equivalent = (one: AnyRules, other: AnyRules, options: Options = {}): Equivalence =>
  finish(ask(equivalentIn, options, one, other))

/**
 * `implied` is a proof; `not implied` comes with the smallest order to which the first group applies and the
 * second does not.
 *
 * @since 0.5.0
 * @category models
 */
export interface Implication {
  readonly verdict: "implied" | "not implied" | "undecided"
  readonly witness: Witness | null
}

/** Whether one group applies wherever another one does. */
function* impliesIn(inquiry: Inquiry): Steps<Implication> {
  const undecided: Implication = { verdict: "undecided", witness: null }
  const budget = inquiry.budget()
  const part = yield* inquiry.whole(budget)
  if (part === undefined) return undecided
  const [row, not] = [at(part.rows, 0), at(part.rows, 1)]
  const wanted = { apply: row.list, not: [{ row: not, before: 1 }] }
  const found = yield* smallest(wanted, part.world, budget)
  if (found === "undecided") return undecided
  if (isNone(found)) return { verdict: "implied", witness: null }
  return { verdict: "not implied", witness: exampleOf(found, part, inquiry.setting) }
}

/** Two versions of one group have the same id, so each is a rule set of its own. */
export const askImplies = (
  one: ProductGroup,
  other: ProductGroup,
  options: Options,
): Steps<Implication> => ask(impliesIn, options, aloneOf(one), aloneOf(other))

/**
 * Whether every item of every order to which one group applies is one to which another does too. What they pay, and
 * which of them counts, is ignored.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, ProductGroup } from "apportion"
 *
 * const groupFor = (id: string, values: ReadonlyArray<string>) =>
 *   ProductGroup.make({ id, collaboratorId: "ada", link: { type: "products.tag", values }, percent: 10 })
 * const art = groupFor("art", ["art"])
 * const both = groupFor("both", ["print", "Art"])
 * Analysis.implies(art, both).verdict // => "implied"
 * const { verdict, witness } = Analysis.implies(both, art)
 * verdict // => "not implied"
 * witness?.order.items[0]?.product.tags // => ["print"]
 * ```
 */
export const implies = (
  one: ProductGroup,
  other: ProductGroup,
  options: Options = {},
): Implication => finish(askImplies(one, other, options))
