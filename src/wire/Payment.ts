/**
 * A payment of a payout as JSON, and the reports of hosts about payments.
 *
 * @since 0.6.0
 */
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as reader from "../internal/reader.js"
import * as Core from "../payouts/Payment.js"
import type { Unreadable } from "../Unreadable.js"
import { aNote, optionalNote } from "./internal/payments.js"
import type * as Schemas from "./PaymentSchemas.js"

/**
 * A payment as {@link write} writes it. Times are Unix seconds, amounts cents of the currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaymentView extends Schema.Schema.Type<typeof Schemas.PaymentView> {}

/**
 * Writes a payment.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Payment as CorePayment } from "apportion"
 * import { Payment } from "apportion/wire"
 *
 * const facts = { payoutId: "p1", collaboratorId: "ada", currency: "USD", amount: 5_000, payoutVersion: 3 }
 * const payment = CorePayment.claim({ ...facts, id: "a1", rail: "bank", at: 1_700_000_000 })
 * const json = Payment.write(payment)
 * json.payout_id // => "p1"
 * json.sent_at // => null
 * ```
 */
export const write = (payment: Core.Payment): PaymentView => ({
  id: payment.id,
  payout_id: payment.payoutId,
  collaborator_id: payment.collaboratorId,
  currency: payment.currency,
  amount: payment.amount,
  payout_version: payment.payoutVersion,
  rail: payment.rail,
  status: payment.status,
  claimed_at: payment.claimedAt,
  sent_at: payment.sentAt,
  accepted_at: payment.acceptedAt,
  ended_at: payment.endedAt,
  returned_at: payment.returnedAt,
  reference: payment.reference,
  fee: payment.fee,
  reason: payment.reason,
  contradiction: payment.contradiction && { ...payment.contradiction },
})

const fields: ReadonlyArray<string> = [
  ...["id", "payout_id", "collaborator_id", "currency", "amount", "payout_version", "rail"],
  ...["status", "claimed_at", "sent_at", "accepted_at", "ended_at", "returned_at", "reference"],
  ...["fee", "reason", "contradiction"],
]

const readContradiction = (node: reader.Node): Core.Contradiction => ({
  at: reader.neededTime(node, "at"),
  event: reader.neededChoice(node, "event", Core.events, "confirm"),
  message: reader.neededText(node, "message"),
})

const readPayment = (node: reader.Node): Core.Payment => {
  reader.refuseMisspelt(node, fields)
  const contradiction = reader.child(node, "contradiction")
  return {
    id: reader.neededId(node, "id"),
    payoutId: reader.neededId(node, "payout_id"),
    collaboratorId: reader.neededId(node, "collaborator_id"),
    currency: reader.readCurrency(node, "currency"),
    amount: reader.neededWhole(node, "amount", 1),
    payoutVersion: reader.neededWhole(node, "payout_version", 0),
    rail: reader.neededId(node, "rail"),
    status: reader.neededChoice(node, "status", Core.statuses, "claimed"),
    claimedAt: reader.neededTime(node, "claimed_at"),
    sentAt: reader.time(node, "sent_at") ?? null,
    acceptedAt: reader.time(node, "accepted_at") ?? null,
    endedAt: reader.time(node, "ended_at") ?? null,
    returnedAt: reader.time(node, "returned_at") ?? null,
    reference: reader.text(node, "reference") ?? null,
    fee: reader.whole(node, "fee", 0) ?? null,
    reason: reader.text(node, "reason") ?? null,
    contradiction: contradiction === undefined ? null : readContradiction(contradiction),
  }
}

/**
 * Reads a payment as {@link write} writes it; fields that may be null may be absent too. Fails with `Unreadable`, which
 * lists every problem with its path.
 *
 * @param options - `path`: the payment's path in a larger input, for the paths of problems
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const payment = Payment.read({
 *   ...{ id: "a1", payout_id: "p1", collaborator_id: "ada", currency: "USD", amount: 5_000 },
 *   ...{ payout_version: 3, rail: "bank", status: "claimed", claimed_at: "2024-03-01T12:00:00Z" },
 * })
 * Result.getOrThrow(payment).claimedAt // => 1_709_294_400
 * ```
 */
