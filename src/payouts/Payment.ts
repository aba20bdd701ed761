/**
 * One attempt to pay a payout: its states and the events between them, as data, and the effect of each answer of a
 * rail. While an attempt is open its payout is frozen.
 *
 * @since 0.6.0
 */

import * as Result from "effect/Result"
import {
  choice,
  id,
  nullable,
  number,
  objectOf,
  read,
  type Shape,
  text,
} from "../internal/fields.js"
import { frozen } from "../internal/frozen.js"
import { TaggedError } from "../internal/TaggedError.js"
import { isCents } from "../money/Cents.js"
import { cents } from "../money/internal/amounts.js"
import { type Unreadable, unreadable } from "../Unreadable.js"

/**
 * `claimed`: the payout is frozen, and nothing is sent. `sent`: the rail was asked, or has accepted it. `unknown`: it
 * is not known whether money moved. `confirmed`: it did. `rejected`: it did not. `released`: given up before anything
 * was sent. `returned`: it came back after it was confirmed.
 *
 * @since 0.6.0
 * @category models
 */
export type PaymentStatus =
  | "claimed"
  | "sent"
  | "unknown"
  | "confirmed"
  | "rejected"
  | "released"
  | "returned"

/**
 * The events of an attempt. `accept`: the rail has accepted it and reports its outcome later. `lose`: there was no
 * answer, or one that leaves the outcome open. `absent`: the rail clearly says that there is no such payment.
 *
 * @since 0.6.0
 * @category models
 */
export type PaymentEvent =
  | "send"
  | "accept"
  | "confirm"
  | "reject"
  | "lose"
  | "absent"
  | "release"
  | "return"

/**
 * Every status of an attempt.
 *
 * @since 0.6.0
 * @category constants
 */
export const statuses: readonly [
  "claimed",
  "sent",
  "unknown",
  "confirmed",
  "rejected",
  "released",
  "returned",
] = ["claimed", "sent", "unknown", "confirmed", "rejected", "released", "returned"]

/**
 * Every event of an attempt.
 *
 * @since 0.6.0
 * @category constants
 */
export const events: readonly [
  "send",
  "accept",
  "confirm",
  "reject",
  "lose",
  "absent",
  "release",
  "return",
] = ["send", "accept", "confirm", "reject", "lose", "absent", "release", "return"]

/**
 * One row of the {@link table}.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaymentTransition {
  readonly from: PaymentStatus
  readonly event: PaymentEvent
  readonly to: PaymentStatus
  /** The further condition, in words; `null`: none. */
  readonly condition: string | null
  /** The effect on the payout, in words; `null`: it stays as it is. */
  readonly effect: string | null
}

const row = (
  from: PaymentStatus,
  event: PaymentEvent,
  to: PaymentStatus,
  told: { readonly condition?: string; readonly effect?: string } = {},
): PaymentTransition => ({
  ...{ from, event, to },
  condition: told.condition ?? null,
  effect: told.effect ?? null,
})

const wasSent = "it was sent before, and the rail had said that it has no such payment"
const paid = { effect: "the payout is paid, at the rail's time" }
const failed = { effect: "the payout fails, with the reason; it is frozen no more" }

/**
 * All transitions; any other event in any other status is refused, unless it repeats what is known.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { Payment } from "apportion"
 *
 * const leaving = Payment.table.filter(({ from }) => from === "unknown")
 * leaving.map(({ event, to }) => `${event}: ${to}`)
 * // => ["accept: sent", "confirm: confirmed", "reject: rejected", "absent: claimed"]
 * ```
 */
export const table: ReadonlyArray<PaymentTransition> = /* @__PURE__ */ frozen<
  ReadonlyArray<PaymentTransition>
>([
  row("claimed", "send", "sent", { condition: "it is stored before the rail is asked" }),
  row("claimed", "release", "released", { effect: "the payout is frozen no more" }),
  row("claimed", "accept", "sent", { condition: wasSent }),
  row("claimed", "confirm", "confirmed", { condition: wasSent, ...paid }),
  row("claimed", "reject", "rejected", { condition: wasSent, ...failed }),
  row("sent", "accept", "sent"),
  row("sent", "confirm", "confirmed", paid),
  row("sent", "reject", "rejected", failed),
  row("sent", "lose", "unknown"),
  row("sent", "absent", "claimed", { condition: "the rail can't get it any more" }),
  row("unknown", "accept", "sent"),
  row("unknown", "confirm", "confirmed", paid),
  row("unknown", "reject", "rejected", failed),
  row("unknown", "absent", "claimed", { condition: "the rail can't get it any more" }),
  row("confirmed", "return", "returned", { effect: "the payout fails, with the reason" }),
])

/**
 * An answer that contradicts the one that ended an attempt.
 *
 * @since 0.6.0
 * @category models
 */
