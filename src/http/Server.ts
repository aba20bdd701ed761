/**
 * The API as routes of an Effect server.
 *
 * @since 0.2.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FindMyWay from "effect/http/FindMyWay"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { isHttpServerError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Tokens } from "../ports/Tokens.js"
import type { AccountCounters } from "../service/AccountCounters.js"
import type { AccountRules } from "../service/AccountRules.js"
import type { AccountSettings } from "../service/AccountSettings.js"
import type { Agreements } from "../service/Agreements.js"
import type { Balances } from "../service/Balances.js"
import type { Collaborators } from "../service/Collaborators.js"
import type { Deliveries } from "../service/Deliveries.js"
import type { Entries } from "../service/Entries.js"
import type { Events } from "../service/Events.js"
import type { Idempotency } from "../service/Idempotency.js"
import type { Overviews } from "../service/Overviews.js"
import type { Passes } from "../service/Passes.js"
import type { PastSales } from "../service/PastSales.js"
import type { Payments } from "../service/Payments.js"
import type { Payouts } from "../service/Payouts.js"
import type { ProductGroups } from "../service/ProductGroups.js"
import type { Products } from "../service/Products.js"
import type { Resplits } from "../service/Resplits.js"
import type { Sales } from "../service/Sales.js"
import type { Statements } from "../service/Statements.js"
import type { UnitOfWork } from "../service/UnitOfWork.js"
import type { Webhooks } from "../service/Webhooks.js"
import { makeStrangers } from "./Access.js"
import * as AgreementHandlers from "./AgreementHandlers.js"
import { complete, MethodNotAllowed, ofJson, settle, UnknownPath } from "./Answer.js"
import { Api } from "./Api.js"
import * as CollaboratorHandlers from "./CollaboratorHandlers.js"
import * as CounterHandlers from "./CounterHandlers.js"
import * as DeliveryHandlers from "./DeliveryHandlers.js"
import * as Documentation from "./Documentation.js"
import {
  authorization,
  type Door,
  malformations,
  passAuthorization,
  unguarded,
} from "./Endpoint.js"
import * as EntryHandlers from "./EntryHandlers.js"
import * as EventHandlers from "./EventHandlers.js"
import * as GroupHandlers from "./GroupHandlers.js"
import {
  type CompleteOptions,
  completeOptions,
  type HttpOptions,
  type InvalidHttpOptions,
} from "./HttpOptions.js"
import * as OverviewHandlers from "./OverviewHandlers.js"
import * as PassHandlers from "./PassHandlers.js"
import * as PastSaleLines from "./PastSaleLines.js"
import * as PaymentHandlers from "./PaymentHandlers.js"
import * as PayoutHandlers from "./PayoutHandlers.js"
import * as ProductHandlers from "./ProductHandlers.js"
import * as Readiness from "./Readiness.js"
import { disguise, isDisguised, isSecure, makeRequestId, pathOf } from "./Request.js"
import { meter } from "./RequestMeter.js"
import * as ResplitHandlers from "./ResplitHandlers.js"
import * as RulesHandlers from "./RulesHandlers.js"
import * as SaleHandlers from "./SaleHandlers.js"
import * as SeenHandlers from "./SeenHandlers.js"
import * as SettingsHandlers from "./SettingsHandlers.js"
import * as StatementHandlers from "./StatementHandlers.js"
import * as WebhookHandlers from "./WebhookHandlers.js"

/**
 * The services behind the API, and the port that knows the owner of a token.
 *
 * @since 0.2.0
 * @category services
 */
export type ApiServices =
  | AccountCounters
  | Agreements
  | AccountRules
  | Overviews
  | ProductGroups
  | Payouts
  | Payments
  | Products
  | Entries
  | Balances
  | Statements
  | UnitOfWork
  | Sales
  | Resplits
  | AccountSettings
  | PastSales
  | Events
  | Webhooks
  | Collaborators
  | Deliveries
  | Passes
  | Idempotency
  | Tokens

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Answers any request. */
export type Server = Effect.Effect<
  Response,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

// Pages beside the endpoints, without a token; all with GET.

