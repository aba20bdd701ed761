/** The HTTP API over all services, for one account whose storage is in memory. */
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { toWebHandler } from "../http/WebHandler.js"
import * as ExchangeRates from "../ports/ExchangeRates.js"
import { Tokens } from "../ports/Tokens.js"
import { servicesLayer } from "../service/Services.js"
import type { Store } from "../wire/Store.js"
import type { Handler } from "./ServeListener.js"
import * as ServeSeeding from "./ServeSeeding.js"

/** The account that every token opens. */
const accountId = "default"

/** The API, ready for requests. */
export interface ServedApi {
  readonly handler: Handler
  /** From here on it says that it is not ready; requests are answered all the same. */
  readonly drain: () => void
  /** Ends what goes on in the background. */
  readonly dispose: () => Promise<void>
}

/** Makes the API; what it logs goes to `log`, a line at a time. */
export const make = async (options: {
  readonly tokens: ReadonlyArray<string>
  readonly rate: number
  readonly store: Store
  readonly log: (line: string) => void
}): Promise<ServedApi> => {
  const { tokens, rate, store, log } = options
  const storage = ServeSeeding.layer(accountId, store)
  const services = Layer.mergeAll(
    Layer.provide(servicesLayer, [storage, ExchangeRates.ExchangeRates.none]),
    Tokens.fixed(tokens.map((token) => ({ token, accountId }))),
  )
  const logger = Logger.layer([Logger.map(Logger.formatLogFmt, log)])
  const api = toWebHandler(Layer.provideMerge(services, logger), { ratePerMinute: rate })
  await api.started
  return api
}
