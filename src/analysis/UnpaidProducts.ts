/**
 * Products for which nobody is paid.
 *
 * @since 0.5.0
 */

import { at } from "../internal/at.js"
import type { Catalogue } from "../orders/Catalogue.js"
import * as Product from "../orders/Product.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import { ByLink } from "./internal/Assortment.js"
import { answersTo, type Budget, finish } from "./internal/Budget.js"
import { ask, type Inquiry, ranked, withoutTwins } from "./internal/Inquiry.js"
import * as predicates from "./internal/Predicate.js"
import { type Asking, GroupRow, Values } from "./internal/Predicate.js"
import { plainOptions } from "./internal/ResolvedOptions.js"
import { anyOrder, isFound, type Premises, type SmallestAnswer } from "./internal/smallest.js"
import { areOfUse, termsOf } from "./internal/terms.js"
import type { AnyRules, Options, Steps } from "./Options.js"

/**
 * Products for which nobody is paid, by their keys.
 *
 * @since 0.5.0
 * @category models
 */
export interface UnpaidProducts {
  readonly products: ReadonlyArray<string>
  readonly undecided: ReadonlyArray<string>
}

/** A group that is linked to a product. */
interface Linked {
  readonly group: ProductGroup
}

/** How many groups are put in order in one step. */
const groupsOfStep = 4

type Paid = "paid" | "unpaid" | "undecided"

/** Answers the question for each kind of product. */
class Payment {
  private readonly inquiry: Inquiry
  private readonly world: Premises
  private readonly known = new Map<ProductGroup, Asking>()

  constructor(inquiry: Inquiry) {
    this.inquiry = inquiry
    const { from, limits } = inquiry.setting
    this.world = { values: new Values(limits), kinds: undefined, from }
  }

  private asking(group: ProductGroup): Asking {
    const known = this.known.get(group) ?? {
      group,
      predicate: predicates.ofLinkedGroup(group, this.world.values),
    }
    this.known.set(group, known)
    return known
  }

  /** Whether any of the groups that are linked to a product pays anything, on some order. */
  *of(linked: ReadonlyArray<Linked>, budget: Budget): Steps<Paid> {
    const { policy } = this.inquiry.setting
    const before = new Map<string, Array<ProductGroup>>()
    let paid: Paid = "unpaid"
    budget.take(linked.length / groupsOfStep)
    for (const [place, { group }] of linked.entries()) {
      if (budget.work.isDue) yield budget.work.turn()
      if (!budget.take(1)) return "undecided"
      const own = policy.stacking === "all" ? [] : (before.get(group.collaboratorId) ?? [])
      before.set(group.collaboratorId, own)
      if (areOfUse(termsOf(group, policy), policy)) {
        const found = yield* this.counts(group, own, budget.share(linked.length - place))
        if (isFound(found)) return "paid"
        if (found === "undecided") paid = found
      }
      own.push(group)
    }
    return paid
  }

  /** Finds an order on which a group counts, given the earlier groups of its collaborator. */
  private *counts(
    group: ProductGroup,
    own: ReadonlyArray<ProductGroup>,
    budget: Budget,
  ): Steps<SmallestAnswer> {
    if (!budget.take(own.length)) return "undecided"
    const [asking, ...others] = withoutTwins([group, ...own].map((each) => this.asking(each)))
    const row = new GroupRow(others)
    const apply = asking === undefined ? [] : [asking]
    return yield* anyOrder({ apply, not: [{ row, before: own.length }] }, this.world, budget)
  }
}

/** The products for which nobody is paid; what several answers of a check need is computed once. */
export function* unpaidProductsIn(inquiry: Inquiry): Steps<UnpaidProducts> {
  const budget = inquiry.budget()
  const { ruleSets, setting, work } = inquiry
  work.begin("products of which nobody is paid", 0)
  const assortment = yield* inquiry.assortment(budget)
  if (assortment === undefined) {
    return { products: [], undecided: (setting.catalogue?.products ?? []).map(Product.keyOf) }
  }
  const entries = ranked(at(ruleSets, 0).groups).map((group, rank) => {
    return { group, rank, link: assortment.linkOf(group) }
  })
  const linked = new ByLink(entries)
  const payment = new Payment(inquiry)
  work.begin("products of which nobody is paid", assortment.kinds.length)
  const paid = yield* answersTo(
    {
      questions: assortment.kinds,
      answer: (kind, its) => payment.of(linked.of(kind), its),
      isOpen: (answer) => answer === "undecided",
    },
    budget,
  )
  const paidOf = new Map<Product.Product, Paid | undefined>()
  for (const [kind, { products }] of assortment.kinds.entries()) {
    for (const product of products) paidOf.set(product, paid[kind])
  }
  const keysOf = (wanted: Paid) =>
    (setting.catalogue?.products ?? [])
      .filter((product) => paidOf.get(product) === wanted)
      .map(Product.keyOf)
  return { products: keysOf("unpaid"), undecided: keysOf("undecided") }
}

/** Looks for them in a catalogue; without one every product is possible, and none can be named. */
export function* askUnpaidProducts(
  rules: AnyRules,
  catalogue: Catalogue,
  options: Options,
): Steps<UnpaidProducts> {
  const taken = { ...plainOptions(options), catalogue: catalogue ?? null }
  return yield* ask(unpaidProductsIn, taken, rules)
}

/**
 * Finds the products of a catalogue for which nobody is ever paid, whatever the order: no linked group can count and
 * pay anything.
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
  rules: AnyRules,
  catalogue: Catalogue,
  options: Options = {},
): UnpaidProducts => finish(askUnpaidProducts(rules, catalogue, options))
