import { Payment as Core } from "apportion"
import { Outcome, Payment } from "apportion/wire"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const throughText = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const problemsOf = (
  result: Result.Result<unknown, { readonly problems: ReadonlyArray<object> }>,
) => (Result.isFailure(result) ? result.failure.problems : [])

const pathsOf = (...given: Parameters<typeof problemsOf>): ReadonlyArray<unknown> =>
  problemsOf(...given).map((problem) => Reflect.get(problem, "path"))

const claimed = Core.claim({
  ...{ id: "a1", payoutId: "p1", collaboratorId: "ada", currency: "USD" },
  ...{ amount: 5_000, payoutVersion: 3, rail: "bank", at: 1_700_000_000 },
})

/** What a host that never saw the library reads. */
const golden = {
  ...{ id: "a1", payout_id: "p1", collaborator_id: "ada", currency: "USD", amount: 5_000 },
  ...{ payout_version: 3, rail: "bank", status: "claimed", claimed_at: 1_700_000_000 },
  ...{ sent_at: null, accepted_at: null, ended_at: null, returned_at: null },
  ...{ reference: null, fee: null, reason: null, contradiction: null },
}

describe("a payment as JSON", () => {
  it("has every field, in the names of the wire", () => {
    expect(Payment.write(claimed)).toStrictEqual(golden)
    const contradiction = { at: 9, event: "reject", message: "said to be rejected" } as const
    const ended = { ...claimed, status: "returned", fee: 25, contradiction } as const
    expect(Payment.write({ ...ended, returnedAt: 8 })).toStrictEqual({
      ...golden,
      ...{ status: "returned", fee: 25, contradiction, returned_at: 8 },
    })
  })

  it("is read as it was written, whatever became of it", () => {
    const id = fc.string({ minLength: 1 })
    const time = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })
    const orNull = <A>(one: fc.Arbitrary<A>) => fc.option(one, { nil: null })
    const contradiction = fc.record({
      ...{ at: time, event: fc.constantFrom(...Core.events), message: fc.string() },
    })
    const payment: fc.Arbitrary<Core.Payment> = fc.record({
      ...{ id, payoutId: id, collaboratorId: id, rail: id },
      currency: fc.constantFrom("USD", "JPY", "KWD"),
      amount: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      payoutVersion: fc.nat(),
      status: fc.constantFrom(...Core.statuses),
      claimedAt: time,
      ...{ sentAt: orNull(time), acceptedAt: orNull(time) },
      ...{ endedAt: orNull(time), returnedAt: orNull(time) },
      ...{ reference: orNull(fc.string()), reason: orNull(fc.string()), fee: orNull(fc.nat()) },
      contradiction: orNull(contradiction),
    })
    fc.assert(
      fc.property(payment, (it) => {
        expect(Result.getOrThrow(Payment.read(throughText(Payment.write(it))))).toEqual(it)
      }),
      runs(300),
    )
  })

  it("tells every problem at once, a misspelt field too", () => {
    const wrong = { ...golden, amount: 0, status: "lost", currency: "euro", sent_at: "soon" }
    expect(pathsOf(Payment.read(wrong))).toEqual(["currency", "amount", "status", "sent_at"])
    expect(pathsOf(Payment.read({ ...golden, returned_att: 5 }))).toEqual(["returned_att"])
    const said = { at: null, event: "no", message: 5 }
    expect(pathsOf(Payment.read({ ...golden, contradiction: said }))).toEqual([
      ...["contradiction.at", "contradiction.event", "contradiction.message"],
    ])
    expect(pathsOf(Payment.read({}))).toEqual([
      ...["id", "payout_id", "collaborator_id", "currency", "amount", "payout_version"],
      ...["rail", "status", "claimed_at"],
    ])
  })
})

