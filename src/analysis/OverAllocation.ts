/**
 * Whether more can be claimed of an item than it brings in.
 *
 * @since 0.5.0
 */
import * as Result from "effect/Result"
import type { ProductGroup } from "../groups/ProductGroup.js"
import { at } from "../internal/at.js"
import type { Order } from "../matching/Order.js"
import * as Product from "../matching/Product.js"
import * as RuleSet from "../matching/RuleSet.js"
import * as Split from "../shares/Split.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { Assortment } from "./internal/Assortment.js"
import { answersTo, type Budget, finish } from "./internal/Budget.js"
import { claimSearch, isHopeful } from "./internal/claimSearch.js"
import { type Candidate, type Excess, excessesOf, isInDoubt } from "./internal/excess.js"
import { ask, type Inquiry } from "./internal/Inquiry.js"
import { orderOf } from "./internal/orders.js"
import { costOf, ranked } from "./internal/Parts.js"
import * as predicates from "./internal/Predicate.js"
import type { Setting } from "./internal/Setting.js"
import { type Sketch, sizeOf } from "./internal/Sketch.js"
import type { FoundOrder, World } from "./internal/smallest.js"
import { type Terms, termsOf } from "./internal/terms.js"
import { Values } from "./internal/Values.js"
import { withoutTwins } from "./internal/withoutTwins.js"
import type { Options } from "./Options.js"
import type { Steps } from "./Steps.js"
import type { Witness } from "./Witness.js"

/**
 * An order on which more is claimed of the item than there is, as the split itself computes it.
 *
 * @since 0.5.0
 * @category models
 */
export interface OverAllocationWitness extends Witness {
  /** What the item brings in, in the lowest unit of the order's currency. */
  readonly broughtIn: number
  readonly claims: ReadonlyArray<{
    readonly groupId: string
    readonly collaboratorId: string
    readonly amount: number
  }>
}

/**
 * Products of which more can be claimed than they bring in, or of which that is not known.
 *
 * @since 0.5.0
 * @category models
 */
export interface OverAllocatedProducts {
  /** As `Product.keyOf` names them. All have the same groups, price and cost. */
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
  /** Where a catalogue was given: all products but those for which it is impossible. */
  readonly products: ReadonlyArray<OverAllocatedProducts>
  /** Products of the catalogue without a price, or with one below 0, by their keys: only percentages are asked. */
  readonly withoutPrice: ReadonlyArray<string>
}

/** What is looked at together: the rules, and what of them is for a product. */
interface Case {
  readonly rules: RuleSet.RuleSet
  readonly setting: Setting
  readonly world: World
  readonly product: Product.Product | undefined
  readonly candidates: ReadonlyArray<Candidate>
  /** Orders that were too much of other products with the same groups. */
  readonly known: Array<Sketch>
}

/** What a search may take, and what it may take besides to find a large order. */
interface Limits {
  readonly budget: Budget
  readonly spare: Budget
}

type Answer = OverAllocationWitness | "none" | "undecided"

const currencyOf = ({ catalogue }: Setting): string => catalogue?.currency ?? "USD"

const policies = new WeakMap<Setting, SplitPolicy>()

/** The policy under which the split says what is too much. It is one object, for a policy is checked once. */
const rejecting = (setting: Setting): SplitPolicy => {
  const policy = policies.get(setting) ?? { ...setting.policy, overAllocation: "reject" }
  policies.set(setting, policy)
  return policy
}

/** `undecided`: the split can't reckon with such large figures. */
const answerOn = (
  { rules, setting }: Case,
  order: Order,
  { sketch, isSmallest }: FoundOrder,
): Answer => {
  const split = Split.orderResult(rules, order, rejecting(setting))
  if (Result.isSuccess(split)) return "none"
  if (!(split.failure instanceof Split.OverAllocated)) return "undecided"
  const { broughtIn, claims } = split.failure
  return { order, attributeCount: sizeOf(sketch), isSmallest, broughtIn, claims }
}

/** So many steps it takes to split a sale, and so many claimants one more. */
const [stepsForSale, claimantsForStep] = [50, 4]

/** The first of the sales, with the attributes of a sketch, that the split finds over-allocated. */
const witnessOf = (each: Case, excess: Excess, found: FoundOrder, budget: Budget): Answer => {
  let answer: Answer = "undecided"
  for (const sale of excess.figures) {
    budget.take(stepsForSale + Math.ceil(each.candidates.length / claimantsForStep))
    const figures = { ...sale, currency: currencyOf(each.setting) }
    const order = orderOf(found.sketch, each.world.values, { figures, product: each.product })
    const said = answerOn(each, order, found)
    if (typeof said === "object") return said
    if (said === "none") answer = said
  }
  return answer
}

