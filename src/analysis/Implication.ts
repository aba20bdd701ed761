/**
 * Whether one group applies wherever another does.
 *
 * @since 0.5.0
 */
import type { ProductGroup } from "../groups/ProductGroup.js"
import { linkedPlaces } from "./internal/linkedPlaces.js"
import { orderOf } from "./internal/orders.js"
import * as predicates from "./internal/Predicate.js"
import { settingOf } from "./internal/Setting.js"
import { Budget, sizeOf } from "./internal/Sketch.js"
import { smallest } from "./internal/smallest.js"
import { Values } from "./internal/Values.js"
import type { Options } from "./Options.js"
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
): Implication => {
  const setting = settingOf(options, { groups: [one, other] })
  const products = setting.catalogue?.products
  const values = new Values(setting.limits)
  // Two versions of one group have the same id, so each is asked alone.
  const predicateOf = (group: ProductGroup) => {
    const places = products && linkedPlaces({ groups: [group] }, products)
    return predicates.ofGroup(group, values, places?.get(group))
  }
  const wanted = { apply: [predicateOf(one)], not: [predicateOf(other)] }
  const world = { values, kinds: products?.length, from: setting.from }
  const found = smallest(wanted, world, new Budget(setting.budget))
  if (found === "undecided") return { verdict: found, witness: null }
  if (found === "none") return { verdict: "implied", witness: null }
  const { kind = 0 } = found
  const product = products?.[kind]
  const figures = { amount: 10_000, currency: setting.catalogue?.currency }
  const order = orderOf(found, values, { figures, product })
  const witness = { order, attributeCount: sizeOf(found), isSmallest: true }
  return { verdict: "not implied", witness }
}