describe("what hosts say of payments", () => {
  it("is the rail of a claim", () => {
    expect(Result.getOrThrow(Payment.readClaim({ rail: "bank", note: 1 }))).toEqual({
      rail: "bank",
    })
    expect(pathsOf(Payment.readClaim({}))).toEqual(["rail"])
    expect(pathsOf(Payment.readClaim({ rail: [] }))).toEqual(["rail"])
  })

  it("is what was paid outside: its total, a reference and a fee that need not be known", () => {
    const paid = { total: 5, reference: " T-7 ", fee: 1 }
    expect(Result.getOrThrow(Payment.readPaid(paid))).toEqual({ ...paid, reference: "T-7" })
    const unsaid = { total: 0, reference: null, fee: null }
    expect(Result.getOrThrow(Payment.readPaid(unsaid)).total).toBe(0)
    const wrong = { total: "5", reference: "", fee: -1 }
    expect(pathsOf(Payment.readPaid(wrong))).toEqual(["total", "reference", "fee"])
    expect(pathsOf(Payment.readPaid({ total: 5, fees: 1 }))).toEqual(["fees"])
  })

  it("is when and as what a payment was made, of which nothing need be known", () => {
    expect(Result.getOrThrow(Payment.readConfirmation({}))).toEqual({})
    const said = { at: "2024-03-01T12:00:00Z", reference: "T", fee: 0, amount: 9 }
    expect(Result.getOrThrow(Payment.readConfirmation(said))).toEqual({
      ...said,
      at: 1_709_294_400,
    })
    const wrong = { at: "noon", reference: 5, fee: 0.5, amount: -1 }
    expect(pathsOf(Payment.readConfirmation(wrong))).toEqual(["at", "reference", "fee", "amount"])
  })

  it("is a reason of 1 to 500 characters, which only a release can do without", () => {
    expect(Result.getOrThrow(Payment.readReason({ reason: " closed " }))).toBe("closed")
    for (const reason of ["", " \n", 5, "x".repeat(501), ["x"]]) {
      expect(pathsOf(Payment.readReason({ reason }))).toEqual(["reason"])
      expect(pathsOf(Payment.readRelease({ reason }))).toEqual(["reason"])
    }
    expect(Result.getOrThrow(Payment.readReason({ reason: "🎨".repeat(500) }))).toHaveLength(1_000)
    expect(pathsOf(Payment.readReason({ reason: null }))).toEqual(["reason"])
    expect(Result.getOrThrow(Payment.readRelease({ reason: null }))).toBeUndefined()
    expect(pathsOf(Payment.readReason([]))).toEqual([""])
  })
})

describe("an outcome as JSON", () => {
  const unsaid = { at: null, amount: null, currency: null, fee: null, reason: null }
  const outcome = { ...unsaid, key: "a1", railReference: "T-7", type: "confirmed" } as const

  it("has every field, and what a rail does not say is null", () => {
    const json = { ...unsaid, key: "a1", rail_reference: "T-7", type: "confirmed" }
    expect(Outcome.write(outcome)).toStrictEqual(json)
    expect(Result.getOrThrow(Outcome.read(json))).toEqual(outcome)
    expect(Result.getOrThrow(Outcome.read({ type: "confirmed" }))).toEqual({
      ...{ ...outcome, key: null, railReference: null },
    })
  })

  it("is read as it was written", () => {
    const orNull = <A>(one: fc.Arbitrary<A>) => fc.option(one, { nil: null })
    const text = fc.string({ minLength: 1, maxLength: 500 }).filter((one) => one === one.trim())
    const any = fc.record({
      key: orNull(fc.string({ minLength: 1 })),
      railReference: orNull(fc.string()),
      type: fc.constantFrom(
        ...(["accepted", "confirmed", "rejected", "returned", "unknown"] as const),
      ),
      at: orNull(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 })),
      ...{ amount: orNull(fc.nat()), fee: orNull(fc.nat()) },
      ...{ currency: orNull(fc.constantFrom("EUR", "JPY")), reason: orNull(text) },
    })
    fc.assert(
      fc.property(any, (it) => {
        expect(Result.getOrThrow(Outcome.read(throughText(Outcome.write(it))))).toEqual(it)
      }),
      runs(300),
    )
  })

  it("is refused with all that is wrong", () => {
    const wrong = { type: "paid", amount: 1.5, currency: "euro", fee: -1, at: {} }
    expect(pathsOf(Outcome.read(wrong))).toEqual(["type", "at", "amount", "currency", "fee"])
    expect(pathsOf(Outcome.read({ type: "confirmed", amont: 5 }, { path: "outcomes[2]" }))).toEqual(
      ["outcomes[2].amont"],
    )
  })

  it("comes in lists of 1 to 500, in which each stands for itself", () => {
    const parts = [{ type: "no" }, { type: "accepted" }]
    expect(Result.getOrThrow(Outcome.readParts({ outcomes: parts }))).toEqual(parts)
    const many = Array.from({ length: 501 }, () => ({ type: "accepted" }))
    for (const outcomes of [undefined, null, {}, [], many]) {
      expect(pathsOf(Outcome.readParts({ outcomes }))).toEqual(["outcomes"])
    }
    expect(pathsOf(Outcome.readParts({ outcomes: [{}, [], 5] }))).toEqual([
      ...["outcomes[1]", "outcomes[2]"],
    ])
  })
})
