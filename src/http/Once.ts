/** Requests that may be repeated, and have one effect. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Predicate from "effect/Predicate"
import { PaymentContradicted } from "../payouts/Payment.js"
import type { KeyedRequest } from "../service/Idempotency.js"
import type { Failure } from "./Answer.js"
import type { Caller, CallerService } from "./Caller.js"
import { type BodyOf, type Call, respond, statuses } from "./Endpoint.js"

/** A request to an endpoint that takes a key. */
export interface KeyedCall extends Call {
  readonly params?: Readonly<Record<string, string>>
  readonly headers: { readonly "Idempotency-Key"?: string }
}

/** The same text for bodies that differ only in the order of their fields. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!Predicate.isObject(value)) return value
  const entries = Object.entries(value).map(([key, part]) => [key, canonical(part)] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** The whole request as one text: the same under both prefixes and in both spellings of a path. */
const requestText = ({ endpoint, params = {} }: KeyedCall, body: unknown): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""))
  const text = body === undefined ? "" : JSON.stringify(canonical(body))
  return `${endpoint.method} ${path} ${text}`
}

/** The longest answer that is kept as a whole, in characters of its JSON. */
const longestKept = 65_536

const idOf = (body: unknown): unknown =>
  Predicate.hasProperty(body, "data") && Predicate.hasProperty(body.data, "id")
    ? body.data.id
    : undefined

/** How to rebuild an answer that is not kept for a key. */
interface Recalling<A> {
  /** The current state of the record with this id, as an answer. */
  readonly recall: (caller: CallerService, id: string) => Effect.Effect<A, Failure>
  /** Whether only the id is ever kept: the answer has a secret, which is shown once. */
  readonly isSecret?: boolean
}

/** What is kept of an answer: all of it, or the id of its record, which is looked up again. */
const keptOf = (status: number, body: unknown, recalling: Recalling<unknown> | undefined) => {
  const id = idOf(body)
  if (recalling === undefined || typeof id !== "string") return { status, body }
  const isLong = recalling.isSecret === true || JSON.stringify(body).length > longestKept
  return isLong ? { status, id } : { status, body }
}

/** The key and the text of a request; `undefined`: it has no key. */
export const keyedRequest = (
  call: KeyedCall,
  { body }: CallerService,
): KeyedRequest | undefined => {
  const key = call.headers["Idempotency-Key"]
  return key === undefined ? undefined : { key, request: requestText(call, body) }
}

/**
 * A contradiction is noted although its request is refused. So the refusal is kept for the key, and the note with it; a
 * failure would roll back both.
 */
const withContradictions = <A>(work: Effect.Effect<A, Failure>) =>
  Effect.catchTag(work, "PaymentContradicted", ({ paymentId, status, event, message }) =>
    Effect.succeed({ contradiction: { paymentId, status, event, message } }),
  )

const noRecall = Effect.die("an answer was kept by its id, and there is no way to find it again")

/**
 * Answers with the result of work that is done once for each key. An answer that was too long to be kept, or is secret,
 * is rebuilt from the current state.
 */
export const respondOnce = <C extends KeyedCall>(
  call: C,
  work: (caller: CallerService) => Effect.Effect<BodyOf<C>, Failure>,
  recalling?: Recalling<BodyOf<C>>,
): Effect.Effect<HttpServerResponse, never, Caller> =>
  respond(
    call,
    Effect.fnUntraced(function* (caller): Effect.fn.Return<unknown, Failure> {
      const request = keyedRequest(call, caller)
      if (request === undefined) return yield* work(caller)
      let first: BodyOf<C> | undefined
      const answered = Effect.map(work(caller), (body) => {
        first = body
        return keptOf(statuses.get(call.endpoint) ?? 200, body, recalling)
      })
      const { accountId, keys } = caller
      const kept = yield* keys.once(accountId, request, withContradictions(answered))
      if ("contradiction" in kept) {
        return yield* Effect.fail(new PaymentContradicted(kept.contradiction))
      }
      if ("body" in kept) return kept.body
      return first ?? (yield* recalling?.recall(caller, kept.id) ?? noRecall)
    }),
  )

/** Signals that nothing is kept for a key yet. */
class NothingKept extends Data.TaggedError("NothingKept") {}

/**
 * Answers with the result of work that consists of several changes, each safe to repeat. Its answer is kept for its key
 * when all are done: a request that broke off before starts again.
 */
export const respondInParts = <C extends KeyedCall>(
  call: C,
  work: (caller: CallerService) => Effect.Effect<BodyOf<C>, Failure>,
): Effect.Effect<HttpServerResponse, never, Caller> =>
  respond(
    call,
    Effect.fnUntraced(function* (caller): Effect.fn.Return<unknown, Failure> {
      const request = keyedRequest(call, caller)
      if (request === undefined) return yield* work(caller)
      const { accountId, keys } = caller
      const before = keys.once(accountId, request, Effect.fail(new NothingKept()))
      return yield* Effect.catchTag(before, "NothingKept", () =>
        Effect.flatMap(work(caller), (body) => keys.once(accountId, request, Effect.succeed(body))),
      )
    }),
  )
