import { ExchangeRates, type ExchangeRatesService, StorageFailure } from "apportion/ports"
import { ContractBroken, ExchangeRatesContract } from "apportion/testing"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"

const known = { accountId: "shop", from: "EUR", to: "USD", at: 1_700_000_000 }
const samples = { known, unknown: { ...known, to: "JPY" } }

describe("fixed rates keep the contract", () => {
  const rates = Effect.provide(ExchangeRates, ExchangeRates.fixed({ "EUR/USD": "1.0834" }))
  const cases = ExchangeRatesContract.cases(() => rates, samples)
  for (const { name, run } of cases) test(name, run)
})

const rate = (answer: (to: string) => string | undefined): ExchangeRatesService => ({
  rate: ({ to }) => Effect.succeed(answer(to)),
})

describe("rates do not pass when", () => {
  let asked = 0
  const faulty: Readonly<Record<string, ExchangeRatesService>> = {
    "none is known": rate(() => undefined),
    "every one is known": rate(() => "1"),
    "they are not above 0": rate((to) => (to === "USD" ? "0" : undefined)),
    "they are written with a comma": rate((to) => (to === "USD" ? "1,08" : undefined)),
    "one that is not known is a failure": {
      rate: ({ to }) =>
        to === "USD" ? Effect.succeed("1.08") : Effect.fail(StorageFailure.of("ask", to)),
    },
    "the answer is that of whoever asked first": {
      rate: ({ to }) =>
        Effect.gen(function* () {
          asked += 1
          const isFirst = asked === 1
          yield* Effect.yieldNow
          asked -= 1
          return isFirst && to === "JPY" ? undefined : "1.08"
        }),
    },
  }
  for (const [name, service] of Object.entries(faulty)) {
    test(name, async () => {
      const cases = ExchangeRatesContract.cases(() => service, samples)
      const results = await Promise.allSettled(cases.map(({ run }) => run()))
      const reasons = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
      expect(reasons).not.toEqual([])
      for (const reason of reasons) expect(reason).toBeInstanceOf(ContractBroken)
    })
  }
})
