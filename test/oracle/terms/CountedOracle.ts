/**
 * A second, naive reckoning of tiers and caps, written from the rules alone: what is earned up to a count is a sum over
 * all bands, and a sale earns the difference of two such sums.
 */
import type { Order, ProductGroup, SplitPolicy } from "apportion"
import {
  type Fraction,
  type OracleCounting,
  type OracleError,
  type OracleRefund,
  type OracleRefusal,
  type OracleReversal,
  type OracleShare,
  type OracleSlope,
  type OracleSplit,
  oracleRefunds,
  oracleSplit,
} from "../Oracle.js"

type Counted = "units" | "base" | "share"

interface Reach {
  readonly per?: "group" | "collaborator" | undefined
  readonly period?: "lifetime" | "year" | "month" | "payout" | undefined
}

export interface OracleBand {
  readonly from: number
  readonly percent: string | number
}

export interface OracleTerms {
  readonly tiers?:
    | (Reach & { readonly counted: Counted; readonly bands: ReadonlyArray<OracleBand> })
    | null
    | undefined
  readonly cap?: (Reach & { readonly amount: number }) | null | undefined
}

export type OracleGroup = ProductGroup.GroupInput & {
  readonly terms?: OracleTerms | null | undefined
}

export interface OracleOptions {
  readonly timeZone?: string
  readonly payout?: string
}

/** What was counted, by what, for whom, when and in which currency. */
export type OracleCounts = ReadonlyMap<string, bigint>

interface OracleTermsRecord {
  readonly tiers: {
    readonly counted: Counted
    readonly before: bigint
    readonly after: bigint
    readonly bands: ReadonlyArray<{
      readonly from: number
      readonly percent: string
      readonly counted: bigint
    }>
  } | null
  readonly cap: {
    readonly amount: number
    readonly before: bigint
    readonly after: bigint
    readonly left: bigint
    readonly cut: bigint
  } | null
}

export interface OracleCountedShare extends OracleShare {
  readonly terms?: OracleTermsRecord
  /** What it counted, by counter. */
  readonly counts?: ReadonlyMap<string, { readonly what: Counted; readonly count: bigint }>
}

export type OracleCountedSplit = Omit<OracleSplit, "shares"> & {
  readonly shares: ReadonlyArray<OracleCountedShare>
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const isSafe = (n: bigint): boolean => n >= -(2n ** 53n) + 1n && n <= 2n ** 53n - 1n

const points = (percent: string | number): bigint => BigInt(Math.round(Number(percent) * 100))

interface Band {
  readonly from: bigint
  /** The next band's bound; `undefined`: there is none. */
  readonly to: bigint | undefined
  readonly points: bigint
}

const bandsOf = (bands: ReadonlyArray<OracleBand>): ReadonlyArray<Band> =>
  bands.map((band, index) => {
    const next = bands[index + 1]
    return {
      from: BigInt(band.from),
      to: next === undefined ? undefined : BigInt(next.from),
      points: points(band.percent),
    }
  })

/** How much of what lies between two counts is in a band; what is below 0 is in the first. */
const inBand = (band: Band, low: bigint, high: bigint): bigint => {
  const bottom = band.from === 0n ? low : max(low, band.from)
  const top = band.to === undefined ? high : min(high, band.to)
  return max(0n, top - bottom)
}

/** The band in which the next one is counted, upwards or downwards. */
const bandAt = (bands: ReadonlyArray<Band>, count: bigint, sign: bigint): Band => {
  const reached = bands.filter(({ from }) => (sign > 0n ? from <= count : from < count)).at(-1)
  const first = bands[0]
  if (first === undefined) throw new Error("a group without bands")
  return reached ?? first
}

interface Piece {
  readonly band: Band
  /** What the group's counter counts of this piece. */
  readonly counted: bigint
  readonly base: Fraction
  readonly earned: Fraction
}

const zero: Fraction = { top: 0n, bottom: 1n }
const plus = (a: Fraction, b: Fraction): Fraction => ({
  top: a.top * b.bottom + b.top * a.bottom,
  bottom: a.bottom * b.bottom,
})
const less = (a: Fraction, b: Fraction): Fraction => plus(a, { top: -b.top, bottom: b.bottom })
const isMore = (a: Fraction, b: Fraction): boolean => a.top * b.bottom > b.top * a.bottom

/** What a stretch from one count to another is, band by band, in the order in which it is walked. */
const walked = (
  bands: ReadonlyArray<Band>,
  {
    count,
    length,
    sign,
  }: { readonly count: bigint; readonly length: bigint; readonly sign: bigint },
  base: bigint,
): ReadonlyArray<Piece> => {
  const end = count + sign * length
  const [low, high] = [min(count, end), max(count, end)]
  const pieces = bands
    .map((band) => ({ band, counted: inBand(band, low, high) }))
    .filter(({ counted }) => counted > 0n)
    .map(({ band, counted }) => ({
      band,
      counted,
      base: { top: base * counted, bottom: length },
      earned: { top: base * counted * band.points, bottom: length * 10_000n },
    }))
  if (pieces.length > 0) return sign > 0n ? pieces : pieces.reverse()
  const band = bandAt(bands, count, sign)
  const earned = { top: base * band.points, bottom: 10_000n }
  return [{ band, counted: 0n, base: { top: base, bottom: 1n }, earned }]
}

/** The same where a share itself is counted: a band is full when so much was earned in it. */
const walkedByShare = (
  bands: ReadonlyArray<Band>,
  count: bigint,
  sign: bigint,
  base: bigint,
): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let left: Fraction = { top: base, bottom: 1n }
  let at = count
  for (;;) {
    const band = bandAt(bands, at, sign)
    const end = sign > 0n ? band.to : band.from === 0n ? undefined : band.from
    const room = end === undefined ? undefined : (end - at) * sign
    const needed =
      room === undefined || band.points === 0n
        ? undefined
        : { top: room * 10_000n, bottom: band.points }
    if (room === undefined || end === undefined || needed === undefined || !isMore(left, needed)) {
      const earned = { top: left.top * band.points, bottom: left.bottom * 10_000n }
      return [...pieces, { band, counted: 0n, base: left, earned }]
    }
    pieces.push({ band, counted: room, base: needed, earned: { top: room, bottom: 1n } })
    left = less(left, needed)
    at = end
  }
}

