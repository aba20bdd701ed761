/** Which bands a stretch of a counter passes, and what is left under a cap. Counters below 0 are in the first band. */
import { entryAt } from "../../internal/at.js"
import * as exact from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Fraction, Sign } from "../../shares/internal/claims.js"
import type { Tiers } from "../Terms.js"

/** Tiers as columns of numbers. */
export interface Bands {
  readonly from: ReadonlyArray<number>
  /** Hundredths of a percent. */
  readonly points: ReadonlyArray<number>
}

export const bandsOf = ({ bands }: Tiers): Bands => ({
  from: bands.map(({ from }) => from),
  points: bands.map(({ percent }) => exact.basisPointsOf(percent)),
})

/** What is counted in one band. */
export interface Piece {
  readonly place: number
  readonly counted: number
}

/** A place on a counter, and in which way it goes on from there. */
export interface Stand {
  readonly count: number
  readonly sign: Sign
}

/** The band in which the next one is counted. */
export const placeAt = ({ from }: Bands, { count, sign }: Stand): number => {
  let place = from.length - 1
  while (place > 0 && (sign === 1 ? entryAt(from, place) > count : entryAt(from, place) >= count)) {
    place -= 1
  }
  return place
}

/** How much is counted until the band ends. */
export const roomIn = ({ from }: Bands, place: number, { count, sign }: Stand): number => {
  if (sign === 1) return (from[place + 1] ?? Number.POSITIVE_INFINITY) - count
  return place === 0 ? Number.POSITIVE_INFINITY : count - entryAt(from, place)
}

/** What is left under a cap. After returns that may be beyond the safe integers, as no claim can be. */
export const roomOf = (left: number | bigint): number =>
  left < 0 ? 0 : left < Number.MAX_SAFE_INTEGER ? Number(left) : Number.MAX_SAFE_INTEGER

/** The bands that so many units or cents pass, in their order; both ends are safe integers. */
export const passed = (bands: Bands, stand: Stand, length: number): ReadonlyArray<Piece> => {
  const { sign } = stand
  let { count } = stand
  let place = placeAt(bands, stand)
  let left = length
  const pieces: Array<Piece> = []
  for (;;) {
    const counted = Math.min(left, roomIn(bands, place, { count, sign }))
    pieces.push({ place, counted })
    left -= counted
    if (left === 0) return pieces
    count += sign * counted
    place += sign
  }
}

/** What a base earns in the pieces that its length was divided into. */
export const earnedIn = (
  { points }: Bands,
  pieces: ReadonlyArray<Piece>,
  { base, length }: { readonly base: number; readonly length: number },
): Fraction => {
  let sum = 0n
  for (const { place, counted } of pieces) {
    sum += BigInt(counted) * BigInt(entryAt(points, place))
  }
  return { amount: BigInt(base) * sum, unit: BigInt(length) * BigInt(Percent.whole) }
}

/** The pieces of a base where the share itself is counted, and what they earn. */
export interface Earning {
  /** The last piece has what the others leave, and counts 0. */
  readonly pieces: ReadonlyArray<Piece>
  readonly earned: Fraction
}

const whole = BigInt(Percent.whole)

/** Whether a base earns no more than the room that is left in a band. No percentage is above 100. */
export const isWithin = ({ points }: Bands, place: number, base: number, room: number): boolean =>
  base <= room ||
  exact.multiply(base, entryAt(points, place)) <= exact.multiply(room, Percent.whole)

/** The bands that a base passes where the share that comes of it is counted: two or more. */
export const passedByShare = (bands: Bands, stand: Stand, base: number): Earning => {
  const { sign } = stand
  let { count } = stand
  let place = placeAt(bands, stand)
  // What is left of the base, as a fraction.
  let left = BigInt(base)
  let divisor = 1n
  let filled = 0n
  const pieces: Array<Piece> = []
  for (;;) {
    const points = BigInt(entryAt(bands.points, place))
    const room = roomIn(bands, place, { count, sign })
    const lasts = room === Number.POSITIVE_INFINITY || points === 0n
    if (lasts || left * points <= BigInt(room) * whole * divisor) {
      pieces.push({ place, counted: 0 })
      const unit = divisor * whole
      return { pieces, earned: { amount: filled * unit + left * points, unit } }
    }
    pieces.push({ place, counted: room })
    left = left * points - BigInt(room) * whole * divisor
    divisor *= points
    filled += BigInt(room)
    count += sign * room
    place += sign
  }
}
