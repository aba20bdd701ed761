import { doubleAt, numberAt } from "../../internal/at.js"
import * as Percent from "../../money/Percent.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { LeftOver } from "./LeftOver.js"
import { mostCents } from "./PlainOrders.js"
import type { SplitOutput } from "./SplitOutput.js"
import {
  type SplitPlans,
  withDeducting,
  withFlats,
  withLimits,
  withShippingFlats,
} from "./SplitPlans.js"

/** A line's figures before it is split, in the sign of its amount. */
export interface LineFigures {
  sign: number
  quantity: number
  base: number
  distributable: number
  shipping: number
}

/** Not as low as the claims of any group. */
const tooMuch = Number.POSITIVE_INFINITY

const isTooMuch = (cents: number): boolean => cents > mostCents || cents < -mostCents

/**
 * Splits a line by its plan, as `shares/internal/claims` does, in ordinary numbers and without objects. Whatever is not
 * usual (amounts that may not be exact in ordinary numbers, claims beyond what the line brought in) is left to that.
 */
export class LineClaims {
  private readonly plans: SplitPlans
  private readonly policy: SplitPolicy
  private readonly output: SplitOutput
  private readonly leftOver = new LeftOver()
  private claims = new Float64Array(64)
  private parts = new Float64Array(64)
  private shipped = new Float64Array(64)

  constructor(plans: SplitPlans, policy: SplitPolicy, output: SplitOutput) {
    this.plans = plans
    this.policy = policy
    this.output = output
  }

  /** Adds the line with its shares to the output; false where it is left to the core. */
  split(plan: number, figures: LineFigures): boolean {
    const { plans, policy } = this
    const flags = plans.flagsOf(plan)
    if (isTooMuch(figures.base) || isTooMuch(figures.shipping)) return false
    if (policy.flatScope === "order" && (flags & withFlats) !== 0) return false
    const start = plans.startOf(plan)
    const count = plans.endOf(plan) - start
    if (count > this.claims.length) this.makeRoom(count)
    const excess =
      (flags & withDeducting) === 0
        ? this.claimAtOnce(plan, start, count, figures)
        : this.claimInStages(plan, start, count, figures)
    if (excess === tooMuch) return false
    const isShared = policy.shipping === "share" || policy.shipping === "charge"
    const isShipped = isShared && (figures.shipping !== 0 || (flags & withShippingFlats) !== 0)
    if (!isShipped) this.shipped.fill(0, 0, count)
    else if (!this.claimShipping(start, count, figures)) return false
    return this.pay(start, count, figures, excess > 0)
  }

  /** Writes the claims down, when they are within what the line brought in or the policy allows that they are not. */
  private pay(start: number, count: number, figures: LineFigures, isOver: boolean): boolean {
    const { plans, policy, output, claims, shipped } = this
    const { planGroups } = plans
    const { sign, distributable } = figures
    output.makeRoom(count)
    let paid = 0
    for (let at = 0; at < count; at += 1) {
      const shipping = doubleAt(shipped, at)
      const claim = doubleAt(claims, at) + shipping
      paid += claim
      output.addShare(numberAt(planGroups, start + at), sign * claim, sign * shipping)
    }
    if (!Number.isSafeInteger(paid)) return false
    const payable = Math.max(0, distributable)
    if (policy.overAllocation === "scale") {
      // Claims may fit only after rounding, and goods and shipping were each rounded by less than a cent.
      if (paid + 2 * count > payable) return false
    } else if (policy.overAllocation !== "allow" && (isOver || paid > payable)) return false
    output.endLine(sign * (distributable - paid))
    return true
  }

  /** The claims where no group deducts; above 0 when the percentages come to more than all. */
  private claimAtOnce(plan: number, start: number, count: number, figures: LineFigures): number {
    const { plans, claims } = this
    const { remainders } = this.leftOver
    const { planPoints } = plans
    const { base } = figures
    let sum = 0
    for (let at = 0; at < count; at += 1) {
      const product = base * doubleAt(planPoints, start + at)
      const part = Math.floor(product / Percent.whole)
      const remainder = product - part * Percent.whole
      claims[at] = part
      remainders[at] = remainder
      sum += remainder
    }
    if (sum > 0 && this.policy.rounding !== "floor") this.leftOver.give(claims, count, sum)
    if ((plans.flagsOf(plan) & (withFlats | withLimits)) !== 0) {
      for (let at = 0; at < count; at += 1) {
        const group = numberAt(plans.planGroups, start + at)
        const claim = this.limited(group, doubleAt(claims, at), base, figures.quantity)
        if (isTooMuch(claim)) return tooMuch
        claims[at] = claim
      }
    }
    return base > 0 ? plans.sharingPointsOf(plan) - Percent.whole : 0
  }

