/** How a request is answered: with what it asked for, or with a refusal. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Match from "effect/Match"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { InvalidAgreements } from "../agreements/Agreements.js"
import { snakeCase } from "../internal/names.js"
import { mostProblems, summarize } from "../internal/problems.js"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { Problem } from "../Problem.js"
import type { InvalidCollaborator } from "../payouts/Collaborator.js"
import type {
  InvalidPaymentTransition,
  PaymentContradicted,
  PaymentUnderWay,
} from "../payouts/Payment.js"
import type { BelowMinimum, CurrencyNotPaid } from "../payouts/PaymentTerms.js"
import type { PayoutAlreadyPaid } from "../payouts/Payout.js"
import type { InvalidEntry } from "../payouts/PayoutItem.js"
import type { TransitionError } from "../payouts/PayoutStatus.js"
import type { UnknownTopic } from "../ports/Platform.js"
import type { StorageError } from "../ports/StorageError.js"
import type { InvalidProductGroup } from "../rules/ProductGroup.js"
import type { InboxFull, InvalidSignature } from "../service/Deliveries.js"
import type { InvalidPass } from "../service/Passes.js"
import type { PostingError } from "../service/Sales.js"
import {
  type AgreementInUse,
  type AlreadyExists,
  type InvalidPayoutFilter,
  type InvalidProducts,
  type InvalidResplit,
  type InvalidSaleFilter,
  type KeyReused,
  type NotFound,
  type NothingOwed,
  type PaymentNotMatched,
  RefundChanged,
  type ResplitChanged,
  SaleChanged,
  type TooManyKeys,
  type TotalChanged,
  type UnitOfWorkBroken,
} from "../service/ServiceError.js"
import type { InvalidSettings } from "../service/Settings.js"
import type { InvalidEndpoint } from "../service/Webhooks.js"
import type { RefundError } from "../shares/Refund.js"
import type { SplitError } from "../shares/Split.js"
import type { Unreadable } from "../Unreadable.js"

type Response = HttpServerResponse.HttpServerResponse

type AnswerHeaders = Readonly<Record<string, string>>

/** The headers of every answer: a browser has nothing to load, run or show in a frame for the API. */
export const always = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

const json = "application/json"

/** An answer with a text of JSON. */
export const ofText = (status: number, text: string, headers: AnswerHeaders = {}): Response =>
  HttpServerResponse.text(text, { status, headers: { ...always, ...headers }, contentType: json })

/** The policy of a page for which a browser has nothing to load: it brings a style of its own. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The types of the documents for people and spreadsheets. */
export const documentTypes = { csv: "text/csv", html: "text/html" } as const

/** An answer with a document for people or spreadsheets. */
export const ofDocument = (format: keyof typeof documentTypes, text: string): Response =>
  HttpServerResponse.text(text, {
    headers: format === "csv" ? always : { ...always, "content-security-policy": pagePolicy },
    contentType: `${documentTypes[format]}; charset=utf-8`,
  })

/** An answer without a body. */
export const ofNothing = (status: number, headers: AnswerHeaders = {}): Response =>
  HttpServerResponse.empty({ status, headers: { ...always, ...headers } })

/** An answer with a body of JSON. */
export const ofJson = (status: number, body: unknown, headers: AnswerHeaders = {}): Response =>
  ofText(status, JSON.stringify(body), headers)

const pieceBytes = 65_536

/** Views of bytes, which are sent in sequence: one response made of all of them would copy them. */
const piecesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )

/** An answer with bytes that many answers share. */
export const ofBytes = (
  body: Uint8Array,
  { contentType, headers }: { readonly contentType: string; readonly headers: AnswerHeaders },
): Response =>
  HttpServerResponse.stream(Stream.fromIterable(piecesOf(body)), {
    ...{ headers: { ...always, ...headers }, contentType, contentLength: body.length },
  })

const oneYear = "max-age=31536000"

/** An answer with the headers that depend on its request. */
export const complete = (
  answer: Response,
  { requestId, isSecure }: { readonly requestId: string; readonly isSecure: boolean },
): Response =>
  HttpServerResponse.setHeaders(
    answer,
    isSecure
      ? { "x-request-id": requestId, "strict-transport-security": oneYear }
      : { "x-request-id": requestId },
  )

// Every reason for which a request can be refused.

