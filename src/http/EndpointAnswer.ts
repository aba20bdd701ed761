/** From a request to an endpoint to its answer: who asks, how often, what, and what comes of it. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type StoredToken, Tokens } from "../ports/Tokens.js"
import { Actor } from "../service/Actor.js"
import { Idempotency, type IdempotencyService } from "../service/Idempotency.js"
import type { Payouts } from "../service/Payouts.js"
import type { ProductGroups } from "../service/ProductGroups.js"
import type { Products } from "../service/Products.js"
import * as Answer from "./Answer.js"
import * as Authentication from "./Authentication.js"
import { exceeded, type Strangers } from "./Authentication.js"
import type { Failure } from "./ErrorBody.js"
import { InvalidRequest, settle } from "./ErrorBody.js"
import * as GroupHandlers from "./GroupHandlers.js"
import type { AnyHandler, HandlerCall, Recall } from "./Handler.js"
import type { CompleteOptions } from "./HttpOptions.js"
import * as IdempotencyKey from "./IdempotencyKey.js"
import * as PayoutHandlers from "./PayoutHandlers.js"
import * as ProductHandlers from "./ProductHandlers.js"
import * as Query from "./Query.js"
import * as RateLimit from "./RateLimit.js"
import type { Readiness } from "./Readiness.js"
import * as RequestBody from "./RequestBody.js"
import { urlOf } from "./RequestUrl.js"
import type { Match, Route } from "./Routes.js"

/**
 * The services that the API is a face of, and the port that knows whose a token is.
 *
 * @since 0.2.0
 * @category services
 */
export type ApiServices = ProductGroups | Payouts | Products | Idempotency | Tokens

type Handlers = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>

interface Tools {
  readonly handlers: Handlers
  readonly recalls: Readonly<Record<string, Recall>>
  readonly idempotency: IdempotencyService
  readonly authenticate: ReturnType<typeof Authentication.make>
  /** `undefined`: there is no limit. */
  readonly limiter: RateLimit.RateLimiter | undefined
  readonly readiness: Readiness
  readonly options: CompleteOptions
}

/** Who is let in, and what is noted of those who are. */
interface Door {
  readonly strangers: Strangers
  readonly readiness: Readiness
}

type Request = HttpServerRequest.HttpServerRequest

const handlerOf = (handlers: Handlers, { group, endpoint }: Route): AnyHandler => {
  const handler = handlers[group]?.[endpoint]
  return handler ?? (() => Effect.die(`the endpoint ${group}.${endpoint} has no handler`))
}

const paramOf =
  ({ route, params }: Match): HandlerCall["param"] =>
  (name) => {
    const value = params.get(name)
    // A defect, answered with 500 and told in the log.
    if (value === undefined) throw new TypeError(`${route.template} has no part ${name}`)
    return value
  }

const callOf = (
  tools: Tools,
  match: Match,
  asked: { readonly request: Request; readonly accountId: string; readonly body: unknown },
): HandlerCall => ({
  accountId: asked.accountId,
  param: paramOf(match),
  query: Query.parse(asked.request.url),
  body: asked.body,
  url: urlOf(asked.request, tools.options.publicUrl),
})

/** What was answered at too great a length to be kept, as it is now. */
const recall = (
  { recalls }: Tools,
  { group, endpoint }: Route,
  asked: { readonly call: HandlerCall; readonly id: string },
): Effect.Effect<unknown, Failure> =>
  recalls[group]?.(asked.call, asked.id) ??
  Effect.die(`what ${group}.${endpoint} answered can't be looked up`)

/** The longest list or view, in characters: it is held in memory until its reader has taken it. */
const longestAnswer = 8 * 1_048_576

/** What was done is answered at any length; what is only shown can be asked for in parts. */
const isTooLong = ({ method }: Route, { body }: Answer.Answer): boolean =>
  method === "GET" && body !== undefined && body.length > longestAnswer

const tooLong = InvalidRequest.of([
  {
    path: "per_page",
    value: undefined,
    message: `must be smaller, for the answer would be longer than ${longestAnswer} characters; max_values leaves values of groups out`,
  },
])

