/**
 * The API as routes of an Effect server.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import type { ApiServices } from "./EndpointAnswer.js"
import { complete, type HttpOptions, type InvalidHttpOptions } from "./HttpOptions.js"
import * as Server from "./Server.js"

/**
 * Adds the API to a router: everything below `/api/v1` and `/v1`, and `/ready`, `/openapi.json` and
 * `/docs`. Fails with `InvalidHttpOptions`, which lists everything that is wrong with the options.
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
      const server = yield* Server.make(yield* Effect.fromResult(complete(options)))
      const router = yield* HttpRouter.HttpRouter
      for (const path of Server.paths) yield* router.add("*", path, server)
    }),
  )
