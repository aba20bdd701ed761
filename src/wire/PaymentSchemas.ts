/** The JSON formats of payments, one schema each, for the requests and answers of HTTP and for the OpenAPI document. */
import * as Schema from "effect/Schema"
import { events, statuses } from "../payouts/Payment.js"
import { longestNote, mostOutcomes, outcomeTypes } from "./internal/payments.js"
import { Count, NullableText, Position, Seconds, Time } from "./Schemas.js"

const optional = Schema.optionalKey

const time = (description: string) =>
  Schema.NullOr(Schema.Int).annotate({ description: `Unix seconds; null: ${description}` })

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

const Amount = Position.annotate({ description: "Cents of the currency, above 0" })

export const PaymentView = Schema.Struct({
  id: Schema.String.annotate({ description: "The key under which the rail gets it" }),
  payout_id: Schema.String,
  collaborator_id: Schema.String,
  currency: Currency,
  amount: Amount,
  payout_version: Count.annotate({ description: "The payout's version when it was claimed" }),
  rail: Schema.String.annotate({ description: "Who moves the money" }),
  status: Schema.Literals(statuses).annotate({
    description: "While it is claimed, sent or unknown, nothing changes the payout's items",
  }),
  claimed_at: Seconds,
  sent_at: time("it was never sent"),
  accepted_at: time("the rail has not said since that it has taken it on"),
  ended_at: time("it is not confirmed, rejected or released"),
  returned_at: time("it did not come back"),
  reference: NullableText.annotate({ description: "What the rail calls it" }),
  fee: Schema.NullOr(Count).annotate({ description: "What the rail took for it, in cents" }),
  reason: NullableText.annotate({
    description: "Why it was rejected, released or returned, or why nobody knows",
  }),
  contradiction: Schema.NullOr(
    Schema.Struct({ at: Seconds, event: Schema.Literals(events), message: Schema.String }),
  ).annotate({
    description: "An answer that says otherwise than what is noted, for a person to look at",
  }),
}).annotate({ identifier: "Payment", description: "An attempt to pay a payout" })

// Reports of hosts about payments. A null field counts as absent where it may be absent.

const note = (description: string) =>
  Schema.String.check(Schema.isMinLength(1)).annotate({
    description: `${description}: 1 to ${longestNote} characters, not counting spaces at its ends`,
  })

const Reference = optional(Schema.NullOr(note("What the one who moved the money calls it")))

const Fee = optional(Schema.NullOr(Count)).annotate({
  description: "What was taken for it, in cents",
})

export const ClaimRequest = Schema.Struct({
  rail: Schema.String.check(Schema.isMinLength(1)).annotate({
    description: "The name of one of the rails that the service has",
  }),
}).annotate({ identifier: "NewClaim", description: "For which rail a payout is claimed" })

export const PaidRequest = Schema.Struct({
  total: Count.annotate({ description: "What was paid, in cents: all that the payout comes to" }),
  reference: Reference,
  fee: Fee,
}).annotate({ identifier: "PaidOutside", description: "What was paid outside of the service" })

export const ReasonRequest = Schema.Struct({ reason: note("Why") }).annotate({
  identifier: "NewReason",
  description: "Why something did not go through, or came back",
})

export const ReleaseRequest = Schema.Struct({
  reason: optional(Schema.NullOr(note("Why"))),
}).annotate({ identifier: "NewRelease", description: "Why a payment is given up" })

export const SentRequest = Schema.Struct({
  reference: optional(Schema.NullOr(note("What the file is called that it is in"))),
}).annotate({ identifier: "NewSending", description: "How a payment was sent" })

export const ConfirmationRequest = Schema.Struct({
  at: optional(Schema.NullOr(Time)).annotate({ description: "When the money moved; else now" }),
  reference: Reference,
  fee: Fee,
  amount: optional(Schema.NullOr(Count)).annotate({
    description: "What was paid, in cents; anything but the payment's amount is a contradiction",
  }),
}).annotate({ identifier: "NewConfirmation", description: "What is known of a payment made" })

