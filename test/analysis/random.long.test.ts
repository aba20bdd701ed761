/**
 * Larger rule sets under all policies, made of numbers. `APPORTION_SCOPE=all` looks at many more of them.
 */
import { describe, expect, test } from "vitest"
import { Brute } from "./brute/Answers.js"
import { check } from "./brute/Checks.js"
import { possibleOrders } from "./brute/Orders.js"
import { checkPair } from "./brute/Pairs.js"
import { changedAt, questionAt } from "./Random.js"
import { isLittle, isWhole, Tally } from "./Tally.js"

const long = 3 * 60 * 60 * 1_000
const mostOrders = 3_000
const first = Number(process.env.APPORTION_SEED ?? 1)
const count = isWhole ? 12_000 : isLittle ? 15 : 700

/** Numbers of questions that were once answered wrongly, and of those that faults put back show first. */
const known: ReadonlyArray<number> = [84, 131, 732, 844, 2_432, 2_526]

const numbers = (length: number): ReadonlyArray<number> => [
  ...known,
  ...Array.from({ length }, (_, index) => first + index),
]

const looked = (name: string, length: number, budget?: number): Tally => {
  const tally = new Tally()
  for (const seed of numbers(length)) {
    const question = questionAt(seed)
    const possible = possibleOrders(question.groups, question)
    if (possible.length > mostOrders) continue
    const { answers, complaints } = check(question, budget, new Brute(question, possible))
    tally.add(answers, complaints, { seed, ...question })
  }
  tally.report(name)
  return tally
}

describe("of larger rule sets under all policies", () => {
  test("everything that is said is so on all orders", { timeout: long }, () => {
    const tally = looked("random rule sets", count)
    expect(tally.complaints).toEqual([])
    tally.expectEach(8, [
      "over-allocation possible",
      "over-allocation impossible",
      "dead link",
      "dead condition",
      "dead dates",
      "dead products",
      "dead outranked",
      "living",
      "redundant",
      "needed",
      "overlap always",
      "overlap sometimes",
      "together true",
      "unpaid product",
      "implied",
      "not implied",
    ])
    expect(tally.looked).toBeGreaterThan(count * 0.8)
  })

  test.each([1, 7, 30, 200])(
    "with %i steps everything that is said is so",
    { timeout: long },
    (budget) => {
      const tally = looked(`with ${budget} steps`, count / 2, budget)
      expect(tally.complaints).toEqual([])
      if (budget < 30) tally.expectEach(1, ["over-allocation undecided"])
    },
  )

  test.each([undefined, 20, 2_000])(
    "changes are told from those that change nothing, with %s steps",
    { timeout: long },
    (budget) => {
      const tally = new Tally()
      for (const seed of numbers(count / 2)) {
        const question = questionAt(seed)
        const pair = { ...question, others: changedAt(seed, question.groups) }
        const size = possibleOrders([...pair.groups, ...pair.others], pair).length
        if (size > mostOrders) continue
        const { answers, complaints } = checkPair(pair, budget)
        tally.add(answers, complaints, { seed, ...pair })
      }
      tally.report(`changes with ${budget} steps`)
      expect(tally.complaints).toEqual([])
      tally.expectEach(5, budget === 20 ? ["undecided and different"] : ["equivalent", "different"])
    },
  )
})
