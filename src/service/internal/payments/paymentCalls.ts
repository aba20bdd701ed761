/** What hosts report about payments, and the lists of payments: each change is one transaction. */
import * as Effect from "effect/Effect"
import { isSeconds } from "../../../internal/seconds.js"
import { type AmountOutOfRange, isCents } from "../../../money/Cents.js"
import * as Payment from "../../../payouts/Payment.js"
import type * as PaymentTerms from "../../../payouts/PaymentTerms.js"
import type { PaymentRail } from "../../../ports/PaymentRail.js"
import type { PaymentSlice, StoredPayment } from "../../../ports/PaymentStore.js"
import type { Stores } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import type { Outcome } from "../../../rails/Outcome.js"
import { type NotFound, PaymentNotMatched } from "../../ServiceError.js"
import type { SettingsService } from "../../Settings.js"
import { needPayout, wholeWithin } from "../lookups.js"
import { now, type Transactor } from "../transactions.js"
import { tellPayment } from "./paymentEvents.js"
import {
  needPayment,
  noteContradiction,
  type PaymentTools,
  type StepError,
  takeEvent,
} from "./paymentSteps.js"

/**
 * What a rail, or a person who has checked, says about a payment that was made.
 *
 * @since 0.6.0
 * @category models
 */
export interface Confirmation {
  /** When the money moved, in Unix seconds; now when absent. */
  readonly at?: number | undefined
  /** The rail's reference. */
  readonly reference?: string | undefined
  /** The rail's fee, in cents of the payment's currency, not below 0. */
  readonly fee?: number | undefined
  /** What was paid, in cents; anything but the payment's amount is a contradiction. */
  readonly amount?: number | undefined
}

/**
 * Which part of a list of payments is asked for.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaymentsRequest {
  /** Those with this status; all when absent. */
  readonly status?: Payment.PaymentStatus | undefined
  /** The place of the last known payment; from the first when absent. */
  readonly after?: PaymentSlice["after"]
  /** At most how many, brought to 1 to 1000; 100 when absent. */
  readonly limit?: number | undefined
}

/**
 * Why a payout could not be claimed.
 *
 * @since 0.6.0
 * @category errors
 */
export type ClaimFailure = PaymentTerms.ClaimError | AmountOutOfRange | NotFound | StorageError

/**
 * Why something could not happen to a payment.
 *
 * @since 0.6.0
 * @category errors
 */
export type PaymentFailure = StepError | NotFound

/** What the methods share. */
export interface PaymentCallTools extends Transactor {
  readonly settings: SettingsService
  readonly rails: ReadonlyArray<PaymentRail>
  readonly newId: Effect.Effect<string>
}

export const stepTools = (
  { settings, newId }: PaymentCallTools,
  accountId: string,
): PaymentTools => ({
  accountId,
  settings,
  newId,
})

// What happens to one payment, in one transaction.

/** The events of a payment in its current state, in order. */
type EventsOf = (payment: StoredPayment, at: number) => ReadonlyArray<Payment.Event>

/** A payment after its events, and the contradiction that ended them. */
interface StepOutcome {
  readonly payment: StoredPayment
  readonly contradiction?: Payment.PaymentContradicted
}

/** Applies events in sequence; a contradiction is noted, and ends them. */
const takeAll = Effect.fnUntraced(function* (
  stores: Stores,
  tools: PaymentTools,
  {
    payment: first,
    events,
    at,
  }: {
    readonly payment: StoredPayment
    readonly events: ReadonlyArray<Payment.Event>
    readonly at: number
  },
) {
  let payment = first
  for (const event of events) {
    const known = payment
    const taken: StepOutcome = yield* takeEvent(stores, tools, known, { event, at }).pipe(
      Effect.map((next): StepOutcome => ({ payment: next })),
      Effect.catchTag("PaymentContradicted", (contradiction) => {
        const noted = { at, event: event.type, message: contradiction.message }
        return Effect.as(noteContradiction(stores, known, noted), { payment: known, contradiction })
      }),
    )
    if (taken.contradiction !== undefined) return taken
    payment = taken.payment
  }
  return { payment }
})

