/** Orders that are counted one after another: what each group claims depends on what was counted before. */
import { refusal, show } from "../../internal/problems.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Order } from "../../orders/Order.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import {
  type Claim,
  claimStage,
  current,
  type Edition,
  earn,
  type Fraction,
} from "../../shares/internal/claims.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { type CounterChange, InvalidCounters } from "../Counters.js"
import { Count, type CountsBefore } from "./Count.js"
import type { OrderPeriods } from "./periods.js"
import { TermedGroup } from "./TermedGroup.js"
import type { CountedTerms, CounterKeys } from "./termCounters.js"

/** The exact percent share of any claim. */
const exactly = ({ exactly, base, basisPoints }: Claim, stageBase: number): Fraction =>
  exactly ?? {
    amount: BigInt(stageBase || base) * BigInt(basisPoints),
    unit: BigInt(Percent.whole),
  }

/** The claims of a stage with an amount that was divided at a bound, rounded together with the store's rest. */
const claimDivided = (
  claims: ReadonlyArray<Claim>,
  base: number,
  rounding: SplitPolicy["rounding"],
): number => {
  const asked = claims.map((claim) => exactly(claim, base))
  const units = new Set(asked.map(({ unit }) => unit))
  const unit = [...units].reduce((one, other) => one * other)
  const wholes = asked.map((each) => each.amount * (unit / each.unit))
  const parts = wholes.map((part) => Number(part / unit))
  const remainders = wholes.map((part) => part % unit)
  if (rounding !== "floor") {
    const left = remainders.reduce((sum, each) => sum + each, 0n)
    const cents = (left + unit - 1n) / unit
    parts.push(0)
    remainders.push(cents * unit - left)
    exact.giveLeftOver(parts, remainders, Number(cents))
  }
  earn(claims, base, parts)
  const sum = wholes.reduce((total, part) => total + part, 0n)
  // Rounded up, so that it is more than 100 % exactly where the shares are more than their base.
  const whole = unit * BigInt(base)
  return Number((sum * BigInt(Percent.whole) + whole - 1n) / whole)
}

const notWhole = (key: string, count: unknown): InvalidCounters => {
  const message = `must be a whole number within ±${Number.MAX_SAFE_INTEGER}, got ${show(count)}`
  return refusal(InvalidCounters)([{ path: key, value: count, message }])
}

/** Counts orders, one after another. */
export class OrderCounts {
  /** The rules of splitting, with claims that are counted. */
  readonly edition: Edition
  private readonly terms: CountedTerms
  private readonly before: CountsBefore
  private readonly periods: OrderPeriods
  private readonly groups = new Map<ProductGroup, TermedGroup>()
  private readonly counts = new Map<CounterKeys, Count>()
  private order = 0
  private currency = ""
  private counters: Array<Count> = []

  constructor(terms: CountedTerms, before: CountsBefore, periods: OrderPeriods) {
    this.terms = terms
    this.before = before
    this.periods = periods
    this.edition = {
      ...current,
      claimStage: (claims, base, rounding, { item, sign }) => {
        const on = { quantity: item.quantity, sign }
        let isDivided = false
        let isLimiting = false
        for (const claim of claims) {
          const termed = this.termedOf(claim.group)
          if (termed === undefined) continue
          this.reach(termed, claim.group)
          if (termed.begin(claim, base, on)) isDivided = true
          if (termed.isLimiting) isLimiting = true
        }
        const points = isDivided
          ? claimDivided(claims, base, rounding)
          : claimStage(claims, base, rounding)
        if (sign === 1 && isLimiting) {
          for (const claim of claims) claim.terms?.limit(claim)
        }
        return points
      },
    }
  }

  /** Begins an order. */
  start(order: Order): void {
    this.periods.of(order)
    this.order += 1
    this.currency = order.currency
    this.counters = []
  }

  /** What the order has made of the counters. */
  get after(): ReadonlyArray<CounterChange> {
    return this.counters.map(({ key, now }) => ({ key, count: now }))
  }

  /** Keeps that, where the tally lets its counters be kept. */
  keep(): void {
    for (const { kept, now } of this.counters) if (kept !== undefined) kept.count = now
  }

  /** A group that is about to claim; `undefined` without terms. */
  private termedOf(claiming: ProductGroup): TermedGroup | undefined {
    const known = this.groups.get(claiming)
    if (known !== undefined) return known
    const group = this.terms.get(claiming)
    if (group === undefined) return undefined
    const termed = new TermedGroup(group, this.countOf(group.tierKeys), this.countOf(group.capKeys))
    this.groups.set(claiming, termed)
    return termed
  }

  private countOf(keys: CounterKeys | undefined): Count | undefined {
    if (keys === undefined) return undefined
    const known = this.counts.get(keys)
    if (known !== undefined) return known
    const count = new Count(keys)
    this.counts.set(keys, count)
    return count
  }

  /** Brings the counters of a group to where the orders before have left them. */
  private reach({ tier, cap }: TermedGroup, group: ProductGroup): void {
    if (tier !== undefined && tier.order !== this.order) this.reachCount(tier, group)
    if (cap !== undefined && cap.order !== this.order) this.reachCount(cap, group)
  }

  private reachCount(count: Count, group: ProductGroup): void {
    const { keys } = count
    const key = keys.keyOf(this.currency, this.periods.nameOf(keys.period, group))
    if (key !== count.key) {
      count.key = key
      count.kept = this.before.counterAt?.(key)
    }
    const now = count.kept === undefined ? this.before.at(key) : (count.kept.count ?? 0)
    if (!Number.isSafeInteger(now)) throw notWhole(key, now)
    count.order = this.order
    count.now = now
    count.claimed = 0
    this.counters.push(count)
  }
}
