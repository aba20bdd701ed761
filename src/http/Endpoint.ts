/** What all endpoints share: authorization, idempotency keys, and how the outcome is answered. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest, ParsedSearchParams } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { setHeaders } from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { layerSchemaErrorTransform } from "effect/http-api/HttpApiMiddleware"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import * as SchemaIssue from "effect/SchemaIssue"
import type { unhandled } from "effect/Types"
import type { StorageError, StorageFailure } from "../ports/StorageError.js"
import { type StoredToken, Tokens } from "../ports/Tokens.js"
import { Actor } from "../service/Actor.js"
import { Idempotency, type IdempotencyService } from "../service/Idempotency.js"
import { type OpenedPass, Passes, type PassesService } from "../service/Passes.js"
import * as Access from "./Access.js"
import { type Failure, InvalidRequest, ofNothing, ofText, settle, settleCause } from "./Answer.js"
import { Api } from "./Api.js"
import {
  Authorization,
  Caller,
  type CallerService,
  Malformations,
  PassAuthorization,
  Unguarded,
  Visitor,
} from "./Caller.js"
import type { CompleteOptions } from "./HttpOptions.js"
import type { Readiness } from "./Readiness.js"
import { isDisguised, readBody, readName, urlOf } from "./Request.js"
import { forbidden } from "./Scopes.js"

/** The status of each endpoint's answer, from the definition. */
export const statuses: ReadonlyMap<unknown, number> = (() => {
  const found = new Map<unknown, number>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      const [status = 200] = successes.keys()
      found.set(endpoint, status)
    },
  })
  return found
})()

// The answer of an endpoint's work. Its type is that of the endpoint's schema, and it is sent as it is.

/** A request to an endpoint, as its handler gets it. */
export interface Call {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "method" | "path" | "~Success">
}

export type BodyOf<C extends Call> = C["endpoint"]["~Success"]["Type"]

/** The longest list or view, in characters: it is held in memory until it is sent. */
export const longestAnswer = 8 * 1_048_576

const tooLong = InvalidRequest.of([
  {
    path: "per_page",
    value: undefined,
    message: `must be smaller, for the answer would be longer than ${longestAnswer} characters; max_values leaves values of groups out`,
  },
])

/** The answer to a change may have any length; a list or view can be requested in parts. */
const write = (
  { endpoint }: Call,
  body: unknown,
): Effect.Effect<HttpServerResponse, InvalidRequest> => {
  const status = statuses.get(endpoint) ?? 200
  if (body === undefined) return Effect.succeed(ofNothing(status))
  const text = JSON.stringify(body)
  return endpoint.method === "GET" && text.length > longestAnswer
    ? Effect.fail(tooLong)
    : Effect.succeed(ofText(status, text))
}

/** Answers with the result of work. */
export const respondWith = <R>(
  work: (caller: CallerService) => Effect.Effect<HttpServerResponse, Failure, R>,
): Effect.Effect<HttpServerResponse, never, R | Caller> =>
  Effect.flatMap(Caller, (caller) => caller.settle(Effect.suspend(() => work(caller))))

/** Answers with the result of work, as JSON. */
export const respond = <C extends Call, R>(
  call: C,
  work: (caller: CallerService) => Effect.Effect<BodyOf<C>, Failure, R>,
): Effect.Effect<HttpServerResponse, never, R | Caller> =>
  respondWith((caller) => Effect.flatMap(work(caller), (body) => write(call, body)))

// Authorization.

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

/** A path segment of the Standard Schema, whose key may be inside of an object. */
const nameOf = (
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined = [],
): string => path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")

const invalid = ({ kind, cause }: HttpApiSchemaError): InvalidRequest =>
  InvalidRequest.of(
    standard(cause.issue).issues.map(({ path, message }) => ({
      path: kind === "Headers" ? "Idempotency-Key" : nameOf(path),
      value: undefined,
      message,
    })),
  )

/** Reports everything that is wrong with the parameters or headers of a request. */
export const malformations: Layer.Layer<Malformations> = layerSchemaErrorTransform(
  Malformations,
  (error) => settle(Effect.fail(invalid(error))),
)

