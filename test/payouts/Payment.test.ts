import { Payment } from "apportion"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { payment as sample } from "../../src/testing/contracts/samples.js"
import { runs } from "../generators/Runs.js"

const at = 1_703_000_200

const events: { readonly [Type in Payment.PaymentEvent]: Payment.Event } = {
  send: { type: "send", at },
  accept: { type: "accept", at, reference: "r1" },
  confirm: { type: "confirm", at, reference: "r1", fee: 25 },
  reject: { type: "reject", at, reason: "no such account" },
  lose: { type: "lose", at, reason: "no answer" },
  absent: { type: "absent", at },
  release: { type: "release", at },
  return: { type: "return", at, reason: "account closed" },
}

const inStatus = (status: Payment.PaymentStatus, fields: Partial<Payment.Payment> = {}) =>
  sample("a1", { payoutId: "p1", status, ...fields })

/** DOMAIN, "Paying out": what leads from each state of an attempt to another. */
const expected: Readonly<Record<string, Payment.PaymentStatus>> = {
  "claimed send": "sent",
  "claimed release": "released",
  "sent accept": "sent",
  "sent confirm": "confirmed",
  "sent reject": "rejected",
  "sent lose": "unknown",
  "sent absent": "claimed",
  "unknown accept": "sent",
  "unknown confirm": "confirmed",
  "unknown reject": "rejected",
  "unknown absent": "claimed",
  "confirmed return": "returned",
}

/** What says again, or less than, what is known, and so has no effect. */
const known = [
  ...["claimed absent", "unknown lose", "confirmed accept", "confirmed confirm", "confirmed lose"],
  ...["confirmed absent", "rejected reject", "rejected lose", "rejected absent", "released lose"],
  ...["released absent", "released release", "returned accept", "returned confirm"],
  ...["returned reject", "returned lose", "returned absent", "returned return"],
]

/** What a rail says against what ended the attempt: for a person to look at. */
const contradictions = [
  ...["confirmed reject", "rejected accept", "rejected confirm", "rejected return"],
  ...["released accept", "released confirm", "released reject", "released return"],
]

const pairs = Payment.statuses.flatMap((status) =>
  Payment.events.map((event) => [status, event] as const),
)

describe("an attempt to pay, every event in every status", () => {
  test.each(pairs)("%s, %s", (status, event) => {
    const before = inStatus(status)
    const result = Payment.transition(before, events[event])
    const name = `${status} ${event}`
    if (known.includes(name)) {
      expect(Result.getOrThrow(result)).toBe(before)
    } else if (contradictions.includes(name)) {
      expect(result).toMatchObject({ failure: { _tag: "PaymentContradicted", status, event } })
    } else if (expected[name] === undefined) {
      expect(result).toMatchObject({ failure: { _tag: "InvalidPaymentTransition", status, event } })
    } else {
      const after = Result.getOrThrow(result)
      expect(after.status).toBe(expected[name])
      expect(Result.isSuccess(Payment.parse(after))).toBe(true)
    }
  })

  test("is told by the table, and only what was sent before can be answered while it is claimed", () => {
    const rows = Payment.table.map(({ from, event, to }) => [`${from} ${event}`, to])
    const late = ["accept", "confirm", "reject"] as const
    const answered = { "claimed accept": "sent", "claimed confirm": "confirmed" }
    expect(Object.fromEntries(rows)).toEqual({
      ...expected,
      ...answered,
      "claimed reject": "rejected",
    })
    for (const type of late) {
      const sentBefore = Payment.transition(inStatus("claimed", { sentAt: 9 }), events[type])
      expect(Result.isSuccess(sentBefore)).toBe(true)
    }
  })

  test("only open ones can move money, and only a claimed one can be given up", () => {
    expect(Payment.statuses.filter(Payment.isOpen)).toEqual(["claimed", "sent", "unknown"])
    const released = Payment.table.filter(({ event }) => event === "release")
    expect(released.map(({ from }) => from)).toEqual(["claimed"])
    const sent = Payment.table.filter(({ event }) => event === "send")
    expect(sent.map(({ from }) => from)).toEqual(["claimed"])
  })
})

