/**
 * What agreements have come to: what is recouped, what is held and until when, what is earned. Plain data.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import {
  flag,
  id,
  listOf,
  nullable,
  number,
  objectOf,
  read as readFields,
  type Shape,
  seconds,
} from "../internal/fields.js"
import { cents, currency, nonNegative } from "../money/internal/amounts.js"
import * as exact from "../money/internal/exact.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import type { Advance, Guarantee } from "./Agreement.js"

/**
 * What is recouped of an advance. What is still open of it is its amount less this.
 *
 * @since 0.6.0
 * @category models
 */
export interface RecoupedAdvance {
  readonly advanceId: string
  /** Cents, above 0. */
  readonly recouped: number
}

/**
 * A part of a reserve that is held.
 *
 * @since 0.6.0
 * @category models
 */
export interface HeldPart {
  readonly reserveId: string
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string | null
  readonly collaboratorId: string
  /** ISO 4217 code. */
  readonly currency: string
  /** Its index in the schedule. */
  readonly place: number
  /** Unix seconds. */
  readonly releaseAt: number
  /** Cents, above 0. */
  readonly amount: number
}

/**
 * What a reserve has done in a currency: what it reserved in all is what it holds, has released and has given back to
 * shares that were refunded.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReserveTotals {
  readonly reserveId: string
  /** ISO 4217 code. */
  readonly currency: string
  readonly reserved: number
  readonly released: number
  readonly reversed: number
}

/**
 * What is earned in the period of a guarantee.
 *
 * @since 0.6.0
 * @category models
 */
export interface GuaranteedEarning {
  readonly guaranteeId: string
  readonly earned: number
  /** Whether the shortfall of its period is booked. */
  readonly isClosed: boolean
}

/**
 * The balances of the agreements of an account, each list sorted by id, the parts by when they are released.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementBalances {
  readonly advances: ReadonlyArray<RecoupedAdvance>
  readonly held: ReadonlyArray<HeldPart>
  readonly reserves: ReadonlyArray<ReserveTotals>
  readonly guarantees: ReadonlyArray<GuaranteedEarning>
}

/**
 * The balances before anything is posted.
 *
 * @since 0.6.0
 * @category constants
 */
export const empty: AgreementBalances = /* @__PURE__ */ Object.freeze({
  advances: [],
  held: [],
  reserves: [],
  guarantees: [],
})

const recouped: Shape<RecoupedAdvance> = { advanceId: id, recouped: nonNegative }

const held: Shape<HeldPart> = {
  ...{ reserveId: id, orderId: id, itemId: id, collaboratorId: id, currency, releaseAt: seconds },
  groupId: /* @__PURE__ */ nullable(id),
  place: nonNegative,
  amount: /* @__PURE__ */ number(
    (value) => Number.isSafeInteger(value) && value > 0,
    "a whole number of cents above 0",
  ),
}

const totals: Shape<ReserveTotals> = {
  ...{ reserveId: id, currency },
  ...{ reserved: nonNegative, released: nonNegative, reversed: nonNegative },
}

const earning: Shape<GuaranteedEarning> = { guaranteeId: id, earned: cents, isClosed: flag }

const balances = /* @__PURE__ */ objectOf<AgreementBalances>({
  advances: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(recouped)),
  held: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(held)),
  reserves: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(totals)),
  guarantees: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(earning)),
})

/**
 * Reads balances that were kept. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Balances } from "apportion/agreements"
 * import { Result } from "effect"
 *
 * const kept: unknown = JSON.parse(JSON.stringify(Balances.empty))
 * Result.getOrThrow(Balances.parse(kept)) // => { advances: [], held: [], reserves: [], guarantees: [] }
 * const result = Balances.parse({ ...Balances.empty, advances: [{ advanceId: "a1", recouped: -1 }] })
 * Result.isFailure(result) && result.failure.problems.map(({ path }) => path) // => ["advances[0].recouped"]
 * ```
 */
export const parse = (input: unknown): Result.Result<AgreementBalances, Unreadable> =>
  Result.mapError(readFields(input, balances), (found) => unreadable("balances", found))

/**
 * What is still open of an advance.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balances } from "apportion/agreements"
 *
 * const balances = { ...Balances.empty, advances: [{ advanceId: "a1", recouped: 30_000 }] }
 * Balances.open(balances, { id: "a1", amount: 50_000 }) // => 20000
 * Balances.open(balances, { id: "a2", amount: 50_000 }) // => 50000
 * ```
 */
export const open = (
  balances: AgreementBalances,
  advance: Pick<Advance, "id" | "amount">,
): number => {
  const found = balances.advances.find(({ advanceId }) => advanceId === advance.id)
  return Math.max(0, advance.amount - (found?.recouped ?? 0))
}

/**
 * What a reserve holds in a currency.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balances } from "apportion/agreements"
 *
 * const totals = { reserveId: "r1", currency: "USD", reserved: 900, released: 300, reversed: 200 }
 * Balances.heldOf({ ...Balances.empty, reserves: [totals] }, "r1", "USD") // => 400
 * Balances.heldOf(Balances.empty, "r1", "USD") // => 0
 * ```
 */
export const heldOf = (
  balances: AgreementBalances,
  reserveId: string,
  currency: string,
): number => {
  const found = balances.reserves.find(
    (one) => one.reserveId === reserveId && one.currency === currency,
  )
  if (found === undefined) return 0
  return Number(exact.sum([found.reserved, -found.released, -found.reversed]))
}

/**
 * What lacks to a guarantee, in cents, 0 or more; `null` where that is beyond the safe integers, because of returns of as
 * much. Then it can't be booked.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Balances } from "apportion/agreements"
 *
 * const earning = { guaranteeId: "m1", earned: 30_000, isClosed: false }
 * const balances = { ...Balances.empty, guarantees: [earning] }
 * Balances.shortfall(balances, { id: "m1", amount: 50_000 }) // => 20000
 * Balances.shortfall(balances, { id: "m2", amount: 50_000 }) // => 50000
 * ```
 */
export const shortfall = (
  { guarantees }: Pick<AgreementBalances, "guarantees">,
  { id, amount }: Pick<Guarantee, "id" | "amount">,
): number | null => {
  const earned = guarantees.find(({ guaranteeId }) => guaranteeId === id)?.earned ?? 0
  const lacking = exact.toSafe(exact.sum([amount, -earned]))
  return lacking === undefined ? null : Math.max(0, lacking)
}