/** The name of a caller: the owner of the token, or the beginning of its hash, which reveals nothing of the token. */
const actorOf = ({ actor, hash }: StoredToken): string => actor ?? `token:${hash.slice(0, 8)}`

/** The rate headers of an answer. */
const withAllowance = (
  answer: HttpServerResponse,
  { limit, remaining }: Access.Allowance,
): HttpServerResponse =>
  setHeaders(answer, {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
  })

/** What the endpoints have in common with the pages beside them. */
export interface Door {
  readonly strangers: Access.Strangers
  readonly readiness: Readiness
  /** Runs work on a path of this name, and logs its answer. */
  readonly serve: <E, R>(
    route: string,
    work: Effect.Effect<HttpServerResponse, E, R>,
  ) => Effect.Effect<HttpServerResponse, E, R | HttpServerRequest>
}

/** The router passes names in paths as they are written; the server has checked that they can be decoded. */
const readParams = (context: Context.Context<HttpRouter.RouteContext>) => {
  const route = Context.get(context, HttpRouter.RouteContext)
  const params = Record.map(route.params, (value) => readName(value ?? ""))
  return Context.add(context, HttpRouter.RouteContext, { ...route, params })
}

/** Work that notes whether the storage refused a change. */
const watching = (
  { accountId, method }: { readonly accountId: string; readonly method: string },
  readiness: Readiness,
) => {
  // A timeout, or a value that can't be stored anywhere, says nothing about the storage.
  const note = ({ waited, isFinal }: StorageFailure) =>
    Effect.sync(() => {
      if (waited === undefined && isFinal === undefined) readiness.writeFailed(accountId)
    })
  return <A, R>(work: Effect.Effect<A, Failure, R>): Effect.Effect<A, Failure, R> =>
    method === "GET" ? work : Effect.tapErrorTag(work, "StorageFailure", note)
}

/** What the work of all endpoints needs. */
interface Tools {
  readonly options: CompleteOptions
  readonly readiness: Readiness
  readonly keys: IdempotencyService
}

/** Whether a body is read before the work begins; the work itself reads a body that comes line by line. */
const isReadWhole = (payload: HttpApiEndpoint.Top["payload"]): boolean =>
  payload.size > 0 && [...payload.values()].every(({ encoding }) => encoding._tag !== "Stream")

/** Who sends a request: the account, and the name under which they act in it. */
interface Sender {
  readonly accountId: string
  readonly actor: string
  readonly scopes: StoredToken["scopes"]
}

/** The work of an endpoint, with the caller of the request, after its body is read. */
const workFor =
  (
    work: Effect.Effect<HttpServerResponse, unhandled, Caller>,
    { method, payload }: HttpApiEndpoint.Top,
    { options, readiness, keys }: Tools,
  ) =>
  (request: HttpServerRequest, { accountId, actor, scopes }: Sender) => {
    const url = urlOf(request, options.publicUrl)
    const watch = watching({ accountId, method }, readiness)
    const longestBody = options.bodyLimit
    const answerWith = (body: unknown) =>
      Effect.updateContext(work, (context: Context.Context<HttpRouter.Provided>) => {
        const query = Context.get(context, ParsedSearchParams)
        const given = isDisguised(request.url) ? readParams(context) : context
        return given.pipe(
          Context.add(Caller, {
            ...{ accountId, scopes, url, body, query, keys, longestBody, watch },
            settle: (work) => settle(watch(work)),
          }),
          Context.add(Actor, actor),
        )
      })
    return !isReadWhole(payload)
      ? answerWith(undefined)
      : Effect.matchCauseEffect(readBody(request, options.bodyLimit), {
          onFailure: settleCause,
          onSuccess: answerWith,
        })
  }

// The doors: one for access tokens, one for the tokens of passes.

/** Who was let in, and how many requests they have left. */
interface Admission<A> {
  readonly known: A
  /** `undefined`: there is no limit. */
  readonly allowance: Access.Allowance | undefined
}

