import * as Result from "effect/Result"
import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import { whole } from "../../money/Percent.js"
import type { Order } from "../../orders/Order.js"
import type * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { CountedError } from "../../terms/CountedSplit.js"
import * as Counters from "../../terms/Counters.js"
import { splitAt } from "../CountedOrders.js"
import type { AnyRules, Steps, Witness } from "../Options.js"
import type { Budget } from "./Budget.js"
import type { GroupsPart, Inquiry } from "./Inquiry.js"
import { type Figures, type OrderShape, orderOf, sizeOf } from "./OrderShape.js"
import type { Wanted } from "./Outline.js"
import { type Asking, GroupRow } from "./Predicate.js"
import type { ResolvedOptions } from "./ResolvedOptions.js"
import { isFound, isNone, smallest } from "./smallest.js"
import { type Terms, termsOf } from "./terms.js"

/** Amounts on which percentages differ, or are rounded differently. */
const amounts = [
  ...[10_000, 1_000_000, 100, 1_000, 9_999, 10_001, 1, 2, 3, 5, 7, 33, 50, 51, 99, 101],
  ...[123_457, 100_000_000, 10_000_000_000, 90_000_000_000_000],
]

/** Amounts around those at which a limit begins or ceases to apply. */
const aroundLimits = ({ basisPoints, least, most }: Terms): ReadonlyArray<number> =>
  [least, most]
    .filter((limit) => limit > 0)
    .flatMap((limit) => [limit, Math.ceil((limit / basisPoints) * whole)])
    .flatMap((amount) => [amount - 1, amount, amount + 1, amount * 10])

/** Sales that reveal differences between terms, the plainest one first. */
export const tellingSales = (
  terms: ReadonlyArray<Terms>,
  policy: SplitPolicy,
): ReadonlyArray<Figures> => {
  const all = [...amounts, ...terms.flatMap(aroundLimits)].filter(Number.isSafeInteger)
  const plain = [...new Set(all)].map((amount): Figures => ({ amount }))
  const several = [2, 3, 10].map((quantity): Figures => ({ amount: 10_000 * quantity, quantity }))
  if (policy.shipping === "store") return [...plain, ...several]
  const shipped = plain.flatMap(
    ({ amount }): ReadonlyArray<Figures> => [
      { amount, shippingAmount: 1_000 },
      { amount, shippingAmount: 999_999 },
    ],
  )
  return [...plain, ...several, ...shipped, { amount: 0, shippingAmount: 101 }]
}

type SplitAnswer = Result.Result<Split.Split, CountedError>

/** What each collaborator gets, as a text; a collaborator who gets nothing is left out. */
const paidBy = (split: Split.Split): string => {
  const amounts = new Map<string, Array<number>>()
  for (const { collaboratorId, amount } of split.shares) {
    const list = amounts.get(collaboratorId)
    if (list === undefined) amounts.set(collaboratorId, [amount])
    else list.push(amount)
  }
  const sums = [...amounts].map(([id, list]): readonly [string, string] => [
    id,
    String(exact.sum(list)),
  ])
  return JSON.stringify(sums.filter(([, sum]) => sum !== "0").sort())
}

const isOutOfRange = (answer: SplitAnswer): boolean =>
  Result.isFailure(answer) && answer.failure._tag === "AmountOutOfRange"

/**
 * Whether two rule sets pay everyone the same for an order of one item, at the same counters. Two refusals are the same;
 * where one of them can't compute with such large figures, the answer is undecided.
 */
export const isSameSplit = (
  sides: readonly [AnyRules, AnyRules],
  order: Order,
  policy: SplitPolicy,
  counters: Counters.Counters = Counters.none,
): boolean => {
  const one = splitAt(sides[0], order, policy, counters)
  const other = splitAt(sides[1], order, policy, counters)
  if (isOutOfRange(one) || isOutOfRange(other)) return true
  if (Result.isFailure(one)) return Result.isFailure(other)
  return Result.isSuccess(other) && paidBy(one.success) === paidBy(other.success)
}

/** The fraction of all steps that a search for one pair may take. */
const share = 1_000

/** The minimum number of steps. */
const leastSteps = 5_000

/** The number of steps for splitting a sale by both rule sets. */
const stepsForSale = 100

/** All groups of two rule sets in one part. */
interface Whole {
  readonly part: GroupsPart
  /** The groups of a part, as they are in the whole. */
  readonly these: (list: ReadonlyArray<Asking>) => ReadonlyArray<Asking>
}

/** An order to which groups apply as required, or that there is none, or that the search was given up. */
export type Met = OrderShape | "none" | "undecided"