const nullable = <S extends Schema.Top>(schema: S) => optional(Schema.NullOr(schema))

const outcome = {
  type: Schema.Literals(outcomeTypes),
  key: nullable(Schema.String).annotate({ description: "The payment's id" }),
  rail_reference: nullable(Schema.String).annotate({ description: "What the rail calls it" }),
  at: nullable(Time).annotate({ description: "When it came to that" }),
  amount: nullable(Count).annotate({ description: "Cents" }),
  currency: nullable(Schema.String).annotate({ description: "ISO 4217 code" }),
  fee: nullable(Count).annotate({ description: "What the rail took for it, in cents" }),
  reason: nullable(note("Why, in the rail's words")),
}

export const OutcomeView = Schema.Struct({
  key: NullableText,
  rail_reference: NullableText,
  type: Schema.Literals(outcomeTypes),
  at: Schema.NullOr(Schema.Int),
  amount: Schema.NullOr(Schema.Int),
  currency: NullableText,
  fee: Schema.NullOr(Schema.Int),
  reason: NullableText,
})

export const OutcomesRequest = Schema.Struct({
  outcomes: Schema.Array(
    Schema.Struct(outcome).annotate({
      identifier: "NewOutcome",
      description: "What a rail says of a payment",
    }),
  )
    .check(Schema.isMinLength(1), Schema.isMaxLength(mostOutcomes))
    .annotate({ description: "Each is taken by itself: one that is refused harms no other" }),
}).annotate({ identifier: "NewOutcomes", description: "What rails say of payments" })

/** The answer to one of several outcomes. */
export const OutcomeAnswer = Schema.Struct({
  key: NullableText.annotate({ description: "As the outcome has it; null: it has none" }),
  payment: Schema.NullOr(PaymentView).annotate({
    description: "The payment as it is then; null: the outcome is refused",
  }),
  refusal: Schema.NullOr(
    Schema.Struct({
      status: Schema.Literals([404, 409, 422]).annotate({
        description: "What a request with this outcome alone would be answered",
      }),
      message: Schema.String,
      errors: optional(Schema.Record(Schema.String, Schema.Array(Schema.String))),
    }),
  ).annotate({ description: "Why the outcome is refused; null: it is not" }),
}).annotate({ identifier: "OutcomeAnswer", description: "What came of an outcome" })

const dueFields = {
  payout_id: Schema.String,
  collaborator_id: Schema.String,
  collaborator_name: NullableText,
  currency: Currency,
  status: Schema.Literals(["active", "pending"]).annotate({
    description: "active: it is due, and would be closed first",
  }),
  total: Schema.Int.annotate({
    description: "What it would come to: shares that are not mature go to the next payout",
  }),
  to_be_paid_at: Seconds,
  automatic: Schema.Boolean.annotate({
    description: "Whether the collaborator is paid without being asked",
  }),
}

export const PaymentRunView = Schema.Struct({
  at: Seconds,
  totals: Schema.Array(
    Schema.Struct({ currency: Currency, count: Count, amount: Schema.Int }),
  ).annotate({ description: "What could be paid, by currency" }),
  pay: Schema.Array(Schema.Struct(dueFields)).annotate({
    description: "What could be paid, by when it is due",
  }),
  wait: Schema.Array(
    Schema.Struct({
      ...dueFields,
      why: Schema.Literals(["below threshold", "held", "below zero", "payment under way"]),
      until: Schema.NullOr(Schema.Int).annotate({
        description: "Unix seconds: until when it is held, or when it would be due again",
      }),
      threshold: Count.annotate({ description: "From which total on the collaborator is paid" }),
    }),
  ).annotate({ description: "What is due or closed and could not be paid" }),
  is_whole: Schema.Boolean.annotate({
    description: "false: there are more than a thousand, and some that are due last are left out",
  }),
}).annotate({
  identifier: "PaymentRun",
  description: "What is due, as it would be if all that is due was closed now",
})