/** What recording, previewing, refunding, listing and splitting sales again can fail with. */
type SalesFailure =
  | SplitError
  | PostingError
  | RefundError
  | SaleChanged
  | RefundChanged
  | InvalidSaleFilter
  | InvalidResplit
  | ResplitChanged
  | InvalidSettings

/** What putting agreements can fail with. */
type AgreementFailure = InvalidAgreements | AgreementInUse

/** What a service can fail with in a handler. */
export type ServiceFailure =
  | InvalidProductGroup
  | InvalidEntry
  | InvalidPayoutFilter
  | Unreadable
  | AmountOutOfRange
  | NotFound
  | AlreadyExists
  | PayoutAlreadyPaid
  | TransitionError
  | PaymentUnderWay
  | InvalidPaymentTransition
  | PaymentContradicted
  | BelowMinimum
  | CurrencyNotPaid
  | TotalChanged
  | NothingOwed
  | PaymentNotMatched
  | InvalidEndpoint
  | InvalidPass
  | KeyReused
  | TooManyKeys
  | UnitOfWorkBroken
  | SalesFailure
  | AgreementFailure
  | InvalidCollaborator
  | InvalidProducts
  | InvalidSignature
  | UnknownTopic
  | InboxFull
  | StorageError

export type Failure = ServiceFailure | RequestError

// Reasons that the services don't know.

interface MessageField {
  readonly message: string
}

/** A path without an endpoint. */
export class UnknownPath extends Data.TaggedError("UnknownPath")<MessageField> {}

/** A method that its path does not have. */
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<
  MessageField & { readonly allowed: ReadonlyArray<string> }
> {}

/** No access token, or an unknown one. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<MessageField> {}

/** An access token without the scope that the request needs. */
export class Forbidden extends Data.TaggedError("Forbidden")<MessageField> {}

/** More requests than a token, or an address without a valid one, may send in a minute. */
export class RateExceeded extends Data.TaggedError("RateExceeded")<
  MessageField & { readonly limit: number; readonly retryAfterSeconds: number }
> {}

/** A body that is longer than the limit. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<
  MessageField & { readonly limit: number }
> {}

/** A body that is not JSON. */
export class MalformedBody extends Data.TaggedError("MalformedBody")<MessageField> {}

/** Parameters or headers that can't be used, with all their problems. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<
  MessageField & { readonly problems: ReadonlyArray<Problem> }
> {
  static of(problems: ReadonlyArray<Problem>): InvalidRequest {
    return new InvalidRequest({ problems, message: summarize(problems) })
  }
}

/** A payment over a rail that the host no longer has. */
export class RailGone extends Data.TaggedError("RailGone")<MessageField> {}

export type RequestError =
  | UnknownPath
  | MethodNotAllowed
  | Unauthorized
  | Forbidden
  | RateExceeded
  | BodyTooLarge
  | MalformedBody
  | InvalidRequest
  | RailGone

// Field names of the core, translated into those of requests.

const groupNames: ReadonlyArray<readonly [string, string]> = [
  ["link.type", "itemType"],
  ["link.values", "items"],
  ["link.modifier", "type_modifier"],
  ["condition.type", "splitConditionType"],
  ["condition.values", "splitConditions"],
  ["condition.modifier", "condition_modifier"],
  ["link", "itemType"],
  ["condition", "splitConditionType"],
]

const filterNames: ReadonlyArray<readonly [string, string]> = [
  ["paid.from", "paidDate[start_date]"],
  ["paid.to", "paidDate[end_date]"],
  ["expected.from", "expectedPaymentDate[start_date]"],
  ["expected.to", "expectedPaymentDate[end_date]"],
  ["recorded.from", "recordedDate[start_date]"],
  ["recorded.to", "recordedDate[end_date]"],
]

const resplitNames: ReadonlyArray<readonly [string, string]> = [
  ["sales.recorded.from", "recorded_from"],
  ["sales.recorded.to", "recorded_to"],
  ["sold.from", "sold_from"],
  ["sold.to", "sold_to"],
]

const rename = (path: string, names: ReadonlyArray<readonly [string, string]>): string => {
  const found = names.find(([name]) => path === name || path.startsWith(`${name}[`))
  return found === undefined ? snakeCase(path) : `${found[1]}${path.slice(found[0].length)}`
}

/** `link.values[0]` as `items[0]`, `minAmount` as `min_amount`. */
export const ofGroup = (path: string): string => rename(path, groupNames)

