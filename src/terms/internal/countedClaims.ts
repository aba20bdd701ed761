/** Claims of groups whose percentage depends on what was counted, and of those with a cap. */
import { at, entryAt } from "../../internal/at.js"
import { compareTexts } from "../../internal/compare.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { OrderItem } from "../../orders/Order.js"
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
import type { Share, ShareBand, ShareCap, ShareTerms, ShareTiers } from "../../shares/Share.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { earnedIn, type Piece, passed, passedByShare } from "./bands.js"
import type { OrderPeriods } from "./periods.js"
import type { TermCounters } from "./termCounters.js"

/** A claim on the item at hand whose group has terms. */
interface TermedClaim {
  readonly claim: Claim
  readonly group: TermCounters
  readonly tierKey: string
  readonly capKey: string
  pieces: ReadonlyArray<Piece>
  /** What was left under the cap; `undefined` without a cap, and for a return. */
  room: number | undefined
  cut: number
  /** Once it is settled: goods that a joint rounding put beyond the cap. They count as shipping. */
  over: number
  terms: ShareTerms | undefined
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

/** What is left under a cap. After returns that may be beyond the safe integers, as no claim can be. */
const roomOf = (left: number | bigint): number =>
  left < 0 ? 0 : left < Number.MAX_SAFE_INTEGER ? Number(left) : Number.MAX_SAFE_INTEGER

/** How far counters have come. */
export interface CountsBefore {
  at(key: string): number
}

/** Counts one order. */
export class Counting {
  /** What the order's shares have made of the counters. */
  readonly changes = new Map<string, number>()
  /** The rules of splitting, with claims that are counted. */
  readonly edition: Edition
  private readonly groups: ReadonlyMap<ProductGroup, TermCounters>
  private readonly before: CountsBefore
  private readonly periods: OrderPeriods
  private readonly currency: string
  private readonly settled = new Map<string, ReadonlyArray<TermedClaim>>()
  private item: OrderItem | undefined
  private sign: Sign = 1
  private entries: Array<TermedClaim> = []

  constructor(
    groups: ReadonlyMap<ProductGroup, TermCounters>,
    before: CountsBefore,
    order: { readonly periods: OrderPeriods; readonly currency: string },
  ) {
    this.groups = groups
    this.before = before
    this.periods = order.periods
    this.currency = order.currency
    this.edition = {
      ...current,
      claimStage: (claims, base, rounding, on) => {
        if (on.item !== this.item) this.begin(on.item, on.sign)
        return this.claim(claims, base, rounding)
      },
    }
  }

  /** Settles the last item. */
  end(): void {
    if (this.entries.length > 0) this.settle(this.entries, this.item)
    this.entries = []
  }

  /** The share with what its terms did. */
  told(share: Share): Share {
    const entry = this.settled
      .get(share.itemId)
      ?.find(({ claim }) => claim.group.id === share.groupId)
    if (entry?.terms === undefined) return share
    const { over, group, terms } = entry
    return {
      ...share,
      shippingAmount: over === 0 ? share.shippingAmount : share.shippingAmount + over,
      percent: group.terms.tiers === null ? share.percent : null,
      terms,
    }
  }

  private begin(item: OrderItem, sign: Sign): void {
    this.end()
    this.item = item
    this.sign = sign
  }

  private count(key: string): number {
    return this.changes.get(key) ?? this.before.at(key)
  }

  private claim(
    claims: ReadonlyArray<Claim>,
    base: number,
    rounding: SplitPolicy["rounding"],
  ): number {
    const first = this.entries.length
    let isDivided = false
    for (const claim of claims) {
      const group = this.groups.get(claim.group)
      if (group === undefined) continue
      const entry = this.open(claim, group)
      this.entries.push(entry)
      if (group.tierKeys === undefined) continue
      const earned = this.walk(entry, base)
      if (earned === undefined) {
        claim.basisPoints = entryAt(group.bands.points, at(entry.pieces, 0).place)
      } else {
        claim.exactly = earned
        claim.basisPoints = aboutPoints(earned, base)
        isDivided = true
      }
    }
    const points = isDivided
      ? claimDivided(claims, base, rounding)
      : claimStage(claims, base, rounding)
    if (this.sign === 1) {
      for (let place = first; place < this.entries.length; place += 1) this.limit(place)
    }
    return points
  }

  private open(claim: Claim, group: TermCounters): TermedClaim {
    const { tierKeys, capKeys } = group
    const keyOf = (keys: TermCounters["tierKeys"]) =>
      keys === undefined
        ? ""
        : keys.keyOf(this.currency, this.periods.nameOf(keys.period, claim.group))
    return {
      claim,
      group,
      tierKey: keyOf(tierKeys),
      capKey: keyOf(capKeys),
      pieces: noPieces,
      room: undefined,
      cut: 0,
      over: 0,
      terms: undefined,
    }
  }

