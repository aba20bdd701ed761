/**
 * Exchange rates while a sale is recorded. A transaction must not wait for them: it works with the rates
 * known so far, and tells which it lacks before it has written anything.
 */
import * as Effect from "effect/Effect"
import type { Collaborator } from "../../payouts/Collaborator.js"
import { MissingExchangeRate } from "../../payouts/PayoutItem.js"
import type { ExchangeRatesService } from "../../ports/ExchangeRates.js"
import type { StorageFailure } from "../../ports/StorageError.js"

/** Rates from the order's currency, by the currency they are to. */
export type KnownRates = ReadonlyMap<string, string>

/** The currencies to which no rate is known, each once. */
export const missingRates = (
  from: string,
  collaborators: Iterable<Collaborator>,
  known: KnownRates,
): ReadonlyArray<string> => {
  const needed = new Set(Array.from(collaborators, ({ currency }) => currency))
  return [...needed].filter((currency) => currency !== from && !known.has(currency))
}

/** Asks for rates, one after another; fails with the first that nobody knows. */
export const askRates = Effect.fnUntraced(function* (
  rates: ExchangeRatesService,
  request: { readonly accountId: string; readonly from: string; readonly at: number },
  currencies: ReadonlyArray<string>,
): Effect.fn.Return<KnownRates, MissingExchangeRate | StorageFailure> {
  const asked = new Map<string, string>()
  for (const to of currencies) {
    const rate = yield* rates.rate({ ...request, to })
    if (rate == null) return yield* MissingExchangeRate.of(request.from, to, request.at)
    asked.set(to, rate)
  }
  return asked
})