/** Runs the handler, once for each idempotency key. */
const run = Effect.fnUntraced(function* (
  tools: Tools,
  match: Match,
  call: HandlerCall,
  keyHeader: string | undefined,
): Effect.fn.Return<Answer.Answer, Failure> {
  const { route } = match
  const work = Effect.suspend(() => handlerOf(tools.handlers, route)(call))
  const header = route.takesKey ? keyHeader : undefined
  const key = yield* Effect.fromResult(IdempotencyKey.read(header))
  if (key === undefined) {
    const answer = Answer.ofJson(route.status, yield* work)
    return isTooLong(route, answer) ? yield* tooLong : answer
  }
  const request = IdempotencyKey.requestText(match, call.body)
  let first: unknown
  const answered = Effect.map(work, (body) => {
    first = body
    return IdempotencyKey.kept(route.status, body)
  })
  const kept = yield* tools.idempotency.once(call.accountId, { key, request }, answered)
  const { status } = kept
  if ("body" in kept) return Answer.ofJson(status, kept.body)
  return Answer.ofJson(status, first ?? (yield* recall(tools, route, { call, id: kept.id })))
})

const readAndRun = Effect.fnUntraced(function* (
  tools: Tools,
  match: Match,
  asked: { readonly request: Request; readonly accountId: string },
): Effect.fn.Return<Answer.Answer, Failure> {
  const { request, accountId } = asked
  const body = match.route.takesBody
    ? yield* RequestBody.read(request, tools.options.bodyLimit)
    : undefined
  const call = callOf(tools, match, { request, accountId, body })
  return yield* run(tools, match, call, request.headers["idempotency-key"])
})

/** Who asks: the owner of the token, or the beginning of its hash, which tells nothing of the token. */
const actorOf = ({ actor, hash }: StoredToken): string => actor ?? `token:${hash.slice(0, 8)}`

const answer = Effect.fnUntraced(function* (
  tools: Tools,
  match: Match,
  request: Request,
): Effect.fn.Return<Answer.Answer, Failure> {
  const { headers, remoteAddress } = request
  const token = yield* tools.authenticate({ header: headers.authorization, address: remoteAddress })
  const { accountId, hash } = token
  const asked = readAndRun(tools, match, { request, accountId })
  const noted = Effect.tapErrorTag(asked, "StorageFailure", ({ waited }) =>
    Effect.sync(() => {
      // What had to wait for others was not refused by the storage.
      const isRefused = waited === undefined && match.route.method !== "GET"
      if (isRefused) tools.readiness.writeFailed(accountId)
    }),
  )
  const work = Effect.provideService(noted, Actor, actorOf(token))
  if (tools.limiter === undefined) return yield* work
  const allowance = yield* tools.limiter.take(hash)
  const allowed = allowance.isAllowed ? work : Effect.fail(exceeded(allowance))
  return Answer.withAllowance(yield* settle(allowed), allowance)
})

const makeTools = (
  options: CompleteOptions,
  { strangers, readiness }: Door,
): Effect.Effect<Tools, never, ApiServices> =>
  Effect.gen(function* () {
    const { ratePerMinute } = options
    return {
      handlers: {
        productGroups: yield* GroupHandlers.make,
        payouts: yield* PayoutHandlers.make,
        products: yield* ProductHandlers.make,
      },
      recalls: {
        productGroups: yield* GroupHandlers.recall,
        payouts: yield* PayoutHandlers.recall,
      },
      idempotency: yield* Idempotency,
      authenticate: Authentication.make(yield* Tokens, strangers),
      limiter: ratePerMinute === "unlimited" ? undefined : RateLimit.make(ratePerMinute),
      readiness,
      options,
    }
  })

/** Answers requests to endpoints. */
export const make = (
  options: CompleteOptions,
  door: Door,
): Effect.Effect<
  (match: Match, request: Request) => Effect.Effect<Answer.Answer, Failure>,
  never,
  ApiServices
> =>
  Effect.map(makeTools(options, door), (tools) => (match, request) => answer(tools, match, request))