/** What the groups pay that count on an order in outline. */
const countingOn = ({ candidates }: Case, { values, at }: Sketch): ReadonlyArray<Terms> => {
  const present = new Set(values)
  const known = new Set<number>()
  return candidates.flatMap(({ predicate, collaborator, terms }) => {
    if (known.has(collaborator) || !predicates.applies(predicate, present, at)) return []
    known.add(collaborator)
    return [terms]
  })
}

/** A smaller order than those of so many attributes. */
function* search(
  each: Case,
  excess: Excess,
  { budget, spare }: Limits,
  fewerThan: number,
): Steps<Answer> {
  const { claimants, limit, isHopeless } = excess
  let isOpen = false
  const isMet = (values: ReadonlyArray<number>, at: number | null): boolean => {
    const sketch = { values, at, kind: undefined }
    const said = witnessOf(each, excess, { sketch, isSmallest: true }, budget)
    isOpen ||=
      said === "undecided" || (said === "none" && !excess.isSound(countingOn(each, sketch)))
    return typeof said === "object"
  }
  const question = { claimants, limit, isMet, isHopeless }
  const found = yield* claimSearch(question, each.world, { budget, spare, fewerThan })
  if (typeof found === "object") {
    const isSmallest = found.isSmallest && !isOpen
    each.known[0] = found.sketch
    return witnessOf(each, excess, { ...found, isSmallest }, budget)
  }
  return isOpen ? "undecided" : found
}

/** An order that was too much of another product, and is of this one too. */
const knownAnswer = (each: Case, excesses: ReadonlyArray<Excess>, budget: Budget): Answer => {
  for (const sketch of each.known) {
    for (const excess of excesses) {
      const answer = witnessOf(each, excess, { sketch, isSmallest: true }, budget)
      if (typeof answer === "object") return answer
    }
  }
  return "none"
}

/** The smallest order on which too much is claimed in any of the ways that there are. */
function* answerOf(each: Case, { budget, spare }: Limits): Steps<Answer> {
  const { candidates, product, setting } = each
  const all = excessesOf(candidates, product, setting)
  if (!budget.take(Math.ceil((all.length * candidates.length) / claimantsForStep))) {
    return "undecided"
  }
  const excesses = all.filter(isHopeful)
  let best = knownAnswer(each, excesses, spare)
  let isOpen = isInDoubt(candidates, product, setting)
  for (const [index, excess] of excesses.entries()) {
    const fewerThan = typeof best === "object" ? best.attributeCount : Number.POSITIVE_INFINITY
    const limits = { budget: budget.share(excesses.length - index), spare }
    const answer = yield* search(each, excess, limits, fewerThan)
    isOpen ||= answer === "undecided" || (typeof answer === "object" && !answer.isSmallest)
    if (typeof answer === "object") best = answer
  }
  if (typeof best !== "object") return isOpen ? "undecided" : "none"
  return { ...best, isSmallest: best.attributeCount === 0 || !isOpen }
}

const smaller = (one: OverAllocationWitness, other: OverAllocationWitness) =>
  other.attributeCount < one.attributeCount ? other : one

/** The smallest of the witnesses; where a search was given up, for this one or another, a smaller one is not ruled out. */
const best = (answers: ReadonlyArray<Answer>): Answer => {
  const witnesses = answers.filter((answer) => typeof answer === "object")
  const isOpen = answers.includes("undecided")
  const [first] = witnesses
  if (first === undefined) return isOpen ? "undecided" : "none"
  const witness = witnesses.reduce(smaller)
  const areSmallest = witnesses.every(({ isSmallest }) => isSmallest)
  return { ...witness, isSmallest: witness.attributeCount === 0 || (areSmallest && !isOpen) }
}

type Candidates = ReadonlyMap<ProductGroup, Candidate>

/** Numbers groups so that those of which one counts at most have the same number. */
function* candidatesOf(
  { ruleSets, setting }: Inquiry,
  predicateOf: (group: ProductGroup) => predicates.Predicate,
  budget: Budget,
): Steps<Candidates | undefined> {
  const { policy } = setting
  const numbers = new Map<string, number>()
  const found: Array<Candidate> = []
  for (const [index, group] of at(ruleSets, 0).groups.entries()) {
    if (budget.work.isDue) yield budget.work.turn()
    if (!budget.take(costOf(group))) return undefined
    const { collaboratorId } = group
    const collaborator = numbers.get(collaboratorId) ?? index
    if (policy.stacking === "most-specific") numbers.set(collaboratorId, collaborator)
    const terms = termsOf(group, policy)
    found.push({ group, predicate: predicateOf(group), terms, collaborator })
  }
  return new Map(withoutTwins(found).map((candidate) => [candidate.group, candidate]))
}