/** Stores what happens to a payment. A contradiction is stored too, and then fails the call. */
export const happen = Effect.fnUntraced(function* (
  tools: PaymentCallTools,
  { accountId, paymentId }: { readonly accountId: string; readonly paymentId: string },
  eventsOf: EventsOf,
): Effect.fn.Return<StoredPayment, PaymentFailure> {
  const at = yield* now
  const taken: StepOutcome = yield* tools.write(accountId, (stores) =>
    Effect.flatMap(needPayment(stores, paymentId), (payment) => {
      const events = eventsOf(payment, at)
      return takeAll(stores, stepTools(tools, accountId), { payment, events, at })
    }),
  )
  return taken.contradiction === undefined ? taken.payment : yield* Effect.fail(taken.contradiction)
})

/** Leaves out an invalid time or fee: that the money moved counts all the same. */
export const confirmation = (given: Confirmation, now: number): Payment.Event => {
  const { at, fee } = given
  return {
    ...{ type: "confirm", reference: given.reference, amount: given.amount },
    at: at !== undefined && isSeconds(at) ? at : now,
    fee: fee !== undefined && isCents(fee) && fee >= 0 ? fee : undefined,
  }
}

// What hosts report about a payment.

/** Whether an answer is older than the end of its payment, as in a file that is read again. */
const isOld = ({ at }: Outcome, { endedAt, returnedAt }: StoredPayment): boolean => {
  const end = returnedAt ?? endedAt
  return end !== null && at !== null && at < end
}

/** How much of a payment came back, including the bank's fee; all of it when the answer does not say. */
const broughtBack = ({ amount, fee }: Outcome, payment: StoredPayment): number =>
  amount === null || amount === payment.amount ? payment.amount : amount + (fee ?? 0)

/** The events that a rail's file or message reports: a payment that came back must have been made before. */
const eventsOfOutcome = (
  outcome: Outcome,
  payment: StoredPayment,
  at: number,
): ReadonlyArray<Payment.Event> => {
  const { type, amount, currency } = outcome
  const reason = outcome.reason ?? "the rail gives no reason"
  const reference = outcome.railReference ?? undefined
  const given = { reference, fee: outcome.fee ?? undefined, at: outcome.at ?? undefined }
  const confirmed = { ...confirmation(given, at), amount, currency }
  switch (type) {
    case "accepted":
      return isOld(outcome, payment) ? [] : [{ type: "accept", at, reference }]
    case "confirmed":
      return [confirmed]
    case "rejected":
      return [{ type: "reject", at, reason }]
    case "returned": {
      const returned = { type: "return", at, reason } as const
      const back = broughtBack(outcome, payment)
      if (back !== payment.amount || (currency ?? payment.currency) !== payment.currency) {
        // Paying it again in full would pay too much: a person has to look.
        const part = `${back} ${currency ?? payment.currency} of ${payment.amount} ${payment.currency} came back: ${reason}`
        return [{ type: "lose", at, reason: part, isNews: payment.status !== "returned" }]
      }
      const made = { ...confirmed, amount: payment.amount }
      return Payment.isUnderWay(payment.status) ? [made, returned] : [returned]
    }
    case "unknown":
      return [{ type: "lose", at, reason, isNews: outcome.at !== null && !isOld(outcome, payment) }]
  }
}

/** The only payment with a reference. */
const idOfReference = Effect.fnUntraced(function* (
  { read }: PaymentCallTools,
  accountId: string,
  reference: string | null,
): Effect.fn.Return<string, PaymentNotMatched | StorageError> {
  if (reference === null) return yield* PaymentNotMatched.of(reference, [])
  const found = yield* read(accountId, ({ payments }) =>
    payments.ofReference({ reference, limit: 2 }),
  )
  const [first, second] = found.map(({ id }) => id)
  return first === undefined || second !== undefined
    ? yield* PaymentNotMatched.of(
        reference,
        found.map(({ id }) => id),
      )
    : first
})

