import { Entries, Payouts } from "apportion/service"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { addCollaborator, addPayout, runWith, setTime, shop, start, utc } from "./PayoutFixture.js"

const day = 86_400

/** When a payout that was opened at the start is due. */
const dueAt = utc("2024-03-10T00:00:00")

const seen = Effect.gen(function* () {
  const { payouts, ...rest } = yield* (yield* Payouts).outlook(shop)
  const lines = payouts.map(({ payout, total, waits, until }) => [payout.id, total, waits, until])
  return { ...rest, lines }
})

test("what is closed could be paid, or waits, and says why", async () => {
  const { lines, payable, isWhole, at } = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "free", total: 5, status: "pending", payableAt: start })
      yield* addPayout({ id: "more", total: 7, status: "pending" })
      yield* addPayout({ id: "held", total: 5, status: "pending", payableAt: start + 9 })
      yield* addPayout({ id: "owed", total: -5, status: "pending" })
      yield* addPayout({ id: "failed", total: 5, status: "failed" })
      return yield* seen
    }),
  )
  expect([...lines].sort()).toEqual([
    ["free", 5, null, null],
    ["held", 5, "held", start + 9],
    ["more", 7, null, null],
    ["owed", -5, "below zero", null],
  ])
  expect(payable).toEqual([{ currency: "USD", count: 2, amount: 12 }])
  expect([isWhole, at]).toEqual([true, start])
})

test("what is due is told as it would be once it is closed, and that is what closing does", async () => {
  const of = (threshold: number, holdingDays: number) =>
    runWith(
      Effect.gen(function* () {
        yield* addCollaborator({ payoutThreshold: threshold, payoutHoldingDays: holdingDays })
        yield* (yield* Entries).addIncome(shop, "ada", { id: "i1", amount: 900, name: "Talk" })
        const early = yield* seen
        yield* setTime(dueAt)
        const due = yield* seen
        const [before] = (yield* (yield* Payouts).outlook(shop)).payouts
        const payouts = yield* Payouts
        yield* payouts.closeDue(shop)
        const { payout } = yield* payouts.get(shop, before?.payout.id ?? "")
        return { early, due, payout }
      }),
    )
  const paid = await of(900, 0)
  expect(paid.early.lines).toEqual([])
  expect(paid.due.lines).toEqual([[paid.payout.id, 900, null, null]])
  expect([paid.payout.status, paid.due.payable]).toEqual([
    "pending",
    [{ currency: "USD", count: 1, amount: 900 }],
  ])
  const held = await of(900, 3)
  const until = dueAt + 3 * day
  expect(held.due.lines).toEqual([[held.payout.id, 900, "held", until]])
  expect(held.payout.payableAt).toBe(until)
  const small = await of(901, 0)
  expect(small.due.lines).toEqual([
    [small.payout.id, 900, "below threshold", small.payout.toBePaidAt],
  ])
  expect(small.payout.status).toBe("active")
})
