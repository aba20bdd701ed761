/** The endpoints of payments, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  ClaimRequest,
  ConfirmationRequest,
  OutcomeAnswer,
  OutcomesRequest,
  PaymentRunView,
  PaymentView,
  ReasonRequest,
  ReleaseRequest,
  SentRequest,
} from "../wire/PaymentSchemas.js"
import { Position } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const payment = { payment_id: id("The payment's id") }
const payout = { payout_id: id("The payout's id") }

const PaymentsPage = Schema.Struct({
  data: Schema.Array(PaymentView),
  meta: Schema.Struct({
    limit: Position.annotate({ description: "At most so many are in an answer" }),
    next: Schema.NullOr(Schema.String).annotate({
      description: "What after is for the payments that follow; null: there are no more by now",
    }),
  }),
})

/** For a request without a body. */
const ofKey = [...always, Invalid, NotFound, Conflicting] as const

const ofKeyAndBody = [...always, ...ofBody, NotFound, Conflicting] as const

export const listPayments = HttpApiEndpoint.get("list", "/payments", {
  query: Query.Payments,
  success: PaymentsPage,
  error: [...always, Invalid],
}).annotateMerge(
  beside("listPayments", "List payments", "By the time of their claim, the earliest first"),
)

export const stuckPayments = HttpApiEndpoint.get("stuck", "/payments/stuck", {
  query: Query.PaymentPlaces,
  success: PaymentsPage,
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listStuckPayments",
    "List payments that a person has to look at",
    "Those of which nobody has known for a day what became of them, and those of which a rail says two things",
  ),
)

export const viewPayment = HttpApiEndpoint.get("view", "/payments/:payment_id", {
  params: payment,
  success: One(PaymentView),
  error: [...always, NotFound],
}).annotateMerge(beside("viewPayment", "View a payment", "As it is now"))

export const paymentsOfPayout = HttpApiEndpoint.get("ofPayout", "/payouts/:payout_id/payments", {
  params: payout,
  success: Schema.Struct({ data: Schema.Array(PaymentView) }),
  error: [...always, NotFound],
}).annotateMerge(
  beside(
    "listPaymentsOfPayout",
    "List the payments of a payout",
    "All of them, the earliest first",
  ),
)

export const claim = HttpApiEndpoint.post("claim", "/payouts/:payout_id/claim", {
  params: payout,
  headers: IdempotencyKey,
  payload: ClaimRequest,
  success: created(One(PaymentView)),
  error: ofKeyAndBody,
}).annotateMerge(
  beside(
    "claimPayout",
    "Claim a payout for a rail",
    "A pending one whose holding days are over. Until the payment has ended, what would change the payout goes to the collaborator's active one. Nothing is sent yet",
  ),
)

export const send = HttpApiEndpoint.post("send", "/payments/:payment_id/send", {
  params: payment,
  headers: IdempotencyKey,
  success: One(PaymentView),
  error: ofKey,
}).annotateMerge(
  beside(
    "sendPayment",
    "Ask the rail to pay what is claimed",
    "The rail gets the payment's id as its key, the same in every repetition, and pays it once. Without an answer of the rail the payment is unknown",
  ),
)

export const noteSent = HttpApiEndpoint.post("noteSent", "/payments/:payment_id/note-sent", {
  params: payment,
  headers: IdempotencyKey,
  payload: SentRequest,
  success: One(PaymentView),
  error: ofKeyAndBody,
}).annotateMerge(
  beside(
    "notePaymentSent",
    "Note that a claimed payment is sent",
    "For rails that get files, before the file is given out: from then on the payment is not given up any more",
  ),
)

export const resolve = HttpApiEndpoint.post("resolve", "/payments/:payment_id/resolve", {
  params: payment,
  headers: IdempotencyKey,
  success: One(PaymentView),
  error: ofKey,
}).annotateMerge(
  beside(
    "resolvePayment",
    "Ask the rail what became of a payment",
    "Of one that is sent or unknown. Any other one is answered as it is, and no rail is asked",
  ),
)

export const confirm = HttpApiEndpoint.post("confirm", "/payments/:payment_id/confirm", {
  params: payment,
  headers: IdempotencyKey,
  payload: ConfirmationRequest,
  success: One(PaymentView),
  error: ofKeyAndBody,
}).annotateMerge(
  beside("confirmPayment", "Note that a payment was made", "Its payout is paid, at the time given"),
)

export const reject = HttpApiEndpoint.post("reject", "/payments/:payment_id/reject", {
  params: payment,
  headers: IdempotencyKey,
  payload: ReasonRequest,
  success: One(PaymentView),
  error: ofKeyAndBody,
}).annotateMerge(beside("rejectPayment", "Note that a payment was not made", "Its payout fails"))

export const returned = HttpApiEndpoint.post("return", "/payments/:payment_id/return", {
  params: payment,
  headers: IdempotencyKey,
  payload: ReasonRequest,
  success: One(PaymentView),
  error: ofKeyAndBody,
}).annotateMerge(
  beside(
    "returnPayment",
    "Note that a payment came back",
    "Its payout fails, and is paid again only by a new payment",
  ),
)

export const release = HttpApiEndpoint.post("release", "/payments/:payment_id/release", {
  params: payment,
  headers: IdempotencyKey,
  payload: ReleaseRequest,
  success: One(PaymentView),
  error: ofKeyAndBody,
}).annotateMerge(
  beside("releasePayment", "Give up a payment that is claimed", "Its payout is as it was before"),
)

export const settle = HttpApiEndpoint.post("settle", "/payments/:payment_id/settle", {
  params: payment,
  headers: IdempotencyKey,
  success: One(PaymentView),
  error: ofKey,
}).annotateMerge(
  beside(
    "settlePayment",
    "Note that a person has looked at a contradiction",
    "The payment is not listed for it any more",
  ),
)

export const answers = HttpApiEndpoint.post("answers", "/payments/answers", {
  headers: IdempotencyKey,
  payload: OutcomesRequest,
  success: Schema.Struct({ data: Schema.Array(OutcomeAnswer) }),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "answerPayments",
    "Note what rails say of payments",
    "An answer for each outcome, in their order. Each is taken by itself, in a change of its own: one that is refused harms no other, and one that is told again changes nothing",
  ),
)

export const previewRun = HttpApiEndpoint.get("run", "/payment-run", {
  success: One(PaymentRunView),
  error: always,
}).annotateMerge(
  beside(
    "previewPaymentRun",
    "Preview what could be paid",
    "Payouts that are due or closed, as they would be if all that is due was closed now: what could be paid, and what would wait, and why. Nothing is stored",
  ),
)

export class PaymentEndpoints extends HttpApiGroup.make("payments")
  .add(listPayments, stuckPayments, viewPayment, paymentsOfPayout, claim, send, noteSent, resolve)
  .add(confirm, reject, returned, release, settle, answers, previewRun)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Payments",
      description: "Attempts to pay payouts, and what became of them",
    }),
  ) {}
