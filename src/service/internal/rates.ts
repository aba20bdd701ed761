/**
 * Exchange rates while sales are recorded. A transaction must not wait for them: it uses the rates known so far, and
 * reports those that it lacks before it has written anything.
 */
import * as Effect from "effect/Effect"
import type { Collaborator } from "../../payouts/Collaborator.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
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
  const missing = new Set<string>()
  for (const { currency } of collaborators) {
    if (currency !== from && !known.has(currency)) missing.add(currency)
  }
  return [...missing]
}

/** Asks for rates in sequence; fails with the first that is not known. */
export const askRates = Effect.fnUntraced(function* (
  rates: ExchangeRatesService,
  request: { readonly accountId: string; readonly from: string; readonly at: number },
  currencies: ReadonlyArray<string>,
): Effect.fn.Return<KnownRates, PayoutItem.MissingExchangeRate | StorageFailure> {
  const asked = new Map<string, string>()
  for (const to of currencies) {
    const rate = yield* rates.rate({ ...request, to })
    if (rate == null)
      return yield* Effect.fail(PayoutItem.MissingExchangeRate.of(request.from, to, request.at))
    asked.set(to, rate)
  }
  return asked
})

/** From which currency rates are needed, and of which time, in Unix seconds. */
interface RateNeed {
  readonly currency: string
  readonly at: number
}

const noRates: KnownRates = new Map()

const nothingNeeded = Effect.succeed({ known: noRates, missing: [] })

/** The answers, by the currency that rates are to; `null`: there is no rate. */
type AskedRates = ReadonlyMap<string, string | null>

/** The rates that many sales need, each of which is asked for once. */
export class SaleRates {
  readonly #rates: ExchangeRatesService
  readonly #accountId: string
  readonly #asked = new Map<string, Map<string, string | null>>()
  /** The currencies into which orders are converted, by their own. */
  readonly #wanted = new Map<string, Set<string>>()

  constructor(rates: ExchangeRatesService, accountId: string) {
    this.#rates = rates
    this.#accountId = accountId
  }

  /** The known rates that collaborators need; fails with one for which there is no rate. */
  of(
    { currency, at }: RateNeed,
    people: Iterable<Collaborator>,
  ): Effect.Effect<
    { readonly known: KnownRates; readonly missing: ReadonlyArray<string> },
    PayoutItem.MissingExchangeRate
  > {
    const needed = missingRates(currency, people, noRates)
    if (needed.length === 0) return nothingNeeded
    const asked: AskedRates = this.#asked.get(`${currency} ${at}`) ?? new Map()
    const known = new Map<string, string>()
    for (const [to, rate] of asked) if (rate !== null) known.set(to, rate)
    const missing = needed.filter((to) => !known.has(to))
    const unknown = missing.find((to) => asked.has(to))
    return unknown === undefined
      ? Effect.succeed({ known, missing })
      : Effect.fail(PayoutItem.MissingExchangeRate.of(currency, unknown, at))
  }

  /** Notes the missing rates of a currency, for all its orders. */
  want(currency: string, missing: ReadonlyArray<string>): void {
    this.#wanted.set(currency, new Set([...(this.#wanted.get(currency) ?? []), ...missing]))
  }

  /** Asks for all rates that are known to be needed by now. */
  ask(needs: Iterable<RateNeed>): Effect.Effect<void, StorageFailure> {
    return Effect.forEach(needs, (need) => this.#askFor(need), { discard: true })
  }

  #askFor({ currency: from, at }: RateNeed): Effect.Effect<void, StorageFailure> {
    const wanted = this.#wanted.get(from)
    if (wanted === undefined) return Effect.void
    const [rates, accountId] = [this.#rates, this.#accountId]
    const key = `${from} ${at}`
    const known = this.#asked.get(key) ?? new Map<string, string | null>()
    this.#asked.set(key, known)
    return Effect.gen(function* () {
      for (const to of wanted) {
        if (known.has(to)) continue
        known.set(to, (yield* rates.rate({ accountId, from, to, at })) ?? null)
      }
    })
  }
}
