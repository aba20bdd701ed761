/**
 * Whether more can be claimed of an item than it brings in.
 *
 * @since 0.5.0
 */
import { at } from "../internal/at.js"
import * as Product from "../orders/Product.js"
import * as versions from "../rules/engine/versions.js"
import type { Assortment, ProductClass } from "./internal/Assortment.js"
import { answersTo, type Budget, finish } from "./internal/Budget.js"
import {
  type CandidateReader,
  type Candidates,
  candidatesOf,
  groupsOfAll,
} from "./internal/candidates.js"
import { type Answer, answerOf, type Case, type Limits } from "./internal/excessSearch.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import type { OrderShape } from "./internal/OrderShape.js"
import * as predicates from "./internal/Predicate.js"
import { Values } from "./internal/Predicate.js"
import type { Premises } from "./internal/smallest.js"
import type { AnyRules, Options, OverAllocationWitness, Steps } from "./Options.js"

/**
 * Products of which more can be claimed than they bring in, or for which that is undecided.
 *
 * @since 0.5.0
 * @category models
 */
export interface OverAllocatedProducts {
  /** Their keys, as from `Product.keyOf`. All have the same groups, price and cost. */
  readonly products: ReadonlyArray<string>
  /** `null`: undecided. */
  readonly witness: OverAllocationWitness | null
}

/**
 * `impossible` is a proof: there is no such order. `possible` comes with one. `undecided`: the budget was spent
 * before either was found.
 *
 * @since 0.5.0
 * @category models
 */
export interface OverAllocation {
  readonly verdict: "impossible" | "possible" | "undecided"
  /** The order with the fewest attributes; `null` unless it is possible. */
  readonly witness: OverAllocationWitness | null
  /** With a catalogue: all products except those for which it is impossible. */
  readonly products: ReadonlyArray<OverAllocatedProducts>
  /** Products of the catalogue without a price, or with one below 0, by their keys: only percentages are checked. */
  readonly withoutPrice: ReadonlyArray<string>
}

const smaller = (one: OverAllocationWitness, other: OverAllocationWitness) =>
  other.attributeCount < one.attributeCount ? other : one

/** The smallest of the witnesses; where any search was given up, a smaller one is not ruled out. */
const best = (answers: ReadonlyArray<Answer>): Answer => {
  const witnesses = answers.filter((answer) => typeof answer === "object")
  const isOpen = answers.includes("undecided")
  const [first] = witnesses
  if (first === undefined) return isOpen ? "undecided" : "none"
  const witness = witnesses.reduce(smaller)
  const areSmallest = witnesses.every(({ isSmallest }) => isSmallest)
  return { ...witness, isSmallest: witness.attributeCount === 0 || (areSmallest && !isOpen) }
}

const undecided: OverAllocation = {
  verdict: "undecided",
  witness: null,
  products: [],
  withoutPrice: [],
}

const verdictOf = (answers: ReadonlyArray<Answer>): OverAllocation["verdict"] => {
  if (answers.some((answer) => typeof answer === "object")) return "possible"
  return answers.includes("undecided") ? "undecided" : "impossible"
}

function* ofAnything(inquiry: Inquiry, budget: Budget): Steps<OverAllocation> {
  const { setting, ruleSets } = inquiry
  const rules = at(ruleSets, 0)
  const values = new Values(setting.limits)
  const reading: CandidateReader = {
    predicateOf: (group) => predicates.ofGroup(group, values),
    linkOf: () => "all",
    policy: setting.policy,
  }
  const known = yield* candidatesOf(rules.groups, reading, budget)
  if (known === undefined) return undecided
  const world = { values, kinds: undefined, from: setting.from }
  const candidates = known.of(undefined)
  const groupCount = groupsOfAll(candidates)
  const of = { product: undefined, candidates, groupCount, known: [] }
  const each = { inquiry, setting, world, ...of }
  const answer = yield* answerOf(each, { budget: budget.share(2), spare: budget })
  const witness = typeof answer === "object" ? answer : null
  return { ...undecided, verdict: verdictOf([answer]), witness }
}

/** Products with the same groups, price and cost: the same can be claimed of each. */
interface Alike {
  readonly products: readonly [Product.Product, ...ReadonlyArray<Product.Product>]
  readonly kind: ProductClass
}

/** Products of one kind are adjacent. */
const alike = ({ kinds }: Assortment): ReadonlyArray<Alike> =>
  kinds.flatMap((kind) => {
    const found = new Map<string, [Product.Product, ...Array<Product.Product>]>()
    for (const product of kind.products) {
      const key = `${product.price} ${product.cost}`
      const list = found.get(key)
      if (list === undefined) found.set(key, [product])
      else list.push(product)
    }
    return [...found.values()].map((products) => ({ products, kind }))
  })

/** In the order of a catalogue. */
const inOrder = (
  lists: ReadonlyArray<Alike>,
  answers: ReadonlyArray<Answer>,
  all: ReadonlyArray<Product.Product>,
): ReadonlyArray<readonly [Alike, Answer]> => {
  const places = new Map(all.map((product, place) => [product, place]))
  const placeOf = ([{ products }]: readonly [Alike, Answer]) => places.get(products[0]) ?? 0
  return lists
    .map((list, index) => [list, at(answers, index)] as const)
    .sort((one, other) => placeOf(one) - placeOf(other))
}

