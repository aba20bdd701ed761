/** Every request to its answer: what the endpoints, the documents and the readiness path say. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Answer from "./Answer.js"
import * as Strangers from "./Authentication.js"
import * as Documentation from "./Documentation.js"
import * as EndpointAnswer from "./EndpointAnswer.js"
import type { Failure } from "./ErrorBody.js"
import { settle } from "./ErrorBody.js"
import type { CompleteOptions } from "./HttpOptions.js"
import * as Readiness from "./Readiness.js"
import * as RequestId from "./RequestUrl.js"
import { isSecure } from "./RequestUrl.js"
import * as Routes from "./Routes.js"

type Request = HttpServerRequest.HttpServerRequest

/** Answers a request, whatever it is. */
export type Server = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
>

/** What is answered beside the endpoints, without a token; each is asked with GET. */
type Pages = ReadonlyMap<string, (request: Request) => Effect.Effect<Answer.Answer, Failure>>

/**
 * Something that is made once, when it is first asked for. Whoever asks may go away meanwhile: it is made by itself,
 * or those who ask and go would have it begun again and again.
 */
const once = <A>(make: Effect.Effect<A>): Effect.Effect<A> => {
  let making: Fiber.Fiber<A> | undefined
  return Effect.suspend(() => {
    if (making !== undefined) return Fiber.join(making)
    return Effect.flatMap(Effect.forkDetach(make), (fiber) => {
      making = fiber
      return Fiber.join(fiber)
    })
  })
}

const makePages = (
  options: CompleteOptions,
  {
    readiness,
    strangers,
  }: { readonly readiness: Readiness.Readiness; readonly strangers: Strangers.Strangers },
): Pages => {
  const published = (made: Effect.Effect<Documentation.Publication>) => {
    const publication = once(made)
    return ({ headers, remoteAddress }: Request) =>
      Effect.andThen(
        strangers.admit(remoteAddress),
        Effect.map(publication, (found) => Documentation.answer(found, headers)),
      )
  }
  return new Map([
    // Not counted: whoever watches over the process asks often, and is told what was found out lately.
    ["/ready", () => readiness.answer],
    ["/openapi.json", published(Documentation.publishedDocument(options))],
    ["/docs", published(Documentation.page(options))],
  ])
}

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
    const strangers = Strangers.makeStrangers(options.ratePerMinute)
    const readiness = yield* Readiness.make(options)
    const endpoints = yield* EndpointAnswer.make(options, { strangers, readiness })
    const requestIdOf = yield* RequestId.make
    const pages = makePages(options, { strangers, readiness })

    /** A path or method that there is not: nobody is asked for a token, so the address is counted. */
    const refuse = ({ remoteAddress }: Request, failure: Failure) =>
      Effect.andThen(strangers.admit(remoteAddress), Effect.fail(failure))

    const find = (request: Request): Answered => {
      const path = Routes.pathOf(request.url)
      const page = pages.get(path)
      if (page !== undefined) {
        const isGet = Routes.effectiveMethod(request.method) === "GET"
        const notGet = () => refuse(request, Routes.notAllowed(request.method, ["GET"]))
        return { route: path, work: isGet ? page(request) : notGet() }
      }
      const match = Routes.find(request.method, path)
      return Result.isSuccess(match)
        ? { route: match.success.route.template, work: endpoints(match.success, request) }
        : { route: "unknown", work: refuse(request, match.failure) }
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
