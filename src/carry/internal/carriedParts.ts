/** Rounding the percentages of one base so that, over all bases so far, nobody is a cent away from their exact sum. */
import { at } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"

// Remainders are whole numbers of ten-thousandths of a cent, in which every percentage of a cent is exact. One above 0
// is due to the party.

/** Enough for a billion of the largest unit; a claim can be added to it in ordinary numbers. */
export const mostRemainder = 1_000_000_000_000_000

/** What one group claims of a base. Bases and amounts are 0 or more: negative ones are computed as their mirror. */
export interface CarriedClaim {
  /** Above 0. */
  readonly basisPoints: number
  readonly remainder: number
  /** The limits of the part, in cents; its exact value is between them. */
  readonly least: number
  readonly most: number
}

/** What the claims are paid from. */
export interface CarriedBase {
  /** Cents of the base. */
  readonly base: number
  /** The parts of groups that a limit binds: they get the limit, and have no remainder. */
  readonly bound: ReadonlyArray<number>
  /** The store's percentage of the base; below 0 where the groups' come to more than 100 %. */
  readonly storeBasisPoints: number
  readonly storeRemainder: number
  /**
   * The most cents that the claims may get together, so that an item pays no more than it brought in; `undefined` where
   * more costs it nothing.
   */
  readonly room: number | bigint | undefined
}

/** A claim in whole cents and a fraction: what is due to it by now. */
interface Due {
  readonly claim: CarriedClaim
  /** The exact part of this base, in whole cents and ten-thousandths. */
  readonly quotient: number
  readonly fraction: number
  /** What is due in whole cents, within the limits. */
  readonly floor: number
  /** What is due beyond them, in ten-thousandths; 0 where there is no choice. */
  readonly rest: number
}

const dueOf = (claim: CarriedClaim, base: number): Due => {
  const { basisPoints, remainder, least, most } = claim
  const { quotient, remainder: fraction } = exact.multiplyDivide(base, basisPoints, Percent.whole)
  const carried = Math.floor((fraction + remainder) / Percent.whole)
  const due = quotient + carried
  const floor = Math.min(Math.max(due, 0, least), most)
  const isOpen = floor === due && floor < most
  const rest = isOpen ? fraction + remainder - carried * Percent.whole : 0
  return { claim, quotient, fraction, floor, rest }
}

/** A party that may get one of the odd cents. */
interface Turn {
  /** Its place among the claims; the store's is behind them. */
  readonly place: number
  readonly isReleased: boolean
  /** `delay / basisPoints` says how many such bases later the party would be too far behind; none: never. */
  readonly delay: number
  readonly basisPoints: number
}

/**
 * Who gets an odd cent first: those for whom it is the soonest too late, as in Tijdeman's algorithm for the chairman
 * assignment problem. A cent can be given once so much of it is due (`1 / (2k - 2)` for k parties), and has to be given
 * before no more than that is lacking.
 */
const bySoonest = (one: Turn, other: Turn): number => {
  if (one.isReleased !== other.isReleased) return one.isReleased ? -1 : 1
  const isNever = (turn: Turn) => turn.basisPoints <= 0
  if (isNever(one) || isNever(other)) return Number(isNever(one)) - Number(isNever(other))
  const left = one.delay * other.basisPoints
  const right = other.delay * one.basisPoints
  return left === right ? one.place - other.place : left - right
}

/** What the store gets at least, and whether an odd cent can be its. */
const storeDue = (
  dues: ReadonlyArray<Due>,
  { base, bound, storeBasisPoints, storeRemainder }: CarriedBase,
): { readonly floor: number | bigint; readonly rest: number } => {
  const cents = exact.difference(base, [...bound, ...dues.map(({ quotient }) => quotient)])
  const fractions = dues.reduce((sum, { fraction }) => sum + fraction, 0)
  // A store without a percentage of this base gets nothing of what other bases owe it.
  const remainder = (storeBasisPoints > 0 ? storeRemainder : 0) - fractions
  const carried = Math.floor(remainder / Percent.whole)
  const due = exact.add(cents, carried)
  if (storeBasisPoints > 0 && due < 0) return { floor: 0, rest: 0 }
  return { floor: due, rest: remainder - carried * Percent.whole }
}

/** The claims that get one of the odd cents, in their turn. */
const turns = (
  dues: ReadonlyArray<Due>,
  store: { readonly rest: number },
  storeBasisPoints: number,
): ReadonlyArray<number> => {
  const parties = dues.length + (storeBasisPoints > 0 ? 1 : 0)
  const scale = 2 * Math.max(1, parties - 1)
  const waiting: Array<Turn> = []
  const add = (place: number, rest: number, basisPoints: number) => {
    if (rest === 0) return
    const isReleased = basisPoints > 0 && rest * scale >= Percent.whole
    const delay = scale * (Percent.whole - rest) - Percent.whole
    waiting.push({ place, isReleased, delay, basisPoints })
  }
  for (const [place, { claim, rest }] of dues.entries()) add(place, rest, claim.basisPoints)
  add(dues.length, store.rest, storeBasisPoints)
  return waiting.sort(bySoonest).map(({ place }) => place)
}

/** What is due, where it is more than there is: everybody's part of this base, and the rest by what is due besides. */
const withinRoom = (dues: ReadonlyArray<Due>, room: number | bigint): ReadonlyArray<number> => {
  const own = dues.map(({ floor, quotient }) => Math.min(floor, quotient))
  const given = exact.sum(own)
  const late = dues.map(({ floor, rest }, place) => (floor - at(own, place)) * Percent.whole + rest)
  const more = exact.allocateExactly(
    given < room ? exact.add(room, -given) : 0,
    late.map((due, place) => (at(dues, place).floor > at(own, place) ? due : 0)),
  )
  return own.map((part, place) => Math.min(part + at(more, place), at(dues, place).claim.most))
}

/**
 * Rounds each claim to the cent below or above what is due to it by now: its part of this base and its remainder. The
 * odd cents go to those for whom it is the soonest too late, the store among them; of equal ones to the earlier claim.
 *
 * @param claims - in the order in which equal ones are served
 * @returns cents for each claim; the rest of the base is the store's
 */
export const carriedParts = (
  claims: ReadonlyArray<CarriedClaim>,
  from: CarriedBase,
): ReadonlyArray<number> => {
  const dues = claims.map((claim) => dueOf(claim, from.base))
  const parts = dues.map(({ floor }) => floor)
  const given = exact.sum(parts)
  if (from.room !== undefined && given > from.room) return withinRoom(dues, from.room)
  const { storeBasisPoints } = from
  // Where more than all is claimed, the store pays the rest, and nobody's odd cent is another's.
  if (storeBasisPoints < 0) {
    const halves = dues.map(({ rest }) => (2 * rest >= Percent.whole ? 1 : 0))
    const more = exact.sum(halves)
    const isTooMuch = from.room !== undefined && exact.add(given, more) > from.room
    return isTooMuch ? parts : parts.map((part, place) => part + at(halves, place))
  }
  const store = storeDue(dues, from)
  const left = exact.difference(from.base, [...from.bound, ...parts])
  const odd = Number(exact.add(left, -store.floor))
  if (odd <= 0) return parts
  const room = from.room === undefined ? odd : Number(exact.add(from.room, -given))
  const getting = turns(dues, store, storeBasisPoints)
    .slice(0, odd)
    .filter((place) => place < parts.length)
  for (const place of getting.slice(0, room)) parts[place] = at(parts, place) + 1
  return parts
}
