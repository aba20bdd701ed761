/** The HTTP API over all services, for one account. */
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { toWebHandler } from "../../http/WebHandler.js"
import * as ExchangeRates from "../../ports/ExchangeRates.js"
import type { Storage } from "../../ports/Storage.js"
import type { Tokens } from "../../ports/Tokens.js"
import { DuePayouts } from "../../service/DuePayouts.js"
import { servicesLayer } from "../../service/Services.js"
import type * as ExitCode from "../ExitCode.js"
import type { Handler } from "./ServeListener.js"

/** The API, ready for requests. */
export interface ServedApi {
  readonly handler: Handler
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
  /** Told what is logged, a line at a time. */
  readonly log: (line: string) => void
}

const servicesOf = ({ closeDueEvery }: ApiOptions) =>
  closeDueEvery === undefined
    ? servicesLayer
    : Layer.provideMerge(DuePayouts.layer({ every: closeDueEvery * 1_000 }), servicesLayer)

/** Makes the API. */
export const make = async (options: ApiOptions): Promise<ServedApi> => {
  const { tokens, rate, publicUrl, storage, log } = options
  const services = Layer.mergeAll(
    // The storage is among them, so that it is asked whether the API is ready.
    Layer.provideMerge(servicesOf(options), [storage, ExchangeRates.ExchangeRates.none]),
    tokens,
  )
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, log)])
  const addresses = new WeakMap<Request, string>()
  const api = toWebHandler(Layer.provideMerge(services, logger), {
    ratePerMinute: rate,
    publicUrl,
    addressOf: (request) => addresses.get(request),
  })
  try {
    await api.started
  } catch (cause) {
    await api.dispose()
    throw cause
  }
  const handler: Handler = (request, address) => {
    if (address !== undefined) addresses.set(request, address)
    return api.handler(request)
  }
  return { ...api, handler }
}