/** The candidates among some groups. */
const among = (
  groups: ReadonlyArray<ProductGroup>,
  candidates: Candidates,
): ReadonlyArray<Candidate> =>
  groups.map((group) => candidates.get(group)).filter((candidate) => candidate !== undefined)

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
  const predicateOf = (group: ProductGroup) => predicates.ofGroup(group, values)
  const known = yield* candidatesOf(inquiry, predicateOf, budget)
  if (known === undefined) return undecided
  const candidates = among(ranked(rules.groups), known)
  const world = { values, kinds: undefined, from: setting.from }
  const each = { rules, setting, world, product: undefined, candidates, known: [] }
  const answer = yield* answerOf(each, { budget: budget.share(2), spare: budget })
  const witness = typeof answer === "object" ? answer : null
  return { ...undecided, verdict: verdictOf([answer]), witness }
}

/** Products with the same groups, price and cost: what can be claimed of one can be of each. */
type Alike = readonly [Product.Product, ...ReadonlyArray<Product.Product>]

const alike = (
  { kinds }: Assortment,
  all: ReadonlyArray<Product.Product>,
): ReadonlyArray<Alike> => {
  const places = new Map(all.map((product, place) => [product, place]))
  const placeOf = ([first]: Alike) => places.get(first) ?? 0
  const lists = kinds.flatMap(({ products }) => {
    const found = new Map<string, [Product.Product, ...Array<Product.Product>]>()
    for (const product of products) {
      const key = `${product.price} ${product.cost}`
      const list = found.get(key)
      if (list === undefined) found.set(key, [product])
      else list.push(product)
    }
    return [...found.values()]
  })
  return lists.sort((one, other) => placeOf(one) - placeOf(other))
}

function* ofProducts(inquiry: Inquiry, budget: Budget): Steps<OverAllocation> {
  const { setting, ruleSets, work } = inquiry
  const rules = at(ruleSets, 0)
  const products = setting.catalogue?.products ?? []
  const withoutPrice = products.filter(({ price = -1 }) => price < 0).map(Product.keyOf)
  const values = new Values(setting.limits)
  const world = { values, kinds: undefined, from: setting.from }
  const predicateOf = (group: ProductGroup) => predicates.ofLinkedGroup(group, values)
  const assortment = yield* inquiry.assortment(budget)
  const candidates = yield* candidatesOf(inquiry, predicateOf, budget)
  if (assortment === undefined || candidates === undefined) {
    const open = products.map(Product.keyOf)
    return { ...undecided, products: [{ products: open, witness: null }], withoutPrice }
  }
  const lists = alike(assortment, products)
  const known: Array<Sketch> = []
  work.begin("over-allocation", lists.length)
  const answers = yield* answersTo(
    {
      questions: lists,
      answer: ([product], share): Steps<Answer> => {
        const own = among(RuleSet.linkedGroups(rules, product), candidates)
        const each = { rules, setting, world, product, candidates: own, known }
        return answerOf(each, { budget: share, spare: budget })
      },
      isOpen: (answer) => answer === "undecided" || (answer !== "none" && !answer.isSmallest),
    },
    budget,
  )
  const all = best(answers)
  return {
    verdict: verdictOf(answers),
    witness: typeof all === "object" ? all : null,
    products: answers.flatMap((answer, index) => {
      if (answer === "none") return []
      const keys = at(lists, index).map(Product.keyOf)
      return [{ products: keys, witness: typeof answer === "object" ? answer : null }]
    }),
    withoutPrice,
  }
}

/** Whether more can be claimed than there is; what is asked in a check is worked out once for all it looks for. */
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
 * Without a catalogue that is asked of percentages, for any item at any price: the percentages of a stage come
 * to more than 100 %, or those of the shipping do where it is shared. With a catalogue it is asked of one unit
 * of each product at its price, and flat amounts, minimums, costs and deductions count as well. The sales are
 * ordinary ones: no figure is negative, and no discount is larger than what it is on.
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
export const overAllocation = (rules: RuleSet.RuleSet, options: Options = {}): OverAllocation =>
  finish(ask(overAllocationIn, options, rules))
