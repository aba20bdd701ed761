import { Collaborator, Lifecycle } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { seconds } from "./Instant.js"

const terms = (changes: Partial<Collaborator.Input> = {}): Lifecycle.Terms => ({
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
