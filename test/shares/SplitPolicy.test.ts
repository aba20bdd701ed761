import { type Order, RuleSet, Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { policyOptions } from "../generators/Sales.js"

const problems = (options: unknown) => {
  const result = SplitPolicy.parse(options)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("a split policy", () => {
  it("is the documented default where a store chose nothing", () => {
    expect(SplitPolicy.make()).toEqual({
      discount: "deduct",
      tax: "remove",
      cost: "ignore",
      gatewayFee: "ignore",
      flatScope: "unit",
      shipping: "store",
      stacking: "most-specific",
      rounding: "largest-remainder",
      overAllocation: "reject",
    })
  })

  it("tells an option that is there without a value from one that is left out", () => {
    expect(SplitPolicy.parse({ rounding: undefined })).toMatchObject({
      failure: { message: 'rounding: must be "largest-remainder" or "floor", got undefined' },
    })
  })

  it("does not hide that there is no order", () => {
    const order: Order.Order = JSON.parse("{}").order
    expect(Split.orderResult(RuleSet.make([]), order)).toMatchObject({
      failure: { message: "must be object, got undefined" },
    })
  })

  it("tells every unknown option and value", () => {
    expect(problems({ tax: "maybe", discuont: "deduct", timeZone: "UTC" })).toEqual([
      ["discuont", "deduct"],
      ["timeZone", "UTC"],
      ["tax", "maybe"],
    ])
  })

  it("has each of its options in each of its values", () => {
    for (const [option, choices] of Object.entries(policyOptions)) {
      for (const value of choices) {
        const policy = Result.getOrThrow(SplitPolicy.parse({ [option]: value }))
        expect(policy).toEqual({ ...SplitPolicy.defaults, [option]: value })
        const isDefault = SplitPolicy.isSame(SplitPolicy.defaults, policy)
        expect(isDefault, `isSame, by ${option}`).toBe(value === choices[0])
      }
      expect(problems({ [option]: "" })).toEqual([[option, ""]])
    }
  })

  it("says in words what is wrong with it", () => {
    const message = (options: unknown) => {
      const result = SplitPolicy.parse(options)
      return Result.isFailure(result) && result.failure.message
    }
    expect(message(null)).toBe("must be an object, got null")
    expect(message({ discuont: "deduct" })).toBe(
      "discuont: is no option; the options are discount, tax, cost, gatewayFee, flatScope, shipping, stacking, rounding, overAllocation",
    )
  })

  it.each([null, 5, "x", []])("is not made of %j", (options) => {
    expect(problems(options)).toEqual([["", options]])
  })

  it("is refused when an option can't be read, in place of its default", () => {
    const throwing = {
      get tax(): never {
        throw new RangeError("not here")
      },
    }
    expect(problems(throwing)).toEqual([["", throwing]])
  })

  it.each([
    ["a text", "x".repeat(1_000_000)],
    ["a list", new Array(1_000_000).fill(1)],
    [
      "a hundred of many unknown options",
      Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x${at}`, 1])),
    ],
  ])("is refused in little work: %s", (_, options) => {
    const started = performance.now()
    expect(problems(options).length).toBeLessThanOrEqual(100)
    // A million characters that are read as options take seconds.
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it("is checked and completed before it splits money", () => {
    const forged: SplitPolicy.SplitPolicy = JSON.parse('{"tax":"keep"}')
    const order = { id: "1", currency: "USD", items: [] }
    expect(Split.order(RuleSet.make([]), order, forged).policy).toEqual({
      ...SplitPolicy.defaults,
      tax: "keep",
    })
    const broken: SplitPolicy.SplitPolicy = JSON.parse('{"tax":"gone"}')
    const result = Split.orderResult(RuleSet.make([]), order, broken)
    expect(Result.isFailure(result) && result.failure._tag).toBe("InvalidPolicy")
  })
})