/** `sales.recorded.from` as `recorded_from`. */
const ofResplit = (path: string): string => rename(path, resplitNames)

/** `[0].externalId` as `products[0].external_id`. */
const ofProducts = (path: string): string => `products${snakeCase(path)}`

/** `alsoFrom[0]` as `agreement.also_from[0]`. */
const ofAgreement = (path: string): string =>
  path === "kind" || path === "" ? path || "agreement" : `agreement.${snakeCase(path)}`

/** `paid.from` as `paidDate[start_date]`. */
export const ofFilter = (path: string): string => rename(path, filterNames)

// The answers to refused requests. They never contain an internal message.

/** An answer to a refused request. */
export interface Refusal {
  readonly status: number
  readonly body: {
    readonly message: string
    readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
  }
  readonly headers: Readonly<Record<string, string>>
  /** Set for errors of the service, for which the log says more than the answer. */
  readonly isOurs: boolean
}

const refuse = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal => ({ status, body: { message }, headers, isOurs: status >= 500 })

const mostInMessage = 5

const wholeInput = "body"

const fieldErrors = (problems: ReadonlyArray<Problem>) => {
  const errors = new Map<string, Array<string>>()
  for (const { path, message } of problems.slice(0, mostProblems)) {
    const field = path === "" ? wholeInput : path
    const messages = errors.get(field)
    if (messages === undefined) errors.set(field, [message])
    else messages.push(message)
  }
  return Object.fromEntries(errors)
}

const summary = (problems: ReadonlyArray<Problem>): string => {
  const lines = problems
    .slice(0, mostInMessage)
    .map(({ path, message }) => `${path === "" ? "the body" : `${path}:`} ${message}`)
  const more = problems.length - lines.length
  return more > 0 ? `${lines.join("; ")}; and at least ${more} more` : lines.join("; ")
}

const invalid = (problems: ReadonlyArray<Problem>): Refusal => ({
  ...refuse(422, summary(problems)),
  body: { message: summary(problems), errors: fieldErrors(problems) },
})

const renamed = (
  problems: ReadonlyArray<Problem>,
  rename: (path: string) => string,
): ReadonlyArray<Problem> => problems.map((problem) => ({ ...problem, path: rename(problem.path) }))

const oneField = (path: string, { message }: { readonly message: string }): Refusal =>
  invalid([{ path, value: undefined, message }])

const conflict = ({ message }: { readonly message: string }): Refusal => refuse(409, message)
const notFound = ({ message }: { readonly message: string }): Refusal => refuse(404, message)
const internal = (): Refusal => refuse(500, "internal error")
const unavailable = (message: string): Refusal => refuse(503, message, { "retry-after": "1" })

type ByTag<F extends { readonly _tag: string }> = {
  readonly [Tag in F["_tag"]]: (failure: Extract<F, { readonly _tag: Tag }>) => Refusal
}

