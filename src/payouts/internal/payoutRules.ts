/**
 * What may happen to a payout, and the result, for payouts whose total the caller can compute.
 */
import * as Result from "effect/Result"
import type * as Cents from "../../money/Cents.js"
import * as PayoutItem from "../PayoutItem.js"
import * as PayoutStatus from "../PayoutStatus.js"
import * as Schedule from "../Schedule.js"

type EventOf<Type extends PayoutStatus.PayoutEvent> = Extract<PayoutStatus.Event, { type: Type }>
type StandingChange = Partial<PayoutStatus.Standing>
type Total = () => Result.Result<number, Cents.AmountOutOfRange>

/** Whether a total is large enough for a payout to be closed, in cents. */
export const reachesThreshold = (total: number | bigint, threshold: number): boolean =>
  total > 0 && total >= threshold

const requireDue = (
  { id: payoutId, toBePaidAt }: PayoutStatus.Standing,
  at: number,
): Result.Result<void, PayoutStatus.PayoutNotDue> => {
  if (at >= toBePaidAt) return Result.succeed(undefined)
  const message = `payout ${payoutId} is due at ${Schedule.showTime(toBePaidAt)} and can't be closed before, at ${Schedule.showTime(at)}`
  return Result.fail(new PayoutStatus.PayoutNotDue({ payoutId, toBePaidAt, at, message }))
}

const requirePayable = (
  { id: payoutId, currency }: PayoutStatus.Standing,
  total: number,
  threshold: number,
): Result.Result<void, PayoutStatus.PayoutBelowThreshold> => {
  if (reachesThreshold(total, threshold)) return Result.succeed(undefined)
  const message = `the total of payout ${payoutId} is ${total}, it must be above 0 and at least the threshold of ${threshold} to be closed (in the lowest unit of ${currency})`
  return Result.fail(new PayoutStatus.PayoutBelowThreshold({ payoutId, total, threshold, message }))
}

const close = (
  payout: PayoutStatus.Standing,
  { at, terms, timeZone }: EventOf<"close">,
  total: Total,
): Result.Result<StandingChange, PayoutStatus.TransitionError> =>
  Result.gen(function* () {
    yield* requireDue(payout, at)
    yield* requirePayable(payout, yield* total(), terms.payoutThreshold)
    const holdingDays = terms.payoutHoldingDays
    return {
      closedAt: at,
      payableAt: yield* Schedule.payableAt({ closedAt: at, holdingDays, timeZone }),
    }
  })

const requireHeld = (
  { id: payoutId, payableAt }: PayoutStatus.Standing,
  at: number,
): Result.Result<void, PayoutStatus.PayoutOnHold> => {
  if (payableAt === null || at >= payableAt) return Result.succeed(undefined)
  const message = `payout ${payoutId} is held until ${Schedule.showTime(payableAt)} and can't be paid before, at ${Schedule.showTime(at)}`
  return Result.fail(new PayoutStatus.PayoutOnHold({ payoutId, payableAt, at, message }))
}

const pay = (
  payout: PayoutStatus.Standing,
  { at }: EventOf<"pay">,
  total: Total,
): Result.Result<StandingChange, PayoutStatus.TransitionError> =>
  Result.gen(function* () {
    yield* requireHeld(payout, at)
    const sum = yield* total()
    if (sum >= 0) return { paidAt: at }
    const message = `the total of payout ${payout.id} is ${sum}: below 0 there is nothing to pay (in the lowest unit of ${payout.currency})`
    return yield* Result.fail(
      new PayoutStatus.PayoutTotalNegative({ payoutId: payout.id, total: sum, message }),
    )
  })

const effectOf = (
  payout: PayoutStatus.Standing,
  event: PayoutStatus.Event,
  total: Total,
): Result.Result<StandingChange, PayoutStatus.TransitionError> => {
  switch (event.type) {
    case "close":
      return close(payout, event, total)
    case "pay":
      return pay(payout, event, total)
    case "fail":
      return Result.succeed({ failureReason: event.reason })
    case "retry":
      return Result.succeed({ failureReason: null })
    case "return":
      return Result.succeed({ paidAt: null, failureReason: event.reason })
    case "set-paid":
      return Result.succeed({ paidAt: payout.paidAt ?? event.at, failureReason: null })
  }
}

/** Moves a payout by an event; fields outside of its standing stay as they are. */
export const move = <P extends PayoutStatus.Standing>(
  payout: P,
  event: PayoutStatus.Event,
  total: Total,
): Result.Result<P, PayoutStatus.TransitionError> =>
  Result.gen(function* () {
    const status = yield* PayoutStatus.transition(payout.status, event.type)
    yield* Schedule.checkTime(event.at, "at")
    const change = yield* effectOf(payout, event, total)
    return { ...payout, ...change, status }
  })

/**
 * The effect of a refund on a sale: in a payout whose items may change, the sale with a reduced amount replaces it;
 * otherwise an item takes the amount back, for the active payout.
 */
export const refund = (
  payout: Pick<PayoutStatus.Standing, "currency"> & { readonly isFixed: boolean },
  sale: PayoutItem.Sale,
  taken: {
    readonly id: string
    readonly amount: number
    readonly alreadyRefunded: number
    readonly at: number
  },
): Result.Result<
  PayoutItem.Sale | PayoutItem.Refund,
  PayoutItem.RefundBeyondShare | PayoutItem.ConversionError
> => {
  const options = { ...taken, currency: payout.currency }
  return payout.isFixed ? PayoutItem.takeBack(sale, options) : PayoutItem.reduce(sale, options)
}
