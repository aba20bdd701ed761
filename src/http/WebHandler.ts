/**
 * The API as a function from `Request` to `Response`, for hosts of every kind.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import { always, unexpected } from "./Answer.js"
import { type CompleteOptions, completeOptions, type HttpOptions } from "./HttpOptions.js"
import { type ApiServices, make } from "./Server.js"

/**
 * The API, ready to be mounted.
 *
 * @since 0.2.0
 * @category models
 */
export interface WebHandler {
  /** Answers a request. It never rejects. */
  readonly handler: (request: Request) => Promise<Response>
  /**
   * Resolves when the services are ready, and rejects with the reason if they can't be built. Earlier requests wait for
   * it; when it rejects, they are answered with 500.
   */
  readonly started: Promise<void>
  /** Makes `/ready` answer 503, so that no more requests are sent here. Requests that still arrive are answered. */
  readonly drain: () => void
  /**
   * Drains, waits for the requests under way, and releases the services' resources. Later requests are answered
   * with 503.
   */
  readonly dispose: () => Promise<void>
}

type Handle = (request: Request) => Promise<Response>

/** The address of a request, as its host gives it. */
const Address = Context.Reference<Option.Option<string>>("apportion/http/Address", {
  defaultValue: Option.none,
})

const gone = JSON.stringify({ message: "shutting down" })
const failed = JSON.stringify(unexpected.body)

/** An answer without any service. */
const plain = (status: number, text: string): Response =>
  new Response(text, {
    status,
    headers: {
      ...always,
      "content-type": "application/json",
      ...(status === 503 ? { "retry-after": "1" } : {}),
    },
  })

const makeHandle = (options: CompleteOptions): Effect.Effect<Handle, never, ApiServices> =>
  Effect.contextWith((context: Context.Context<ApiServices>) =>
    Effect.map(make(options), (server) => {
      const app = Effect.flatMap(Address, (remoteAddress) =>
        Effect.updateService(server, HttpServerRequest, (request) =>
          request.modify({ remoteAddress }),
        ),
      )
      const handle = HttpEffect.toWebHandlerWith<ApiServices, HttpServerRequest | Scope>(context)(
        app,
      )
      return (request) =>
        handle(request, Context.make(Address, Option.fromUndefinedOr(options.addressOf(request))))
    }),
  )

const toLayer = <E>(
  services: Layer.Layer<ApiServices, E> | Context.Context<ApiServices>,
): Layer.Layer<ApiServices, E> =>
  Context.isContext(services) ? Layer.succeedContext(services) : services

/** Remembers the requests under way, so that draining can wait for them. */
const tracked = (handle: Handle) => {
  const underWay = new Set<Promise<Response>>()
  const track: Handle = (request) => {
    const response = handle(request)
    underWay.add(response)
    const forget = () => underWay.delete(response)
    response.then(forget, forget)
    return response
  }
  return { track, settled: () => Promise.allSettled(underWay) }
}

/**
 * Makes a handler of the API over services. Internal errors are answered and logged through Effect's logger. Throws
 * `InvalidHttpOptions` when an option is invalid.
 *
 * @param services - the services and the tokens, as a layer or as they are
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { toWebHandler } from "apportion/http"
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates, Tokens } from "apportion/ports"
 * import { servicesLayer } from "apportion/service"
 * import { Layer } from "effect"
 *
 * const services = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const tokens = Tokens.fixed([{ token: "secret", accountId: "my-store" }])
 * const { handler, dispose } = toWebHandler(Layer.merge(services, tokens), { logRequests: false })
 *
 * const headers = { authorization: "Bearer secret" }
 * const response = await handler(new Request("http://localhost/api/v1/payouts", { headers }))
 * response.status // => 200
 * const { data, meta } = JSON.parse(await response.text())
 * data // => []
 * meta.path // => "http://localhost/api/v1/payouts"
 * await dispose()
 * ```
 */
export const toWebHandler = <E>(
  services: Layer.Layer<ApiServices, E> | Context.Context<ApiServices>,
  options: HttpOptions = {},
): WebHandler => {
  const chosen = Result.getOrThrow(completeOptions(options))
  let isDraining = false
  let disposing: Promise<void> | undefined
  const isReady = () => !isDraining && chosen.isReady()
  const runtime = ManagedRuntime.make(toLayer(services))
  const built = runtime.runPromise(makeHandle({ ...chosen, isReady }))
  const started = built.then(() => undefined)
  // A host that does not wait for the start sees the failure with each request.
  started.catch(() => undefined)
  const answer: Handle = (request) =>
    built.then((handle) => handle(request)).catch(() => plain(500, failed))
  const { track, settled } = tracked(answer)
  const drain = () => {
    isDraining = true
  }
  return {
    handler: (request) =>
      disposing === undefined ? track(request) : Promise.resolve(plain(503, gone)),
    started,
    drain,
    dispose: () => {
      drain()
      disposing ??= settled().then(() => runtime.dispose())
      return disposing
    },
  }
}
