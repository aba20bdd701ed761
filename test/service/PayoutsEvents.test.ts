import { type Collaborator, PayoutStatus } from "apportion"
import { Payouts, type PayoutsService, type ViewedPayout } from "apportion/service"
import { Effect, Result } from "effect"
import { expect, test } from "vitest"
import {
  addCollaborator,
  addPayout,
  runWith,
  setTime,
  shop,
  start,
  stored,
  utc,
} from "./PayoutFixture.js"

const events: Record<
  PayoutStatus.PayoutEvent,
  (payouts: PayoutsService) => Effect.Effect<unknown, { readonly _tag: string }>
> = {
  close: (payouts) => payouts.closeDue(shop),
  pay: (payouts) => payouts.pay(shop, "p1"),
  fail: (payouts) => payouts.fail(shop, "p1", "wrong IBAN"),
  retry: (payouts) => payouts.retry(shop, "p1"),
  return: (payouts) => payouts.return(shop, "p1", "account closed"),
  "set-paid": (payouts) => payouts.setPaid(shop, "p1"),
}

/** What happens to a payout of a status past its holding days, which is due only where it is to be closed. */
const after = (status: PayoutStatus.PayoutStatus, event: PayoutStatus.PayoutEvent, total = 5_000) =>
  runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      const due = event === "close" ? {} : { toBePaidAt: start + 90 * 86_400 }
      yield* addPayout({ id: "p1", total, status, ...due })
      yield* setTime(start + 60 * 86_400)
      const before = yield* stored("p1")
      const outcome = yield* Effect.result(events[event](yield* Payouts))
      return { before, outcome, now: yield* stored("p1") }
    }),
  )

for (const status of PayoutStatus.statuses) {
  for (const event of PayoutStatus.events) {
    const row = PayoutStatus.table.find((each) => each.from === status && each.event === event)
    const unchanged = status === "manually paid" && event === "set-paid"
    if (row !== undefined && !unchanged) {
      test(`"${event}" makes a payout that is ${status} ${row.to}`, async () => {
        const { before, outcome, now } = await after(status, event)
        expect(Result.isSuccess(outcome)).toBe(true)
        expect(now.status).toBe(row.to)
        expect(now.version).toBe(before.version + 1)
      })
    } else if (event === "close" || unchanged) {
      test(`"${event}" changes nothing about a payout that is ${status}`, async () => {
        const { before, outcome, now } = await after(status, event)
        expect(Result.isSuccess(outcome)).toBe(true)
        expect(now).toEqual(before)
      })
    } else {
      test(`"${event}" can't happen to a payout that is ${status}`, async () => {
        const { before, outcome, now } = await after(status, event)
        const error = Result.isFailure(outcome) ? outcome.failure : undefined
        expect(error).toMatchObject({ _tag: "InvalidTransition", status, event })
        expect(now).toEqual(before)
      })
    }
  }
}

test("paying and setting as paid note when, and setting a paid one as paid keeps that", async () => {
  const { now } = await after("pending", "pay")
  expect(now.paidAt).toBe(start + 60 * 86_400)
  expect((await after("active", "set-paid")).now.paidAt).toBe(start + 60 * 86_400)
  expect((await after("paid", "set-paid")).now.paidAt).toBe(start)
})

test("a failure notes its reason, and another try or being set as paid clears it", async () => {
  expect((await after("pending", "fail")).now.failureReason).toBe("wrong IBAN")
  expect((await after("failed", "retry")).now.failureReason).toBe(null)
  expect((await after("failed", "set-paid")).now.failureReason).toBe(null)
})

test("a payment that came back notes why, and that nothing was paid", async () => {
  const { now } = await after("paid", "return")
  expect(now).toMatchObject({ paidAt: null, failureReason: "account closed" })
})

