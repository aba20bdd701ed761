/**
 * Exchange rates between currencies.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageFailure } from "./StorageError.js"

/**
 * A requested rate.
 *
 * @since 0.2.0
 * @category models
 */
export interface RateRequest {
  readonly accountId: string
  /** ISO 4217 code of the order's currency. */
  readonly from: string
  /** ISO 4217 code of the collaborator's currency; never the same as `from`. */
  readonly to: string
  /** When the sale is recorded, in Unix seconds. */
  readonly at: number
}

/**
 * The port for exchange rates.
 *
 * @since 0.2.0
 * @category ports
 */
export interface ExchangeRatesService {
  /**
   * How many units of `to` one unit of `from` buys, as a decimal text like `"0.92"`; `undefined`: not known, and the
   * sale is refused. It is called outside transactions, so it may be slow.
   */
  readonly rate: (request: RateRequest) => Effect.Effect<string | undefined, StorageFailure>
}

/**
 * The port for exchange rates, as an Effect service.
 *
 * @since 0.2.0
 * @category ports
 */
export class ExchangeRates extends Context.Service<ExchangeRates, ExchangeRatesService>()(
  "apportion/ports/ExchangeRates",
) {
  /**
   * Has no rates: sales in a currency other than their collaborators' are refused.
   *
   * @since 0.2.0
   */
  static readonly none: Layer.Layer<ExchangeRates> = Layer.succeed(ExchangeRates)({
    rate: () => Effect.succeed(undefined),
  })

  /**
   * Fixed rates for every account: `{ "EUR/USD": "1.08" }`.
   *
   * @since 0.2.0
   */
  static fixed(rates: Readonly<Record<string, string>>): Layer.Layer<ExchangeRates> {
    const known = new Map(Object.entries(rates))
    return Layer.succeed(ExchangeRates)({
      rate: ({ from, to }) => Effect.succeed(known.get(`${from}/${to}`)),
    })
  }
}
