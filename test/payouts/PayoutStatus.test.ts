import { Payout, PayoutStatus } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { collaborator, dueAt, failureOf, payout, sale } from "./Samples.js"

const day = 86_400
const payableAt = dueAt + 7 * day

/** A payout of 10 dollars in each status, as its life made it. */
const inStatus = (
  status: PayoutStatus.PayoutStatus,
  changes: Partial<Payout.Payout> = {},
): Payout.Payout => {
  const closed = { closedAt: dueAt, payableAt }
  const facts: Record<PayoutStatus.PayoutStatus, Partial<Payout.Payout>> = {
    active: {},
    pending: closed,
    paid: { ...closed, paidAt: payableAt },
    failed: { ...closed, failureReason: "account closed" },
    "manually paid": { ...closed, paidAt: payableAt },
  }
  return payout([sale(1_000)], { status, ...facts[status], ...changes })
}

const terms = () => collaborator({ payoutThreshold: 1_000, payoutHoldingDays: 7 })
const at = payableAt + day
const eventOf = (): Record<PayoutStatus.PayoutEvent, PayoutStatus.Event> => ({
  close: { type: "close", at, terms: terms(), timeZone: "UTC" },
  pay: { type: "pay", at },
  fail: { type: "fail", at, reason: "no such account" },
  retry: { type: "retry", at },
  return: { type: "return", at, reason: "account closed" },
  "set-paid": { type: "set-paid", at },
})

/**
 * DOMAIN, "Payouts": close, pay, fail, retry, and set-paid from any status; "Paying out": a payment that was made can
 * come back. All else is refused.
 */
const expected: Record<string, PayoutStatus.PayoutStatus> = {
  "active close": "pending",
  "pending pay": "paid",
  "pending fail": "failed",
  "failed retry": "pending",
  "paid return": "failed",
  "active set-paid": "manually paid",
  "pending set-paid": "manually paid",
  "paid set-paid": "manually paid",
  "failed set-paid": "manually paid",
  "manually paid set-paid": "manually paid",
}

const pairs = PayoutStatus.statuses.flatMap((status) =>
  PayoutStatus.events.map((event) => [status, event] as const),
)

describe("Payouts, statuses: every event in every status", () => {
  it.each(pairs)("%s, %s", (status, event) => {
    const result = Payout.transition(inStatus(status), eventOf()[event])
    const to = expected[`${status} ${event}`]
    if (to === undefined) {
      const error = failureOf(result)
      expect(error).toMatchObject({ _tag: "InvalidTransition", status, event })
      const possible = Object.keys(expected).filter((pair) => pair.startsWith(`${status} `))
      expect(error.message).toBe(
        `"${event}" can't happen to a payout that is ${status}; possible events: ${possible
          .map((pair) => pair.slice(status.length + 1))
          .join(", ")}`,
      )
      expect(PayoutStatus.transition(status, event)).toEqual(Result.fail(error))
    } else {
      expect(Result.getOrThrow(result).status).toBe(to)
      expect(PayoutStatus.transition(status, event)).toEqual(Result.succeed(to))
    }
  })

  it("is told by the table, which has nothing else and nothing twice", () => {
    const rows = PayoutStatus.table.map(({ from, event, to }) => [`${from} ${event}`, to])
    expect(Object.fromEntries(rows)).toEqual(expected)
    expect(rows.length).toBe(Object.keys(expected).length)
  })

  it("is told with its conditions and effects, for people", () => {
    const told = PayoutStatus.table.map(
      ({ from, event, condition, effect }) => `${from} ${event}: ${condition}; ${effect}`,
    )
    expect(told).toEqual([
      "active close: the due date has come, and the total is above 0 and at least the threshold; the holding days begin; when the total is too small the due date rolls to the next one",
      "pending pay: the holding days are over, and the total is not below 0; the time of payment is noted",
      "pending fail: null; the reason is noted",
      "failed retry: null; the reason is cleared",
      "paid return: the payment came back; the time of payment is cleared, and the reason is noted",
      ...PayoutStatus.statuses.map(
        (status) =>
          `${status} set-paid: null; the time of payment is noted, unless there is one already; the reason is cleared`,
      ),
    ])
  })

  it("leads to statuses that the table can go on from, and is plain data", () => {
    expect(JSON.parse(JSON.stringify(PayoutStatus.table))).toEqual(PayoutStatus.table)
    const reachable = new Set(PayoutStatus.table.map(({ to }) => to))
    expect([...reachable, "active"].sort()).toEqual([...PayoutStatus.statuses].sort())
  })
})

