/**
 * Whether more can be claimed of an item than it brings in.
 *
 * @since 0.5.0
 */
import * as Result from "effect/Result"
import type { ProductGroup } from "../groups/ProductGroup.js"
import type { Order } from "../matching/Order.js"
import * as Product from "../matching/Product.js"
import * as RuleSet from "../matching/RuleSet.js"
import * as Split from "../shares/Split.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import { claimSearch, type FoundOrder } from "./internal/claimSearch.js"
import { type Candidate, type Excess, excessesOf, isInDoubt } from "./internal/excess.js"
import { orderOf } from "./internal/orders.js"
import { ranked } from "./internal/Parts.js"
import * as predicates from "./internal/Predicate.js"
import { type Setting, settingOf } from "./internal/Setting.js"
import { Budget, type Sketch, sizeOf } from "./internal/Sketch.js"
import type { World } from "./internal/smallest.js"
import { type Terms, termsOf } from "./internal/terms.js"
import { Values } from "./internal/Values.js"
import type { Options } from "./Options.js"
import type { Witness } from "./Witness.js"

/**
 * An order on which more is claimed of the item than there is, as the split itself reckons it.
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

/** The first of the sales, with the attributes of a sketch, that the split finds over-allocated. */
const witnessOf = (each: Case, excess: Excess, found: FoundOrder): Answer => {
  let answer: Answer = "undecided"
  for (const sale of excess.figures) {
    const figures = { ...sale, currency: currencyOf(each.setting) }
    const order = orderOf(found.sketch, each.world.values, { figures, product: each.product })
    const said = answerOn(each, order, found)
    if (typeof said === "object") return said
    if (said === "none") answer = said
  }
  return answer
}

/** What the groups pay that count on an order in outline. */
const countingOn = (
  { candidates, setting }: Case,
  { values, at }: Sketch,
): ReadonlyArray<Terms> => {
  const present = new Set(values)
  const known = new Set<number>()
  return candidates.flatMap(({ group, predicate, collaborator }) => {
    if (known.has(collaborator) || !predicates.applies(predicate, present, at)) return []
    known.add(collaborator)
    return [termsOf(group, setting.policy)]
  })
}

/** How far to look for a sale with too many claims. */
interface Limits {
  readonly steps: number
  readonly fewerThan: number
}

const search = (each: Case, excess: Excess, { steps, fewerThan }: Limits): Answer => {
  const { claimants, limit, isHopeless } = excess
  let isOpen = false
  const isMet = (values: ReadonlyArray<number>, at: number | null): boolean => {
    const sketch = { values, at, kind: undefined }
    const said = witnessOf(each, excess, { sketch, isSmallest: true })
    isOpen ||=
      said === "undecided" || (said === "none" && !excess.isSound(countingOn(each, sketch)))
    return typeof said === "object"
  }
  const question = { claimants, limit, isMet, isHopeless }
  const found = claimSearch(question, each.world, { budget: new Budget(steps), fewerThan })
  if (typeof found === "object") {
    return witnessOf(each, excess, { ...found, isSmallest: found.isSmallest && !isOpen })
  }
  return isOpen ? "undecided" : found
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

const answerOf = (each: Case, steps: number): Answer => {
  const excesses = excessesOf(each.candidates, each.product, each.setting)
  const isOpen = isInDoubt(each.candidates, each.product, each.setting)
  const answers: Array<Answer> = isOpen ? ["undecided"] : []
  let fewerThan = Number.POSITIVE_INFINITY
  for (const excess of excesses) {
    const limits = { steps: Math.ceil(steps / excesses.length), fewerThan }
    const answer = search(each, excess, limits)
    answers.push(answer)
    if (typeof answer === "object") fewerThan = answer.attributeCount
  }
  return best(answers)
}

/** Numbers groups so that those of which one counts at most have the same number. */
const candidatesOf = (
  groups: ReadonlyArray<ProductGroup>,
  predicateOf: (group: ProductGroup) => predicates.Predicate,
  { policy }: Setting,
): ReadonlyArray<Candidate> => {
  const numbers = new Map<string, number>()
  return groups.map((group, index) => {
    const { collaboratorId } = group
    const collaborator = numbers.get(collaboratorId) ?? index
    if (policy.stacking === "most-specific") numbers.set(collaboratorId, collaborator)
    return { group, predicate: predicateOf(group), collaborator }
  })
}

/** Products with the same groups, price and cost: what can be claimed of one can be of each. */
const alike = (
  rules: RuleSet.RuleSet,
  products: ReadonlyArray<Product.Product>,
): ReadonlyArray<readonly [Product.Product, ...ReadonlyArray<Product.Product>]> => {
  const lists = new Map<string, [Product.Product, ...Array<Product.Product>]>()
  for (const product of products) {
    const ids = RuleSet.linkedGroups(rules, product).map((group) => group.id)
    const key = JSON.stringify([product.price, product.cost, ids])
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [product])
    else list.push(product)
  }
  return [...lists.values()]
}

const ofAnything = (rules: RuleSet.RuleSet, setting: Setting): OverAllocation => {
  const values = new Values(setting.limits)
  const predicateOf = (group: ProductGroup) => predicates.ofGroup(group, values)
  const candidates = candidatesOf(ranked(rules.groups), predicateOf, setting)
  const world = { values, kinds: undefined, from: setting.from }
  const answer = answerOf({ rules, setting, world, product: undefined, candidates }, setting.budget)
  const witness = typeof answer === "object" ? answer : null
  return { verdict: verdictOf([answer]), witness, products: [], withoutPrice: [] }
}

const verdictOf = (answers: ReadonlyArray<Answer>): OverAllocation["verdict"] => {
  if (answers.some((answer) => typeof answer === "object")) return "possible"
  return answers.includes("undecided") ? "undecided" : "impossible"
}

const ofProducts = (
  rules: RuleSet.RuleSet,
  setting: Setting,
  products: ReadonlyArray<Product.Product>,
): OverAllocation => {
  const values = new Values(setting.limits)
  const world = { values, kinds: undefined, from: setting.from }
  const known = new Map<ProductGroup, predicates.Predicate>()
  const predicateOf = (group: ProductGroup): predicates.Predicate => {
    const predicate = known.get(group) ?? predicates.ofLinkedGroup(group, values)
    known.set(group, predicate)
    return predicate
  }
  const lists = alike(rules, products)
  const steps = Math.ceil(setting.budget / Math.max(1, lists.length))
  const answers = lists.map((list) => {
    const [product] = list
    const groups = RuleSet.linkedGroups(rules, product)
    const candidates = candidatesOf(groups, predicateOf, setting)
    const answer = answerOf({ rules, setting, world, product, candidates }, steps)
    return { answer, products: list.map(Product.keyOf) }
  })
  const all = best(answers.map(({ answer }) => answer))
  return {
    verdict: verdictOf(answers.map(({ answer }) => answer)),
    witness: typeof all === "object" ? all : null,
    products: answers.flatMap(({ answer, products }) =>
      answer === "none" ? [] : [{ products, witness: typeof answer === "object" ? answer : null }],
    ),
    withoutPrice: products.filter(({ price = -1 }) => price < 0).map(Product.keyOf),
  }
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
export const overAllocation = (rules: RuleSet.RuleSet, options: Options = {}): OverAllocation => {
  const setting = settingOf(options, rules)
  const { catalogue } = setting
  return catalogue === undefined
    ? ofAnything(rules, setting)
    : ofProducts(rules, setting, catalogue.products)
}
