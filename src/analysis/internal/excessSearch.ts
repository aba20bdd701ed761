import * as Result from "effect/Result"
import { at, entryAt } from "../../internal/at.js"
import { AmountOutOfRange } from "../../money/Cents.js"
import type { Order } from "../../orders/Order.js"
import type * as Product from "../../orders/Product.js"
import { isSplittable } from "../../shares/internal/checkOrder.js"
import { current } from "../../shares/internal/claims.js"
import { type RejectedItem, splitItems } from "../../shares/internal/itemSplit.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Counters } from "../../terms/Counters.js"
import { splitAt } from "../CountedOrders.js"
import type { OverAllocationWitness, Steps } from "../Options.js"
import type { Budget } from "./Budget.js"
import type { Claimant } from "./Claims.js"
import type { Candidate } from "./candidates.js"
import { claimSearch, isHopeful } from "./claimSearch.js"
import { type Excess, excessesOf, isInDoubt } from "./excess.js"
import type { Inquiry } from "./Inquiry.js"
import { type Figures, type OrderShape, orderOf, sizeOf } from "./OrderShape.js"
import * as predicates from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import type { FoundOrder, Premises } from "./smallest.js"

/** The input of a search: the rules, and which of them apply to a product. */
export interface Case {
  /** The rules in question are the first ones. */
  readonly inquiry: Inquiry
  readonly setting: ResolvedOptions
  readonly world: Premises
  readonly product: Product.Product | undefined
  readonly candidates: ReadonlyArray<Candidate>
  /** How many groups the candidates are. */
  readonly groupCount: number
  /** The order that was last found to be over-allocated for a product. */
  readonly known: Array<OrderShape>
}

/** The budget of a search, and the extra budget to find a large order. */
export interface Limits {
  readonly budget: Budget
  readonly spare: Budget
}

export type Answer = OverAllocationWitness | "none" | "undecided"

const currencyOf = ({ catalogue }: ResolvedOptions): string => catalogue?.currency ?? "USD"

/** The policy under which the split refuses an over-allocation. */
const rejecting = ({ policy }: ResolvedOptions): SplitPolicy => ({
  ...policy,
  overAllocation: "reject",
})

type Said = Pick<RejectedItem["over"], "distributable" | "claims"> | "none" | "undecided"

/** The result of splitting an order of one item; `undecided`: its figures are beyond exact arithmetic. */
const saidOf = ({ inquiry, setting }: Case, order: Order, counters: Counters | undefined): Said => {
  if (!isSplittable(order)) return "undecided"
  if (counters !== undefined) {
    const split = splitAt(at(inquiry.given, 0), order, rejecting(setting), counters)
    if (Result.isSuccess(split)) return "none"
    return split.failure._tag === "OverAllocated" ? split.failure : "undecided"
  }
  try {
    const split = splitItems(at(inquiry.ruleSets, 0), order, rejecting(setting), current)
    return "over" in split ? split.over : "none"
  } catch (error) {
    if (error instanceof AmountOutOfRange) return "undecided"
    throw error
  }
}

const answerOn = (
  each: Case,
  order: Order,
  { sketch, isSmallest }: FoundOrder,
  counters: Counters | undefined,
): Answer => {
  const said = saidOf(each, order, counters)
  if (typeof said === "string") return said
  const { distributable, claims } = said
  return {
    ...{ order, attributeCount: sizeOf(sketch), isSmallest, distributable, claims },
    ...(counters === undefined ? {} : { counters }),
  }
}

/** The number of steps for splitting a sale, and for each group that is linked to its product. */
const [stepsForSale, stepsForGroup] = [50, 0.5]

/** The first of the sales, with the attributes of a sketch, that the split finds over-allocated. */
const witnessOf = (each: Case, excess: Excess, found: FoundOrder, budget: Budget): Answer => {
  let answer: Answer = "undecided"
  const { product, inquiry } = each
  const orderAt = (sale: Figures): Order => {
    const figures = { ...sale, currency: currencyOf(each.setting) }
    return inquiry.counted.dated(orderOf(found.sketch, each.world.values, { figures, product }))
  }
  const sales = excess.figures().map(orderAt)
  const [like] = sales
  const isCounted = like !== undefined && inquiry.counted.termsOn(like).length > 0
  const narrow = isCounted && product === undefined ? inquiry.counted.narrowAmounts(like) : []
  const settings = isCounted ? inquiry.counted.settings(like) : [undefined]
  const all = [...sales, ...narrow.map((amount) => orderAt({ amount }))]
  for (const counters of settings) {
    for (const order of all) {
      budget.take(stepsForSale + stepsForGroup * each.groupCount)
      const said = answerOn(each, order, found, counters)
      if (typeof said === "object") return said
      if (said === "none") answer = said
    }
  }
  return answer
}

