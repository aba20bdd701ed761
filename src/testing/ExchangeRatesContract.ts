/**
 * The contract of exchange rates: cases that a host runs against its own source.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as ExchangeRate from "../money/ExchangeRate.js"
import type { ExchangeRatesService, RateRequest } from "../ports/ExchangeRates.js"
import type { ContractCase } from "./ContractCase.js"
import { type ContractCheck, casesOf, expectSame, expectTrue } from "./contracts/check.js"

/** The requests that the checks use. */
interface RateSamples {
  readonly known: RateRequest
  readonly unknown: RateRequest
}

type Rates = ExchangeRatesService

const isRate = (rate: string | undefined, { from, to }: RateRequest): boolean =>
  rate !== undefined && ExchangeRate.convert(1, { from, to, rate })._tag === "Success"

/** What exchange rates have to do. */
const rateChecks = ({ known, unknown }: RateSamples): ReadonlyArray<ContractCheck<Rates>> => [
  {
    name: "a known rate is a decimal text above 0, with which amounts can be converted",
    check: Effect.fnUntraced(function* (rates) {
      const rate = yield* rates.rate(known)
      yield* expectTrue("the rate", isRate(rate, known), rate)
    }),
  },
  {
    name: "a rate that is not known is undefined, and no failure",
    check: Effect.fnUntraced(function* (rates) {
      yield* expectSame("the rate", yield* rates.rate(unknown), undefined)
    }),
  },
  {
    name: "requests at the same time are answered each by its own",
    check: Effect.fnUntraced(function* (rates) {
      const asked = Array.from({ length: 20 }, () => [known, unknown]).flat()
      const answers = yield* Effect.forEach(asked, (request) => rates.rate(request), {
        concurrency: "unbounded",
      })
      for (const [index, rate] of answers.entries()) {
        const isRight = index % 2 === 0 ? isRate(rate, known) : rate === undefined
        yield* expectTrue(`the answer ${index + 1}`, isRight, rate)
      }
    }),
  },
]

/**
 * The cases for exchange rates. Each rejects with a `ContractBroken` that says what was expected and what was returned.
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