export interface Contradiction {
  /** When it came, in Unix seconds. */
  readonly at: number
  readonly event: PaymentEvent
  /** The answer, and what was known before. */
  readonly message: string
}

/**
 * An attempt to pay a payout. Times are Unix seconds, amounts cents of the currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface Payment {
  /** The key that the rail gets, the same in every repetition. */
  readonly id: string
  readonly payoutId: string
  readonly collaboratorId: string
  /** ISO 4217 code. */
  readonly currency: string
  /** The amount paid, above 0: the payout's total when it was claimed. */
  readonly amount: number
  /** The payout's version when it was claimed. */
  readonly payoutVersion: number
  /** The name of the rail. */
  readonly rail: string
  readonly status: PaymentStatus
  readonly claimedAt: number
  /** When it was sent last; `null`: never. */
  readonly sentAt: number | null
  /** When the rail last accepted it; `null`: not since it was sent. */
  readonly acceptedAt: number | null
  /** When it was confirmed, rejected or released; `null`: it is open. */
  readonly endedAt: number | null
  readonly returnedAt: number | null
  /** The rail's reference; `null`: not known. */
  readonly reference: string | null
  /** The rail's fee; `null`: not known. */
  readonly fee: number | null
  /** Why it was rejected, released or returned, or why its outcome is unknown; `null`: none of these. */
  readonly reason: string | null
  /** An answer that contradicts what is recorded, for a person to check; `null`: there is none. */
  readonly contradiction: Contradiction | null
}

const time = /* @__PURE__ */ nullable(cents)
const optionalText = /* @__PURE__ */ nullable(text)

const contradictionShape: Shape<Contradiction> = {
  at: cents,
  event: /* @__PURE__ */ choice(events),
  message: text,
}

const isAmount = (value: number): boolean => isCents(value) && value > 0
const isFee = (value: number): boolean => isCents(value) && value >= 0

const shape: Shape<Payment> = {
  id,
  payoutId: id,
  collaboratorId: id,
  currency: id,
  amount: /* @__PURE__ */ number(isAmount, "a whole number of cents above 0"),
  payoutVersion: cents,
  rail: id,
  status: /* @__PURE__ */ choice(statuses),
  claimedAt: cents,
  sentAt: time,
  acceptedAt: time,
  endedAt: time,
  returnedAt: time,
  reference: optionalText,
  fee: /* @__PURE__ */ nullable(
    /* @__PURE__ */ number(isFee, "a whole number of cents, not below 0"),
  ),
  reason: optionalText,
  contradiction: /* @__PURE__ */ nullable(/* @__PURE__ */ objectOf(contradictionShape)),
}

/**
 * Reads an attempt: every field has to be present and valid. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Payment } from "apportion"
 * import { Result } from "effect"
 *
 * const facts = { payoutId: "p1", collaboratorId: "ada", currency: "USD", amount: 5_000, payoutVersion: 3 }
 * const payment = Payment.claim({ ...facts, id: "a1", rail: "bank", at: 1_700_000_000 })
 * Result.isSuccess(Payment.parse(payment)) // => true
 * Result.isFailure(Payment.parse({ ...payment, amount: 0 })) // => true
 * ```
 */
export const parse = (input: unknown): Result.Result<Payment, Unreadable> =>
  Result.mapError(read(input, objectOf(shape)), (problems) => unreadable("payment", problems))

/**
 * An event of an attempt, with its time in Unix seconds.
 *
 * @since 0.6.0
 * @category models
 */
export type Event =
  | { readonly type: "absent"; readonly at: number }
  | {
      readonly type: "send"
      readonly at: number
      /** The name of the file with the payment; the rail's own reference replaces it. */
      readonly reference?: string | null | undefined
    }
  | { readonly type: "accept"; readonly at: number; readonly reference?: string | null | undefined }
  | {
      readonly type: "confirm"
      /** The rail's time. */
      readonly at: number
      readonly reference?: string | null | undefined
      /** Cents of the payment's currency. */
      readonly fee?: number | null | undefined
      /** The amount paid, if the rail reports it; any amount but the payment's is a contradiction. */
      readonly amount?: number | null | undefined
      /** The currency that was paid; another than the payment's is a contradiction. */
      readonly currency?: string | null | undefined
    }
  | {
      readonly type: "reject" | "return"
      readonly at: number
      readonly reason: string
    }
  | {
      readonly type: "lose"
      readonly at: number
      readonly reason?: string | null | undefined
      /** The rail reports it on its own, after it reported the end: then it contradicts that end. */
      readonly isNews?: boolean | undefined
    }
  | { readonly type: "release"; readonly at: number; readonly reason?: string | null | undefined }

