import { SplitPolicy } from "apportion"
import { Policy } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const read = (input: unknown) => Result.getOrThrow(Policy.read(input))
const problemsOf = (input: unknown) => {
  const result = Policy.read(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("a policy", () => {
  it("is read with every option", () => {
    expect(
      read({
        discount: "ignore",
        tax: "share",
        cost: "deduct",
        gateway_fee: "deduct",
        flat_scope: "order",
        shipping: "all",
        stacking: "all",
        rounding: "floor",
        over_allocation: "scale",
        time_zone: "Europe/Brussels",
      }),
    ).toEqual({
      policy: {
        discount: "ignore",
        tax: "share",
        cost: "deduct",
        gatewayFee: "deduct",
        flatScope: "order",
        shipping: "all",
        stacking: "all",
        rounding: "floor",
        overAllocation: "scale",
      },
      timeZone: "Europe/Brussels",
    })
  })

  it("has the defaults for what is absent or null", () => {
    const usual = { policy: SplitPolicy.defaults, timeZone: "UTC" }
    expect(read({})).toEqual(usual)
    expect(read({ tax: null, time_zone: null })).toEqual(usual)
  })

  it("is refused with a misspelt option, or an unknown value, in the wire's names", () => {
    expect(
      problemsOf({ gatewayFee: "deduct", over_allocation: "split", time_zone: "Mars/Olympus" }),
    ).toEqual([
      ["gatewayFee", "deduct"],
      ["over_allocation", "split"],
      ["time_zone", "Mars/Olympus"],
    ])
  })

  it.each(["", 5, "+02:00", "-05:00"])("has no time zone %j", (zone) => {
    expect(problemsOf({ time_zone: zone })).toEqual([["time_zone", zone]])
  })

  it.each(["Europe/Berlin", "Etc/GMT+5", "America/Port-au-Prince"])("has the zone %s", (zone) => {
    expect(read({ time_zone: zone }).timeZone).toBe(zone)
  })

  it("does not take options from an object's prototype", () => {
    expect(problemsOf(JSON.parse('{"__proto__":{"tax":"keep"}}'))).toEqual([
      ["__proto__", { tax: "keep" }],
    ])
  })

  it.each([null, [], "keep", 5])("is not %j", (input) => {
    expect(problemsOf(input)).toEqual([["", input]])
  })
})
