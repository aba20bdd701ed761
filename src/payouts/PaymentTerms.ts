/**
 * What a rail can pay of a payout: its currencies, its minimum amounts and the steps in which it pays.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import { TaggedError } from "../internal/TaggedError.js"
import type { PayoutHead } from "./Lifecycle.js"
import { claim as claimPayment, type Payment, PaymentUnderWay } from "./Payment.js"
import * as PayoutStatus from "./PayoutStatus.js"
import * as Schedule from "./Schedule.js"

/**
 * A currency that a rail pays.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaymentCurrency {
  /** ISO 4217 code. */
  readonly currency: string
  /** The minimum amount, in cents of the currency; 1 where there is none. */
  readonly minimum: number
  /** It pays only multiples of this, in cents of the currency; 1 where it pays every amount. */
  readonly step: number
}

/**
 * The capabilities of a rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaymentTerms {
  /** The currencies that it pays; `null`: every one, in every amount above 0. */
  readonly currencies: ReadonlyArray<PaymentCurrency> | null
  /** `single`: it is called for each payment separately. `batch`: payments are passed to it together, as a file. */
  readonly mode: "single" | "batch"
  /**
   * For how many seconds after sending a payment may still reach the rail: it may be in the network, or queued at the
   * rail, while the rail says that there is none. Until then its absence is not believed.
   */
  readonly lateSeconds: number
  /** For how many seconds after a payment was sent the rail knows its key; `null`: always. */
  readonly knownSeconds: number | null
}

/**
 * A payout in a currency that a rail does not pay.
 *
 * @since 0.6.0
 * @category errors
 */
export class CurrencyNotPaid extends TaggedError("CurrencyNotPaid")<{
  readonly payoutId: string
  readonly currency: string
  readonly rail: string
  readonly message: string
}> {}

/**
 * A payout whose total is less than a rail can pay: not above 0, below the rail's minimum or less than one of its
 * steps.
 *
 * @since 0.6.0
 * @category errors
 */
export class BelowMinimum extends TaggedError("BelowMinimum")<{
  readonly payoutId: string
  /** Cents of the payout's currency. */
  readonly total: number
  /** Cents of the payout's currency. */
  readonly minimum: number
  readonly rail: string
  readonly message: string
}> {}

/**
 * Why a payout can't be claimed.
 *
 * @since 0.6.0
 * @category errors
 */
export type ClaimError =
  | BelowMinimum
  | CurrencyNotPaid
  | PaymentUnderWay
  | PayoutStatus.InvalidTransition
  | PayoutStatus.PayoutOnHold

/** The fields of a payout that a claim needs. */
type ClaimedPayout = Omit<PayoutHead, "total"> & {
  /** Cents of the currency. */
  readonly total: number
  readonly version: number
}

/** A rail, with its name. */
interface NamedRail {
  readonly name: string
  readonly terms: PaymentTerms
}

/** What a rail pays in the currency of a payout. */
const currencyOf = (
  { id: payoutId, currency }: ClaimedPayout,
  { name: rail, terms }: NamedRail,
): Result.Result<PaymentCurrency, CurrencyNotPaid> => {
  if (terms.currencies === null) return Result.succeed({ currency, minimum: 1, step: 1 })
  const found = terms.currencies.find((one) => one.currency === currency)
  if (found !== undefined) return Result.succeed(found)
  const all = terms.currencies.map((one) => one.currency).join(", ")
  const message = `payout ${payoutId} is in ${currency}, which rail ${rail} does not pay: it pays ${all}`
  return Result.fail(new CurrencyNotPaid({ payoutId, currency, rail, message }))
}

/** The amount that is paid of a total, and what is left over. */
const amountOf = (
  payout: ClaimedPayout,
  rail: NamedRail,
): Result.Result<
  { readonly amount: number; readonly rest: number },
  CurrencyNotPaid | BelowMinimum
> =>
  Result.flatMap(currencyOf(payout, rail), (pays) => {
    const { id: payoutId, total, currency } = payout
    const minimum = Math.max(pays.minimum, pays.step, 1)
    const rest = total > 0 ? total % Math.max(pays.step, 1) : 0
    const amount = total - rest
    if (amount >= minimum) return Result.succeed({ amount, rest })
    const message = `the total of payout ${payoutId} is ${total}, and rail ${rail.name} pays at least ${minimum} (in the lowest unit of ${currency})`
    return Result.fail(new BelowMinimum({ payoutId, total, minimum, rail: rail.name, message }))
  })

/** Only a closed payout is paid. */
const stillActive = (
  { id, toBePaidAt }: ClaimedPayout,
  at: number,
): PayoutStatus.InvalidTransition => {
  const due = Schedule.showTime(toBePaidAt)
  const closing =
    toBePaidAt <= at
      ? `it was due at ${due} and is not closed yet: closing what is due closes it, if its total is large enough`
      : `it is closed at ${due}, if its total is large enough then`
  const message = `payout ${id} is active and can't be claimed while it collects: ${closing}`
  return new PayoutStatus.InvalidTransition({ status: "active", event: "pay", message })
}

/**
 * Claims a payout for a rail: it must be pending, past its holding days and have no other open payment, and its total
 * must be at least what the rail can pay.
 *
 * @param options.paymentId - the attempt's id, and the key under which the rail gets it
 * @param options.at - Unix seconds
 * @returns the attempt, and the rest of the total, too little for a step of the rail, which goes to the active payout
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Payout, PaymentTerms } from "apportion"
 * import { Result } from "effect"
 *
 * const owner = { collaboratorId: "ada", currency: "HUF" }
 * const { items, ...opened } = Payout.open({ ...owner, id: "p1", openedAt: 0, toBePaidAt: 60 })
 * const closed = { ...opened, status: "pending", closedAt: 60, payableAt: 60 } as const
 * const payout = { ...closed, total: 12_345, itemsCount: 1, paymentId: null, version: 2 }
 * const currencies = [{ currency: "HUF", minimum: 100, step: 100 }]
 * const terms = { currencies, mode: "single", lateSeconds: 600, knownSeconds: null } as const
 * const options = { rail: { name: "wallet", terms }, paymentId: "a1", at: 90 }
 * const { payment, rest } = Result.getOrThrow(PaymentTerms.claim(payout, options))
 * payment.amount // => 12300
 * rest // => 45
 * ```
 */
export const claim = (
  payout: ClaimedPayout,
  options: { readonly rail: NamedRail; readonly paymentId: string; readonly at: number },
): Result.Result<{ readonly payment: Payment; readonly rest: number }, ClaimError> =>
  Result.gen(function* () {
    const { id: payoutId, collaboratorId, currency, payableAt, version } = payout
    const { rail, paymentId, at } = options
    if (payout.paymentId !== null) {
      return yield* Result.fail(PaymentUnderWay.of(payoutId, payout.paymentId))
    }
    if (payout.status === "active") return yield* Result.fail(stillActive(payout, at))
    yield* PayoutStatus.transition(payout.status, "pay")
    if (payableAt !== null && at < payableAt) {
      const message = `payout ${payoutId} is held until ${Schedule.showTime(payableAt)} and can't be paid before, at ${Schedule.showTime(at)}`
      return yield* Result.fail(new PayoutStatus.PayoutOnHold({ payoutId, payableAt, at, message }))
    }
    const { amount, rest } = yield* amountOf(payout, rail)
    const facts = { payoutId, collaboratorId, currency, amount, payoutVersion: version }
    return { payment: claimPayment({ ...facts, id: paymentId, rail: rail.name, at }), rest }
  })
