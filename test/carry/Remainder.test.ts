import { CarriedSplit, Remainder, RuleSet, Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it, test } from "vitest"
import { carrying, everyProduct, saleOf } from "./Runs.js"

const problemsOf = (input: unknown): ReadonlyArray<string> => {
  const parsed = Remainder.parse(input)
  return Result.isFailure(parsed)
    ? parsed.failure.problems.map(({ path, message }) => `${path}: ${message}`)
    : []
}

describe("remainders", () => {
  it("are listed by currency, the store before its groups, and without those of 0", () => {
    const list = [
      { currency: "USD", groupId: "b", remainder: 1 },
      { currency: "USD", groupId: "a", remainder: 0 },
      { currency: "USD", groupId: null, remainder: -1 },
      { currency: "EUR", groupId: "b", remainder: -3 },
      { currency: "EUR", groupId: "__proto__", remainder: 3 },
    ]
    expect(Remainder.make(list)).toEqual([list[4], list[3], list[2], list[0]])
  })

  test.each([
    ["no list", {}, ": must be array, got {}"],
    ["an unknown currency", [{ currency: "usd", groupId: null, remainder: 1 }], "[0].currency: "],
    ["an empty group id", [{ currency: "USD", groupId: "", remainder: 1 }], "[0].groupId: "],
    ["a fraction", [{ currency: "USD", groupId: null, remainder: 0.5 }], "[0].remainder: "],
    [
      "too large a number",
      [{ currency: "USD", groupId: null, remainder: 2e15 }],
      "[0].remainder: ",
    ],
  ])("are refused with %s", (_, input, problem) => {
    expect(problemsOf(input)[0]).toContain(problem)
  })

  it("are refused when a party comes twice", () => {
    const one = { currency: "USD", groupId: null, remainder: 1 }
    expect(problemsOf([one, { ...one, groupId: "a" }, one])).toEqual([
      "[2]: must be of another currency or group than [0]",
    ])
    expect(() => new CarriedSplit.RunningRemainders([one, one])).toThrow(
      Remainder.InvalidRemainders,
    )
  })

  it("of one currency have nothing to do with those of another", () => {
    const rules = RuleSet.make([everyProduct("ada", 4_000)])
    const yen = { ...saleOf(1), currency: "JPY" }
    const { remainders } = CarriedSplit.orders(rules, [saleOf(1), yen], carrying)
    expect(remainders).toEqual([
      { currency: "JPY", groupId: null, remainder: -4_000 },
      { currency: "JPY", groupId: "ada", remainder: 4_000 },
      { currency: "USD", groupId: null, remainder: -4_000 },
      { currency: "USD", groupId: "ada", remainder: 4_000 },
    ])
  })

  it("that can't be paid from one item are paid from the next ones, never by the store", () => {
    const rules = RuleSet.make([everyProduct("ada", 6_000), everyProduct("ben", 4_000)])
    const before = [
      { currency: "USD", groupId: "ada", remainder: 25_000 },
      { currency: "USD", groupId: "ben", remainder: 5_000 },
    ]
    const order = {
      ...saleOf(2),
      items: [1, 2].map((id) => ({ ...saleOf(2).items[0], id: `${id}` })),
    }
    const made = CarriedSplit.order(rules, JSON.parse(JSON.stringify(order)), carrying, before)
    const { split } = Result.getOrThrow(made)
    expect(split.store.map(({ amount }) => amount)).toEqual([0, 0])
    // 3.7 and 1.3 are due, then 2.9 and 2.1: beyond their own part, who is owed more is paid first.
    expect(split.shares.map(({ groupId, amount }) => `${groupId} ${amount}`)).toEqual([
      ...["ada 2", "ben 0"],
      ...["ada 1", "ben 1"],
    ])
  })
})

describe("a policy that carries", () => {
  const order = saleOf(100)
  const rules = RuleSet.make([everyProduct("ada", 1_000)])

  it("is refused where sales are split by themselves, and the error says what it needs", () => {
    const said = 'rounding: "carry" is only for CarriedSplit and the commands split and statement'
    expect(() => SplitPolicy.make({ rounding: "carry" })).toThrow(said)
    const split = Split.orderResult(rules, order, carrying)
    expect(Result.isFailure(split) && split.failure).toMatchObject({
      _tag: "InvalidPolicy",
      message: said,
      problems: [{ path: "rounding", value: "carry" }],
    })
  })

  it("is the only one that sales are split one after another with", () => {
    const split = CarriedSplit.order(rules, order, SplitPolicy.defaults)
    expect(Result.isFailure(split) && split.failure.message).toBe(
      'rounding: must be "carry" to split with remainders, got "largest-remainder"',
    )
  })

  it("has the other options checked, also when it was changed after its first use", () => {
    const wrong = { ...carrying, tax: "all" }
    expect(Result.isFailure(CarriedSplit.policy(JSON.parse('{ "tax": "all" }')))).toBe(true)
    const changed = { ...carrying }
    expect(Result.isSuccess(CarriedSplit.order(rules, order, changed))).toBe(true)
    Object.assign(changed, wrong)
    const split = CarriedSplit.order(rules, order, changed)
    expect(Result.isFailure(split) && split.failure._tag).toBe("InvalidPolicy")
  })
})
