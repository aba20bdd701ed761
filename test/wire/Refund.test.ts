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

  it("has exactly one of the four, and something of it", () => {
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

  it("or is of shipping, and says what was paid for it", () => {
    const found = read({ ...refund, shipping_amount: 250, shipping_total: 500, amount: null })
    expect(found).toMatchObject({ shippingAmount: 250, shippingTotal: 500 })
    expect(found).not.toHaveProperty("quantity")
    expect(Refund.write(found)).toMatchObject({ shipping_amount: 250, shipping_total: 500 })
    expect(read(Refund.write(found))).toEqual(found)
    expect(problemsOf({ ...refund, shipping_amount: 5 })).toEqual([["shipping_total", undefined]])
    expect(problemsOf({ ...refund, amount: 5, shipping_total: 5 })).toEqual([["shipping_total", 5]])
    expect(problemsOf({ ...refund, shipping_amount: 0, shipping_total: 0 })).toEqual([
      ["shipping_amount", 0],
      ["shipping_total", 0],
    ])
    expect(problemsOf({ ...refund, quantity: 1, shipping_amount: 5, shipping_total: 5 })).toEqual([
      ["shipping_amount", 5],
    ])
    expect(problemsOf({ ...refund, shiping_amount: 5, shipping_total: 5 })).toHaveLength(3)
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
