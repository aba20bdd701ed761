/**
 * What every source of exchange rates has to do: cases that a host runs against its own.
 *
 * @since 0.2.0
 */
import type * as Effect from "effect/Effect"
import type { ExchangeRatesService, RateRequest } from "../ports/ExchangeRates.js"
import type { ContractCase } from "./ContractCase.js"
import { casesOf } from "./contracts/check.js"
import { rateChecks } from "./contracts/rateChecks.js"

/**
 * The cases for exchange rates. Each rejects with a `ContractBroken` that says what was expected and what
 * came.
 *
 * @param make - the rates, a promise of them, or an effect that makes them
 * @param samples - a request whose rate is known, and one whose rate is not
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { ExchangeRates } from "apportion/ports"
 * import { ExchangeRatesContract } from "apportion/testing"
 * import { Effect } from "effect"
 *
 * const rates = Effect.provide(ExchangeRates, ExchangeRates.fixed({ "EUR/USD": "1.08" }))
 * const known = { accountId: "shop", from: "EUR", to: "USD", at: 1_700_000_000 }
 * const cases = ExchangeRatesContract.cases(() => rates, {
 *   known,
 *   unknown: { ...known, to: "JPY" },
 * })
 * // With vitest: for (const { name, run } of cases) test(name, run)
 * await cases[0]?.run() // => undefined
 * ```
 */
export const cases = (
  make: () =>
    | Effect.Effect<ExchangeRatesService, unknown>
    | Promise<ExchangeRatesService>
    | ExchangeRatesService,
  samples: { readonly known: RateRequest; readonly unknown: RateRequest },
): ReadonlyArray<ContractCase> => casesOf(rateChecks(samples), make)
