import { SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import type { Sale } from "../generators/Sales.js"
import {
  type Answer,
  engineAnswer,
  engineRefunds,
  engineSplit,
  oracleAnswer,
  oracleRefundAnswers,
  type RefundAnswer,
  type Refusal,
  sorted,
} from "../oracle/Answer.js"
import { type Expected, type GoldenCase, goldenFiles } from "./GoldenCase.js"

/** Of each part only the fields that the case names; parts that it does not name stay visible. */
const named = (
  parts: ReadonlyArray<object> | undefined,
  wanted: ReadonlyArray<Expected>,
): ReadonlyArray<Expected> =>
  sorted(parts ?? []).map((part, index) =>
    Object.fromEntries(
      Object.keys(sorted(wanted)[index] ?? part).map((key) => [key, Reflect.get(part, key)]),
    ),
  )

const lists = ["shares", "store", "items", "outranked", "claims"] as const

const isAsExpected = (answer: Answer | Refusal, { expected }: GoldenCase): void => {
  expect(Reflect.get(answer, "error")).toBe(expected.error)
  for (const list of lists) {
    const wanted = expected[list]
    if (wanted === undefined) continue
    expect({ [list]: named(Reflect.get(answer, list), wanted) }).toEqual({ [list]: sorted(wanted) })
  }
  for (const field of ["itemId", "exceeded", "distributable"] as const) {
    if (expected[field] !== undefined) expect(Reflect.get(answer, field)).toBe(expected[field])
  }
}

const areReversed = (answers: ReadonlyArray<RefundAnswer>, { expected }: GoldenCase): void => {
  const wanted = expected.reversals ?? []
  expect(answers).toHaveLength(wanted.length)
  for (const [index, reversal] of wanted.entries()) {
    const answer = answers[index] ?? { error: "no answer" }
    const { shares, refused, ...rest } = reversal
    expect(answer).toMatchObject(rest)
    expect("error" in answer).toBe(refused === true || rest.error !== undefined)
    if (shares === undefined) continue
    expect(named(Reflect.get(answer, "shares"), shares)).toEqual(sorted(shares))
  }
}

const saleOf = ({ groups, order, policy }: GoldenCase): Sale => ({
  groups,
  order,
  policy: SplitPolicy.make(policy),
})

const isAnsweredByTheLibrary = (golden: GoldenCase): void => {
  const sale = saleOf(golden)
  isAsExpected(engineAnswer(sale), golden)
  if (golden.refunds === undefined) return
  areReversed(engineRefunds(Result.getOrThrow(engineSplit(sale)), golden.refunds), golden)
}

const isAnsweredByTheOracle = (golden: GoldenCase): void => {
  const sale = saleOf(golden)
  const answer = oracleAnswer(sale)
  isAsExpected("shares" in answer ? answer : (answer[0] ?? { error: "no answer" }), golden)
  if (golden.refunds !== undefined) areReversed(oracleRefundAnswers(sale, golden.refunds), golden)
}

const files = goldenFiles()

for (const { name, cases } of files) {
  describe(name, () => {
    for (const golden of cases) {
      test(`${name}: ${golden.shows}`, () => isAnsweredByTheLibrary(golden))
      test(`${name}: ${golden.shows} (and so says the oracle)`, () => isAnsweredByTheOracle(golden))
    }
  })
}

const all = files.flatMap(({ cases }) => cases)
const known = ["shows", "groups", "policy", "order", "refunds", "expected"]

describe("the golden cases", () => {
  test("are at least 200", () => {
    expect(all.length).toBeGreaterThanOrEqual(200)
  })

  test("each say in one plain line what they show, and no two say the same in a file", () => {
    for (const { name, cases } of files) {
      const lines = cases.map((golden) => golden.shows)
      expect(new Set(lines).size, name).toBe(lines.length)
      for (const line of lines) expect(line).toMatch(/^[^\n]{10,160}$/)
    }
  })

  test("each expect every share and every store rest, or an error", () => {
    for (const golden of all) {
      expect(Object.keys(golden).filter((key) => !known.includes(key))).toEqual([])
      const { shares, store, error, reversals } = golden.expected
      expect(error !== undefined || (shares !== undefined && store !== undefined)).toBe(true)
      expect(reversals?.length).toBe(golden.refunds?.length)
    }
  })

  test("account for every cent: shares and store's rest are what the item brought in", () => {
    const unbalanced = all.filter((golden) => {
      const answer = engineAnswer(saleOf(golden))
      if ("error" in answer) return false
      const sum = (parts: ReadonlyArray<{ readonly amount: number }>) =>
        parts.reduce((total, part) => total + BigInt(part.amount), 0n)
      const distributable = answer.items.map((item) => ({ amount: item.distributable }))
      return sum(answer.shares) + sum(answer.store) !== sum(distributable)
    })
    expect(unbalanced).toEqual([])
  })
})