/**
 * Something that is made once, at the first request. It is made in a fiber of its own, because clients that leave would
 * otherwise start it again and again.
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

const alive = ofJson(200, { status: "ok" })

const pagePaths = ["/health", "/ready", "/openapi.json", "/docs"] as const

const makePages = (options: CompleteOptions, { readiness, strangers }: Door) => {
  const published = (made: Effect.Effect<Documentation.Publication>) => {
    const publication = once(made)
    return Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      ({ headers, remoteAddress }: Request) =>
        Effect.andThen(
          strangers.admit(remoteAddress),
          Effect.map(publication, (found) => Documentation.answer(found, headers)),
        ),
    )
  }
  return {
    // An answer is all that is needed: a process is not restarted because its storage is away.
    "/health": Effect.succeed(alive),
    // Not counted: monitors ask often, and get the latest finding.
    "/ready": readiness.answer,
    "/openapi.json": published(Documentation.publishedDocument(options)),
    "/docs": published(Documentation.page(options)),
  }
}

// The router. Paths are taken as they are: without folding, adding or cutting off.

const routerConfig: FindMyWay.RouterConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: Number.MAX_SAFE_INTEGER,
}

const prefixes = ["/api/v1", "/v1"] as const

/** A router with the given routes under each prefix. */
const underPrefixes = (router: HttpRouter.HttpRouter): HttpRouter.HttpRouter => ({
  ...router,
  addAll: (routes) =>
    Effect.forEach(prefixes, (prefix) => router.prefixed(prefix).addAll(routes), { discard: true }),
})

/** Whether every URL of one path is also one of the other, which has parameters where that has words. */
const covers = (path: string, other: string): boolean => {
  const [steps, others] = [path.split("/"), other.split("/")]
  const isStep = (step: string, index: number) => step === others[index] || step.startsWith(":")
  return steps.length === others.length && steps.every(isStep)
}

/** The methods that each path has. */
const methodsByPath = (() => {
  const known: Array<Pick<HttpApiEndpoint.Top, "method" | "path">> = []
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => known.push(endpoint) })
  const methodsOf = (path: string) =>
    known
      .filter((one) => covers(one.path, path))
      .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
  const paths = FindMyWay.make<ReadonlyArray<string>>(routerConfig)
  for (const path of pagePaths) paths.on("GET", path, ["GET", "HEAD"])
  for (const path of new Set(known.map((one) => one.path))) {
    const methods = [...new Set(methodsOf(path))]
    for (const prefix of prefixes) paths.on("GET", `${prefix}${path}`, methods)
  }
  return paths
})()

const nothing = new UnknownPath({ message: "there is nothing at this path" })

/** Why there is no route for a request that the router can read. */
const strayed = ({ method, url }: Request): UnknownPath | MethodNotAllowed => {
  const allowed = methodsByPath.find("GET", url)?.handler
  if (allowed === undefined) return nothing
  const message = `the method ${method.slice(0, 20)} is not allowed here, only ${allowed.join(", ")}`
  return new MethodNotAllowed({ message, allowed })
}

