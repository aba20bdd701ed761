/** Claims of groups whose percentage depends on what was counted, and of those with a cap. */
import { at, entryAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import { refusal, show } from "../../internal/problems.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Order } from "../../orders/Order.js"
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
import { type CounterChange, InvalidCounters } from "../Counters.js"
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
import type { KeptCounter } from "./KeptCounters.js"
import type { OrderPeriods } from "./periods.js"
import type { CountedTerms, CounterKeys, TermCounters } from "./termCounters.js"

/** A counter, and how far the orders that are counted one after another have brought it. */
interface Count {
  readonly keys: CounterKeys
  /** The order that it is of; 0 before the first. */
  order: number
  key: string
  /** Where it is kept between orders, unless only a host knows. */
  kept: KeptCounter | undefined
  now: number
  /** What earlier claims on the item at hand would count of their shares. */
  claimed: number | bigint
}

/**
 * A group with terms, and where its claim on the item at hand is counted. One for each group and not for each claim,
 * and without the claim itself: to make them, or to have them hold what is newer than they are, takes a good part of
 * what counting takes.
 */
interface TermedGroup {
  readonly group: TermCounters
  readonly tier: Count | undefined
  readonly cap: Count | undefined
  /** Whether what it counts depends on what is paid in the end, or on other claims on the item. */
  readonly isLate: boolean
  /** The band that all of it is in, where there are no pieces. */
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
  counterAt?(key: string): KeptCounter
}

const notWhole = (key: string, count: unknown): InvalidCounters => {
  const message = `must be a whole number within ±${Number.MAX_SAFE_INTEGER}, got ${show(count)}`
  return refusal(InvalidCounters)([{ path: key, value: count, message }])
}

/** Counts orders, one after another. */
export class Counting {
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
  private quantity = 0
  private sign: Sign = 1
  /** Those on the item, and at the same places their groups. */
  private claims: Array<Claim> = []
  private entries: Array<TermedGroup> = []
  private isInOrder = true

  constructor(terms: CountedTerms, before: CountsBefore, periods: OrderPeriods) {
    this.terms = terms
    this.before = before
    this.periods = periods
    this.edition = {
      ...current,
      claimStage: (claims, base, rounding, on) => {
        this.quantity = on.item.quantity
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
    this.order += 1
    this.currency = order.currency
    this.counters = []
    // An order before may have failed with claims on an item.
    this.clear()
  }

  private clear(): void {
    if (this.claims.length === 0) return
    this.claims = []
    this.entries = []
    this.isInOrder = true
  }

  /** What the order has made of the counters. */
  get after(): ReadonlyArray<CounterChange> {
    return this.counters.map(({ key, now }) => ({ key, count: now }))
  }

  /** Keeps that, where the tally lets its counters be kept. */
  keep(): void {
    for (const { kept, now } of this.counters) if (kept !== undefined) kept.count = now
  }

  private countOf(keys: CounterKeys | undefined): Count | undefined {
    if (keys === undefined) return undefined
    const known = this.counts.get(keys)
    if (known !== undefined) return known
    const count = { keys, order: 0, key: "", kept: undefined, now: 0, claimed: 0 }
    this.counts.set(keys, count)
    return count
  }

  /** A group that is about to claim; `undefined` without terms. */
  private termedOf(claiming: ProductGroup): TermedGroup | undefined {
    const known = this.groups.get(claiming)
    if (known !== undefined) return known
    const group = this.terms.get(claiming)
    if (group === undefined) return undefined
    const { counted, tierKeys, capKeys } = group
    const termed = {
      group,
      tier: this.countOf(tierKeys),
      cap: this.countOf(capKeys),
      isLate: capKeys !== undefined || counted === "share" || tierKeys?.isShared === true,
      place: -1,
      length: 0,
      pieces: noPieces,
      room: undefined,
      cut: 0,
    }
    this.groups.set(claiming, termed)
    return termed
  }

  /** Brings a counter to where the orders before have left it. */
  private reach(count: Count, group: ProductGroup): void {
    if (count.order === this.order) return
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

  private claim(
    claims: ReadonlyArray<Claim>,
    base: number,
    rounding: SplitPolicy["rounding"],
  ): number {
    const first = this.entries.length
    let isDivided = false
    for (const claim of claims) {
      const entry = this.termedOf(claim.group)
      if (entry === undefined) continue
      const { tier, cap } = entry
      if (tier !== undefined) {
        this.reach(tier, claim.group)
        const earned = this.walk(entry, tier, base)
        if (earned === undefined) {
          claim.basisPoints = entryAt(entry.group.bands.points, entry.place)
        } else {
          claim.exactly = earned
          claim.basisPoints = aboutPoints(earned, base)
          isDivided = true
        }
        // Nothing that is decided later has a part in it.
        if (!entry.isLate) {
          claim.terms = { tiers: this.countTiers(entry, tier, entry.length), cap: null }
          continue
        }
      }
      if (cap !== undefined) this.reach(cap, claim.group)
      entry.room = undefined
      entry.cut = 0
      this.claims.push(claim)
      this.entries.push(entry)
    }
    // The groups that are deducted are claimed first.
    if (first > 0 && this.entries.length > first) this.isInOrder = false
    const points = isDivided
      ? claimDivided(claims, base, rounding)
      : claimStage(claims, base, rounding)
    if (this.sign === 1) {
      for (let place = first; place < this.entries.length; place += 1) {
        limit(at(this.claims, place), at(this.entries, place))
      }
    }
    return points
  }

  /** Finds the bands that the item passes, and returns what it earns in them; `undefined`: there is only one. */
  private walk(entry: TermedGroup, tier: Count, base: number): Fraction | undefined {
    const { bands, counted } = entry.group
    entry.pieces = noPieces
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
    const length = counted === "units" ? this.quantity : base
    entry.length = length
    // Whether the counter stays within the safe integers.
    this.advanced(tier, length)
    if (length <= roomIn(bands, place, stand)) {
      entry.place = place
      return undefined
    }
    entry.pieces = passed(bands, stand, length)
    if (base === 0) {
      entry.place = place
      return undefined
    }
    return earnedIn(bands, entry.pieces, { base, length })
  }

  private advance(counter: Count, length: number): void {
    counter.now = this.advanced(counter, length)
    counter.claimed = 0
  }

  /** How far the counter comes when it goes on by so much. */
  private advanced({ key, now }: Count, length: number): number {
    const then = exact.add(now, this.sign * length)
    return typeof then === "number" ? then : inRange(then, () => `the counter ${key}`)
  }

  /** Counts the shares of an item as they are paid, in the order of the ids of their groups. */
  private settle(): void {
    const { claims, entries } = this
    if (claims.length === 0) return
    if (this.isInOrder) {
      for (let place = 0; place < claims.length; place += 1) {
        this.settleClaim(at(claims, place), at(entries, place))
      }
    } else {
      for (const place of inOrderOfIds(claims)) {
        this.settleClaim(at(claims, place), at(entries, place))
      }
    }
    this.clear()
  }

  private settleClaim(claim: Claim, entry: TermedGroup): void {
    const { room, group, tier, cap } = entry
    const { amount, paidShipping } = claim
    const paid = inRange(exact.add(amount, -paidShipping), () => `the goods of ${claim.group.id}`)
    // Goods that a joint rounding put beyond the cap. They count as shipping.
    const over = room !== undefined && paid > room ? paid - room : 0
    if (over > 0) claim.paidShipping = exact.add(paidShipping, over)
    const goods = paid - over
    const isOfShare = group.counted === "share"
    if (isOfShare) entry.length = goods
    // What both count together is counted once.
    const capBefore = cap?.now ?? 0
    const filled = isOfShare ? claim.percentTotal : entry.length
    const tiers = tier === undefined ? null : this.countTiers(entry, tier, filled)
    if (cap !== undefined && cap !== tier) this.advance(cap, goods)
    claim.terms = { tiers, cap: cap === undefined ? null : this.capOf(entry, cap, capBefore) }
  }

  /** Brings the counter on, and tells by which bands; `filled`: how much is told to be in them. */
  private countTiers(entry: TermedGroup, tier: Count, filled: number): ShareTiers {
    const { pieces, place, length } = entry
    const before = tier.now
    this.advance(tier, length)
    const bands =
      pieces === noPieces ? [this.bandOf(entry, place, filled)] : this.bandsOf(entry, filled)
    return { counted: entry.group.counted, counter: tier.key, before, after: tier.now, bands }
  }

  /** The last piece has what the others leave: of a share nobody knew before how much that is. */
  private bandsOf(entry: TermedGroup, length: number): ReadonlyArray<ShareBand> {
    const { pieces } = entry
    let left = length
    return pieces.map(({ place, counted }, index) => {
      const filled = index === pieces.length - 1 ? left : counted
      left -= counted
      return this.bandOf(entry, place, filled)
    })
  }

  private bandOf({ group }: TermedGroup, place: number, length: number): ShareBand {
    const { from, percent } = at(group.terms.tiers?.bands ?? [], place)
    return { from, percent, counted: exact.withoutNegativeZero(this.sign * length) }
  }

  private capOf({ group, cut }: TermedGroup, { key, now }: Count, before: number): ShareCap {
    const amount = group.terms.cap?.amount ?? 0
    return {
      counter: key,
      amount,
      before,
      after: now,
      left: roomOf(exact.add(amount, -now)),
      cut: exact.withoutNegativeZero(this.sign * cut),
    }
  }
}

const inOrderOfIds = (claims: ReadonlyArray<Claim>): ReadonlyArray<number> =>
  [...claims.keys()].sort((one, other) =>
    compareTexts(at(claims, one).group.id, at(claims, other).group.id),
  )

/** Cuts a claim to what is left under its cap. Groups that share a cap on one item are served in turn. */
const limit = (claim: Claim, entry: TermedGroup): void => {
  const { group, tier, cap } = entry
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
