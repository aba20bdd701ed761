/** The HTTP API over all services, for one account. */
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { toWebHandler } from "../../http/WebHandler.js"
import type { ConnectedShop } from "../../ports/ConnectedShop.js"
import type { ExchangeRates } from "../../ports/ExchangeRates.js"
import type { Storage } from "../../ports/Storage.js"
import type { Tokens } from "../../ports/Tokens.js"
import { DuePayouts } from "../../service/DuePayouts.js"
import { Retention } from "../../service/Retention.js"
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
  /** The counters and gauges in the format of Prometheus. */
  readonly metrics: () => Promise<string>
  /** From now on `/ready` fails; requests are still answered. */
  readonly drain: () => void
  /** Ends the background work. */
  readonly dispose: () => Promise<void>
}

/** The parts of the API. */
export interface ApiOptions {
  readonly tokens: Layer.Layer<Tokens>
  readonly rate: number
  /** The public URL of the API; `undefined`: taken from each request. */
  readonly publicUrl: string | undefined
  /** How often due payouts are closed, in seconds; `undefined`: never automatically. */
  readonly closeDueEvery: number | undefined
  readonly storage: Layer.Layer<Storage, ExitCode.Stopped>
  readonly rates: Layer.Layer<ExchangeRates>
  /** How sales are split, and the other settings. */
  readonly settings: Layer.Layer<never>
  /** Which hosts webhooks are sent to. */
  readonly webhooks: ServeWebhooks.WebhookTargets
  /** The shops whose deliveries it takes. */
  readonly shops: ReadonlyArray<ConnectedShop>
  readonly log: ServeLog.LogOptions
  /** The collector of telemetry; `undefined`: no telemetry is sent. */
  readonly otlp: string | undefined
}

const servicesOf = ({ closeDueEvery, webhooks, shops }: ApiOptions, rails: Layer.Layer<never>) => {
  const services = Layer.provide(servicesLayer, rails)
  const closing =
    closeDueEvery === undefined ? Layer.empty : DuePayouts.layer({ every: closeDueEvery * 1_000 })
  const sending = webhooks === "off" ? Layer.empty : ServeWebhooks.layer(webhooks)
  const purging = Retention.sweeps({ every: "1 day" })
  const working = Layer.mergeAll(closing, sending, purging, ServeShops.layer(shops))
  return Layer.provideMerge(working, services)
}

/** The log, the metrics and the traces. */
const telemetryOf = async ({ log, otlp }: ApiOptions): Promise<Layer.Layer<never>> => {
  const base = Layer.merge(ServeLog.layer(log), ServeMetrics.layer())
  if (otlp === undefined) return base
  const { layer } = await import("./ServeTelemetry.js")
  return Layer.provideMerge(layer(otlp), base)
}

/** Makes the API. */
export const make = async (options: ApiOptions): Promise<ServedApi> => {
  const { tokens, rate, publicUrl, storage, rates, settings } = options
  // Loaded here because the rails load their formats, which no other command of a server needs.
  const rails = await import("./ServeRails.js")
  const surroundings = Layer.merge(await telemetryOf(options), settings)
  const services = Layer.mergeAll(
    // The storage is part of the layer, because `/ready` checks it.
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
