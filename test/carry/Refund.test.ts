import { CarriedSplit, Refund, type Remainder, RuleSet, type Split } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { carrying, everyProduct, saleOf, salesRun } from "./Runs.js"

const groups = [everyProduct("ada", 40)]
const rules = RuleSet.make(groups)

const sold = (running: CarriedSplit.RunningRemainders, id: string, amount = 99): Split.Split =>
  Result.getOrThrow(running.split(rules, saleOf(amount, "song", id), carrying))

const all = (split: Split.Split): Refund.Refund => ({
  orderId: split.orderId,
  itemId: "1",
  remaining: true,
  refundedAt: 0,
})

const ada = (remainders: Remainder.Remainders): number =>
  remainders.find(({ groupId }) => groupId === "ada")?.remainder ?? 0

describe("a refund of a carried split", () => {
  it("takes back the cents that were paid, whatever the remainders are by now", () => {
    const running = new CarriedSplit.RunningRemainders()
    const first = sold(running, "1")
    const second = sold(running, "2")
    expect([first, second].map(({ shares }) => shares[0]?.amount)).toEqual([0, 1])
    const reversal = Result.getOrThrow(running.refund(second, all(second)))
    expect(reversal).toEqual(Result.getOrThrow(Refund.reverse(second, all(second))))
    expect(reversal.shares[0]?.amount).toBe(1)
  })

  it("takes back the remainder as well, as if the sale had never been", () => {
    const running = new CarriedSplit.RunningRemainders()
    sold(running, "1")
    const before = running.remainders
    const second = sold(running, "2")
    Result.getOrThrow(running.refund(second, all(second)))
    expect(running.remainders).toEqual(before)
    expect(ada(before)).toBe(3_960)
  })

  it("may leave more than a cent due, when just the sales are returned that got the cents; the next sale pays it", () => {
    const running = new CarriedSplit.RunningRemainders()
    const splits = Array.from({ length: 8 }, (_, place) => sold(running, `${place}`))
    for (const split of splits) {
      if (split.shares[0]?.amount === 1) Result.getOrThrow(running.refund(split, all(split)))
    }
    expect(ada(running.remainders)).toBe(5 * 3_960)
    expect(sold(running, "next").shares[0]?.amount).toBe(2)
    expect(ada(running.remainders)).toBe(6 * 3_960 - 20_000)
  })

  it("takes back a part of the exact share with a part of the money", () => {
    const running = new CarriedSplit.RunningRemainders()
    const split = sold(running, "1", 100_00)
    expect(split.shares[0]).toMatchObject({ amount: 40, carried: { before: 0, after: 0 } })
    const back = { ...all(split), remaining: undefined, amount: 33_33 }
    // 13.332 cents are the refund's part: 13 go back, and 0.332 more than that stay with the group.
    expect(Result.getOrThrow(running.refund(split, back)).shares[0]?.amount).toBe(13)
    expect(ada(running.remainders)).toBe(-3_320)
    Result.getOrThrow(running.refund(split, all(split), { earlier: [back] }))
    expect(running.remainders).toEqual([])
  })

  it("changes nothing when it can't be made", () => {
    const running = new CarriedSplit.RunningRemainders()
    const split = sold(running, "1")
    const before = running.remainders
    const tooMuch = { ...all(split), remaining: undefined, amount: 100 }
    expect(Result.isFailure(running.refund(split, tooMuch))).toBe(true)
    expect(Result.isFailure(running.refund(split, { ...all(split), itemId: "2" }))).toBe(true)
    expect(running.remainders).toEqual(before)
  })

  it("of a split without remainders changes none", () => {
    const running = new CarriedSplit.RunningRemainders()
    const { carried: _, ...share } = sold(running, "1").shares[0] ?? { groupId: "none" }
    const split = sold(running, "2")
    const before = running.remainders
    const plain = JSON.parse(JSON.stringify({ ...split, shares: [share] }))
    Result.getOrThrow(running.refund(plain, all(split)))
    expect(running.remainders).toEqual(before)
  })

  test("of everything, in any parts and in any order, leaves no remainder", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 2 })
    fc.assert(
      fc.property(salesRun, parts, fc.boolean(), (run, firsts, isTurned) => {
        const known = RuleSet.make(run.groups)
        const running = new CarriedSplit.RunningRemainders()
        const splits = run.orders.flatMap((order) => {
          const split = running.split(known, order, run.policy)
          return Result.isSuccess(split) ? [split.success] : []
        })
        let isWhole = true
        for (const split of isTurned ? splits.toReversed() : splits) {
          for (const { itemId, amount, discount } of split.items) {
            const refund = { orderId: split.orderId, itemId, refundedAt: 0 }
            const net = amount - discount
            const earlier: Array<Refund.Refund> = []
            for (const first of firsts) {
              const part = { ...refund, amount: Math.trunc((net / 200) * first) }
              const result = running.refund(split, part, { earlier })
              if (Result.isSuccess(result)) earlier.push(part)
            }
            const rest = running.refund(split, { ...refund, remaining: true }, { earlier })
            isWhole &&= Result.isSuccess(rest)
          }
        }
        if (isWhole) expect(running.remainders).toEqual([])
      }),
      runs(200),
    )
  })
})

test("a sale that would carry more than can be read again is refused, and nothing is carried of it", () => {
  const ahead = ["ada", "ben"].map((groupId) => ({
    ...{ currency: "USD", groupId, remainder: -(10 ** 15) },
  }))
  const running = new CarriedSplit.RunningRemainders(ahead)
  const both = RuleSet.make(ahead.map(({ groupId }) => everyProduct(groupId, 4_000)))
  // Each works off 80,000,000,000 cents that were paid ahead, all of which the store is owed less.
  const refused = running.split(both, saleOf(2e11), carrying)
  expect(Result.isFailure(refused) && refused.failure._tag).toBe("AmountOutOfRange")
  expect(running.remainders).toEqual(ahead)
})

test.each([[undefined], [null], ["carry"], [{ rounding: "floor" }]])(
  "a policy that does not carry is refused by name: %j",
  (policy) => {
    const running = new CarriedSplit.RunningRemainders()
    const asked = [rules, saleOf(99), policy] as const
    const answer: ReturnType<typeof running.split> = Reflect.apply(running.split, running, asked)
    const refused = Result.isFailure(answer) ? answer.failure : undefined
    expect(refused?._tag === "InvalidPolicy" && refused.problems[0]?.path).toBe("rounding")
  },
)
