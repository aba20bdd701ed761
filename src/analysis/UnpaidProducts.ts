/**
 * Products of which nobody is paid.
 *
 * @since 0.5.0
 */
import type { ProductGroup } from "../groups/ProductGroup.js"
import type { Catalogue } from "../matching/Catalogue.js"
import * as Product from "../matching/Product.js"
import * as RuleSet from "../matching/RuleSet.js"
import * as predicates from "./internal/Predicate.js"
import { type Setting, settingOf } from "./internal/Setting.js"
import { Budget } from "./internal/Sketch.js"
import { type Found, smallest, type World } from "./internal/smallest.js"
import { areOfUse, termsOf } from "./internal/terms.js"
import { Values } from "./internal/Values.js"
import type { Options } from "./Options.js"

/**
 * Products of which nobody is paid, by their keys.
 *
 * @since 0.5.0
 * @category models
 */
export interface UnpaidProducts {
  readonly products: ReadonlyArray<string>
  readonly undecided: ReadonlyArray<string>
}

type Paid = "paid" | "unpaid" | "undecided"

/** A search for one group may take such a part of all steps, and so many in any case. */
const share = 1_000
const leastSteps = 5_000

const paidOf = (
  groups: ReadonlyArray<ProductGroup>,
  { setting, world, budget }: { setting: Setting; world: World; budget: Budget },
): Paid => {
  const steps = Math.max(leastSteps, Math.ceil(setting.budget / share))
  const predicateOf = (group: ProductGroup) => predicates.ofLinkedGroup(group, world.values)
  const counts = (group: ProductGroup, place: number): Found => {
    const before = setting.policy.stacking === "all" ? [] : groups.slice(0, place)
    const own = before.filter(({ collaboratorId }) => collaboratorId === group.collaboratorId)
    const wanted = { apply: [predicateOf(group)], not: own.map(predicateOf) }
    return smallest(wanted, world, new Budget(steps, budget))
  }
  let paid: Paid = "unpaid"
  for (const [place, group] of groups.entries()) {
    if (!areOfUse(termsOf(group, setting.policy), setting.policy)) continue
    const found = counts(group, place)
    if (typeof found === "object") return "paid"
    if (found === "undecided") paid = found
  }
  return paid
}

/**
 * Finds the products of a catalogue of which nobody is ever paid, whatever the order: no group is linked to
 * them that can count and pays anything.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, Catalogue, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 10 },
 * ])
 * const catalogue = Catalogue.make([{ id: "print", tags: ["art"] }, { id: "mug" }])
 * Analysis.unpaidProducts(rules, catalogue).products // => ["mug"]
 * ```
 */
export const unpaidProducts = (
  rules: RuleSet.RuleSet,
  catalogue: Catalogue,
  options: Options = {},
): UnpaidProducts => {
  const setting = settingOf({ ...options, catalogue: catalogue ?? null }, rules)
  const world = { values: new Values(setting.limits), kinds: undefined, from: setting.from }
  const budget = new Budget(setting.budget)
  const known = new Map<string, Paid>()
  const found = catalogue.products.map((product) => {
    const groups = RuleSet.linkedGroups(rules, product)
    const key = JSON.stringify(groups.map(({ id }) => id))
    const paid = known.get(key) ?? paidOf(groups, { setting, world, budget })
    known.set(key, paid)
    return { key: Product.keyOf(product), paid }
  })
  const keysOf = (wanted: Paid) => found.filter(({ paid }) => paid === wanted).map(({ key }) => key)
  return { products: keysOf("unpaid"), undecided: keysOf("undecided") }
}
