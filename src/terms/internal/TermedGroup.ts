import { at, entryAt } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import { inRange } from "../../shares/internal/base.js"
import type { Claim, ClaimTerms, Fraction, Sign } from "../../shares/internal/claims.js"
import type { ShareBand, ShareCap, ShareTerms, ShareTiers } from "../../shares/Share.js"
import type { Band } from "../Terms.js"
import {
  earnedIn,
  isWithin,
  type Piece,
  passed,
  passedByShare,
  placeAt,
  roomIn,
  roomOf,
} from "./bands.js"
import type { Count } from "./Count.js"
import type { TermCounters } from "./termCounters.js"

const noPieces: ReadonlyArray<Piece> = []

const noBands: ReadonlyArray<Band> = []

/** A percentage that is 0 exactly where nothing was earned, for the limits of a group. */
const aboutPoints = ({ amount, unit }: Fraction, base: number): number => {
  const whole = unit * BigInt(base)
  return Number((amount * BigInt(Percent.whole) + whole - 1n) / whole)
}

/**
 * A group with terms, and where its claim on the item at hand is counted. One for each group and not for each claim,
 * and without the claim itself: to make them, or to have them hold what is newer than they are, takes a good part of
 * what counting takes.
 */
export class TermedGroup implements ClaimTerms {
  readonly tier: Count | undefined
  readonly cap: Count | undefined
  /** Whether claims of several groups on an item can depend on each other. */
  readonly isLimiting: boolean
  private readonly counters: TermCounters
  private readonly bands: ReadonlyArray<Band>
  private readonly capAmount: number
  private sign: Sign = 1
  /** What is counted of the item: units or cents, or in the end the share. */
  private length = 0
  /** The band that all of it is in, where there are no pieces. */
  private place = 0
  private pieces = noPieces
  /** What was left under the cap, for which a claim was cut; without limit without a cap, and for a return. */
  private room = Number.POSITIVE_INFINITY
  private cut = 0

  constructor(counters: TermCounters, tier: Count | undefined, cap: Count | undefined) {
    const { terms, counted } = counters
    this.counters = counters
    this.tier = tier
    this.cap = cap
    this.isLimiting = cap !== undefined || (counted === "share" && tier?.keys.isShared === true)
    this.bands = terms.tiers?.bands ?? noBands
    this.capAmount = terms.cap?.amount ?? 0
  }

  /**
   * Begins with a claim on an item, and finds what it earns in the bands that the item passes.
   *
   * @returns whether these are several: its percentage is none that can be told in hundredths of a percent
   */
  begin(claim: Claim, base: number, { quantity, sign }: { quantity: number; sign: Sign }): boolean {
    claim.terms = this
    this.sign = sign
    this.room = Number.POSITIVE_INFINITY
    this.cut = 0
    const { tier } = this
    if (tier === undefined) return false
    const earned = this.earn(tier, base, quantity)
    if (earned === undefined) {
      claim.basisPoints = entryAt(this.counters.bands.points, this.place)
      return false
    }
    claim.exactly = earned
    claim.basisPoints = aboutPoints(earned, base)
    return true
  }

  /** What is earned in several bands; `undefined`: there is only one. */
  private earn(tier: Count, base: number, quantity: number): Fraction | undefined {
    const { bands, counted } = this.counters
    const { sign } = this
    const stand = { count: tier.now, sign }
    const place = placeAt(bands, stand)
    const room = roomIn(bands, place, stand)
    this.place = place
    this.pieces = noPieces
    if (counted === "share") {
      if (isWithin(bands, place, base, room)) return undefined
      const { pieces, earned } = passedByShare(bands, stand, base)
      this.pieces = pieces
      return earned
    }
    const length = counted === "units" ? quantity : base
    this.length = length
    // Whether the counter stays within the safe integers.
    tier.advanced(sign * length)
    if (length <= room) return undefined
    this.pieces = passed(bands, stand, length)
    return base === 0 ? undefined : earnedIn(bands, this.pieces, { base, length })
  }

  /** Cuts a claim to what is left under its cap. Groups that share a cap on one item are served in turn. */
  limit(claim: Claim): void {
    const { tier, cap } = this
    if (cap !== undefined) {
      const room = roomOf(exact.add(exact.add(this.capAmount, -cap.now), -cap.claimed))
      this.room = room
      this.cut = Math.max(0, claim.beforeShipping - room)
      claim.maxAmount = Math.min(room, claim.group.maxAmount ?? room)
      claim.beforeShipping -= this.cut
      cap.claimed = exact.add(cap.claimed, claim.beforeShipping)
    }
    if (tier !== undefined && tier !== cap && this.counters.counted === "share") {
      tier.claimed = exact.add(tier.claimed, claim.beforeShipping)
    }
  }

  settle(claim: Claim): ShareTerms {
    const { tier, cap } = this
    if (cap === undefined && this.counters.counted !== "share") {
      return { tiers: tier === undefined ? null : this.countTiers(tier, this.length), cap: null }
    }
    return this.settleShare(claim)
  }

  /** The same where the share itself is counted. */
  private settleShare(claim: Claim): ShareTerms {
    const { tier, cap } = this
    const goods = this.goodsOf(claim)
    const isOfShare = this.counters.counted === "share"
    if (isOfShare) this.length = goods
    // What both count together is counted once.
    const capBefore = cap?.now ?? 0
    const filled = isOfShare ? claim.percentTotal : this.length
    const tiers = tier === undefined ? null : this.countTiers(tier, filled)
    if (cap !== undefined && cap !== tier) cap.advance(this.sign * goods)
    return { tiers, cap: cap === undefined ? null : this.capOf(cap, capBefore) }
  }

  /** What is paid for goods. What a joint rounding put beyond the cap counts as shipping. */
  private goodsOf(claim: Claim): number {
    const { room } = this
    const { amount, paidShipping } = claim
    const paid = inRange(exact.add(amount, -paidShipping), () => `the goods of ${claim.group.id}`)
    if (paid <= room) return paid
    claim.paidShipping = exact.add(paidShipping, paid - room)
    return room
  }

  /** Brings the counter on, and tells by which bands; `filled`: how much is told to be in them. */
  private countTiers(tier: Count, filled: number): ShareTiers {
    const before = tier.now
    tier.advance(this.sign * this.length)
    const bands =
      this.pieces === noPieces ? [this.bandOf(this.place, filled)] : this.bandsOf(filled)
    return { counted: this.counters.counted, counter: tier.key, before, after: tier.now, bands }
  }

  /** The last piece has what the others leave: of a share nobody knew before how much that is. */
  private bandsOf(length: number): ReadonlyArray<ShareBand> {
    const { pieces } = this
    let left = length
    return pieces.map(({ place, counted }, index) => {
      const filled = index === pieces.length - 1 ? left : counted
      left -= counted
      return this.bandOf(place, filled)
    })
  }

  private bandOf(place: number, length: number): ShareBand {
    const { from, percent } = at(this.bands, place)
    return { from, percent, counted: exact.withoutNegativeZero(this.sign * length) }
  }

  private capOf({ key, now }: Count, before: number): ShareCap {
    const { capAmount, cut, sign } = this
    return {
      counter: key,
      amount: capAmount,
      before,
      after: now,
      left: roomOf(exact.add(capAmount, -now)),
      cut: exact.withoutNegativeZero(sign * cut),
    }
  }
}
