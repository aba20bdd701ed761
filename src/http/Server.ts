/** Every request to its answer: what the endpoints, the documents and the readiness path say. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Answer from "./Answer.js"
import * as Documentation from "./Documentation.js"
import * as EndpointAnswer from "./EndpointAnswer.js"
import type { Failure } from "./Failure.js"
import type { CompleteOptions } from "./HttpOptions.js"
import * as RequestId from "./RequestId.js"
import { isSecure } from "./RequestUrl.js"
import * as Routes from "./Routes.js"
import { settle } from "./Settling.js"

type Request = HttpServerRequest.HttpServerRequest

/** Answers a request, whatever it is. */
export type Server = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
>

/** The paths beside the endpoints, which need no token; each is asked with GET. */
type Pages = ReadonlyMap<string, Effect.Effect<Answer.Answer>>

const readiness = (isReady: () => boolean): Effect.Effect<Answer.Answer> =>
  Effect.sync(() =>
    isReady()
      ? Answer.ofJson(200, { status: "ready" })
      : Answer.ofJson(503, { message: "not ready" }, { "retry-after": "1" }),
  )

const makePages = (options: CompleteOptions): Effect.Effect<Pages> =>
  Effect.gen(function* () {
    const document = Effect.sync(() => Answer.ofJson(200, Documentation.document(options)))
    return new Map([
      ["/ready", readiness(options.isReady)],
      ["/openapi.json", yield* Effect.cached(Effect.uninterruptible(document))],
      ["/docs", yield* Effect.cached(Effect.uninterruptible(Documentation.page(options)))],
    ])
  })

/** The paths that are answered: both prefixes with all below them, and the pages. */
export const paths = ["/api/v1/*", "/v1/*", "/ready", "/openapi.json", "/docs"] as const

/** An answer, and the name of the path for the log. */
interface Answered {
  readonly route: string
  readonly work: Effect.Effect<Answer.Answer, Failure>
}

const logRequest = (
  request: Request,
  route: string,
  { status }: Answer.Answer,
  startedAt: number,
): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.annotateLogs(Effect.logInfo("request"), {
      method: request.method,
      route,
      status,
      durationMillis: now - startedAt,
    }),
  )

/** Makes the server of the API over the services. */
export const make = (
  options: CompleteOptions,
): Effect.Effect<Server, never, EndpointAnswer.ApiServices> =>
  Effect.gen(function* () {
    const endpoints = yield* EndpointAnswer.make(options)
    const requestIdOf = yield* RequestId.make
    const pages = yield* makePages(options)

    const pageAt = (page: Effect.Effect<Answer.Answer>, method: string) =>
      Routes.effectiveMethod(method) === "GET"
        ? page
        : Effect.fail(Routes.notAllowed(method, ["GET"]))

    const find = (request: Request): Answered => {
      const path = Routes.pathOf(request.url)
      const page = pages.get(path)
      if (page !== undefined) return { route: path, work: pageAt(page, request.method) }
      const match = Routes.find(request.method, path)
      return Result.isSuccess(match)
        ? { route: match.success.route.template, work: endpoints(match.success, request) }
        : { route: "unknown", work: Effect.fail(match.failure) }
    }

    const respond = Effect.fnUntraced(function* (request: Request, requestId: string) {
      const startedAt = yield* Clock.currentTimeMillis
      const { route, work } = find(request)
      const answer = yield* settle(work)
      if (options.logRequests) yield* logRequest(request, route, answer, startedAt)
      return Answer.toResponse(answer, {
        requestId,
        isSecure: isSecure(request, options.publicUrl),
      })
    })

    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.flatMap(requestIdOf(request.headers["x-request-id"]), (requestId) =>
        Effect.annotateLogs(respond(request, requestId), { requestId }),
      ),
    )
  })
