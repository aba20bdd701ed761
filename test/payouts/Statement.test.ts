import { PayoutItem, Statement } from "apportion"
import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { sale } from "./Samples.js"

const income = (id: string, amount: number) =>
  Result.getOrThrow(PayoutItem.income({ id, amount, name: "Bonus", at: 1 }, { currency: "USD" }))

const figures = (steps: ReadonlyArray<Statement.PayoutStep>, period: Statement.Period = {}) =>
  Result.getOrThrow(
    Statement.of(steps.reduce((sums, step) => Statement.add(sums, step, period), Statement.none)),
  )

type Stated = Statement.StatedPayout

const stated = (status: Stated["status"], total: number, itemsCount = 1): Stated => ({
  ...{ status, total, itemsCount },
})

const step = (
  at: number,
  [before, after]: readonly [Stated | null, Stated],
  put: ReadonlyArray<PayoutItem.PayoutItem> = [],
  removed: ReadonlyArray<string> = [],
): Statement.PayoutStep => ({ ...{ at, before, after, put, removed } })

const opened = step(10, [null, stated("pending", 500)], [income("i1", 500)])
const paid = step(20, [stated("pending", 500), stated("paid", 500)])
const returned = step(30, [stated("paid", 500), stated("failed", 500)])

describe("a statement", () => {
  test("takes a payment that came back off what was paid, and has the balance again", () => {
    expect(figures([opened, paid])).toMatchObject({ incomes: 500, paid: 500, closing: 0 })
    expect(figures([opened, paid, returned])).toMatchObject({ paid: 0, closing: 500 })
    expect(figures([opened, paid, returned], { from: 25 })).toMatchObject({
      ...{ opening: 0, paid: -500, closing: 500 },
    })
    expect(Statement.linesOf(returned)).toEqual([{ at: 30, kind: "returned payment", amount: 500 }])
  })

  test("does not count what was paid already a second time", () => {
    const again = step(40, [stated("paid", 500), stated("manually paid", 500)])
    expect(figures([opened, paid, again])).toMatchObject({ paid: 500, closing: 0 })
  })

  test("tells a reduced sale from a new one, also of the same change", () => {
    const before = sale(1_000)
    const refunded = PayoutItem.reduce(before, { currency: "USD", amount: 400, at: 15 })
    const item = Result.getOrThrow(refunded)
    const reduce = step(15, [stated("active", 1_000), stated("active", 600)], [item])
    expect(Statement.linesOf(reduce)).toEqual([{ at: 15, kind: "refund", amount: -400, item }])
    const both = [item, income("i2", 70)]
    const mixed = step(15, [stated("active", 1_000), stated("active", 670, 2)], both)
    expect(Statement.linesOf(mixed).map(({ kind, amount }) => [kind, amount])).toEqual([
      ["income", 70],
      ["refund", -400],
    ])
    const reversed = step(15, [null, stated("active", 600)], [item])
    expect(Statement.linesOf(reversed).map(({ kind, amount }) => [kind, amount])).toEqual([
      ["sale", 600],
    ])
  })

  test("has what was taken out again as a removal", () => {
    const out = step(15, [stated("active", 500), stated("active", 0, 0)], [], ["i1"])
    expect(Statement.linesOf(out)).toEqual([{ at: 15, kind: "removal", amount: -500 }])
  })

  test("beyond the range of exact cents is an error that names the figure", () => {
    const most = Number.MAX_SAFE_INTEGER
    const large = step(1, [null, stated("active", most)], [income("i", most)])
    const sums = [large, large].reduce((all, one) => Statement.add(all, one, {}), Statement.none)
    const refused = Result.getOrThrow(Result.flip(Statement.of(sums)))
    expect(refused.message).toContain("the incomes of the statement is 18014398509481982")
  })

  test("begins with its first second and ends before the one past it", () => {
    const period = { from: 10, until: 20 }
    expect(figures([opened, paid], period)).toMatchObject({ opening: 0, incomes: 500, paid: 0 })
    expect(figures([opened, paid], { from: 11, until: 21 })).toMatchObject({
      ...{ opening: 500, incomes: 0, paid: 500, closing: 0 },
    })
    expect(Statement.placeOf(5, {})).toBe("in")
  })
})