describe("Payouts, close", () => {
  const close = (
    changes: Partial<Payout.Payout>,
    event: { at?: number; terms?: ReturnType<typeof terms>; timeZone?: string } = {},
  ) =>
    Payout.transition(inStatus("active", changes), {
      type: "close",
      at: dueAt,
      terms: terms(),
      timeZone: "UTC",
      ...event,
    })

  it("begins the holding days at the due date", () => {
    expect(Result.getOrThrow(close({}))).toEqual(inStatus("pending"))
  })

  it("is refused before the due date", () => {
    expect(failureOf(close({}, { at: dueAt - 1 }))).toMatchObject({
      _tag: "PayoutNotDue",
      payoutId: "p1",
      toBePaidAt: dueAt,
      at: dueAt - 1,
      message:
        "payout p1 is due at 2023-12-15T00:00:00Z and can't be closed before, at 2023-12-14T23:59:59Z",
    })
  })

  it("is refused below the threshold, and at or below 0 even without one", () => {
    const tooSmall = (total: number, payoutThreshold: number) => {
      const event = { terms: collaborator({ payoutThreshold }) }
      return failureOf(close({ items: [sale(total)] }, event))
    }
    expect(tooSmall(999, 1_000)).toMatchObject({
      _tag: "PayoutBelowThreshold",
      payoutId: "p1",
      total: 999,
      threshold: 1_000,
      message:
        "the total of payout p1 is 999, it must be above 0 and at least the threshold of 1000 to be closed (in the lowest unit of USD)",
    })
    expect(tooSmall(0, 0)).toMatchObject({ _tag: "PayoutBelowThreshold", total: 0 })
    expect(tooSmall(-5, 0)).toMatchObject({ _tag: "PayoutBelowThreshold", total: -5 })
  })

  it("is refused when the total can't be told", () => {
    const items = [sale(Number.MAX_SAFE_INTEGER), sale(1, { groupId: "g2" })]
    expect(failureOf(close({ items }))._tag).toBe("AmountOutOfRange")
  })

  it("needs a time and a time zone that exist", () => {
    expect(failureOf(close({}, { at: Number.NaN }))).toMatchObject({
      _tag: "InvalidTime",
      field: "at",
    })
    expect(failureOf(close({}, { timeZone: "Mars/Olympus" }))._tag).toBe("UnknownTimeZone")
  })
})

describe("Payouts, pay", () => {
  it("is refused until the holding days are over", () => {
    const held = Payout.transition(inStatus("pending"), { type: "pay", at: payableAt - 1 })
    expect(failureOf(held)).toMatchObject({
      _tag: "PayoutOnHold",
      payoutId: "p1",
      payableAt,
      at: payableAt - 1,
      message:
        "payout p1 is held until 2023-12-22T00:00:00Z and can't be paid before, at 2023-12-21T23:59:59Z",
    })
    const paid = Payout.transition(inStatus("pending"), { type: "pay", at: payableAt })
    expect(Result.getOrThrow(paid)).toEqual(inStatus("paid"))
  })

  it("is not held when it has no time to be held until, not even before 1970", () => {
    const unheld = inStatus("pending", { payableAt: null })
    const paid = Payout.transition(unheld, { type: "pay", at: -day })
    expect(Result.getOrThrow(paid)).toMatchObject({ status: "paid", paidAt: -day })
  })

  it("is refused when the total went below 0, and pays exactly 0", () => {
    const pay = (total: number) =>
      Payout.transition(inStatus("pending", { items: [sale(total)] }), { type: "pay", at })
    expect(failureOf(pay(-1))).toMatchObject({
      _tag: "PayoutTotalNegative",
      payoutId: "p1",
      total: -1,
      message:
        "the total of payout p1 is -1: below 0 there is nothing to pay (in the lowest unit of USD)",
    })
    expect(Result.getOrThrow(pay(0))).toMatchObject({ status: "paid", paidAt: at })
  })
})

describe("Payouts, fail and retry", () => {
  it("keep the reason, then clear it", () => {
    const failed = Result.getOrThrow(Payout.transition(inStatus("pending"), eventOf().fail))
    expect(failed).toEqual(inStatus("failed", { failureReason: "no such account" }))
    expect(Result.getOrThrow(Payout.transition(failed, eventOf().retry))).toEqual(
      inStatus("pending"),
    )
  })
})

describe("Payouts, set-paid", () => {
  const setPaid = (before: Payout.Payout) =>
    Result.getOrThrow(Payout.transition(before, eventOf()["set-paid"]))

  it("keeps an earlier time of payment", () => {
    expect(setPaid(inStatus("paid"))).toEqual(inStatus("manually paid"))
  })

  it("done again changes nothing", () => {
    expect(setPaid(inStatus("manually paid"))).toEqual(inStatus("manually paid"))
  })

  it("notes the time where there was none, and clears a failure", () => {
    const { status, paidAt, failureReason } = setPaid(inStatus("failed"))
    expect({ status, paidAt, failureReason }).toEqual({
      status: "manually paid",
      paidAt: at,
      failureReason: null,
    })
    expect(setPaid(inStatus("active"))).toMatchObject({ paidAt: at, closedAt: null })
  })
})