  /** Finds the bands that the item passes, and returns what it earns in them; `undefined`: there is only one. */
  private walk(entry: TermedClaim, base: number): Fraction | undefined {
    const { group, tierKey } = entry
    const { bands, terms } = group
    const { sign } = this
    const count = this.count(tierKey)
    const stand = { count, sign }
    if (terms.tiers?.counted === "share") {
      const { pieces, earned } = passedByShare(bands, stand, base)
      entry.pieces = pieces
      return pieces.length === 1 ? undefined : earned
    }
    const length = terms.tiers?.counted === "units" ? (this.item?.quantity ?? 0) : base
    // Whether the counter stays within the safe integers.
    this.after(tierKey, count, length)
    const pieces = passed(bands, stand, length)
    entry.pieces = pieces
    return pieces.length === 1 || base === 0 ? undefined : earnedIn(bands, pieces, { base, length })
  }

  /** Cuts a claim to what is left under its cap. Groups that share a cap on one item are served in turn. */
  private limit(place: number): void {
    const entry = at(this.entries, place)
    const { claim, capKey } = entry
    const { cap } = entry.group.terms
    if (cap === null) return
    let left = exact.add(cap.amount, -this.count(capKey))
    for (let other = 0; other < place; other += 1) {
      const before = at(this.entries, other)
      if (sharesOf(before).includes(capKey)) left = exact.add(left, -before.claim.beforeShipping)
    }
    const room = roomOf(left)
    entry.room = room
    entry.cut = Math.max(0, claim.beforeShipping - room)
    claim.maxAmount = Math.min(room, claim.group.maxAmount ?? room)
    claim.beforeShipping -= entry.cut
  }

  private after(key: string, count: number, length: number): number {
    return inRange(exact.add(count, this.sign * length), () => `the counter ${key}`)
  }

  /** Counts the shares of an item as they are paid. */
  private settle(entries: ReadonlyArray<TermedClaim>, item: OrderItem | undefined): void {
    if (item === undefined) return
    // The groups that are deducted were claimed first.
    const inOrder =
      entries.length === 1
        ? entries
        : entries.toSorted((one, other) => compareTexts(one.claim.group.id, other.claim.group.id))
    for (const entry of inOrder) this.settleEntry(entry, item)
    this.settled.set(item.id, inOrder)
  }

  private settleEntry(entry: TermedClaim, item: OrderItem): void {
    const { claim, room, group } = entry
    const { amount, paidShipping } = claim
    const paid = inRange(exact.add(amount, -paidShipping), () => `the goods of ${claim.group.id}`)
    entry.over = room !== undefined && paid > room ? paid - room : 0
    const goods = paid - entry.over
    const { tiers, cap } = group.terms
    const tierBefore = this.count(entry.tierKey)
    const capBefore = this.count(entry.capKey)
    if (tiers !== null) {
      const counted = { units: item.quantity, base: claim.base, share: goods }[tiers.counted]
      this.changes.set(entry.tierKey, this.after(entry.tierKey, tierBefore, counted))
    }
    if (cap !== null && !group.isOne) {
      this.changes.set(entry.capKey, this.after(entry.capKey, capBefore, goods))
    }
    entry.terms = {
      tiers: tiers === null ? null : this.tiersOf(entry, tierBefore),
      cap: cap === null ? null : this.capOf(entry, cap.amount, capBefore),
    }
  }

  private tiersOf({ group, claim, pieces, tierKey }: TermedClaim, before: number): ShareTiers {
    const { tiers } = group.terms
    const counted = tiers?.counted ?? "units"
    const signed = (value: number) => exact.withoutNegativeZero(this.sign * value)
    const filled = pieces.reduce((sum, piece) => sum + piece.counted, 0)
    const bands = pieces.map((piece, index): ShareBand => {
      const { from, percent } = at(tiers?.bands ?? [], piece.place)
      const isRest = counted === "share" && index === pieces.length - 1
      return {
        from,
        percent,
        counted: signed(isRest ? claim.percentTotal - filled : piece.counted),
      }
    })
    return { counted, counter: tierKey, before, after: this.count(tierKey), bands }
  }

  private capOf({ capKey, cut }: TermedClaim, amount: number, before: number): ShareCap {
    const after = this.count(capKey)
    return {
      counter: capKey,
      amount,
      before,
      after,
      left: roomOf(exact.add(amount, -after)),
      cut: exact.withoutNegativeZero(this.sign * cut),
    }
  }
}

/** The counters of an entry that count its share. */
const sharesOf = ({ group, tierKey, capKey }: TermedClaim): ReadonlyArray<string> => [
  ...(group.terms.tiers?.counted === "share" ? [tierKey] : []),
  ...(group.capKeys === undefined ? [] : [capKey]),
]