/** A path that is not a spelling of another one: all of its steps have names, which can be decoded. */
const isPlain = (path: string): boolean => {
  if (/\/\/|.\/$/.test(path) || isDisguised(path)) return false
  if (!path.includes("%")) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * A request whose path the router takes as it is written. Its query is well-formed: of a parameter with one invalid
 * escape, the router would decode nothing.
 */
const asWritten = (request: Request): Request => {
  if (!/[%;#]/.test(request.url)) return request
  const path = pathOf(request.url)
  const query = new URLSearchParams(request.url.slice(path.length).replace(/#.*$/s, ""))
  return request.modify({ url: `${disguise(path)}?${query}` })
}

const makeRouter = (options: CompleteOptions, door: Door) =>
  Effect.gen(function* () {
    const router = yield* Effect.provideService(
      HttpRouter.make,
      HttpRouter.RouterConfig,
      routerConfig,
    )
    const pages = makePages(options, door)
    for (const path of pagePaths) {
      yield* router.add("GET", path, door.serve(path, settle(pages[path])))
    }
    const endpoints = HttpApiBuilder.layer(Api).pipe(
      Layer.provide([GroupHandlers.layer, PayoutHandlers.layer, ProductHandlers.layer]),
      Layer.provide(PaymentHandlers.layer),
      Layer.provide([EntryHandlers.layer, StatementHandlers.layer]),
      Layer.provide([EventHandlers.layer, WebhookHandlers.layer]),
      Layer.provide([CollaboratorHandlers.layer, SettingsHandlers.layer]),
      Layer.provide([SaleHandlers.layer, ResplitHandlers.layer, PastSaleLines.layer]),
      Layer.provide([RulesHandlers.layer, OverviewHandlers.layer, CounterHandlers.layer]),
      Layer.provide(AgreementHandlers.layer),
      Layer.provide([DeliveryHandlers.layer(door.strangers), DeliveryHandlers.inboxLayer]),
      Layer.provide([PassHandlers.layer, SeenHandlers.layer]),
      Layer.provide([authorization(options, door), passAuthorization(options, door)]),
      Layer.provide([unguarded(door), malformations]),
      Layer.provide(HttpServer.layerServices),
      Layer.provide(Layer.succeed(HttpRouter.HttpRouter)(underPrefixes(router))),
    )
    yield* Effect.scoped(Layer.build(endpoints))
    return router.asHttpEffect()
  })

/** The paths with an answer: both prefixes with all below them, and the pages. */
const paths = ["/api/v1/*", "/v1/*", ...pagePaths] as const

/** Counts a request that was answered, and logs it. */
const noteRequest = (
  { logRequests }: CompleteOptions,
  route: string,
  answered: { readonly status: number; readonly startedAt: number },
) =>
  Effect.gen(function* () {
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const durationMillis = (yield* Clock.currentTimeMillis) - answered.startedAt
    const line = { method, route, status: answered.status, durationMillis }
    yield* meter(line)
    if (logRequests) yield* Effect.annotateLogs(Effect.logInfo("request"), line)
  })

const serveWith =
  (options: CompleteOptions): Door["serve"] =>
  (route, work) =>
    Effect.flatMap(Clock.currentTimeMillis, (startedAt) =>
      Effect.tap(work, ({ status }) => noteRequest(options, route, { status, startedAt })),
    )

/** Makes the server of the API over the services. */
export const make = (options: CompleteOptions): Effect.Effect<Server, never, ApiServices> =>
  Effect.gen(function* () {
    const strangers = makeStrangers(options.ratePerMinute)
    const serve = serveWith(options)
    const door = { strangers, serve, readiness: yield* Readiness.make(options) }
    const router = yield* makeRouter(options, door)
    const requestIdOf = yield* makeRequestId

    /** An unknown path or method: no token is needed, so the address is counted. */
    const refuse = ({ remoteAddress, url }: Request, failure: UnknownPath | MethodNotAllowed) => {
      const route = pagePaths.find((page) => page === pathOf(url)) ?? "unknown"
      return serve(
        route,
        settle(Effect.andThen(strangers.admit(remoteAddress), Effect.fail(failure))),
      )
    }

    const respond = (given: Request): Server => {
      if (!isPlain(pathOf(given.url))) return refuse(given, nothing)
      const request = asWritten(given)
      const found =
        request === given
          ? router
          : Effect.provideService(router, HttpServerRequest.HttpServerRequest, request)
      return Effect.catch(found, (error) =>
        isHttpServerError(error) && error.reason._tag === "RouteNotFound"
          ? refuse(request, strayed(request))
          : Effect.die(error),
      )
    }

    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.flatMap(requestIdOf(request.headers["x-request-id"]), (requestId) =>
        Effect.map(Effect.annotateLogs(respond(request), { requestId }), (answer) =>
          complete(answer, { requestId, isSecure: isSecure(request, options.publicUrl) }),
        ),
      ),
    )
  })

/**
 * Adds the API to a router: everything below `/api/v1` and `/v1`, and `/health`, `/ready`, `/openapi.json` and `/docs`. Fails with
 * `InvalidHttpOptions`, which lists all problems of the options.
 *
 * @since 0.2.0
 * @category layers
 * @example
 * ```ts
 * import { layer } from "apportion/http"
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates, Tokens } from "apportion/ports"
 * import { servicesLayer } from "apportion/service"
 * import { Layer } from "effect"
 * import { HttpRouter } from "effect/http"
 *
 * const services = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const tokens = Tokens.fixed([{ token: "secret", accountId: "my-store" }])
 * const routes = Layer.provide(layer({ ratePerMinute: 600, logRequests: false }), [services, tokens])
 * const { handler, dispose } = HttpRouter.toWebHandler(routes, { disableLogger: true })
 * const response = await handler(new Request("http://localhost/ready"))
 * await response.json() // => { status: "ready" }
 * await dispose()
 * ```
 */
export const layer = (
  options: HttpOptions = {},
): Layer.Layer<never, InvalidHttpOptions, ApiServices | HttpRouter.HttpRouter> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* make(yield* Effect.fromResult(completeOptions(options)))
      const router = yield* HttpRouter.HttpRouter
      for (const path of paths) yield* router.add("*", path, server)
    }),
  )
