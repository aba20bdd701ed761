/**
 * Whether one group applies wherever another does.
 *
 * @since 0.5.0
 */

import { at } from "../internal/at.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import { finish } from "./internal/Budget.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import { exampleOf } from "./internal/OrderShape.js"
import { isNone, smallest } from "./internal/smallest.js"
import type { Options } from "./Options.js"
import type { Steps } from "./Steps.js"
import type { Witness } from "./Witness.js"

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
): Steps<Implication> => ask(impliesIn, options, { groups: [one] }, { groups: [other] })

/**
 * Whether every item of every order to which one group applies is one to which another does too. What they pay,
 * and which of them counts, is not asked.
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