describe("an answer of a rail", () => {
  const answered = (payment: Payment.Payment, event: Payment.Event) =>
    Payment.transition(payment, event)

  test("notes when the money moved, what the rail calls it and what it took", () => {
    const after = Result.getOrThrow(answered(inStatus("sent"), events.confirm))
    expect(after).toMatchObject({ endedAt: at, reference: "r1", fee: 25, reason: null })
  })

  test("of another amount or currency is a contradiction, whatever the attempt is", () => {
    for (const status of ["sent", "unknown", "confirmed"] as const) {
      for (const other of [{ amount: 4_999 }, { currency: "EUR" }]) {
        const result = answered(inStatus(status), { type: "confirm", at, ...other })
        expect(result).toMatchObject({ failure: { _tag: "PaymentContradicted" } })
      }
      const same = { type: "confirm", at, amount: 5_000, currency: "USD" } as const
      expect(Result.isSuccess(answered(inStatus(status), same))).toBe(true)
    }
  })

  test("under another name than the one that confirmed it is a second payment, and a contradiction", () => {
    const result = answered(inStatus("confirmed", { reference: "r0" }), events.confirm)
    expect(result).toMatchObject({ failure: { _tag: "PaymentContradicted" } })
  })

  test("that there is no such payment is a contradiction once the rail has accepted it", () => {
    const result = answered(inStatus("sent", { acceptedAt: 5 }), events.absent)
    expect(result).toMatchObject({ failure: { _tag: "PaymentContradicted" } })
    const lost = answered(inStatus("sent", { acceptedAt: 5 }), events.lose)
    expect(Result.getOrThrow(lost).status).toBe("sent")
  })

  test("that contradicts is noted once, until a person has looked at it", () => {
    const first = { at, event: "confirm", message: "was paid" } as const
    const noted = Payment.contradict(inStatus("rejected"), first)
    expect(noted.contradiction).toEqual(first)
    expect(Payment.contradict(noted, { ...first, message: "again" })).toBe(noted)
  })
})

test("whatever happens to an attempt, what it pays stays as it was claimed", () => {
  const event = fc.constantFrom(...Object.values(events))
  const visited = new Set<string>()
  const life = fc.property(fc.array(event, { maxLength: 12 }), (happening) => {
    let payment = inStatus("claimed")
    for (const one of happening) {
      const next = Result.getOrElse(Payment.transition(payment, one), () => payment)
      const { id, payoutId, amount, currency, rail, claimedAt } = payment
      expect(next).toMatchObject({ id, payoutId, amount, currency, rail, claimedAt })
      expect(Result.isSuccess(Payment.parse(next))).toBe(true)
      expect(next.endedAt === null).toBe(Payment.isOpen(next.status))
      payment = next
      visited.add(payment.status)
    }
  })
  fc.assert(life, runs(2_000))
  expect([...visited].sort()).toEqual([...Payment.statuses].sort())
})

test("an attempt that is read must have every field, and be of more than nothing", () => {
  const valid = inStatus("returned", { fee: 0, reference: "r1", reason: "closed" })
  expect(Result.isSuccess(Payment.parse(valid))).toBe(true)
  for (const wrong of [{ amount: 0 }, { fee: -1 }, { status: "lost" }, { sentAt: "today" }]) {
    expect(Result.isFailure(Payment.parse({ ...valid, ...wrong }))).toBe(true)
  }
  for (const name of Object.keys(valid)) {
    const without = Object.fromEntries(Object.entries(valid).filter(([one]) => one !== name))
    expect(Result.isFailure(Payment.parse(without)), name).toBe(true)
  }
})
