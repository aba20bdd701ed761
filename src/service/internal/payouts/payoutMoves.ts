/** Moving payouts by hand, with the effect on their payments, each in one transaction. */
import * as Effect from "effect/Effect"
import type { AmountOutOfRange } from "../../../money/Cents.js"
import * as Lifecycle from "../../../payouts/Lifecycle.js"
import type * as Payment from "../../../payouts/Payment.js"
import * as Payout from "../../../payouts/Payout.js"
import type * as PayoutStatus from "../../../payouts/PayoutStatus.js"
import type { StoredPayment } from "../../../ports/PaymentStore.js"
import type { StoredPayout } from "../../../ports/PayoutStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { type NotFound, TotalChanged } from "../../ServiceError.js"
import type { SettingsService } from "../../Settings.js"
import { inForce } from "../chosenSettings.js"
import { needPayout, ownerOf } from "../lookups.js"
import { tellMove } from "../payments/paymentEvents.js"
import { endClaim, noteOutside, type PaymentTools, takeEvent } from "../payments/paymentSteps.js"
import { now, type Transactor } from "../transactions.js"
import { upToDate } from "./payoutCycle.js"
import { type ViewedPayout, viewOf } from "./payoutViews.js"

/** What changes of payouts need. */
export interface MoveTools extends Transactor {
  readonly settings: SettingsService
  readonly newId: Effect.Effect<string>
}

/**
 * A payment that a host made outside.
 *
 * @since 0.6.0
 * @category models
 */
export interface OutsidePayment {
  /** The amount that was paid, in cents of the payout's currency. When the payout's total differs, nothing is noted. */
  readonly total: number
  /** The reference in the system that moved the money. */
  readonly reference?: string | undefined
  /** The fee for moving it, in cents, not below 0. */
  readonly fee?: number | undefined
}

/**
 * Why a payout could not be moved by hand.
 *
 * @since 0.6.0
 * @category errors
 */
export type MoveError =
  | PayoutStatus.TransitionError
  | Payment.PaymentUnderWay
  | NotFound
  | StorageError

/** How each event shows in spans. */
const spans = {
  pay: "Payouts.pay",
  fail: "Payouts.fail",
  retry: "Payouts.retry",
  return: "Payouts.return",
  "set-paid": "Payouts.setPaid",
} as const

type HostEvent = Exclude<PayoutStatus.Event, { type: "close" }>

/** The payout, closed or rolled first when it is due: the change comes after its due date. */
export const broughtUp = Effect.fnUntraced(function* (
  { settings, newId }: MoveTools,
  stores: Stores,
  options: { readonly payout: StoredPayout; readonly accountId: string; readonly at: number },
): Effect.fn.Return<StoredPayout, StorageError> {
  const { payout, accountId, at } = options
  if (!Lifecycle.isDue(payout, at)) return payout
  const collaborator = yield* ownerOf(stores, payout)
  const { timeZone, maturityDays } = yield* inForce(stores, yield* settings.of(accountId))
  return yield* upToDate(stores, { payout, collaborator, timeZone, maturityDays, at, newId })
})

/** A payout that is moved, in a transaction. */
interface Move {
  readonly accountId: string
  readonly payout: StoredPayout
  readonly event: HostEvent
}

const stepTools = ({ settings, newId }: MoveTools, accountId: string): PaymentTools => ({
  accountId,
  settings,
  newId,
})

/** A claim, or the end of a payment, can't be refused here: that is checked before. */
const dieOfStep = {
  InvalidPaymentTransition: Effect.die,
  PaymentContradicted: Effect.die,
  AmountOutOfRange: Effect.die,
} as const

const moveOne = Effect.fnUntraced(function* (
  stores: Stores,
  tools: MoveTools,
  { accountId, payout: found, event }: Move,
): Effect.fn.Return<
  StoredPayout,
  PayoutStatus.TransitionError | Payment.PaymentUnderWay | StorageError
> {
  // A payout that can't be moved keeps its payment.
  const possible = yield* Effect.fromResult(Payout.move(found, event))
  // A payout that was set as paid by hand before stays as it is.
  if (possible.status === found.status) return found
  const steps = stepTools(tools, accountId)
  const ended = endClaim(stores, steps, { payout: found, at: event.at })
  const payout = yield* Effect.catchTags(ended, dieOfStep)
  const moved = yield* Effect.fromResult(Payout.move(payout, event))
  const stored = yield* stores.payouts.update({ payout: moved })
  yield* tellMove(event.type, stored)
  return stored
})

