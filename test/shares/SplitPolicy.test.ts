import { RuleSet, Split, SplitPolicy } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const problems = (options: unknown) => {
  const result = SplitPolicy.makeResult(options)
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
      timeZone: "UTC",
    })
  })

  it("tells every unknown option and value", () => {
    expect(problems({ tax: "maybe", discuont: "deduct", timeZone: "Mars/Base" })).toEqual([
      ["discuont", "deduct"],
      ["timeZone", "Mars/Base"],
      ["tax", "maybe"],
    ])
  })

  it("takes no offset for a time zone", () => {
    expect(problems({ timeZone: "+02:00" })).toEqual([["timeZone", "+02:00"]])
  })

  it.each([null, 5, "x", []])("is not made of %j", (options) => {
    expect(problems(options)).toEqual([["", options]])
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