/** Lets in who is known by a token, as often as the rate allows, and answers. */
const entrance = <A, E extends Failure>(
  kind: Access.TokenKind<A, E>,
  { ratePerMinute, strangers }: Pick<CompleteOptions, "ratePerMinute"> & Pick<Door, "strangers">,
  nameOf: (known: A) => string,
) => {
  const authenticate = Access.make(kind, strangers)
  const limiter = ratePerMinute === "unlimited" ? undefined : Access.makeLimiter(ratePerMinute)
  const admit = ({ headers, remoteAddress }: HttpServerRequest) =>
    Effect.flatMap(
      authenticate({ header: headers.authorization, address: remoteAddress }),
      (known): Effect.Effect<Admission<A>> =>
        limiter === undefined
          ? Effect.succeed({ known, allowance: undefined })
          : Effect.map(limiter.take(nameOf(known)), (allowance) => ({ known, allowance })),
    )
  return <E2, R>(answer: (known: A) => Effect.Effect<HttpServerResponse, E2, R>) =>
    (request: HttpServerRequest) =>
      Effect.matchCauseEffect(admit(request), {
        onFailure: settleCause,
        onSuccess: ({ known, allowance }) => {
          if (allowance === undefined) return answer(known)
          const allowed = allowance.isAllowed
            ? answer(known)
            : settle(Effect.fail(Access.exceeded(allowance)))
          return Effect.map(allowed, (response) => withAllowance(response, allowance))
        },
      })
}

/** Lets requests in, as often as the rate allows, and reads their bodies. */
export const authorization = (
  options: CompleteOptions,
  { strangers, readiness, serve }: Door,
): Layer.Layer<Authorization, never, Tokens | Idempotency> =>
  Layer.effect(
    Authorization,
    Effect.gen(function* () {
      const tools = { options, readiness, keys: yield* Idempotency }
      const { ratePerMinute } = options
      const limits = { ratePerMinute, strangers }
      const enter = entrance(Access.accessTokens(yield* Tokens), limits, ({ hash }) => hash)

      const accessToken = (
        work: Effect.Effect<HttpServerResponse, unhandled, Caller>,
        asked: { readonly endpoint: HttpApiEndpoint.Top; readonly group: HttpApiGroup.Top },
      ) => {
        const { endpoint } = asked
        const answer = workFor(work, endpoint, tools)
        const answered = (request: HttpServerRequest) =>
          enter((token) => {
            const refusal = forbidden(token, asked)
            const { accountId } = token
            return refusal === undefined
              ? answer(request, { accountId, actor: actorOf(token), scopes: token.scopes })
              : settle(Effect.fail(refusal))
          })(request)
        return serve(endpoint.path, Effect.flatMap(HttpServerRequest, answered))
      }
      return { accessToken }
    }),
  )

const passTokens = (passes: PassesService): Access.TokenKind<OpenedPass, StorageError> => ({
  find: ({ text }) =>
    Effect.catchTag(passes.open(text), "PassRefused", () => Effect.succeed(undefined)),
  missing: "the token of a pass is needed, as Authorization: Bearer <token>",
  unknown: "the link is not valid, or not any more",
})

/** Lets in who has the token of a pass. */
export const passAuthorization = (
  options: CompleteOptions,
  { strangers, readiness, serve }: Door,
): Layer.Layer<PassAuthorization, never, Passes | Idempotency> =>
  Layer.effect(
    PassAuthorization,
    Effect.gen(function* () {
      const tools = { options, readiness, keys: yield* Idempotency }
      const { ratePerMinute } = options
      const limits = { ratePerMinute, strangers }
      const enter = entrance(passTokens(yield* Passes), limits, ({ passId }) => passId)

      const passToken = (
        work: Effect.Effect<HttpServerResponse, unhandled, Caller | Visitor>,
        { endpoint }: { readonly endpoint: HttpApiEndpoint.Top },
      ) => {
        const answered = (request: HttpServerRequest) =>
          enter((pass) => {
            const { accountId, passId } = pass
            const visit = Effect.provideService(work, Visitor, pass)
            return workFor(
              visit,
              endpoint,
              tools,
            )(request, { accountId, actor: `pass:${passId}`, scopes: [] })
          })(request)
        return serve(endpoint.path, Effect.flatMap(HttpServerRequest, answered))
      }
      return { passToken }
    }),
  )

/** Logs requests that need no token. */
export const unguarded = ({ serve }: Door): Layer.Layer<Unguarded> =>
  Layer.succeed(Unguarded)((work, { endpoint }) => serve(endpoint.path, work))
