import { Collaborator, PayoutAccount } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { seconds } from "./Instant.js"

const terms = (changes: Partial<Collaborator.Input> = {}) => ({
  collaborator: Collaborator.make({ id: "ada", currency: "USD", ...changes }),
  timeZone: "UTC",
})

const january = seconds("2025-01-03T00:00:00")

/** An account with one payout of January, and that payout. */
const opened = (options: ReturnType<typeof terms>, total: bigint) => {
  const empty = PayoutAccount.empty({ collaboratorId: "ada", currency: "USD" })
  const id = PayoutAccount.payoutId({ ...empty, number: 1 })
  const { account, payout } = Result.getOrThrow(
    PayoutAccount.open(empty, { id, at: january, ...options }),
  )
  const payouts = new Map([[id, { head: payout, total }]])
  const find = (payoutId: string) => {
    const found = payouts.get(payoutId)
    if (found === undefined) throw new RangeError(payoutId)
    return found
  }
  const advance = (from: PayoutAccount.PayoutAccount, to: string) => {
    const moved = PayoutAccount.advance(from, { ...options, to: seconds(to), find })
    const done = Result.getOrThrow(moved)
    for (const one of done.changed) payouts.set(one.head.id, one)
    return { ...done, head: find(id).head }
  }
  return { account, advance, set: (sum: bigint) => payouts.set(id, { ...find(id), total: sum }) }
}

describe("an account of payouts", () => {
  it("stays as it is until something is due", () => {
    const { account, advance } = opened(terms(), 500n)
    const { changed, account: after } = advance(account, "2025-02-02T23:59:59")
    expect(changed).toEqual([])
    expect(after).toEqual({ ...account, advancedTo: seconds("2025-02-02T23:59:59") })
  })

  it("rolls a due date when the total is too small, and closes and pays when it is not", () => {
    const { account, advance, set } = opened(terms({ payoutThreshold: 1_000 }), 500n)
    const rolled = advance(account, "2025-02-10T00:00:00")
    expect(rolled.head).toMatchObject({
      status: "active",
      toBePaidAt: seconds("2025-03-03T00:00:00"),
    })
    set(1_500n)
    const paid = advance(rolled.account, "2025-03-03T00:00:00")
    expect(paid.head).toMatchObject({ status: "paid", paidAt: seconds("2025-03-03T00:00:00") })
    expect(paid.account).toMatchObject({ activeId: null, pendingIds: [], opened: 1 })
    expect(paid.changed).toHaveLength(1)
  })

  it("holds a closed payout for its days, and longer while its total is below zero", () => {
    const { account, advance, set } = opened(terms({ payoutHoldingDays: 5 }), 500n)
    const held = advance(account, "2025-02-05T00:00:00")
    expect(held.head.status).toBe("pending")
    expect(held.account).toMatchObject({ activeId: null, pendingIds: ["ada-USD-1"] })
    set(-1n)
    const waiting = advance(held.account, "2025-02-20T00:00:00")
    expect(waiting.head.status).toBe("pending")
    set(0n)
    const paid = advance(waiting.account, "2025-02-21T00:00:00")
    expect(paid.head).toMatchObject({ status: "paid", paidAt: seconds("2025-02-20T00:00:00") })
  })

  it("leaves paying to the host where it is not automatic, and tells a total that no number can hold", () => {
    const manual = opened(terms({ shouldPayAutomatically: false }), 500n)
    expect(manual.advance(manual.account, "2026-01-01T00:00:00").head.status).toBe("pending")
    const huge = opened(terms(), 2n ** 60n)
    expect(() => huge.advance(huge.account, "2026-01-01T00:00:00")).toThrow(
      "total of payout ada-USD-1",
    )
  })
})