const zones = new Map<string, Intl.DateTimeFormat>()

/** Making one takes long. */
const daysIn = (timeZone: string): Intl.DateTimeFormat => {
  const format =
    zones.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" })
  zones.set(timeZone, format)
  return format
}

const periodOf = (
  { period = "lifetime" }: Reach,
  order: Order.Order,
  { timeZone = "UTC", payout }: OracleOptions,
): string | undefined => {
  if (period === "lifetime") return "lifetime"
  if (period === "payout") return payout
  if (order.createdAt == null) return undefined
  const day = daysIn(timeZone).format(order.createdAt * 1_000)
  return period === "year" ? day.slice(0, -6) : day.slice(0, -3)
}

interface Member {
  readonly what: Counted
  readonly key: string
}

/** The counters of a group: one where its tiers and its cap count the same. */
const membersOf = (
  group: OracleGroup,
  order: Order.Order,
  options: OracleOptions,
): { readonly tiers?: Member; readonly cap?: Member; readonly isTimeless: boolean } => {
  const { tiers, cap } = group.terms ?? {}
  const member = (what: Counted, reach: Reach): Member => {
    const who = reach.per === "collaborator" ? ["c", group.collaboratorId] : ["g", group.id]
    return {
      what,
      key: JSON.stringify([what, order.currency, periodOf(reach, order, options), ...who]),
    }
  }
  const isTimeless = [tiers, cap].some(
    (one) => one != null && periodOf(one, order, options) === undefined,
  )
  return {
    ...(tiers == null ? {} : { tiers: member(tiers.counted, tiers) }),
    ...(cap == null ? {} : { cap: member("share", cap) }),
    isTimeless,
  }
}

interface Working {
  readonly pieces: ReadonlyArray<Piece>
  goods: bigint
  uncapped: bigint
  room: bigint | undefined
}

/** A group as the usual rules see it: its bands stand for a percentage, and earn no shipping by themselves. */
const plainOf = (group: OracleGroup): OracleGroup => {
  const { tiers } = group.terms ?? {}
  if (tiers == null) return group
  const highest = Math.max(...tiers.bands.map(({ percent }) => Number(percent)))
  return { ...group, percent: highest.toFixed(2), shippingPercent: group.shippingPercent ?? 0 }
}

export type OracleCountedOutcome =
  | { readonly split: OracleCountedSplit; readonly counts: OracleCounts; readonly errors?: never }
  | { readonly errors: ReadonlyArray<OracleError>; readonly split?: never }