/**
 * An event that is not allowed in an attempt's status.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidPaymentTransition extends TaggedError("InvalidPaymentTransition")<{
  readonly paymentId: string
  readonly status: PaymentStatus
  readonly event: PaymentEvent
  readonly message: string
}> {}

/**
 * An answer that contradicts the recorded one: it was rejected and is now confirmed, or another amount was paid. It is
 * only recorded, for a person to check, and changes nothing else.
 *
 * @since 0.6.0
 * @category errors
 */
export class PaymentContradicted extends TaggedError("PaymentContradicted")<{
  readonly paymentId: string
  readonly status: PaymentStatus
  readonly event: PaymentEvent
  readonly message: string
}> {}

/**
 * A payout that can't be changed, paid or failed by hand while a payment of it is under way.
 *
 * @since 0.6.0
 * @category errors
 */
export class PaymentUnderWay extends TaggedError("PaymentUnderWay")<{
  readonly payoutId: string
  readonly paymentId: string
  readonly message: string
}> {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(payoutId: string, paymentId: string): PaymentUnderWay {
    const message = `payment ${paymentId} of payout ${payoutId} is under way: the payout stays as it is until it ends`
    return new PaymentUnderWay({ payoutId, paymentId, message })
  }
}

/**
 * Begins an attempt: the payout is claimed, and nothing is sent.
 *
 * @param facts.amount - cents of the currency, above 0
 * @param facts.at - Unix seconds
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Payment } from "apportion"
 *
 * const facts = { payoutId: "p1", collaboratorId: "ada", currency: "USD", amount: 5_000, payoutVersion: 3 }
 * Payment.claim({ ...facts, id: "a1", rail: "bank", at: 1_700_000_000 }).status // => "claimed"
 * ```
 */
export const claim = (
  facts: Pick<
    Payment,
    "id" | "payoutId" | "collaboratorId" | "currency" | "amount" | "payoutVersion" | "rail"
  > & { readonly at: number },
): Payment => {
  const { at, ...known } = facts
  return {
    ...known,
    status: "claimed",
    claimedAt: at,
    ...{ sentAt: null, acceptedAt: null, endedAt: null, returnedAt: null },
    ...{ reference: null, fee: null, reason: null, contradiction: null },
  }
}

/**
 * Whether an attempt with this status is open: it may still move money, and its payout is frozen.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Payment } from "apportion"
 *
 * Payment.statuses.filter(Payment.isOpen) // => ["claimed", "sent", "unknown"]
 * ```
 */
export const isOpen = (status: PaymentStatus): boolean =>
  status === "claimed" || status === "sent" || status === "unknown"

/**
 * Whether an attempt with this status may have moved money and can't be withdrawn: `sent` or `unknown`.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Payment } from "apportion"
 *
 * Payment.statuses.filter(Payment.isUnderWay) // => ["sent", "unknown"]
 * ```
 */
export const isUnderWay = (status: PaymentStatus): boolean =>
  status === "sent" || status === "unknown"

/** The statuses in which an event is known already, so that it changes nothing. */
const known: { readonly [Type in PaymentEvent]: ReadonlyArray<PaymentStatus> } = {
  send: [],
  // An answer that was under way while a later one has reported the end already.
  accept: ["confirmed", "returned"],
  confirm: ["confirmed", "returned"],
  reject: ["rejected", "returned"],
  // A missing answer never replaces a known one.
  lose: ["unknown", "claimed", "confirmed", "rejected", "released", "returned"],
  absent: ["claimed", "confirmed", "rejected", "released", "returned"],
  release: ["released"],
  return: ["returned"],
}

const isKnown = ({ status, sentAt, acceptedAt }: Payment, { type }: Event): boolean => {
  if (type === "lose" && status === "sent") return acceptedAt !== null
  if (type === "lose" && status === "claimed") return sentAt !== null
  return known[type].includes(status)
}

/** The events that a rail can report; the others are the host's. */
const answers: ReadonlySet<PaymentEvent> = new Set([
  ...(["accept", "confirm", "reject", "absent", "return"] as const),
])

/** The fields of an attempt that an event changes beside its status. */
const fieldsOf = (payment: Payment, event: Event): Partial<Payment> => {
  const { at } = event
  switch (event.type) {
    case "send":
      return {
        ...{ sentAt: at, acceptedAt: null, reason: null },
        reference: event.reference ?? payment.reference,
      }
    case "accept":
      return { acceptedAt: at, reference: event.reference ?? payment.reference, reason: null }
    case "confirm":
      return {
        ...{ endedAt: at, reference: event.reference ?? payment.reference, reason: null },
        fee: event.fee ?? payment.fee,
      }
    case "reject":
      return { endedAt: at, reason: event.reason }
    case "lose":
      return { reason: event.reason ?? null }
    case "absent":
      return { reason: "the rail has no such payment" }
    case "release":
      return { endedAt: at, reason: event.reason ?? null }
    case "return":
      return { returnedAt: at, reason: event.reason }
  }
}

