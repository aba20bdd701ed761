/** What a refused request is answered. No message of the inside ever gets into it. */
import * as Match from "effect/Match"
import { mostProblems } from "../internal/problems.js"
import type { Problem } from "../Problem.js"
import type { Failure } from "./Failure.js"
import * as FieldNames from "./FieldNames.js"

/** An answer to a refused request. */
export interface Refusal {
  readonly status: number
  readonly body: {
    readonly message: string
    readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
  }
  readonly headers: Readonly<Record<string, string>>
  /** Set for errors of the service, of which the log has to tell more than the answer does. */
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

/** One entry for each kind of failure: the compiler misses the one that is not here. */
const refusals: ByTag<Failure> = {
  UnknownPath: notFound,
  MethodNotAllowed: ({ message, allowed }) => refuse(405, message, { allow: allowed.join(", ") }),
  Unauthorized: ({ message }) => refuse(401, message, { "www-authenticate": "Bearer" }),
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
  InvalidProductGroup: ({ problems }) => invalid(renamed(problems, FieldNames.ofGroup)),
  InvalidPayoutFilter: ({ problems }) => invalid(renamed(problems, FieldNames.ofFilter)),
  AmountOutOfRange: (failure) => oneField("amount", failure),
  NotFound: notFound,
  AlreadyExists: conflict,
  KeyReused: conflict,
  TooManyKeys: ({ message, retryAfterSeconds }) =>
    refuse(429, message, { "retry-after": String(retryAfterSeconds) }),
  PayoutAlreadyPaid: conflict,
  InvalidTransition: conflict,
  PayoutNotDue: conflict,
  PayoutBelowThreshold: conflict,
  PayoutOnHold: conflict,
  PayoutTotalNegative: conflict,
  UnknownTimeZone: internal,
  InvalidTime: internal,
  UnitOfWorkBroken: internal,
  Conflict: () => unavailable("busy, try again"),
  StorageFailure: ({ waited }) =>
    unavailable(waited === undefined ? "not available, try again" : "busy, try again"),
}

/** What a failure is answered. */
export const of = (failure: Failure): Refusal => Match.valueTags(failure, refusals)

/** What is answered when something went wrong that nobody expected. */
export const unexpected: Refusal = internal()