export const oracleCounted = (
  groups: ReadonlyArray<OracleGroup>,
  order: Order.Order,
  policy: Partial<SplitPolicy.SplitPolicy>,
  before: OracleCounts,
  options: OracleOptions = {},
): OracleCountedOutcome => {
  const counts = new Map(before)
  const plain = new Map(groups.map((group) => [plainOf(group), group] as const))
  const termed = (group: ProductGroup.GroupInput): OracleGroup => plain.get(group) ?? group
  const byId = new Map(groups.map((group) => [group.id, group]))
  const countOf = (member: Member | undefined) => counts.get(member?.key ?? "") ?? 0n
  let current: Order.OrderItem | undefined
  let working = new Map<string, Working>()
  /** What the groups of this item may take of a cap is served in turn. */
  let taken = new Map<string, bigint>()
  let isTimeless = false
  let isVast = false
  const counting: OracleCounting = {
    begin: (item) => {
      current = item
      working = new Map()
      taken = new Map()
    },
    earned: (one, base, sign) => {
      const group = termed(one)
      const { tiers } = group.terms ?? {}
      const members = membersOf(group, order, options)
      isTimeless ||= members.isTimeless
      const percentage = { top: base * points(group.percent ?? 0), bottom: 10_000n }
      const count = countOf(members.tiers)
      const bands = bandsOf(tiers?.bands ?? [])
      const length = tiers?.counted === "units" ? BigInt(current?.quantity ?? 0) : base
      const pieces =
        tiers == null
          ? []
          : tiers.counted === "share"
            ? walkedByShare(bands, count, sign, base)
            : walked(bands, { count, length, sign }, base)
      working.set(group.id, { pieces, goods: 0n, uncapped: 0n, room: undefined })
      return tiers == null
        ? percentage
        : pieces.reduce((sum, { earned }) => plus(sum, earned), zero)
    },
    capped: (one, goods, sign) => {
      const group = termed(one)
      const members = membersOf(group, order, options)
      const { cap } = group.terms ?? {}
      const work = working.get(group.id)
      const key = members.cap?.key ?? ""
      const left = BigInt(cap?.amount ?? 0) - countOf(members.cap) - (taken.get(key) ?? 0n)
      const paid = cap == null || sign < 0n ? goods : min(goods, max(0n, left))
      for (const each of keysOf(members).filter(({ what }) => what === "share")) {
        taken.set(each.key, (taken.get(each.key) ?? 0n) + paid)
      }
      if (work !== undefined) {
        work.goods = paid
        work.uncapped = goods
        work.room = cap == null || sign < 0n ? undefined : max(0n, left)
      }
      return paid
    },
    roomOf: (one) => working.get(one.id)?.room,
    end: (shares, sign) =>
      shares.map((share): OracleCountedShare => {
        const group = byId.get(share.groupId)
        if (group?.terms == null) return share
        const { tiers, cap } = group.terms
        const members = membersOf(group, order, options)
        const work = working.get(group.id)
        const room = work?.room
        const paid = share.amount - share.shippingAmount
        // What a joint rounding moved from shipping to the goods stays within the cap.
        const over = room !== undefined && paid > room ? paid - room : 0n
        const goods = paid - over
        const first = { tiers: countOf(members.tiers), cap: countOf(members.cap) }
        const own = new Map(
          keysOf(members).map(({ key, what }) => {
            const units = sign * BigInt(current?.quantity ?? 0)
            const count = what === "units" ? units : what === "base" ? share.base : goods
            return [key, { what, count }] as const
          }),
        )
        for (const [key, { count }] of own) counts.set(key, (counts.get(key) ?? 0n) + count)
        isVast ||= [...own.keys()].some((key) => !isSafe(counts.get(key) ?? 0n))
        const pieces = work?.pieces ?? []
        const filled = pieces.reduce((sum, { counted }) => sum + counted, 0n)
        const last = pieces.length - 1
        return {
          ...share,
          shippingAmount: share.shippingAmount + over,
          slopes: slopesOf(pieces, share),
          counts: own,
          terms: {
            tiers:
              tiers == null
                ? null
                : {
                    counted: tiers.counted,
                    before: first.tiers,
                    after: countOf(members.tiers),
                    bands: pieces.map(({ band, counted }, index) => ({
                      from: Number(band.from),
                      percent: (Number(band.points) / 100).toFixed(2),
                      counted:
                        sign *
                        (tiers.counted === "share" && index === last
                          ? sign * share.percentTotal - filled
                          : counted),
                    })),
                  },
            cap:
              cap == null
                ? null
                : {
                    amount: cap.amount,
                    before: first.cap,
                    after: countOf(members.cap),
                    left: min(2n ** 53n - 1n, max(0n, BigInt(cap.amount) - countOf(members.cap))),
                    cut: sign * ((work?.uncapped ?? 0n) - (work?.goods ?? 0n)),
                  },
          },
        }
      }),
  }
  const outcome = oracleSplit([...plain.keys()], order, policy, counting)
  const errors: ReadonlyArray<OracleError> = [
    ...(outcome.errors ?? []),
    ...(isTimeless ? [{ tag: "InvalidOrder" as const }] : []),
    ...(isVast ? [{ tag: "AmountOutOfRange" as const }] : []),
  ]
  if (outcome.split === undefined || errors.length > 0) return { errors }
  return { split: outcome.split, counts }
}