/** Searches for the claims on products, one list of like products after another. */
class ProductSearch {
  private readonly inquiry: Inquiry
  private readonly world: Premises
  private readonly candidates: Candidates
  private readonly known: Array<OrderShape> = []
  private last:
    | (Pick<Case, "candidates" | "groupCount"> & { readonly kind: ProductClass })
    | undefined

  constructor(inquiry: Inquiry, world: Premises, candidates: Candidates) {
    this.inquiry = inquiry
    this.world = world
    this.candidates = candidates
  }

  private candidatesOf(kind: ProductClass): Pick<Case, "candidates" | "groupCount"> {
    if (this.last?.kind === kind) return this.last
    const candidates = this.candidates.of(kind)
    this.last = { kind, candidates, groupCount: groupsOfAll(candidates) }
    return this.last
  }

  answerFor({ products: [product], kind }: Alike, limits: Limits): Steps<Answer> {
    const { inquiry, world, known } = this
    const { setting } = inquiry
    const { candidates, groupCount } = this.candidatesOf(kind)
    const each = { inquiry, setting, world, product, candidates, groupCount, known }
    return answerOf(each, limits)
  }
}

function* ofProducts(inquiry: Inquiry, budget: Budget): Steps<OverAllocation> {
  const { setting, ruleSets, work } = inquiry
  const all = setting.catalogue?.products ?? []
  const withoutPrice = all.filter(({ price = -1 }) => price < 0).map(Product.keyOf)
  const open = { ...undecided, products: [{ products: all.map(Product.keyOf), witness: null }] }
  const values = new Values(setting.limits)
  const world = { values, kinds: undefined, from: setting.from }
  const assortment = yield* inquiry.assortment(budget)
  if (assortment === undefined) return { ...open, withoutPrice }
  const reading: CandidateReader = {
    predicateOf: (group) => predicates.ofLinkedGroup(group, values),
    linkOf: (group) => assortment.linkOf(group),
    policy: setting.policy,
  }
  const candidates = yield* candidatesOf(at(ruleSets, 0).groups, reading, budget)
  if (candidates === undefined) return { ...open, withoutPrice }
  yield work.turn()
  const questions = alike(assortment)
  const products = new ProductSearch(inquiry, world, candidates)
  work.begin("over-allocation", questions.length)
  // Building the index of the rules, in which the splits look products up, can't be divided.
  yield work.turn()
  versions.indexOf(at(ruleSets, 0))
  yield work.turn()
  const answers = yield* answersTo(
    {
      questions,
      answer: (list, share) => products.answerFor(list, { budget: share, spare: budget }),
      isOpen: (answer) => answer === "undecided" || (answer !== "none" && !answer.isSmallest),
    },
    budget,
  )
  yield work.turn()
  const told = inOrder(questions, answers, all)
  const smallest = best(told.map(([, answer]) => answer))
  return {
    verdict: verdictOf(answers),
    witness: typeof smallest === "object" ? smallest : null,
    products: told.flatMap(([list, answer]) => {
      if (answer === "none") return []
      const keys = list.products.map(Product.keyOf)
      return [{ products: keys, witness: typeof answer === "object" ? answer : null }]
    }),
    withoutPrice,
  }
}

/** Whether claims can exceed what an item brings in; what several answers of a check need is computed once. */
export function* overAllocationIn(inquiry: Inquiry): Steps<OverAllocation> {
  const budget = inquiry.budget()
  inquiry.work.begin("over-allocation", 1)
  return yield* inquiry.setting.catalogue === undefined
    ? ofAnything(inquiry, budget)
    : ofProducts(inquiry, budget)
}

/**
 * Whether any order can make the claims on an item exceed what it brings in.
 *
 * Without a catalogue this concerns percentages, for any item at any price: whether the percentages of a stage, or
 * those of shared shipping, add up to more than 100 %. With a catalogue it concerns one unit of each product at its
 * price, and flat amounts, minimums, costs and deductions count as well. The sales are ordinary ones: no figure is
 * negative, and no discount exceeds its price.
 *
 * @throws InvalidOptions
 * @since 0.5.0
 * @category analyses
 * @example
 * ```ts
 * import { Analysis, RuleSet } from "apportion"
 *
 * const rules = RuleSet.make([
 *   { id: "art", collaboratorId: "ada", link: { type: "products.tag", values: ["art"] }, percent: 60 },
 *   { id: "north", collaboratorId: "sam", link: { type: "products.vendor", values: ["North"] }, percent: 50 },
 * ])
 * const { verdict, witness } = Analysis.overAllocation(rules)
 * verdict // => "possible"
 * witness?.order.items[0]?.product // => { id: "any-product", vendor: "North", tags: ["art"] }
 * Analysis.overAllocation(RuleSet.remove(rules, "north")).verdict // => "impossible"
 * ```
 */
export const overAllocation = (rules: AnyRules, options: Options = {}): OverAllocation =>
  finish(ask(overAllocationIn, options, rules))
