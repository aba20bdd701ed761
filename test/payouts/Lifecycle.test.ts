import { Collaborator, Lifecycle } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { seconds } from "./Instant.js"
import { sale } from "./Samples.js"

const terms = (changes: Partial<Collaborator.CollaboratorInput> = {}): Lifecycle.Terms => ({
  collaborator: Collaborator.make({ id: "ada", currency: "USD", ...changes }),
  timeZone: "UTC",
})

const january = seconds("2025-01-03T00:00:00")

/** What is known of one payout of January, and steps from there. */
const opened = (terms: Lifecycle.Terms, total: bigint) => {
  const empty = Lifecycle.empty({ collaboratorId: "ada", currency: "USD" })
  const payoutId = (number: number) => Lifecycle.payoutId({ ...empty, number })
  const posting = { type: "posting", at: january, terms, payoutId } as const
  const step = Result.getOrThrow(Lifecycle.transition(empty, posting))
  const withTotal = (head: Lifecycle.Head, sum: bigint): Lifecycle.Head => ({
    ...head,
    active: head.active && { ...head.active, total: sum },
    pending: head.pending.map((payout) => ({ ...payout, total: sum })),
  })
  const advance = (from: Lifecycle.Head, to: string) => {
    const fact = { type: "time", at: seconds(to), terms } as const
    const done = Result.getOrThrow(Lifecycle.transition(from, fact))
    return { ...done, payout: done.changes.at(-1)?.payout }
  }
  return { head: withTotal(step.head, total), advance, withTotal }
}

describe("the life of payouts", () => {
  it("stays as it is until something is due", () => {
    const { head, advance } = opened(terms(), 500n)
    const { changes, head: after } = advance(head, "2025-02-02T23:59:59")
    expect(changes).toEqual([])
    expect(after).toEqual({ ...head, advancedTo: seconds("2025-02-02T23:59:59") })
  })

  it("rolls a due date when the total is too small, and closes and pays when it is not", () => {
    const { head, advance, withTotal } = opened(terms({ payoutThreshold: 1_000 }), 500n)
    const rolled = advance(head, "2025-02-10T00:00:00")
    expect(rolled.payout).toMatchObject({
      status: "active",
      toBePaidAt: seconds("2025-03-03T00:00:00"),
    })
    const paid = advance(withTotal(rolled.head, 1_500n), "2025-03-03T00:00:00")
    expect(paid.payout).toMatchObject({ status: "paid", paidAt: seconds("2025-03-03T00:00:00") })
    expect(paid.head).toMatchObject({ active: null, pending: [], opened: 1 })
    expect(paid.changes.map(({ type }) => type)).toEqual(["closed", "pay"])
  })

  it("holds a closed payout for its days, and longer while its total is below zero", () => {
    const { head, advance, withTotal } = opened(terms({ payoutHoldingDays: 5 }), 500n)
    const held = advance(head, "2025-02-05T00:00:00")
    expect(held.payout?.status).toBe("pending")
    expect(held.head).toMatchObject({ active: null, pending: [{ id: "ada-USD-1" }] })
    const waiting = advance(withTotal(held.head, -1n), "2025-02-20T00:00:00")
    expect(waiting.changes).toEqual([])
    const paid = advance(withTotal(waiting.head, 0n), "2025-02-21T00:00:00")
    expect(paid.payout).toMatchObject({ status: "paid", paidAt: seconds("2025-02-20T00:00:00") })
  })

  it("leaves paying to the host where it is not automatic, and tells a total that no number can hold", () => {
    const manual = opened(terms({ shouldPayAutomatically: false }), 500n)
    expect(manual.advance(manual.head, "2026-01-01T00:00:00").payout?.status).toBe("pending")
    const huge = opened(terms(), 2n ** 60n)
    expect(() => huge.advance(huge.head, "2026-01-01T00:00:00")).toThrow(
      "total of payout ada-USD-1",
    )
  })

  it("changes no payout that is settled", () => {
    const { head, advance } = opened(terms(), 500n)
    const { payout, head: after } = advance(head, "2025-03-03T00:00:00")
    if (payout === undefined) throw new RangeError("nothing was paid")
    const changed = Lifecycle.changeItems(after, { payout, amounts: [1], added: 1 })
    expect(Result.getOrThrow(Result.flip(changed))._tag).toBe("PayoutAlreadyPaid")
  })
})

