import { Payout, PayoutItem, PayoutStatus } from "apportion"
import * as Schemas from "apportion/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { dueAt, failureOf, openedAt, payout, sale, soldAt } from "./Samples.js"

const bonus = { id: "i1", amount: 700, name: "Bonus", at: soldAt }
const samples = { id: "e1", amount: 300, name: "Samples", at: soldAt }
const totalOf = (of: Payout.Payout) => Result.getOrThrow(Payout.total(of))

describe("a payout", () => {
  it("is opened active and empty", () => {
    const facts = {
      id: "p1",
      collaboratorId: "ada",
      currency: "USD",
      openedAt,
      toBePaidAt: dueAt,
    }
    expect(Payout.open(facts)).toEqual({
      id: "p1",
      collaboratorId: "ada",
      currency: "USD",
      status: "active",
      openedAt,
      toBePaidAt: dueAt,
      closedAt: null,
      payableAt: null,
      paidAt: null,
      failureReason: null,
      items: [],
    })
  })

  it("has a schema", () => {
    const whole = payout([sale(1_000)])
    expect(Schema.decodeUnknownSync(Schemas.Payout)(whole)).toEqual(whole)
    expect(Schema.is(Schemas.Payout)({ ...whole, status: "lost" })).toBe(false)
  })
})

describe("Payouts, total", () => {
  it("is the sum of the items' amounts, expenses negative", () => {
    const whole = Result.gen(function* () {
      const withBonus = yield* Payout.addIncome(payout([sale(1_000)]), bonus)
      return yield* Payout.addExpense(withBonus, samples)
    })
    expect(totalOf(Result.getOrThrow(whole))).toBe(1_400)
    expect(totalOf(payout())).toBe(0)
  })

  it("is exact, whatever the order of the items", () => {
    const amounts = fc.array(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -9, max: 9 })))
    const property = fc.property(amounts, fc.infiniteStream(fc.nat()), (all, chance) => {
      const itemsOf = (of: ReadonlyArray<number>) => of.map((amount) => sale(amount))
      const shuffled = [...all].sort(() => ((chance.next().value ?? 0) % 3) - 1)
      const exact = all.reduce((sum, amount) => sum + BigInt(amount), 0n)
      const total = Payout.total(payout(itemsOf(all)))
      expect(Payout.total(payout(itemsOf(shuffled)))).toEqual(total)
      const isSafe = Number.isSafeInteger(Number(exact))
      expect(Result.isSuccess(total)).toBe(isSafe)
      if (isSafe) expect(BigInt(Result.getOrThrow(total))).toBe(exact)
    })
    fc.assert(property, runs(200))
  })

  it("beyond the safe range is an error that names the payout", () => {
    const error = failureOf(Payout.total(payout([sale(Number.MAX_SAFE_INTEGER), sale(1)])))
    expect(error).toMatchObject({ _tag: "AmountOutOfRange", value: "9007199254740992" })
    expect(error.what).toBe("the total of payout p1")
  })
})

describe("Payouts, expense and income", () => {
  it("are added to active, pending and failed payouts", () => {
    for (const status of ["active", "pending", "failed"] as const) {
      const before = payout([sale(1_000)], { status })
      expect(totalOf(Result.getOrThrow(Payout.addExpense(before, samples)))).toBe(700)
      expect(totalOf(Result.getOrThrow(Payout.addIncome(before, bonus)))).toBe(1_700)
      expect(totalOf(before)).toBe(1_000)
    }
  })

  it('are refused on paid and manually paid payouts with "Payout has already been paid"', () => {
    for (const status of ["paid", "manually paid"] as const) {
      const settled = payout([sale(1_000)], { status })
      const errors = [
        failureOf(Payout.addExpense(settled, samples)),
        failureOf(Payout.addIncome(settled, bonus)),
        failureOf(Payout.addItems(settled, [sale(5, { groupId: "g2" })])),
        failureOf(Payout.removeItem(settled, "1001/1/g1")),
      ]
      for (const error of errors) {
        expect(error).toMatchObject({
          _tag: "PayoutAlreadyPaid",
          message: "Payout has already been paid",
          payoutId: "p1",
          status,
        })
      }
    }
  })

  it("are refused when they are not right, or their id is taken", () => {
    const wrong = Payout.addExpense(payout(), { ...samples, amount: -1 })
    expect(failureOf(wrong)._tag).toBe("InvalidEntry")
    const once = Result.getOrThrow(Payout.addIncome(payout(), bonus))
    expect(failureOf(Payout.addIncome(once, bonus))).toMatchObject({
      _tag: "DuplicateItem",
      payoutId: "p1",
      itemId: "i1",
      message: "payout p1 has an item i1 already",
    })
    expect(failureOf(Payout.addItems(payout(), [sale(1), sale(2)]))._tag).toBe("DuplicateItem")
  })

  it("can be removed again, but what comes from sales can't", () => {
    const before = Result.getOrThrow(Payout.addExpense(payout([sale(1_000)]), samples))
    expect(Result.getOrThrow(Payout.removeItem(before, "e1"))).toEqual(payout([sale(1_000)]))
    for (const [itemId, why] of [
      ["1001/1/g1", "it comes from a sale"],
      ["nothing", "there is none"],
    ] as const) {
      expect(failureOf(Payout.removeItem(before, itemId))).toMatchObject({
        _tag: "UnknownItem",
        payoutId: "p1",
        itemId,
        message: `payout p1 has no expense or income ${itemId} to remove: ${why}`,
      })
    }
  })

  it("are removed one by one, an income like an expense", () => {
    const whole = Result.gen(function* () {
      const withBonus = yield* Payout.addIncome(payout([sale(1_000)]), bonus)
      const both = yield* Payout.addExpense(withBonus, samples)
      return yield* Payout.removeItem(both, "i1")
    })
    expect(Result.getOrThrow(whole).items.map(({ id }) => id)).toEqual(["1001/1/g1", "e1"])
  })
})