/** How many numbers two sorted lists have in common. */
const common = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number => {
  let [count, place] = [0, 0]
  for (const number of other) {
    while (place < one.length && entryAt(one, place) < number) place += 1
    if (one[place] === number) count += 1
  }
  return count
}

/** The claimants on a partial order, each group of a crowd on its own. */
const countingOn = (
  claimants: ReadonlyArray<Claimant>,
  { values, at }: OrderShape,
): ReadonlyArray<Claimant> => {
  const present = new Set(values)
  const known = new Set<number>()
  return claimants.flatMap((claimant) => {
    const { predicate, collaborator, members } = claimant
    if (members.length > 0) {
      if (!predicates.isInForce(predicate, at)) return []
      return Array.from({ length: common(members, values) }, () => claimant)
    }
    if (known.has(collaborator) || !predicates.applies(predicate, present, at)) return []
    known.add(collaborator)
    return [claimant]
  })
}

/** An order with fewer than so many attributes. */
function* search(
  each: Case,
  excess: Excess,
  { budget, spare }: Limits,
  fewerThan: number,
): Steps<Answer> {
  const { claimants, limit, isHopeless } = excess
  let isOpen = false
  let witness: OverAllocationWitness | undefined
  const isMet = (values: ReadonlyArray<number>, at: number | null): boolean => {
    const sketch = { values, at, kind: undefined }
    const said = witnessOf(each, excess, { sketch, isSmallest: true }, budget)
    isOpen ||=
      said === "undecided" ||
      (said === "none" && !excess.isSound(countingOn(claimants, sketch).map(({ terms }) => terms)))
    if (typeof said === "object") witness = said
    return typeof said === "object"
  }
  const question = { claimants, limit, isMet, isHopeless }
  const found = yield* claimSearch(question, each.world, { budget, spare, fewerThan })
  if (typeof found !== "object") return isOpen ? "undecided" : found
  each.known[0] = found.sketch
  // The last order that met the question is the one that was found.
  return { ...at([witness], 0), isSmallest: found.isSmallest && !isOpen }
}

/** The smallest order, of fewer than so many attributes, that is over-allocated in any of some ways. */
function* smallestOf(
  each: Case,
  excesses: ReadonlyArray<Excess>,
  { budget, spare }: Limits,
  fewerThan: number,
): Steps<Answer> {
  const { candidates, product, setting } = each
  let found: Answer = "none"
  let isOpen = isInDoubt(candidates, product, setting)
  for (const [index, excess] of excesses.entries()) {
    const fewer: number = typeof found === "object" ? found.attributeCount : fewerThan
    const limits = { budget: budget.share(excesses.length - index), spare }
    const answer: Answer = yield* search(each, excess, limits, fewer)
    isOpen ||= answer === "undecided" || (typeof answer === "object" && !answer.isSmallest)
    if (typeof answer === "object") found = answer
  }
  if (typeof found !== "object") return isOpen ? "undecided" : "none"
  return { ...found, isSmallest: found.attributeCount === 0 || !isOpen }
}

/** The ways in which a partial order seems to be over-allocated. */
const seemingOn = (
  sketch: OrderShape,
  excesses: ReadonlyArray<Excess>,
  budget: Budget,
): ReadonlyArray<Excess> =>
  excesses.filter(({ claimants, limit }) => {
    budget.take(claimants.length / 2)
    const counting = countingOn(claimants, sketch)
    return counting.reduce((sum, { claimed }) => sum + claimed, 0) > limit
  })

/** The smallest order with any kind of over-allocation. */
export function* answerOf(each: Case, limits: Limits): Steps<Answer> {
  const { candidates, product, setting } = each
  const [known] = each.known
  const { budget, spare } = limits
  const all = excessesOf(candidates, product, setting)
  if (!budget.take(all.length * candidates.length)) return "undecided"
  const excesses = all.filter(isHopeful)
  const seeming = known === undefined ? [] : seemingOn(known, excesses, budget)
  if (known !== undefined && seeming.length > 0) {
    const answer = yield* smallestOf(each, excesses, limits, sizeOf(known))
    if (typeof answer === "object") return answer
    const isSmallest = answer === "none" || sizeOf(known) === 0
    for (const excess of seeming) {
      const said = witnessOf(each, excess, { sketch: known, isSmallest }, spare)
      if (typeof said === "object") return said
    }
  }
  return yield* smallestOf(each, excesses, limits, Number.POSITIVE_INFINITY)
}