type MoveCall<Given extends ReadonlyArray<unknown> = []> = (
  accountId: string,
  payoutId: string,
  ...given: Given
) => Effect.Effect<ViewedPayout, MoveError>

/** Moves a payout as a host says; only what fails is closed first. */
const move = Effect.fnUntraced(function* (
  tools: MoveTools,
  { accountId, payoutId }: { readonly accountId: string; readonly payoutId: string },
  eventAt: (at: number) => HostEvent,
): Effect.fn.Return<ViewedPayout, MoveError> {
  yield* Effect.annotateCurrentSpan({ accountId, payoutId })
  const event = eventAt(yield* now)
  return yield* tools.write(
    accountId,
    Effect.fnUntraced(function* (stores) {
      const found = yield* needPayout(stores, payoutId)
      const payout =
        event.type === "fail"
          ? yield* broughtUp(tools, stores, { payout: found, accountId, at: event.at })
          : found
      return yield* viewOf(stores, yield* moveOne(stores, tools, { accountId, payout, event }))
    }),
  )
})

/** `Payouts.retry` and `Payouts.setPaid` */
export const noteEvent = (tools: MoveTools, type: "retry" | "set-paid"): MoveCall =>
  Effect.fn(spans[type])((accountId: string, payoutId: string) =>
    move(tools, { accountId, payoutId }, (at) => ({ type, at })),
  )

/** `Payouts.fail` */
export const noteFailure = (tools: MoveTools): MoveCall<[reason: string]> =>
  Effect.fn(spans.fail)((accountId: string, payoutId: string, reason: string) =>
    move(tools, { accountId, payoutId }, (at) => ({ type: "fail", at, reason })),
  )

const confirmedOf = (
  stores: Stores,
  payoutId: string,
): Effect.Effect<StoredPayment | undefined, StorageError> =>
  Effect.map(stores.payments.ofPayout(payoutId), (payments) =>
    payments.find(({ status }) => status === "confirmed"),
  )

/** `Payouts.return`: what is known of the payment that came back is noted with it. */
export const noteReturn = (tools: MoveTools): MoveCall<[reason: string]> =>
  Effect.fn(spans.return)(function* (accountId: string, payoutId: string, reason: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const at = yield* now
    const event = { type: "return", at, reason } as const
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const payout = yield* needPayout(stores, payoutId)
        const payment = payout.status === "paid" ? yield* confirmedOf(stores, payoutId) : undefined
        if (payment === undefined) {
          return yield* viewOf(stores, yield* moveOne(stores, tools, { accountId, payout, event }))
        }
        const steps = stepTools(tools, accountId)
        const taken = takeEvent(stores, steps, payment, { event, at })
        yield* Effect.catchTags(taken, dieOfStep)
        return yield* viewOf(stores, yield* needPayout(stores, payoutId))
      }),
    )
  })

/** `Payouts.pay` */
export const notePayment = (
  tools: MoveTools,
): ((
  accountId: string,
  payoutId: string,
  paid?: OutsidePayment,
) => Effect.Effect<ViewedPayout, MoveError | TotalChanged | AmountOutOfRange>) =>
  Effect.fn(spans.pay)(function* (accountId: string, payoutId: string, paid?: OutsidePayment) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const at = yield* now
    const event = { type: "pay", at } as const
    return yield* tools.write(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const found = yield* needPayout(stores, payoutId)
        const payout = yield* broughtUp(tools, stores, { payout: found, accountId, at })
        if (paid !== undefined && paid.total !== payout.total) {
          return yield* TotalChanged.of(payoutId, payout.total, paid.total)
        }
        const moved = yield* moveOne(stores, tools, { accountId, payout, event })
        const steps = stepTools(tools, accountId)
        if (paid !== undefined) yield* noteOutside(stores, steps, { payout: moved, paid, at })
        return yield* viewOf(stores, moved)
      }),
    )
  })
