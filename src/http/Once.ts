/** Requests that may come twice, and have one effect. */
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

/** The same for bodies that differ only in the order of their fields. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!Predicate.isObject(value)) return value
  const entries = Object.entries(value).map(([key, part]) => [key, canonical(part)] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** All that is asked, as one text: the same under both prefixes and in both spellings of a path. */
const requestText = ({ endpoint, params = {} }: KeyedCall, body: unknown): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""))
  const text = body === undefined ? "" : JSON.stringify(canonical(body))
  return `${endpoint.method} ${path} ${text}`
}

/** The longest answer that is kept whole, in characters of its JSON. */
const longestKept = 65_536

const idOf = (body: unknown): unknown =>
  Predicate.hasProperty(body, "data") && Predicate.hasProperty(body.data, "id")
    ? body.data.id
    : undefined

/** How an answer is found again that is not kept for a key. */
interface Recalling<A> {
  /** What the thing with this id is like now, as an answer. */
  readonly recall: (caller: CallerService, id: string) => Effect.Effect<A, Failure>
  /** Whether nothing but the id is ever kept: the answer has a secret, which is told once. */
  readonly isSecret?: boolean
}

/** What is kept of an answer: all of it, or the id of what it shows, by which that is looked up again. */
const keptOf = (status: number, body: unknown, recalling: Recalling<unknown> | undefined) => {
  const id = idOf(body)
  if (recalling === undefined || typeof id !== "string") return { status, body }
  const isLong = recalling.isSecret === true || JSON.stringify(body).length > longestKept
  return isLong ? { status, id } : { status, body }
}

/** The key of a request with all that is asked; `undefined`: it has none. */
export const keyedRequest = (
  call: KeyedCall,
  { body }: CallerService,
): KeyedRequest | undefined => {
  const key = call.headers["Idempotency-Key"]
  return key === undefined ? undefined : { key, request: requestText(call, body) }
}

/**
 * A contradiction is noted although its request is refused. So the refusal is kept for the key, and the note with it; to
 * fail would take both back.
 */
const withContradictions = <A>(work: Effect.Effect<A, Failure>) =>
  Effect.catchTag(work, "PaymentContradicted", ({ paymentId, status, event, message }) =>
    Effect.succeed({ contradiction: { paymentId, status, event, message } }),
  )

const noRecall = Effect.die("an answer was kept by its id, and there is no way to find it again")

/**
 * Answers with what work comes to, which is done once for each key. What was answered at too great a length to be
 * kept, or is secret, is recalled, as it is now.
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

/** Nothing is kept for a key yet. */
class NothingKept extends Data.TaggedError("NothingKept") {}

/**
 * Answers with what work comes to that is several changes, each by itself, of which none does harm when it is made
 * again. Its answer is kept for its key when all is done: whoever is broken off before begins anew.
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