const differs = <A>(one: A | null, other: A | null | undefined): boolean =>
  one !== null && other != null && one !== other

const isOfOtherAmount = (payment: Payment, event: Event): boolean =>
  event.type === "confirm" &&
  (differs(payment.amount, event.amount) || differs(payment.currency, event.currency))

/** Whether a rail reports another payment than the recorded one, or withdraws what it reported. */
const isOther = (payment: Payment, event: Event): boolean => {
  if (event.type === "absent") return isUnderWay(payment.status) && payment.acceptedAt !== null
  if (event.type === "lose") return event.isNews === true && !isOpen(payment.status)
  if (event.type !== "confirm") return false
  if (isOfOtherAmount(payment, event)) return true
  const isConfirmed = payment.status === "confirmed" || payment.status === "returned"
  return isConfirmed && differs(payment.reference, event.reference)
}

const contradicted = (payment: Payment, event: Event): PaymentContradicted => {
  const { id: paymentId, status, amount, currency } = payment
  const isOfOther = event.type === "confirm" && isOfOtherAmount(payment, event)
  const answer = event.type === "lose" ? (event.reason ?? "lose") : event.type
  const message = isOfOther
    ? `payment ${paymentId} is of ${amount} ${currency}, and ${event.amount ?? amount} ${event.currency ?? currency} is said to be paid (in the lowest unit)`
    : `payment ${paymentId} is ${status}, and "${answer}" says otherwise`
  return new PaymentContradicted({ paymentId, status, event: event.type, message })
}

const refused = (payment: Payment, event: Event): InvalidPaymentTransition => {
  const { id: paymentId, status } = payment
  const possible = table.filter(({ from }) => from === status).map((one) => one.event)
  const events = possible.length === 0 ? "none" : possible.join(", ")
  const message = `"${event.type}" can't happen to payment ${paymentId}, which is ${status}; possible events: ${events}`
  return new InvalidPaymentTransition({ paymentId, status, event: event.type, message })
}

/**
 * Applies an event to an attempt. What is already known changes nothing, and returns the same object. An answer that
 * contradicts the one that ended the attempt is {@link PaymentContradicted}: only a person may decide about it, and
 * {@link contradict} records it.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Payment } from "apportion"
 * import { Result } from "effect"
 *
 * const facts = { payoutId: "p1", collaboratorId: "ada", currency: "USD", amount: 5_000, payoutVersion: 3 }
 * const claimed = Payment.claim({ ...facts, id: "a1", rail: "bank", at: 1_700_000_000 })
 * const rejected = Result.gen(function* () {
 *   const sent = yield* Payment.transition(claimed, { type: "send", at: 1_700_000_060 })
 *   return yield* Payment.transition(sent, { type: "reject", at: 1_700_000_061, reason: "no account" })
 * })
 * Result.getOrThrow(rejected).status // => "rejected"
 * const late = Result.flatMap(rejected, (payment) =>
 *   Payment.transition(payment, { type: "confirm", at: 1_700_000_062 }),
 * )
 * Result.getOrThrow(Result.flip(late))._tag // => "PaymentContradicted"
 * ```
 */
export const transition = (
  payment: Payment,
  event: Event,
): Result.Result<Payment, InvalidPaymentTransition | PaymentContradicted> => {
  const { status } = payment
  if (isOther(payment, event)) return Result.fail(contradicted(payment, event))
  if (isKnown(payment, event)) return Result.succeed(payment)
  const found = table.find((one) => one.from === status && one.event === event.type)
  const isAnswer = answers.has(event.type)
  const isUnasked = isAnswer && payment.sentAt === null
  if (found !== undefined && !isUnasked) {
    return Result.succeed({ ...payment, ...fieldsOf(payment, event), status: found.to })
  }
  const isContradiction = isAnswer && !isOpen(status)
  return Result.fail(isContradiction ? contradicted(payment, event) : refused(payment, event))
}

/**
 * Records an answer that contradicts what is known. The first one stays until a person has checked it.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Payment } from "apportion"
 *
 * const facts = { payoutId: "p1", collaboratorId: "ada", currency: "USD", amount: 5_000, payoutVersion: 3 }
 * const payment = Payment.claim({ ...facts, id: "a1", rail: "bank", at: 1_700_000_000 })
 * const noted = Payment.contradict(payment, { event: "confirm", at: 1_700_000_060, message: "was paid" })
 * noted.contradiction?.event // => "confirm"
 * ```
 */
export const contradict = (payment: Payment, contradiction: Contradiction): Payment =>
  payment.contradiction === null ? { ...payment, contradiction } : payment
