import { doubleAt, numberAt } from "../../internal/at.js"
import * as Percent from "../../money/Percent.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { mostCents } from "./PlainOrders.js"
import { type Plans, withDeducting, withFlats, withLimits, withShippingFlats } from "./Plans.js"
import type { SplitOutput } from "./SplitOutput.js"

/** Up to this many parts get their cents one by one. */
const few = 6

/**
 * The cents that rounding percentages down leaves over: they go to the largest remainders, of equal ones to the first. The
 * store's rest has a remainder too, and is the last.
 */
class LeftOver {
  /** Of the percentages, in ten thousandths of a cent. */
  remainders: Float64Array = new Float64Array(64)

  makeRoom(parts: number): void {
    if (parts < this.remainders.length) return
    this.remainders = new Float64Array(parts * 2 + 1)
  }

  /** Adds the cents to the first parts, whose remainders come to a sum. */
  give(parts: Float64Array, count: number, sum: number): void {
    const cents = Math.ceil(sum / Percent.whole)
    const ofStore = cents * Percent.whole - sum
    if (count === 1) {
      if (doubleAt(this.remainders, 0) >= ofStore) parts[0] = doubleAt(parts, 0) + 1
    } else if (count <= few) this.giveOneByOne(parts, count, { ofStore, cents })
    else this.giveAbove(parts, count, { ofStore, cents })
  }

  private giveOneByOne(
    parts: Float64Array,
    count: number,
    { ofStore, cents }: { readonly ofStore: number; readonly cents: number },
  ): void {
    const { remainders } = this
    let rest = ofStore
    for (let left = cents; left > 0; left -= 1) {
      let best = -1
      let most = rest
      for (let at = 0; at < count; at += 1) {
        const remainder = doubleAt(remainders, at)
        if (remainder > most || (remainder === most && best === -1)) {
          most = remainder
          best = at
        }
      }
      if (best === -1) rest = -1
      else {
        parts[best] = doubleAt(parts, best) + 1
        remainders[best] = -2
      }
    }
  }

  /** Finds the remainder above which there are so many, by guesses from how many are above those that were tried. */
  private giveAbove(
    parts: Float64Array,
    count: number,
    { ofStore, cents }: { readonly ofStore: number; readonly cents: number },
  ): void {
    const { remainders } = this
    remainders[count] = ofStore
    let [low, atLow, high, atHigh] = [-1, count + 1, Percent.whole - 1, 0]
    while (high - low > 1 && atHigh < cents) {
      const guess = high - Math.floor(((high - low) * (cents - atHigh)) / (atLow - atHigh))
      const tried = Math.min(high - 1, Math.max(low + 1, guess))
      let above = 0
      for (let at = 0; at <= count; at += 1) above += doubleAt(remainders, at) > tried ? 1 : 0
      if (above > cents) {
        low = tried
        atLow = above
      } else {
        high = tried
        atHigh = above
      }
    }
    let ties = cents - atHigh
    for (let at = 0; at < count; at += 1) {
      const remainder = doubleAt(remainders, at)
      if (remainder < high || (remainder === high && ties === 0)) continue
      if (remainder === high) ties -= 1
      parts[at] = doubleAt(parts, at) + 1
    }
  }
}

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
  private readonly plans: Plans
  private readonly policy: SplitPolicy
  private readonly output: SplitOutput
  private readonly leftOver = new LeftOver()
  private claims = new Float64Array(64)
  private parts = new Float64Array(64)
  private shipped = new Float64Array(64)
  /** What the percentages are taken of that don't deduct. */
  private sharingBase = 0

  constructor(plans: Plans, policy: SplitPolicy, output: SplitOutput) {
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
    this.sharingBase = figures.base
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
    const { groups } = plans
    const { deducting } = plans.columns
    const { sign, distributable } = figures
    output.makeRoom(count)
    let paid = 0
    for (let at = 0; at < count; at += 1) {
      const group = numberAt(groups, start + at)
      const shipping = doubleAt(shipped, at)
      const claim = doubleAt(claims, at) + shipping
      paid += claim
      const base = deducting[group] === 1 ? figures.base : this.sharingBase
      output.addShare(group, sign * claim, sign * shipping, sign * base)
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
    const { points } = plans
    const { base } = figures
    let sum = 0
    for (let at = 0; at < count; at += 1) {
      const product = base * doubleAt(points, start + at)
      const part = Math.floor(product / Percent.whole)
      const remainder = product - part * Percent.whole
      claims[at] = part
      remainders[at] = remainder
      sum += remainder
    }
    if (sum > 0 && this.policy.rounding !== "floor") this.leftOver.give(claims, count, sum)
    if ((plans.flagsOf(plan) & (withFlats | withLimits)) !== 0) {
      for (let at = 0; at < count; at += 1) {
        const group = numberAt(plans.groups, start + at)
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
    this.sharingBase = left
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
    const { groups, points } = plans
    let sum = 0
    let members = 0
    for (let at = 0; at < count; at += 1) {
      if (plans.columns.deducting[numberAt(groups, start + at)] !== stage) continue
      const product = base * doubleAt(points, start + at)
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
      const group = numberAt(groups, start + at)
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
    const { groups } = plans
    const size = Math.abs(figures.shipping)
    let sum = 0
    for (let at = 0; at < count; at += 1) {
      const product = size * doubleAt(shippingBasisPoints, numberAt(groups, start + at))
      const part = Math.floor(product / Percent.whole)
      shipped[at] = part
      remainders[at] = product - part * Percent.whole
      sum += doubleAt(remainders, at)
    }
    if (sum > 0 && this.policy.rounding !== "floor") this.leftOver.give(shipped, count, sum)
    const side = this.policy.shipping === "charge" ? -1 : 1
    const sign = figures.shipping < 0 ? -1 : 1
    for (let at = 0; at < count; at += 1) {
      const flat = doubleAt(shippingFlats, numberAt(groups, start + at)) * figures.quantity
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