export const read = (
  input: unknown,
  options: { readonly path?: string | undefined } = {},
): Result.Result<Core.Payment, Unreadable> =>
  reader.read(input, { what: "payment", path: options.path, read: readPayment })

// Reports of hosts about payments.

/**
 * The request to claim a payout for a rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface ClaimRequest extends Schema.Schema.Type<typeof Schemas.ClaimRequest> {}

/**
 * Reads the request to claim a payout: the name of the rail. Fails with `Unreadable`, which lists every problem.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Payment.readClaim({ rail: "bank" })).rail // => "bank"
 * ```
 */
export const readClaim = (input: unknown): Result.Result<ClaimRequest, Unreadable> =>
  reader.read(input, {
    what: "claim",
    known: ["rail"],
    read: (node) => ({ rail: reader.neededId(node, "rail") }),
  })

/**
 * A payment that a host made outside: the total in cents of the payout's currency, the reference it has there, and its
 * fee.
 *
 * @since 0.6.0
 * @category models
 */
export interface PaidOutside {
  readonly total: number
  readonly reference?: string | undefined
  readonly fee?: number | undefined
}

/**
 * Reads a payment that a host made outside. Fails with `Unreadable`, which lists every problem.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Payment.readPaid({ total: 5_000, fee: null })).total // => 5_000
 * ```
 */
export const readPaid = (input: unknown): Result.Result<PaidOutside, Unreadable> =>
  reader.read(input, {
    what: "payment",
    known: ["total", "reference", "fee"],
    read: (node) => ({
      total: reader.neededWhole(node, "total", 0),
      reference: optionalNote(node, "reference"),
      fee: reader.whole(node, "fee", 0),
    }),
  })

/**
 * The report that a payment was made. Time in Unix seconds, amounts in cents.
 *
 * @since 0.6.0
 * @category models
 */
export interface Confirmation {
  readonly at?: number | undefined
  readonly reference?: string | undefined
  readonly fee?: number | undefined
  readonly amount?: number | undefined
}

/**
 * Reads the report that a payment was made; all of its fields are optional. Fails with `Unreadable`, which lists every
 * problem.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const said = Payment.readConfirmation({ at: "2024-03-01T12:00:00Z", fee: 25 })
 * Result.getOrThrow(said).at // => 1_709_294_400
 * ```
 */
export const readConfirmation = (input: unknown): Result.Result<Confirmation, Unreadable> =>
  reader.read(input, {
    what: "confirmation",
    known: ["at", "reference", "fee", "amount"],
    read: (node) => ({
      at: reader.time(node, "at"),
      reference: optionalNote(node, "reference"),
      fee: reader.whole(node, "fee", 0),
      amount: reader.whole(node, "amount", 0),
    }),
  })

/**
 * Reads why a payment was not made, or came back: a text of 1 to 500 characters. Fails with `Unreadable`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Payment.readReason({ reason: " account closed " })) // => "account closed"
 * ```
 */
export const readReason = (input: unknown): Result.Result<string, Unreadable> =>
  reader.read(input, {
    what: "reason",
    known: ["reason"],
    read: (node) => {
      if (reader.field(node, "reason") === undefined) reader.refuse(node, "reason", aNote)
      return optionalNote(node, "reason") ?? ""
    },
  })

/**
 * Reads why a payment is released; the reason is optional. Fails with `Unreadable`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(Payment.readRelease({})) // => undefined
 * ```
 */
export const readRelease = (input: unknown): Result.Result<string | undefined, Unreadable> =>
  reader.read(input, {
    what: "reason",
    known: ["reason"],
    read: (node) => optionalNote(node, "reason"),
  })

/**
 * Reads how a payment was sent: the name of its file, 1 to 500 characters, which is optional. Fails with `Unreadable`.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Payment } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const reference = Payment.readSent({ reference: "2024-03-01.xml" })
 * Result.getOrThrow(reference) // => "2024-03-01.xml"
 * ```
 */
export const readSent = (input: unknown): Result.Result<string | undefined, Unreadable> =>
  reader.read(input, {
    what: "sending",
    known: ["reference"],
    read: (node) => optionalNote(node, "reference"),
  })