/** One entry for each kind of failure: the compiler reports a missing one. */
const refusals: ByTag<Failure> = {
  UnknownPath: notFound,
  MethodNotAllowed: ({ message, allowed }) => refuse(405, message, { allow: allowed.join(", ") }),
  Unauthorized: ({ message }) => refuse(401, message, { "www-authenticate": "Bearer" }),
  Forbidden: ({ message }) => refuse(403, message),
  RateExceeded: ({ message, limit, retryAfterSeconds }) =>
    refuse(429, message, {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": "0",
      "retry-after": String(retryAfterSeconds),
    }),
  BodyTooLarge: ({ message }) => refuse(413, message),
  MalformedBody: ({ message }) => refuse(400, message),
  InvalidRequest: ({ problems }) => invalid(problems),
  Unreadable: ({ problems }) => invalid(problems),
  InvalidEntry: ({ problems }) => invalid(problems),
  InvalidEndpoint: ({ problems }) => invalid(renamed(problems, (path) => snakeCase(path))),
  InvalidPass: ({ problems }) => invalid(renamed(problems, snakeCase)),
  InvalidProductGroup: ({ problems }) => invalid(renamed(problems, ofGroup)),
  InvalidPayoutFilter: ({ problems }) => invalid(renamed(problems, ofFilter)),
  InvalidSaleFilter: ({ problems }) => invalid(renamed(problems, ofFilter)),
  InvalidResplit: ({ problems }) => invalid(renamed(problems, ofResplit)),
  InvalidCollaborator: ({ problems }) => invalid(renamed(problems, snakeCase)),
  InvalidOrder: ({ problems }) => invalid(renamed(problems, snakeCase)),
  InvalidRefund: ({ problems }) => invalid(renamed(problems, snakeCase)),
  InvalidSettings: ({ problems }) => invalid(renamed(problems, snakeCase)),
  InvalidProducts: ({ problems }) => invalid(renamed(problems, ofProducts)),
  InvalidAgreements: ({ problems }) => invalid(renamed(problems, ofAgreement)),
  AgreementInUse: conflict,
  RefundOfUnknownItem: notFound,
  RefundExceedsItem: conflict,
  RefundBeyondShare: conflict,
  // By the names of the fields that were sent.
  RefundChanged: ({ refundId, problems }) =>
    conflict(RefundChanged.of(refundId, renamed(problems, snakeCase))),
  SaleChanged: ({ orderId, problems }) =>
    conflict(SaleChanged.of(orderId, renamed(problems, snakeCase))),
  ResplitChanged: conflict,
  OverAllocated: conflict,
  MissingExchangeRate: conflict,
  InvalidExchangeRate: internal,
  UnknownCurrency: internal,
  InvalidPolicy: internal,
  InvalidRuleSet: internal,
  AmountOutOfRange: (failure) => oneField("amount", failure),
  NotFound: notFound,
  AlreadyExists: conflict,
  KeyReused: conflict,
  RailGone: conflict,
  TooManyKeys: ({ message, retryAfterSeconds }) =>
    refuse(429, message, { "retry-after": String(retryAfterSeconds) }),
  PayoutAlreadyPaid: conflict,
  PaymentUnderWay: conflict,
  InvalidPaymentTransition: conflict,
  PaymentContradicted: conflict,
  BelowMinimum: conflict,
  CurrencyNotPaid: conflict,
  TotalChanged: conflict,
  NothingOwed: conflict,
  PaymentNotMatched: ({ paymentIds, message }) =>
    refuse(paymentIds.length === 0 ? 404 : 409, message),
  InvalidTransition: conflict,
  PayoutNotDue: conflict,
  PayoutBelowThreshold: conflict,
  PayoutOnHold: conflict,
  PayoutTotalNegative: conflict,
  UnknownTimeZone: internal,
  InvalidTime: internal,
  UnitOfWorkBroken: internal,
  InvalidSignature: ({ message }) => refuse(401, message, { "www-authenticate": "Signature" }),
  UnknownTopic: notFound,
  InboxFull: ({ message }) => unavailable(message),
  Conflict: () => unavailable("busy, try again"),
  StorageFailure: ({ waited, isFinal }) =>
    isFinal
      ? refuse(422, "this can't be stored: an id is too long")
      : unavailable(waited === undefined ? "not available, try again" : "busy, try again"),
}

/** The answer to a failure. */
export const refusalOf = (failure: Failure): Refusal => Match.valueTags(failure, refusals)

/** The answer to an unexpected error. */
export const unexpected: Refusal = internal()

// Makes an answer from any failure, and logs what the answer leaves out.

const ofRefusal = ({ status, body, headers }: Refusal): Response => ofJson(status, body, headers)

const ofFailure = (failure: Failure): Effect.Effect<Refusal> => {
  const refusal = refusalOf(failure)
  return refusal.isOurs
    ? Effect.as(Effect.logError("request failed", failure), refusal)
    : Effect.succeed(refusal)
}

const ofDefect = (defect: unknown): Effect.Effect<Refusal> =>
  Effect.as(Effect.logError("request failed unexpectedly", defect), unexpected)

/** The refusal for a cause; the log has the rest. Interruption stays interruption. */
export const refusalOfCause = (cause: Cause.Cause<Failure>): Effect.Effect<Refusal> => {
  const failed = Cause.findError(cause)
  if (Result.isSuccess(failed)) return ofFailure(failed.success)
  const died = cause.reasons.find(Cause.isDieReason)
  return died === undefined ? Effect.failCause(failed.failure) : ofDefect(died.defect)
}

/** The answer for a cause. */
export const settleCause = (cause: Cause.Cause<Failure>): Effect.Effect<Response> =>
  Effect.map(refusalOfCause(cause), ofRefusal)

/** The answer of work, or the refusal when it fails. */
export const settle = <R>(
  work: Effect.Effect<Response, Failure, R>,
): Effect.Effect<Response, never, R> => Effect.catchCause(work, settleCause)
