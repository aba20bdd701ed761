/** The HTTP API over all services, for one account. */
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { toWebHandler } from "../../http/WebHandler.js"
import type { ConnectedShop } from "../../ports/ConnectedShop.js"
import type { ExchangeRates } from "../../ports/ExchangeRates.js"
import type { Storage } from "../../ports/Storage.js"
import type { Tokens } from "../../ports/Tokens.js"
import { DuePayouts } from "../../service/DuePayouts.js"
import { servicesLayer } from "../../service/Services.js"
import type * as ExitCode from "../ExitCode.js"
import type { Handler } from "./ServeListener.js"
import * as ServeLog from "./ServeLog.js"
import * as ServeMetrics from "./ServeMetrics.js"
import * as ServeShops from "./ServeShops.js"
import * as ServeWebhooks from "./ServeWebhooks.js"

/** The API, ready for requests. */
export interface ServedApi {
  readonly handler: Handler
  /** What was counted and what there is now, as Prometheus reads it. */
  readonly metrics: () => Promise<string>
  /** From here on it says that it is not ready; requests are answered all the same. */
  readonly drain: () => void
  /** Ends what goes on in the background. */
  readonly dispose: () => Promise<void>
}

/** What the API is made of. */
export interface ApiOptions {
  readonly tokens: Layer.Layer<Tokens>
  readonly rate: number
  /** Where the world reaches the API; `undefined`: as each request says. */
  readonly publicUrl: string | undefined
  /** How often payouts that are due are closed, in seconds; `undefined`: never by itself. */
  readonly closeDueEvery: number | undefined
  readonly storage: Layer.Layer<Storage, ExitCode.Stopped>
  readonly rates: Layer.Layer<ExchangeRates>
  /** How sales are split, and the other settings. */
  readonly settings: Layer.Layer<never>
  /** Where webhooks are sent to. */
  readonly webhooks: ServeWebhooks.WebhookTargets
  /** The shops whose deliveries it takes. */
  readonly shops: ReadonlyArray<ConnectedShop>
  readonly log: ServeLog.LogOptions
  /** Where telemetry is sent to; `undefined`: nowhere. */
  readonly otlp: string | undefined
}

const servicesOf = ({ closeDueEvery, webhooks, shops }: ApiOptions, rails: Layer.Layer<never>) => {
  const services = Layer.provide(servicesLayer, rails)
  const closing =
    closeDueEvery === undefined ? Layer.empty : DuePayouts.layer({ every: closeDueEvery * 1_000 })
  const sending = webhooks === "off" ? Layer.empty : ServeWebhooks.layer(webhooks)
  const working = Layer.mergeAll(closing, sending, ServeShops.layer(shops))
  return Layer.provideMerge(working, services)
}

/** What it tells of itself: its log and its figures. */
const telemetryOf = async ({ log, otlp }: ApiOptions): Promise<Layer.Layer<never>> => {
  const base = Layer.merge(ServeLog.layer(log), ServeMetrics.layer())
  if (otlp === undefined) return base
  const { layer } = await import("./ServeTelemetry.js")
  return Layer.provideMerge(layer(otlp), base)
}

/** Makes the API. */
export const make = async (options: ApiOptions): Promise<ServedApi> => {
  const { tokens, rate, publicUrl, storage, rates, settings } = options
  // The rails bring their formats along, which no other command of a server needs.
  const rails = await import("./ServeRails.js")
  const surroundings = Layer.merge(await telemetryOf(options), settings)
  const services = Layer.mergeAll(
    // The storage is included, so that `/ready` checks it.
    Layer.provideMerge(servicesOf(options, rails.layer), [storage, rates]),
    tokens,
  )
  const runtime = ManagedRuntime.make(Layer.provideMerge(services, surroundings))
  const addresses = new WeakMap<Request, string>()
  try {
    const api = toWebHandler(await runtime.context(), {
      ratePerMinute: rate,
      publicUrl,
      addressOf: (request) => addresses.get(request),
    })
    await api.started
    return {
      metrics: () => runtime.runPromise(ServeMetrics.text),
      drain: api.drain,
      dispose: () => api.dispose().then(() => runtime.dispose()),
      handler: (request, address) => {
        if (address !== undefined) addresses.set(request, address)
        return api.handler(request)
      },
    }
  } catch (cause) {
    await runtime.dispose()
    throw cause
  }
}
