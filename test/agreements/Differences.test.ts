import { Agreements, Balances } from "apportion/agreements"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const override = { id: "o1", collaboratorId: "kim", from: "ada", of: "share", percent: 10 } as const

/** What kim gets and the store pays where ada's share is so much more, and the store's rest so much less. */
const overridesOf = (
  paidBy: "share" | "store",
  amount: number,
  rest: { readonly isDifference?: boolean } = {},
) => {
  const set = Result.getOrThrow(Agreements.read({ overrides: [{ ...override, paidBy }] }))
  const shares = [{ itemId: "1", groupId: "g1", collaboratorId: "ada", amount }]
  const store = [{ itemId: "1", amount: -amount }]
  const sale = { orderId: "1001", currency: "EUR", at: 0, shares, store, ...rest }
  const { items } = Result.getOrThrow(Agreements.post(set, Balances.empty, sale))
  return items.flatMap((item) =>
    item.kind === "override" ? [[item.side, item.collaboratorId, item.amount]] : [],
  )
}

test("of a difference the store pays its part of an override, and gets it back", () => {
  for (const amount of [300, -300]) {
    expect(overridesOf("store", amount, { isDifference: true })).toEqual([
      ["received", "kim", amount / 10],
      ["paid", null, -amount / 10],
    ])
  }
})

test("of a sale the store pays an override out of what it keeps only", () => {
  expect(overridesOf("store", 300)).toEqual([])
  expect(overridesOf("store", -300)).toEqual([])
})

test("what comes out of the share is the same for both", () => {
  for (const isDifference of [true, false]) {
    expect(overridesOf("share", -300, { isDifference })).toEqual([
      ["received", "kim", -30],
      ["paid", "ada", 30],
    ])
  }
})

test("a shortfall is exact, or none that can be booked", () => {
  const most = Number.MAX_SAFE_INTEGER
  const lacking = (earned: number, amount: number) =>
    Balances.shortfall(
      { guarantees: [{ guaranteeId: "m1", earned, isClosed: false }] },
      { id: "m1", amount },
    )
  expect(lacking(-1, most - 1)).toBe(most)
  expect(lacking(-1, most)).toBe(null)
  expect(lacking(-most, most)).toBe(null)
  expect(lacking(most, 0)).toBe(0)
  expect(lacking(most, most)).toBe(0)
})