describe("a payout that is being paid", () => {
  const pending = (paymentId: string | null) => {
    const { head, advance } = opened(terms({ payoutHoldingDays: 5 }), 500n)
    const held = advance(head, "2025-02-05T00:00:00").head
    const [payout] = held.pending
    if (payout === undefined) throw new Error("nothing is pending")
    return { payout: { ...payout, paymentId }, head: held, advance }
  }

  it("is frozen: none of its items change, and time does not pay it", () => {
    const { payout, head, advance } = pending("a1")
    const refused = Lifecycle.changeItems(head, { payout, amounts: [1], added: 1 })
    expect(Result.getOrThrow(Result.flip(refused))).toMatchObject({ _tag: "PaymentUnderWay" })
    const later = advance({ ...head, pending: [payout] }, "2025-03-01T00:00:00")
    expect(later.head.pending).toEqual([payout])
    const thawed = { ...payout, paymentId: null }
    expect(
      Result.isSuccess(Lifecycle.changeItems(head, { payout: thawed, amounts: [1], added: 1 })),
    ).toBe(true)
  })

  const largest = Number.MAX_SAFE_INTEGER
  const shares = fc.record({
    amount: fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.constantFrom(largest, -largest)),
    rate: fc.constantFrom("1", "0.5", "0.3333", "0.92", "0.07", "0.00001"),
    parts: fc.array(fc.tuple(fc.nat({ max: 100 }), fc.boolean()), { minLength: 1, maxLength: 8 }),
    isWhole: fc.boolean(),
  })

  /** Exact: numbers with a fraction come to a cent more than all of the largest amounts. */
  const partOf = (cents: number, percent: number) =>
    Number((BigInt(cents) * BigInt(percent)) / 100n)

  const allOfNearlyTheLargest = {
    ...{ amount: largest, rate: "1", isWhole: false },
    parts: [15, 100, 0].map((percent): [number, boolean] => [percent, false]),
  }

  it("whatever of a share is taken back in place and elsewhere, in whatever order, is exact together", () => {
    const seen = { mixed: 0, whole: 0 }
    const law = fc.property(shares, ({ amount, rate, parts, isWhole }) => {
      const share = sale(amount, { currency: "EUR", rate })
      const converted = (cents: number) =>
        cents === amount ? share.amount : sale(cents, { currency: "EUR", rate }).amount
      let posted: Lifecycle.PostedSale = { sale: share, reversed: 0, refunds: 0 }
      let [left, elsewhere] = [amount, 0]
      const ways = new Set<boolean>()
      for (const [index, [percent, isFrozen]] of parts.entries()) {
        const isLast = isWhole && index === parts.length - 1
        const taken = isLast ? left : partOf(left, percent)
        const standing = { id: "p1", status: "pending", currency: "EUR" } as const
        const payout = { ...standing, paymentId: isFrozen ? "a1" : null }
        const done = Lifecycle.refund(payout, posted, { amount: taken, at: 5 })
        const { item, ...counts } = Result.getOrThrow(done)
        if (item?.kind === "refund") elsewhere += item.amount
        posted = { ...counts, sale: item?.kind === "sale" ? item : posted.sale }
        left -= taken
        ways.add(isFrozen)
        // What is left of the share, to the cent, is what both payouts have of it.
        expect(posted.sale.amount + elsewhere).toBe(converted(left))
      }
      const beyond = { amount: left + Math.sign(amount || 1), at: 6 }
      for (const paymentId of [null, "a1"]) {
        const payout = { id: "p1", status: "pending", currency: "EUR", paymentId } as const
        expect(Result.isFailure(Lifecycle.refund(payout, posted, beyond))).toBe(true)
      }
      if (ways.size === 2) seen.mixed += 1
      if (left === 0) seen.whole += 1
    })
    fc.assert(law, { ...runs(3_000, 600), examples: [[allOfNearlyTheLargest]] })
    expect(Math.min(seen.mixed, seen.whole)).toBeGreaterThan(10)
  })
})
