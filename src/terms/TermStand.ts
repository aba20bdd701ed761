/**
 * Where terms stand at a count: which band of tiers is reached, and what is left under a cap.
 *
 * @since 0.6.0
 */
import { at } from "../internal/at.js"
import * as exact from "../money/internal/exact.js"
import { bandsOf, placeAt, roomOf } from "./internal/bands.js"
import type { Band, Cap, Tiers } from "./Terms.js"

/**
 * The band that a count has reached.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReachedBand {
  /** Of what is sold next, as `"12.50"`. */
  readonly percent: string
  /** The band after it, and from where on; `null`: there is none. */
  readonly next: Band | null
}

/**
 * The band in which the next unit or cent is sold, after so many units or cents of what the tiers count.
 *
 * @since 0.6.0
 * @category getters
 * @example
 * ```ts
 * import { TermStand } from "apportion"
 *
 * const bands = [{ from: 0, percent: "10.00" }, { from: 1000, percent: "15.00" }]
 * const tiers = { counted: "units", per: "group", period: "lifetime", bands } as const
 * TermStand.bandAt(tiers, 999) // => { percent: "10.00", next: { from: 1000, percent: "15.00" } }
 * TermStand.bandAt(tiers, 1000) // => { percent: "15.00", next: null }
 * ```
 */
export const bandAt = (tiers: Tiers, count: number): ReachedBand => {
  const place = placeAt(bandsOf(tiers), { count, sign: 1 })
  return { percent: at(tiers.bands, place).percent, next: tiers.bands[place + 1] ?? null }
}

/**
 * How many cents are left under a cap of which so many are paid: after returns up to all that a share can be.
 *
 * @since 0.6.0
 * @category getters
 * @example
 * ```ts
 * import { TermStand } from "apportion"
 *
 * const cap = { amount: 50000, per: "group", period: "month" } as const
 * TermStand.leftUnder(cap, 48000) // => 2000
 * TermStand.leftUnder(cap, -100) // => 50100
 * ```
 */
export const leftUnder = ({ amount }: Cap, count: number): number =>
  roomOf(exact.add(amount, -count))
