/** Orders of rules with terms: at which counters they are asked about, and how they are split then. */
import * as Result from "effect/Result"
import { isFields } from "../internal/problems.js"
import { firstSecond, lastSecond } from "../internal/seconds.js"
import type { Order } from "../orders/Order.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import * as RuleSet from "../rules/RuleSet.js"
import * as Split from "../shares/Split.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import { type CountedGroup, type CountedRules, highest } from "../terms/CountedRules.js"
import * as CountedSplit from "../terms/CountedSplit.js"
import type { Counters } from "../terms/Counters.js"
import type { Bands } from "../terms/internal/bands.js"
import { Periods } from "../terms/internal/periods.js"
import type { TermCounters } from "../terms/internal/termCounters.js"
import { countersOf } from "../terms/internal/termRules.js"
import { type AnyRules, payoutOfWitness } from "./Options.js"

/** Whether a value has a field; of one that can't be looked at, reading it tells what is wrong. */
const has = (value: unknown, field: string): boolean => {
  try {
    return isFields(value) && Object.hasOwn(value, field)
  } catch {
    return false
  }
}

const isCounted = (rules: AnyRules): rules is CountedRules => has(rules, "counted")

const isOfCounted = (group: ProductGroup): group is CountedGroup => has(group, "terms")

/** A group as a rule set of its own. */
export const aloneOf = (group: ProductGroup): AnyRules =>
  isOfCounted(group) ? { counted: [group] } : { groups: [group] }

/** The groups as if tiers were their highest percentage, and without caps. */
export const plainOf = (rules: AnyRules): RuleSet.RuleSet =>
  isCounted(rules) ? highest(rules) : rules

/** How rules split an order at some counters. */
export const splitAt = (
  rules: AnyRules,
  order: Order,
  policy: SplitPolicy,
  counters: Counters,
): Result.Result<Split.Split, CountedSplit.CountedError> =>
  isCounted(rules)
    ? Result.map(
        CountedSplit.orderResult(rules, order, policy, counters, { payout: payoutOfWitness }),
        ({ split }) => split,
      )
    : Split.orderResult(rules, order, policy)

/** The time of an order that has none, but is counted by year or month. */
const ordinaryTime = 1_767_225_600

/** A time at which no group with dates is in force, as for an order without a time; `undefined`: there is none. */
const timeOutside = (
  groups: ReadonlyArray<ProductGroup>,
  from: number | undefined,
): number | undefined => {
  const dated = groups.filter(({ startsAt, endsAt }) => startsAt !== null || endsAt !== null)
  const edges = dated.flatMap(({ startsAt, endsAt }) => [
    ...(startsAt === null ? [] : [startsAt - 1]),
    ...(endsAt === null ? [] : [endsAt]),
  ])
  const isOutside = (time: number): boolean =>
    time >= (from ?? firstSecond) &&
    time <= lastSecond &&
    !dated.some(
      ({ startsAt, endsAt }) =>
        (startsAt ?? firstSecond) <= time && time < (endsAt ?? lastSecond + 1),
    )
  return [Math.max(from ?? ordinaryTime, ordinaryTime), ...edges].find(isOutside)
}

/** How far below 0 a counter is, so that a cap leaves everything: returns can bring it there. */
const farBelow = -1_000_000_000_000

/** Every group is counted in the same payout. */
const anyGroup = { id: "", collaboratorId: "" }

/** Where a counter may matter. */
interface Levels {
  /** The bound of the highest percentage; 0 for a cap. */
  readonly best: number
  readonly others: ReadonlyArray<number>
}

const bestOf = ({ from, points }: Bands): number => from[points.indexOf(Math.max(...points))] ?? 0

const levelsOfTiers = (bands: Bands): Levels => ({
  best: bestOf(bands),
  others: bands.from.flatMap((from) => (from === 0 ? [0] : [from, from - 1])),
})

const levelsOfCap = (amount: number): Levels => ({
  best: 0,
  others: [amount, Math.max(0, amount - 1), Math.floor(amount / 2), farBelow],
})

const joined = (one: Levels | undefined, other: Levels): Levels =>
  one === undefined
    ? other
    : { best: one.best, others: [...one.others, other.best, ...other.others] }

/** How many settings of counters are tried on one order. */
const mostSettings = 200

