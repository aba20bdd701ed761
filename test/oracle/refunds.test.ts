import { SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { expect, test } from "vitest"
import { refunds } from "../generators/Refunds.js"
import { runs } from "../generators/Runs.js"
import { type Sale, sale } from "../generators/Sales.js"
import { engineRefunds, engineSplit, oracleRefundAnswers, type RefundAnswer } from "./Answer.js"

const refundedSale = sale
  .map((one) => ({ one, split: engineSplit(one) }))
  .chain(({ one, split }) =>
    fc.record({
      one: fc.constant(one),
      split: fc.constant(split),
      parts: refunds(one.order),
    }),
  )

/** What the texts leave open is the name of the error when there is nothing to refund in this way. */
const unrefundable = ["InvalidRefund", "RefundExceedsItem"]

const isTheSame = (library: RefundAnswer | undefined, oracle: RefundAnswer): void => {
  if ("error" in oracle && oracle.error === "Unrefundable") {
    expect(unrefundable).toContain(library && "error" in library ? library.error : library)
  } else {
    expect(library).toEqual(oracle)
  }
}

test("the library and the oracle take back the same for every sequence of refunds", () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(refundedSale, ({ one, split, parts }) => {
      if (Result.isFailure(split)) return
      const library = engineRefunds(split.success, parts)
      const oracle = oracleRefundAnswers(one, parts)
      expect(library).toHaveLength(oracle.length)
      for (const [index, answer] of oracle.entries()) {
        isTheSame(library[index], answer)
        const kind = "error" in answer ? answer.error : answer.fullyRefunded ? "full" : "partial"
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
    }),
    runs(2_000, 400),
  )
  const kinds = ["InvalidRefund", "RefundOfUnknownItem", "RefundExceedsItem", "full", "partial"]
  const least = 0.01 * runs(2_000, 400).numRuns
  for (const kind of kinds) expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(least)
})

/** All shipping goes to ada and was charged to her: what it is of comes back with the goods only. */
const charged: Sale = {
  groups: [{ id: "a", collaboratorId: "ada", link: { type: "products.all" }, percent: "5.5" }],
  order: {
    ...{ id: "1001", currency: "JPY", shippingAmount: -Number.MAX_SAFE_INTEGER },
    items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 4_503_599_627_370_495 }],
  },
  policy: { ...SplitPolicy.defaults, shipping: "all" },
}

test("what the store would give back beyond ±(2^53 − 1) is refused by both, and counts as not refunded", () => {
  const split = Result.getOrThrow(engineSplit(charged))
  const parts = [
    { itemId: "1", shippingAmount: -1_472, shippingTotal: -1_472 },
    { itemId: "1", remaining: true as const },
    { itemId: "1", remaining: true as const },
  ]
  const library = engineRefunds(split, parts)
  expect(library).toEqual(oracleRefundAnswers(charged, parts))
  expect(library).toEqual([
    { itemId: "1", fullyRefunded: false, shares: [], store: -Number.MAX_SAFE_INTEGER },
    { error: "AmountOutOfRange" },
    { error: "AmountOutOfRange" },
  ])
})