test("a payout is not paid before its holding days are over, nor below zero, but at zero it is", async () => {
  const held = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 1, status: "pending", payableAt: start + 10 })
      const payouts = yield* Payouts
      yield* setTime(start + 9)
      const refused = yield* Effect.flip(payouts.pay(shop, "p1"))
      yield* setTime(start + 10)
      expect((yield* payouts.pay(shop, "p1")).payout.status).toBe("paid")
      return refused
    }),
  )
  expect(held).toMatchObject({ _tag: "PayoutOnHold", payoutId: "p1", payableAt: start + 10 })
  const below = await after("pending", "pay", -1)
  expect(below.outcome).toMatchObject({ failure: { _tag: "PayoutTotalNegative", total: -1 } })
  expect((await after("pending", "pay", 0)).now.status).toBe("paid")
})

const dueDate = utc("2024-02-29T00:00:00")

/** What paying with a total, or failing, does to an active payout of 5,000 a second before it is due, and then. */
const onDueDate = (
  move: (payouts: PayoutsService) => Effect.Effect<ViewedPayout, { readonly _tag: string }>,
  terms: Partial<Collaborator.CollaboratorInput> = {},
) =>
  runWith(
    Effect.gen(function* () {
      yield* addCollaborator(terms)
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      yield* setTime(dueDate - 1)
      const before = (yield* Effect.flip(move(payouts)))._tag
      yield* setTime(dueDate)
      const outcome = yield* Effect.result(move(payouts))
      const history = yield* payouts.history(shop, "p1")
      const statuses = history.map(({ after }) => after.status)
      return { before, refused: Result.isFailure(outcome) ? outcome.failure : undefined, statuses }
    }),
  )

test("a payout whose due date has come is closed before it is paid or fails, and an earlier one is refused", async () => {
  const paid = await onDueDate((payouts) => payouts.pay(shop, "p1", { total: 5_000 }))
  expect(paid).toEqual({
    before: "InvalidTransition",
    refused: undefined,
    statuses: ["active", "pending", "paid"],
  })
  const failed = await onDueDate((payouts) => payouts.fail(shop, "p1", "no account"))
  expect(failed.statuses).toEqual(["active", "pending", "failed"])
})

test("a payout that is due is not paid while it would be held, or is too small; and nothing is closed then", async () => {
  const pay = (payouts: PayoutsService) => payouts.pay(shop, "p1", { total: 5_000 })
  const held = await onDueDate(pay, { payoutHoldingDays: 1 })
  expect(held).toMatchObject({ refused: { _tag: "PayoutOnHold" }, statuses: ["active"] })
  const small = await onDueDate(pay, { payoutThreshold: 5_001 })
  expect(small).toMatchObject({ refused: { _tag: "InvalidTransition" }, statuses: ["active"] })
})

test("a payout that is due is no pending one when it is to be sent again: the refusal names what is stored", async () => {
  const again = await onDueDate((payouts) => payouts.retry(shop, "p1"))
  expect(again).toMatchObject({
    refused: { _tag: "InvalidTransition", status: "active" },
    statuses: ["active"],
  })
})

test("an event of a payout that is not there is refused", async () => {
  const refusals = await runWith(
    Effect.flatMap(Payouts, (payouts) =>
      Effect.all([
        Effect.flip(payouts.pay(shop, "p1")),
        Effect.flip(payouts.fail(shop, "p1", "")),
        Effect.flip(payouts.retry(shop, "p1")),
        Effect.flip(payouts.setPaid(shop, "p1")),
      ]),
    ),
  )
  expect(refusals.map(({ _tag }) => _tag)).toEqual(Array(4).fill("NotFound"))
})

test("the next payout of a collaborator is not touched by an earlier one's way", async () => {
  const { active, pending } = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "old", total: 5, status: "pending" })
      yield* addPayout({ id: "new", total: 7 })
      yield* (yield* Payouts).pay(shop, "old")
      return { active: yield* stored("new"), pending: yield* stored("old") }
    }),
  )
  expect([active.status, pending.status]).toEqual(["active", "paid"])
  expect(active.version).toBe(1)
})