/** Each of some settings once, without counters that stand at 0. */
const distinct = (settings: ReadonlyArray<Counters>): ReadonlyArray<Counters> => {
  const known = new Map<string, Counters>()
  for (const setting of settings) {
    const counted = Object.entries(setting).filter(([, count]) => count !== 0)
    const key = JSON.stringify(counted)
    if (!known.has(key)) known.set(key, Object.fromEntries(counted))
    if (known.size === mostSettings) break
  }
  return [...known.values()]
}

const settingsOf = (levels: ReadonlyMap<string, Levels>): ReadonlyArray<Counters> => {
  const best = Object.fromEntries([...levels].map(([key, each]) => [key, each.best]))
  const caps = [...levels.keys()].filter((key) => levels.get(key)?.others.includes(farBelow))
  const isFree = Object.fromEntries(caps.map((key) => [key, farBelow]))
  const single = [...levels].flatMap(([key, { best, others }]) =>
    [best, ...others].map((count) => ({ [key]: count })),
  )
  return distinct([
    {},
    best,
    { ...best, ...isFree },
    ...single,
    ...single.map((each) => ({ ...best, ...each })),
  ])
}

const isByDate = ({ tierKeys, capKeys }: TermCounters): boolean =>
  [tierKeys, capKeys].some((keys) => keys?.period === "year" || keys?.period === "month")

/** Rules in question, and what there is to know of their counters on one order. */
export class CountedOrders {
  /** Whether no group of any of the rules has terms. */
  readonly isPlain: boolean
  private readonly ruleSets: ReadonlyArray<RuleSet.RuleSet>
  private readonly from: number | undefined
  private readonly periods = new Periods({ payout: payoutOfWitness })
  private outside: { readonly time: number | undefined } | undefined

  constructor(ruleSets: ReadonlyArray<RuleSet.RuleSet>, from: number | undefined) {
    this.ruleSets = ruleSets
    this.from = from
    this.isPlain = !ruleSets.some(({ groups }) => groups.some((group) => countersOf(group)))
  }

  /** The terms of the groups that apply to an order of one item. */
  termsOn(order: Order): ReadonlyArray<TermCounters> {
    if (this.isPlain) return []
    return order.items.flatMap((item) =>
      this.ruleSets.flatMap((rules) =>
        RuleSet.matchingGroups(rules, order, item).flatMap((group) => countersOf(group) ?? []),
      ),
    )
  }

  /** The order with a time, if it has none and is counted by year or month. */
  dated(order: Order): Order {
    if (order.createdAt != null || !this.termsOn(order).some(isByDate)) return order
    this.outside ??= {
      time: timeOutside(
        this.ruleSets.flatMap(({ groups }) => groups),
        this.from,
      ),
    }
    const { time } = this.outside
    return time === undefined ? order : { ...order, createdAt: time }
  }

  /**
   * The counters at which an order is asked about: at 0, each tier at its highest percentage, and others at which a
   * percentage or what is left under a cap changes.
   */
  settings(order: Order): ReadonlyArray<Counters> {
    const terms = this.termsOn(order)
    if (terms.length === 0 || (terms.some(isByDate) && order.createdAt == null)) return [{}]
    this.periods.of(order)
    const levels = new Map<string, Levels>()
    const add = (keys: TermCounters["tierKeys"], found: Levels): void => {
      if (keys === undefined) return
      const key = keys.keyOf(order.currency, this.periods.nameOf(keys.period, anyGroup))
      levels.set(key, joined(levels.get(key), found))
    }
    for (const { bands, tierKeys } of terms) add(tierKeys, levelsOfTiers(bands))
    for (const { terms: own, capKeys } of terms) add(capKeys, levelsOfCap(own.cap?.amount ?? 0))
    return settingsOf(levels)
  }

  /** Amounts that stay within the band of the highest percentage, where that is a narrow one. */
  narrowAmounts(order: Order): ReadonlyArray<number> {
    const widths = this.termsOn(order).flatMap(({ bands, terms }) => {
      const best = bestOf(bands)
      const next = bands.from.find((from) => from > best)
      const points = Math.max(...bands.points)
      if (next === undefined || terms.tiers === null || terms.tiers.counted === "units") return []
      const width = next - best
      return terms.tiers.counted === "base" ? [width] : [Math.floor((width * 10_000) / points)]
    })
    return widths.length === 0 ? [] : [Math.min(...widths)].filter((width) => width > 0)
  }
}