describe("Refunds, payout half", () => {
  const refund = { itemId: "1001/1/g1", amount: 400, at: soldAt + 60, id: "r1" }

  it("reduce the item of a payout that is not yet settled", () => {
    for (const status of ["active", "pending", "failed"] as const) {
      const before = payout([sale(1_000), sale(50, { groupId: "g2" })], { status })
      const refunded = Result.getOrThrow(Payout.refund(before, refund))
      expect(refunded.reversed).toBe(null)
      expect(refunded.payout.items.map(({ amount }) => amount)).toEqual([600, 50])
      expect(refunded.payout.items[0]).toMatchObject({ orderItem: { refundedAt: soldAt + 60 } })
      const second = Payout.refund(before, { ...refund, itemId: "1001/1/g2", amount: 20 })
      const { payout: after } = Result.getOrThrow(second)
      expect(after.items.map(({ amount }) => amount)).toEqual([1_000, 30])
    }
  })

  it("leave a settled payout as it is, with a negative item for the active one", () => {
    for (const status of ["paid", "manually paid"] as const) {
      const settled = payout([sale(1_000)], { status })
      const refunded = Result.getOrThrow(Payout.refund(settled, refund))
      expect(refunded.payout).toBe(settled)
      expect(refunded.reversed).toMatchObject({ kind: "refund", id: "r1", amount: -400 })
      const rest = { ...refund, amount: 601, alreadyRefunded: 400 }
      expect(failureOf(Payout.refund(settled, rest))._tag).toBe("RefundBeyondShare")
    }
  })

  it("are refused for what is no sale of the payout", () => {
    const error = failureOf(Payout.refund(payout(), refund))
    expect(error).toMatchObject({
      _tag: "UnknownItem",
      payoutId: "p1",
      itemId: "1001/1/g1",
      message: "payout p1 has no sale 1001/1/g1",
    })
    const income = Result.getOrThrow(PayoutItem.income(bonus, { currency: "USD" }))
    const entry = Payout.refund(payout([income]), { ...refund, itemId: "i1" })
    expect(failureOf(entry)._tag).toBe("UnknownItem")
  })
})

describe("Payouts, moving one without its items", () => {
  const terms = { payoutThreshold: 1_000, payoutHoldingDays: 2 }
  const heldOf = (whole: Payout.Payout) => {
    const { items, ...standing } = whole
    return { ...standing, total: totalOf(whole), itemsCount: items.length }
  }

  it("follows the same rules as with them, and keeps what else there is", () => {
    const total = fc.integer({ min: -2, max: 2 })
    const status = fc.constantFrom(...PayoutStatus.statuses)
    const at = fc.integer({ min: dueAt - 2, max: dueAt + 2 })
    const event = fc.oneof(
      fc.record({
        type: fc.constantFrom("pay" as const, "retry" as const, "set-paid" as const),
        at,
      }),
      fc.record({ type: fc.constant("fail" as const), at, reason: fc.constant("no") }),
      fc.record({
        type: fc.constant("close" as const),
        at,
        terms: fc.constant(terms),
        timeZone: fc.constantFrom("Europe/Berlin", "Europe/Atlantis"),
      }),
    )
    const payableAt = fc.option(at)
    const property = fc.property(
      fc.record({ total, status, event, payableAt }),
      ({ total, status, event, payableAt }) => {
        const whole = { ...payout([sale(1_000 + total), sale(-1_000)]), status, payableAt }
        const moved = Payout.move(heldOf(whole), event)
        expect(moved).toEqual(Result.map(Payout.transition(whole, event), heldOf))
      },
    )
    fc.assert(property, runs(500))
  })

  it("goes by the total that is given", () => {
    const close = { type: "close", at: dueAt, terms, timeZone: "UTC" } as const
    const held = heldOf(payout([sale(1_000)]))
    expect(Result.isSuccess(Payout.move(held, close))).toBe(true)
    expect(failureOf(Payout.move({ ...held, total: 999 }, close))).toMatchObject({
      _tag: "PayoutBelowThreshold",
      total: 999,
      threshold: 1_000,
    })
  })
})