const keysOf = ({
  tiers,
  cap,
}: {
  readonly tiers?: Member
  readonly cap?: Member
}): ReadonlyArray<Member> => [
  ...(tiers === undefined ? [] : [tiers]),
  ...(cap === undefined || cap.key === tiers?.key ? [] : [cap]),
]

/** How the share grew over its item; a flat amount grows evenly. */
const slopesOf = (pieces: ReadonlyArray<Piece>, share: OracleShare): ReadonlyArray<OracleSlope> => {
  const whole = pieces.reduce((sum, { base }) => plus(sum, base), zero)
  if (whole.top === 0n) return [{ width: { top: 1n, bottom: 1n }, earned: { top: 1n, bottom: 1n } }]
  const flat = share.flatTotal < 0n ? -share.flatTotal : share.flatTotal
  return pieces.map(({ base, earned }) => {
    const width = { top: base.top * whole.bottom, bottom: base.bottom * whole.top }
    return { width, earned: plus(earned, { top: flat * width.top, bottom: width.bottom }) }
  })
}

/** Refunds of a counted sale one after the other, and what they leave of the counters. */
export const oracleCountedRefunds = (
  split: OracleCountedSplit,
  order: Order.Order,
  refunds: ReadonlyArray<OracleRefund>,
  before: OracleCounts,
): {
  readonly answers: ReadonlyArray<OracleReversal | OracleRefusal>
  readonly counts: OracleCounts
} => {
  const answers = oracleRefunds(split, order, refunds)
  const counts = new Map(before)
  for (const share of split.shares) {
    for (const [key, { what, count }] of share.counts ?? []) {
      const back =
        what === "share"
          ? answers.flatMap((answer) =>
              "error" in answer || answer.itemId !== share.itemId
                ? []
                : answer.shares
                    .filter(({ groupId }) => groupId === share.groupId)
                    .map(({ amount, shippingAmount }) => amount - shippingAmount),
            )
          : [refundedOf(count, share.itemId, { split, order, answers, refunds })]
      counts.set(
        key,
        back.reduce((left, part) => left - part, counts.get(key) ?? 0n),
      )
    }
  }
  return { answers, counts }
}

/** So much of a count as went back of its item, rounded half-up. */
const refundedOf = (
  count: bigint,
  itemId: string,
  sale: {
    readonly split: OracleCountedSplit
    readonly order: Order.Order
    readonly answers: ReadonlyArray<OracleReversal | OracleRefusal>
    readonly refunds: ReadonlyArray<OracleRefund>
  },
): bigint => {
  const item = sale.order.items.find(({ id }) => id === itemId)
  if (item === undefined) return 0n
  const net = BigInt(item.amount) - BigInt(item.discount ?? 0)
  const done = sale.refunds.filter((refund, index) => {
    const answer = sale.answers[index]
    return refund.itemId === itemId && answer !== undefined && !("error" in answer)
  })
  if (done.some(({ remaining }) => remaining === true)) return count
  const part = done
    .map(({ amount, quantity }): Fraction => {
      if (amount !== undefined)
        return { top: BigInt(amount) * (net < 0n ? -1n : 1n), bottom: net < 0n ? -net : net }
      return quantity === undefined
        ? zero
        : { top: BigInt(quantity), bottom: BigInt(item.quantity) }
    })
    .reduce(plus, zero)
  const size = count < 0n ? -count : count
  const rounded = (2n * size * part.top + part.bottom) / (2n * part.bottom)
  return count < 0n ? -rounded : rounded
}
