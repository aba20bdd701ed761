/**
 * Whether two rule sets pay everyone the same.
 *
 * @since 0.5.0
 */
import type { RuleSet } from "../rules/RuleSet.js"
import { finish } from "./internal/Budget.js"
import { Comparison } from "./internal/Comparison.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import { sizeOf } from "./internal/OrderShape.js"
import type { GroupsPart } from "./internal/Parts.js"
import { findOddCents } from "./internal/roundingTies.js"
import {
  findDifferentSums,
  findDifferentTerms,
  findDividedFlats,
} from "./internal/termDifferences.js"
import type { Options } from "./Options.js"
import type { Steps } from "./Steps.js"
import type { Witness } from "./Witness.js"

/**
 * `equivalent` is a proof; `different` comes with an order that the two split differently. `undecided`: either
 * the budget was spent, or the rules differ in situations in which no such order was found. Orders of one item
 * are looked for: where flat amounts are paid once an order and other groups are paid for other items together,
 * that is `undecided` too.
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
 * Whether two rule sets give every collaborator the same amounts, to the cent, of every item of every order that
 * is possible; else an order, as small as there is, for which they do not. An order that both refuse is the same
 * for both.
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
export const equivalent = (one: RuleSet, other: RuleSet, options: Options = {}): Equivalence =>
  finish(ask(equivalentIn, options, one, other))
