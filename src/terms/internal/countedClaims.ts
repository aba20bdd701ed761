/** Claims of groups whose percentage depends on what was counted, and of those with a cap. */
import { at, entryAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import { refusal, show } from "../../internal/problems.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { inRange } from "../../shares/internal/base.js"
import {
  type Claim,
  claimStage,
  current,
  type Edition,
  earn,
  type Fraction,
  type Sign,
} from "../../shares/internal/claims.js"
import type { ShareBand, ShareCap, ShareTiers } from "../../shares/Share.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { InvalidCounters } from "../Counters.js"
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
import type { OrderPeriods } from "./periods.js"
import type { CountedTerms, CounterKeys, TermCounters } from "./termCounters.js"

/** How far a counter has come within an order. */
export interface Count {
  readonly key: string
  now: number
  /** What earlier claims on the item at hand would count of their shares. */
  claimed: number | bigint
}

/** A claim on an item whose group has terms. */
interface TermedClaim {
  readonly claim: Claim
  readonly item: OrderItem
  readonly group: TermCounters
  readonly tier: Count | undefined
  readonly cap: Count | undefined
  /** The band that all of it is in; -1 where there are pieces. */
  place: number
  length: number
  pieces: ReadonlyArray<Piece>
  /** What was left under the cap; `undefined` without a cap, and for a return. */
  room: number | undefined
  cut: number
}

const noPieces: ReadonlyArray<Piece> = []

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

/** A percentage that is 0 exactly where nothing was earned, for the limits of a group. */
const aboutPoints = ({ amount, unit }: Fraction, base: number): number => {
  const whole = unit * BigInt(base)
  return Number((amount * BigInt(Percent.whole) + whole - 1n) / whole)
}

/** How far counters have come. */
export interface CountsBefore {
  at(key: string): number
}

const notWhole = (key: string, count: unknown): InvalidCounters => {
  const message = `must be a whole number within ±${Number.MAX_SAFE_INTEGER}, got ${show(count)}`
  return refusal(InvalidCounters)([{ path: key, value: count, message }])
}

/** Counts orders, one after another. */
export class Counting {
  /** The rules of splitting, with claims that are counted. */
  readonly edition: Edition
  private readonly groups: CountedTerms["byGroup"]
  private readonly isShared: boolean
  private readonly before: CountsBefore
  private readonly periods: OrderPeriods
  private currency = ""
  private counts: Array<Count> = []
  /** By key, where one counter may be met twice. */
  private known: Map<string, Count> | undefined
  private item: OrderItem | undefined
  private sign: Sign = 1
  private entries: Array<TermedClaim> = []
  private isInOrder = true

  constructor({ byGroup, isShared }: CountedTerms, before: CountsBefore, periods: OrderPeriods) {
    this.groups = byGroup
    this.isShared = isShared
    this.before = before
    this.periods = periods
    this.edition = {
      ...current,
      claimStage: (claims, base, rounding, on) => {
        this.item = on.item
        this.sign = on.sign
        return this.claim(claims, base, rounding)
      },
      settled: () => {
        this.settle()
      },
    }
  }

  /** Begins an order. */
  start(order: Order): void {
    this.periods.of(order)
    this.currency = order.currency
    this.counts = []
    this.known = this.isShared || order.items.length > 1 ? new Map() : undefined
    this.item = undefined
    this.entries = []
    this.isInOrder = true
  }

  /** What the order has made of the counters. */
  get after(): ReadonlyArray<Count> {
    return this.counts
  }

  private countAt(keys: CounterKeys | undefined, group: ProductGroup): Count | undefined {
    if (keys === undefined) return undefined
    const key = keys.keyOf(this.currency, this.periods.nameOf(keys.period, group))
    const known = this.known?.get(key)
    if (known !== undefined) return known
    const now = this.before.at(key)
    if (!Number.isSafeInteger(now)) throw notWhole(key, now)
    const count = { key, now, claimed: 0 }
    this.counts.push(count)
    this.known?.set(key, count)
    return count
  }

  private claim(
    claims: ReadonlyArray<Claim>,
    base: number,
    rounding: SplitPolicy["rounding"],
  ): number {
    const { item } = this
    if (item === undefined) throw new RangeError("claims of no item")
    const first = this.entries.length
    let isDivided = false
    for (const claim of claims) {
      const group = this.groups.get(claim.group)
      if (group === undefined) continue
      const tier = this.countAt(group.tierKeys, claim.group)
      const cap = group.capKeys === group.tierKeys ? tier : this.countAt(group.capKeys, claim.group)
      // A plain literal: spreading takes several times as long.
      const entry: TermedClaim = {
        claim,
        item,
        group,
        tier,
        cap,
        place: -1,
        length: 0,
        pieces: noPieces,
        room: undefined,
        cut: 0,
      }
      this.entries.push(entry)
      if (tier === undefined) continue
      const earned = this.walk(entry, tier, base)
      if (earned === undefined) {
        claim.basisPoints = entryAt(group.bands.points, entry.place)
      } else {
        claim.exactly = earned
        claim.basisPoints = aboutPoints(earned, base)
        isDivided = true
      }
    }
    // The groups that are deducted are claimed first.
    if (first > 0 && this.entries.length > first) this.isInOrder = false
    const points = isDivided
      ? claimDivided(claims, base, rounding)
      : claimStage(claims, base, rounding)
    if (this.sign === 1) {
      for (let place = first; place < this.entries.length; place += 1) {
        limit(at(this.entries, place))
      }
    }
    return points
  }

  /** Finds the bands that the item passes, and returns what it earns in them; `undefined`: there is only one. */
  private walk(entry: TermedClaim, tier: Count, base: number): Fraction | undefined {
    const { bands, counted } = entry.group
    const stand = { count: tier.now, sign: this.sign }
    const place = placeAt(bands, stand)
    if (counted === "share") {
      if (isWithin(bands, place, base, roomIn(bands, place, stand))) {
        entry.place = place
        return undefined
      }
      const { pieces, earned } = passedByShare(bands, stand, base)
      entry.pieces = pieces
      return earned
    }
    const length = counted === "units" ? entry.item.quantity : base
    // Whether the counter stays within the safe integers.
    this.advanced(tier, length)
    if (length <= roomIn(bands, place, stand)) {
      entry.place = place
      entry.length = length
      return undefined
    }
    entry.pieces = passed(bands, stand, length)
    if (base === 0) {
      entry.place = place
      return undefined
    }
    return earnedIn(bands, entry.pieces, { base, length })
  }

  private advanced({ key, now }: Count, length: number): number {
    return inRange(exact.add(now, this.sign * length), () => `the counter ${key}`)
  }

  /** Counts the shares of an item as they are paid, in the order of the ids of their groups. */
  private settle(): void {
    const { entries } = this
    if (entries.length === 0) return
    if (!this.isInOrder) {
      entries.sort((one, other) => compareTexts(one.claim.group.id, other.claim.group.id))
    }
    for (const entry of entries) this.settleEntry(entry)
    this.entries = []
    this.isInOrder = true
  }

  private settleEntry(entry: TermedClaim): void {
    const { claim, room, group, tier, cap, item } = entry
    const { amount, paidShipping } = claim
    const paid = inRange(exact.add(amount, -paidShipping), () => `the goods of ${claim.group.id}`)
    // Goods that a joint rounding put beyond the cap. They count as shipping.
    const over = room !== undefined && paid > room ? paid - room : 0
    if (over > 0) claim.paidShipping = exact.add(paidShipping, over)
    const goods = paid - over
    const tierBefore = tier?.now ?? 0
    const capBefore = cap?.now ?? 0
    if (tier !== undefined) {
      const { counted } = group
      const length = counted === "units" ? item.quantity : counted === "base" ? claim.base : goods
      tier.now = this.advanced(tier, length)
      tier.claimed = 0
    }
    if (cap !== undefined) {
      if (cap !== tier) cap.now = this.advanced(cap, goods)
      cap.claimed = 0
    }
    claim.terms = {
      tiers: tier === undefined ? null : this.tiersOf(entry, tier, tierBefore),
      cap: cap === undefined ? null : this.capOf(entry, cap, capBefore),
    }
  }

  private tiersOf(entry: TermedClaim, tier: Count, before: number): ShareTiers {
    const { counted } = entry.group
    const bands =
      entry.pieces === noPieces
        ? [
            this.bandOf(
              entry,
              entry.place,
              isOfShare(entry) ? entry.claim.percentTotal : entry.length,
            ),
          ]
        : this.bandsOf(entry)
    return { counted, counter: tier.key, before, after: tier.now, bands }
  }

  /** Where the share is counted, the last piece has what the others leave. */
  private bandsOf(entry: TermedClaim): ReadonlyArray<ShareBand> {
    const { pieces, claim } = entry
    const filled = pieces.reduce((sum, piece) => sum + piece.counted, 0)
    const rest = isOfShare(entry) ? claim.percentTotal - filled : undefined
    return pieces.map(({ place, counted }, index) =>
      this.bandOf(entry, place, index === pieces.length - 1 ? (rest ?? counted) : counted),
    )
  }

  private bandOf({ group }: TermedClaim, place: number, length: number): ShareBand {
    const { from, percent } = at(group.terms.tiers?.bands ?? [], place)
    return { from, percent, counted: exact.withoutNegativeZero(this.sign * length) }
  }

  private capOf({ group, cut }: TermedClaim, cap: Count, before: number): ShareCap {
    const amount = group.terms.cap?.amount ?? 0
    return {
      counter: cap.key,
      amount,
      before,
      after: cap.now,
      left: roomOf(exact.add(amount, -cap.now)),
      cut: exact.withoutNegativeZero(this.sign * cut),
    }
  }
}

const isOfShare = ({ group }: TermedClaim): boolean => group.counted === "share"

/** Cuts a claim to what is left under its cap. Groups that share a cap on one item are served in turn. */
const limit = (entry: TermedClaim): void => {
  const { claim, group, tier, cap } = entry
  if (cap !== undefined) {
    const left = exact.add(exact.add(group.terms.cap?.amount ?? 0, -cap.now), -cap.claimed)
    const room = roomOf(left)
    entry.room = room
    entry.cut = Math.max(0, claim.beforeShipping - room)
    claim.maxAmount = Math.min(room, claim.group.maxAmount ?? room)
    claim.beforeShipping -= entry.cut
    cap.claimed = exact.add(cap.claimed, claim.beforeShipping)
  }
  if (tier !== undefined && tier !== cap && group.counted === "share") {
    tier.claimed = exact.add(tier.claimed, claim.beforeShipping)
  }
}
