import * as Effect from "effect/Effect"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import type { ExchangeRatesService, RateRequest } from "../../ports/ExchangeRates.js"
import { type ContractCheck, expectSame, expectTrue } from "./check.js"

/** What the checks ask for. */
export interface RateSamples {
  readonly known: RateRequest
  readonly unknown: RateRequest
}

type Rates = ExchangeRatesService

const isRate = (rate: string | undefined, { from, to }: RateRequest): boolean =>
  rate !== undefined && ExchangeRate.convert(1, { from, to, rate })._tag === "Success"

/** What exchange rates have to do. */
export const rateChecks = ({
  known,
  unknown,
}: RateSamples): ReadonlyArray<ContractCheck<Rates>> => [
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