  private claimInStages(plan: number, start: number, count: number, figures: LineFigures): number {
    const { plans } = this
    const { base } = figures
    const deducted = this.claimStage(start, count, { base, figures, stage: 1 })
    const left = Math.max(0, base - deducted)
    if (deducted === tooMuch || isTooMuch(left)) return tooMuch
    if (this.claimStage(start, count, { base: left, figures, stage: 0 }) === tooMuch) return tooMuch
    return Math.max(
      base > 0 ? plans.deductingPointsOf(plan) - Percent.whole : 0,
      left > 0 ? plans.sharingPointsOf(plan) - Percent.whole : 0,
    )
  }

  /** The claims of the deducting groups (stage 1) or of the others (stage 0); their sum. */
  private claimStage(
    start: number,
    count: number,
    {
      base,
      figures,
      stage,
    }: { readonly base: number; readonly figures: LineFigures; readonly stage: number },
  ): number {
    const { plans, claims, parts } = this
    const { remainders } = this.leftOver
    const { planGroups, planPoints } = plans
    let sum = 0
    let members = 0
    for (let at = 0; at < count; at += 1) {
      if (plans.columns.deducting[numberAt(planGroups, start + at)] !== stage) continue
      const product = base * doubleAt(planPoints, start + at)
      const part = Math.floor(product / Percent.whole)
      parts[members] = part
      remainders[members] = product - part * Percent.whole
      sum += doubleAt(remainders, members)
      members += 1
    }
    if (sum > 0 && this.policy.rounding !== "floor") this.leftOver.give(parts, members, sum)
    let claimed = 0
    let member = 0
    for (let at = 0; at < count; at += 1) {
      const group = numberAt(planGroups, start + at)
      if (plans.columns.deducting[group] !== stage) continue
      const claim = this.limited(group, doubleAt(parts, member), base, figures.quantity)
      if (isTooMuch(claim)) return tooMuch
      claims[at] = claim
      claimed += claim
      member += 1
    }
    return claimed
  }

  /** What a group earns for goods, with its flat amount and within its limits. */
  private limited(group: number, part: number, base: number, quantity: number): number {
    const { columns } = this.plans
    const flat = doubleAt(columns.flats, group)
    const flatTotal = this.policy.flatScope === "unit" ? flat * quantity : flat
    if (isTooMuch(flatTotal)) return tooMuch
    const earned = part + flatTotal
    const isOfNothing = flatTotal === 0 && (base === 0 || columns.basisPoints[group] === 0)
    const least = doubleAt(columns.least, group)
    const raised = earned < least && !isOfNothing ? least : earned
    return Math.min(raised, doubleAt(columns.most, group))
  }

  private claimShipping(start: number, count: number, figures: LineFigures): boolean {
    const { plans, shipped } = this
    const { remainders } = this.leftOver
    const { shippingBasisPoints, shippingFlats } = plans.columns
    const { planGroups } = plans
    const size = Math.abs(figures.shipping)
    let sum = 0
    for (let at = 0; at < count; at += 1) {
      const product = size * doubleAt(shippingBasisPoints, numberAt(planGroups, start + at))
      const part = Math.floor(product / Percent.whole)
      shipped[at] = part
      remainders[at] = product - part * Percent.whole
      sum += doubleAt(remainders, at)
    }
    if (sum > 0 && this.policy.rounding !== "floor") this.leftOver.give(shipped, count, sum)
    const side = this.policy.shipping === "charge" ? -1 : 1
    const sign = figures.shipping < 0 ? -1 : 1
    for (let at = 0; at < count; at += 1) {
      const flat = doubleAt(shippingFlats, numberAt(planGroups, start + at)) * figures.quantity
      if (isTooMuch(flat)) return false
      shipped[at] = side * (sign * doubleAt(shipped, at) + flat)
    }
    return true
  }

  private makeRoom(claims: number): void {
    this.claims = new Float64Array(claims * 2)
    this.parts = new Float64Array(claims * 2)
    this.shipped = new Float64Array(claims * 2)
    this.leftOver.makeRoom(claims * 2)
  }
}