/** `Payments.answer` */
const answer = (tools: PaymentCallTools) =>
  Effect.fn("Payments.answer")(function* (accountId: string, outcome: Outcome) {
    const { key, railReference } = outcome
    yield* Effect.annotateCurrentSpan({ accountId, paymentId: key ?? "" })
    const paymentId = key ?? (yield* idOfReference(tools, accountId, railReference))
    return yield* happen(tools, { accountId, paymentId }, (payment, at) =>
      eventsOfOutcome(outcome, payment, at),
    )
  })

/** A call that is one event. */
const noting =
  <Given extends ReadonlyArray<unknown>>(
    tools: PaymentCallTools,
    name: string,
    eventOf: (at: number, ...given: Given) => Payment.Event,
  ) =>
  (accountId: string, paymentId: string, ...given: Given) =>
    Effect.andThen(
      Effect.annotateCurrentSpan({ accountId, paymentId }),
      happen(tools, { accountId, paymentId }, (_, at) => [eventOf(at, ...given)]),
    ).pipe(Effect.withSpan(`Payments.${name}`))

/** `Payments.settle` */
const settle = (tools: PaymentCallTools) =>
  Effect.fn("Payments.settle")(function* (accountId: string, paymentId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, paymentId })
    return yield* tools.write(accountId, (stores) =>
      Effect.flatMap(needPayment(stores, paymentId), (payment) =>
        payment.contradiction === null
          ? Effect.succeed(payment)
          : Effect.tap(stores.payments.update({ ...payment, contradiction: null }), (stored) =>
              tellPayment("settle", stored),
            ),
      ),
    )
  })

// Lists.

const usualLimit = 100
const mostAtATime = 1_000

/** How long the outcome of a payment is unknown before a person has to look. */
const stuckSeconds = 86_400

const sliceOf = ({ after, limit }: Omit<PaymentsRequest, "status">) => ({
  after,
  limit: wholeWithin(limit ?? usualLimit, 1, mostAtATime),
})

const lists = ({ read }: PaymentCallTools) => ({
  get: Effect.fn("Payments.get")((accountId: string, paymentId: string) =>
    read(accountId, (stores) => needPayment(stores, paymentId)),
  ),
  ofPayout: Effect.fn("Payments.ofPayout")((accountId: string, payoutId: string) =>
    read(accountId, (stores) =>
      Effect.andThen(needPayout(stores, payoutId), stores.payments.ofPayout(payoutId)),
    ),
  ),
  list: Effect.fn("Payments.list")((accountId: string, request: PaymentsRequest = {}) =>
    read(accountId, ({ payments }) =>
      payments.list({ ...sliceOf(request), status: request.status }),
    ),
  ),
  stuck: Effect.fn("Payments.stuck")(
    (
      accountId: string,
      request: Omit<PaymentsRequest, "status"> = {},
    ): Effect.Effect<ReadonlyArray<StoredPayment>, StorageError> =>
      Effect.flatMap(now, (at) =>
        read(accountId, ({ payments }) =>
          payments.stuck({ ...sliceOf(request), sentBefore: at - stuckSeconds }),
        ),
      ),
  ),
})

/** A call about one payment. */
export type PaymentCall<Given extends ReadonlyArray<unknown> = []> = (
  accountId: string,
  paymentId: string,
  ...given: Given
) => Effect.Effect<StoredPayment, PaymentFailure>

/** The calls that ask no rail. */
export const make = (tools: PaymentCallTools) => ({
  ...lists(tools),
  noteSent: noting(tools, "noteSent", (at, reference?: string) => ({
    type: "send",
    at,
    reference,
  })),
  confirm: noting(tools, "confirm", (at, given: Confirmation = {}) => confirmation(given, at)),
  reject: noting(tools, "reject", (at, reason: string) => ({ type: "reject", at, reason })),
  return: noting(tools, "return", (at, reason: string) => ({ type: "return", at, reason })),
  release: noting(tools, "release", (at, reason?: string) => ({ type: "release", at, reason })),
  answer: answer(tools),
  settle: settle(tools),
})
