/** Which part of a share goes back with a part of its item, where the share did not grow evenly with it. */
import { at } from "../../internal/at.js"
import { basisPointsOf } from "../../money/internal/exact.js"
import * as Percent from "../../money/Percent.js"
import type { Share, ShareTiers } from "../Share.js"
import type { Proportion } from "./progress.js"

const whole = BigInt(Percent.whole)

const size = (value: number): bigint => BigInt(Math.abs(value))

const multiply = (one: Proportion, other: Proportion): Proportion => ({
  numerator: one.numerator * other.numerator,
  denominator: one.denominator * other.denominator,
})

const add = (one: Proportion, other: Proportion): Proportion => ({
  numerator: one.numerator * other.denominator + other.numerator * one.denominator,
  denominator: one.denominator * other.denominator,
})

const subtract = (one: Proportion, other: Proportion): Proportion =>
  add(one, { ...other, numerator: -other.numerator })

const none: Proportion = { numerator: 0n, denominator: 1n }

/** The part of a base that earned one band's percentage. */
interface Stretch {
  readonly base: Proportion
  readonly basisPoints: bigint
}

/** The part of the base that fell in each band; where shares were counted, the last band has the rest. */
const stretchesOf = (base: bigint, { bands, counted }: ShareTiers): ReadonlyArray<Stretch> => {
  const total = bands.reduce((sum, band) => sum + size(band.counted), 0n)
  let left: Proportion = { numerator: base, denominator: 1n }
  return bands.map((band, place) => {
    const basisPoints = BigInt(basisPointsOf(band.percent))
    const isRest = counted === "share" && place === bands.length - 1
    const part: Proportion = isRest
      ? left
      : counted === "share"
        ? { numerator: size(band.counted) * whole, denominator: basisPoints }
        : { numerator: base * size(band.counted), denominator: total }
    left = subtract(left, part)
    return { base: part, basisPoints }
  })
}

const isMore = (one: Proportion, other: Proportion): boolean =>
  one.numerator * other.denominator > other.numerator * one.denominator

/**
 * The part of a share's goods that goes back when so much of its item is refunded: what was earned last, in the highest
 * band, goes first. A flat amount goes evenly with the item.
 */
export const undone = (share: Share, refunded: Proportion): Proportion => {
  const tiers = share.terms?.tiers
  const base = size(share.base)
  if (tiers == null || tiers.bands.length < 2 || base === 0n) return refunded
  const stretches = stretchesOf(base, tiers)
  let left = multiply({ numerator: base, denominator: 1n }, refunded)
  let back = none
  let all = none
  for (let place = stretches.length - 1; place >= 0; place -= 1) {
    const { base: part, basisPoints } = at(stretches, place)
    const earns = { numerator: basisPoints, denominator: whole }
    const taken = isMore(part, left) ? left : part
    back = add(back, multiply(taken, earns))
    all = add(all, multiply(part, earns))
    left = subtract(left, taken)
  }
  const flat = { numerator: size(share.flatTotal), denominator: 1n }
  const total = add(all, flat)
  if (total.numerator === 0n) return refunded
  const gone = add(back, multiply(flat, refunded))
  return {
    numerator: gone.numerator * total.denominator,
    denominator: gone.denominator * total.numerator,
  }
}