/** The groups that must not apply, in a list. */
const hiddenBy = ({ not }: Pick<Wanted, "not">): ReadonlyArray<Asking> =>
  not.flatMap(({ row, before }) => row.list.slice(0, before))

/** Some groups none of which must apply. */
export const noneOf = (list: ReadonlyArray<Asking>): Wanted["not"] => [
  { row: new GroupRow(list), before: list.length },
]

/** The comparison of two rule sets, which searches for orders that they split differently. */
export class Comparison {
  readonly setting: ResolvedOptions
  readonly budget: Budget
  /** The smallest order that was found. */
  witness: Omit<Witness, "isSmallest"> | undefined
  /** Pairs by which the rules differ, with no order known on which anyone is paid differently. */
  readonly masked: Array<OrderShape> = []
  /** Whether a search was given up. */
  isGivenUp = false
  private readonly inquiry: Inquiry
  private gathered: Whole | undefined

  constructor(inquiry: Inquiry) {
    this.inquiry = inquiry
    this.setting = inquiry.setting
    this.budget = inquiry.budget()
  }

  /** Counts some steps, and may yield; false when too few were left. */
  *take(steps: number): Steps<boolean> {
    const { budget } = this
    if (budget.work.isDue) yield budget.work.turn()
    return budget.take(steps)
  }

  /** The smallest order to which some groups apply and some do not. */
  *meeting({ world }: GroupsPart, wanted: Wanted): Steps<Met> {
    const steps = Math.max(leastSteps, Math.ceil(this.setting.budget / share))
    const found = yield* smallest(wanted, world, this.budget.part(steps))
    if (isNone(found)) return "none"
    if (!isFound(found) || !found.isSmallest) this.isGivenUp = true
    return isFound(found) ? found.sketch : found
  }

  /** Whether an order with the sketch's attributes is no smaller than the witness so far. */
  isLarge(sketch: OrderShape): boolean {
    return this.witness !== undefined && sizeOf(sketch) >= this.witness.attributeCount
  }

  private get sides(): readonly [AnyRules, AnyRules] {
    const { given } = this.inquiry
    return [at(given, 0), at(given, 1)]
  }

  /** Looks for a sale with the sketch's attributes that the rule sets split differently, and keeps it. */
  *try(
    part: GroupsPart,
    sketch: OrderShape,
    groups: ReadonlyArray<Asking>,
    more: ReadonlyArray<Figures> = [],
  ): Steps<boolean> {
    const { setting, sides } = this
    const { counted } = this.inquiry
    const terms = groups.map(({ group }): Terms => termsOf(group, setting.policy))
    const product = sketch.kind === undefined ? undefined : part.products[sketch.kind]
    const orders = [...tellingSales(terms, setting.policy), ...more].map((sale) => {
      const figures = { ...sale, currency: setting.catalogue?.currency }
      return counted.dated(orderOf(sketch, part.world.values, { figures, product }))
    })
    const isCounted = counted.termsOn(at(orders, 0)).length > 0
    for (const counters of isCounted ? counted.settings(at(orders, 0)) : [Counters.none]) {
      for (const order of orders) {
        if (!(yield* this.take(stepsForSale))) return false
        if (isSameSplit(sides, order, setting.policy, counters)) continue
        if (!this.isLarge(sketch)) {
          this.witness = {
            order,
            attributeCount: sizeOf(sketch),
            ...(isCounted ? { counters } : {}),
          }
        }
        return true
      }
    }
    return false
  }

  /** All groups of both rule sets together, for questions that concern several collaborators. */
  *whole(): Steps<Whole | undefined> {
    if (this.gathered !== undefined) return this.gathered
    const part = yield* this.inquiry.whole(this.budget)
    if (part === undefined) return undefined
    const all = part.rows.flatMap(({ list }) => list)
    const known = new Map(all.map((asking) => [asking.group, asking]))
    const these = (list: ReadonlyArray<Asking>) =>
      list.map(({ group }) => known.get(group)).filter((asking) => asking !== undefined)
    this.gathered = { part, these }
    return this.gathered
  }

  /** The same question about groups of parts, asked of the whole. */
  *inWhole(questions: ReadonlyArray<Pick<Wanted, "apply" | "not">>): Steps<InWhole | undefined> {
    const whole = yield* this.whole()
    const hidden = questions.flatMap(hiddenBy)
    if (whole === undefined || !(yield* this.take(hidden.length))) return undefined
    const apply = whole.these(questions.flatMap((question) => question.apply))
    return { part: whole.part, wanted: { apply, not: noneOf(whole.these(hidden)) } }
  }
}

/** A question about all groups. */
export interface InWhole {
  readonly part: GroupsPart
  readonly wanted: Wanted
}
