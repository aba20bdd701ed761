import { Refund } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const refund = { order_id: 1001, item_id: "1", refunded_at: "2024-03-01T12:00:00Z" }
const read = (input: unknown) => Result.getOrThrow(Refund.read(input))
const problemsOf = (input: unknown) => {
  const result = Refund.read(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

describe("a refund", () => {
  it("goes by amount or by quantity", () => {
    const read1 = { orderId: "1001", itemId: "1", refundedAt: 1_709_294_400 }
    expect(read({ ...refund, amount: -250 })).toEqual({ ...read1, amount: -250 })
    expect(read({ ...refund, quantity: 2, amount: null })).toEqual({ ...read1, quantity: 2 })
  })

  it("or takes back all that is left", () => {
    const found = read({ ...refund, remaining: true, amount: null, quantity: null })
    expect(found).toEqual({
      orderId: "1001",
      itemId: "1",
      refundedAt: 1_709_294_400,
      remaining: true,
    })
    expect(Refund.write(found)).toMatchObject({ remaining: true })
    expect(read({ ...refund, quantity: 1, remaining: false })).not.toHaveProperty("remaining")
  })

  it("has exactly one of the three, and something of it", () => {
    expect(problemsOf({ ...refund, remaining: true, quantity: 1 })).toEqual([["remaining", true]])
    expect(problemsOf({ ...refund, remaining: true, amount: 1 })).toEqual([["remaining", true]])
    expect(problemsOf({ ...refund, remaining: false })).toEqual([["amount", undefined]])
    expect(problemsOf({ ...refund, remaining: "yes" })).toEqual([["remaining", "yes"]])
    expect(problemsOf(refund)).toEqual([["amount", undefined]])
    expect(problemsOf({ ...refund, amount: 1, quantity: 1 })).toEqual([["quantity", 1]])
    expect(problemsOf({ ...refund, amount: 0 })).toEqual([["amount", 0]])
    expect(problemsOf({ ...refund, quantity: 0 })).toEqual([["quantity", 0]])
    expect(problemsOf({ ...refund, quantity: 1.5 })).toEqual([["quantity", 1.5]])
    expect(problemsOf({ ...refund, amount: "250" })).toEqual([["amount", "250"]])
  })

  it("says of which item, and when", () => {
    expect(problemsOf({ amount: 1 })).toEqual([
      ["order_id", undefined],
      ["item_id", undefined],
      ["refunded_at", undefined],
    ])
    expect(problemsOf({ ...refund, amount: 1, refunded_at: "yesterday" })).toEqual([
      ["refunded_at", "yesterday"],
    ])
  })
})
