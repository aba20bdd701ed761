import { Balance, PayoutStatus } from "apportion"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

const ada = { collaboratorId: "ada", currency: "USD" }

const payout = fc.record({
  collaboratorId: fc.constantFrom("ada", "ben", "a", ""),
  currency: fc.constantFrom("USD", "EUR"),
  status: fc.constantFrom(...PayoutStatus.statuses),
  total: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  paymentId: fc.constantFrom(undefined, null, "a1"),
})

const total = (payouts: ReadonlyArray<Balance.BalancedPayout>) =>
  payouts.reduce((sum, one) => sum + one.total, 0)

describe("balances", () => {
  test("come to all that was ever posted, with what was paid, whatever the order", () => {
    const property = fc.property(fc.array(payout), (payouts) => {
      const balances = Result.getOrThrow(Balance.ofPayouts(payouts))
      const sum = balances.reduce((all, one) => all + one.total + one.paid, 0)
      expect(sum).toBe(total(payouts))
      expect(Result.getOrThrow(Balance.ofPayouts(payouts.toReversed()))).toEqual(balances)
      for (const { total, collecting, pending, underWay, failed } of balances) {
        expect(total).toBe(collecting + pending + underWay + failed)
      }
    })
    fc.assert(property, runs(500))
  })

  test("are one for each collaborator and currency, in order", () => {
    const balances = Balance.ofPayouts([
      { ...ada, collaboratorId: "ben", status: "active", total: 1 },
      { ...ada, status: "active", total: 2 },
      { ...ada, currency: "EUR", status: "active", total: 3 },
      { ...ada, status: "paid", total: 4 },
      { ...ada, collaboratorId: "ben", currency: "JPY", status: "active", total: 0 },
    ])
    const told = Result.getOrThrow(balances).map(
      ({ collaboratorId, currency, total, paid }) =>
        `${collaboratorId} ${currency} ${total} ${paid}`,
    )
    expect(told).toEqual(["ada EUR 3 0", "ada USD 2 4", "ben JPY 0 0", "ben USD 1 0"])
  })

  test("have what is being paid apart, which may be neither collected nor paid", () => {
    const pending = { ...ada, status: "pending", total: 5 } as const
    const payouts = [pending, { ...pending, total: 9, paymentId: "a1" }]
    const [balance] = Result.getOrThrow(Balance.ofPayouts(payouts))
    expect(balance).toMatchObject({ pending: 5, underWay: 9, total: 14, paid: 0 })
  })

  test("beyond the range of exact cents are an error", () => {
    const most = { ...ada, status: "active", total: Number.MAX_SAFE_INTEGER } as const
    const refused = Result.getOrThrow(Result.flip(Balance.ofPayouts([most, most])))
    expect(refused.message).toContain("the balance of collaborator ada in USD is 18014398509481982")
    expect(Result.isSuccess(Balance.ofPayouts([most, { ...most, total: -5 }]))).toBe(true)
  })
})

describe("since when a balance is below zero", () => {
  const change = (at: number, from: number | null, to: number, status = "active" as const) => ({
    at,
    before: from === null ? null : { status, total: from },
    after: { status, total: to },
  })

  test("is when it last went below, not when it was first", () => {
    const changes = [change(1, null, -5), change(2, -5, 5), change(3, 5, -1), change(4, -1, -9)]
    expect(Balance.belowZeroSince(changes)).toBe(3)
    expect(Balance.belowZeroSince(changes.toReversed())).toBe(3)
  })

  test("is never when it is not", () => {
    expect(Balance.belowZeroSince([])).toBe(null)
    expect(Balance.belowZeroSince([change(1, null, -5), change(2, -5, 0)])).toBe(null)
  })

  test("counts all payouts, and what is paid no more", () => {
    const paid = {
      at: 5,
      before: { status: "pending", total: 100 },
      after: { status: "paid", total: 100 },
    } as const
    expect(Balance.belowZeroSince([change(1, null, 100), change(2, null, -60)])).toBe(null)
    expect(Balance.belowZeroSince([change(1, null, 100), change(2, null, -60), paid])).toBe(5)
    const back = {
      ...paid,
      at: 8,
      before: paid.after,
      after: { status: "failed", total: 100 },
    } as const
    expect(Balance.belowZeroSince([change(1, null, 100), change(2, null, -60), paid, back])).toBe(
      null,
    )
  })

  test("is not moved by what changes nothing, as closing", () => {
    expect(Balance.belowZeroSince([change(1, null, -5), change(9, -5, -5)])).toBe(1)
  })

  test("takes a second as a whole", () => {
    expect(Balance.belowZeroSince([change(1, null, -5), change(1, -5, 3), change(2, 3, -1)])).toBe(
      2,
    )
  })
})
