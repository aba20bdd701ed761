import { Payout, PayoutBook } from "apportion"
import { describe, expect, it } from "vitest"
import { advanced, bookOf, entered, lines, recordAll, refunded, sold, totals } from "./Facts.js"
import { seconds, wallClock } from "./Instant.js"
import { collaborator, failureOf } from "./Samples.js"

const january = seconds("2024-01-10T12:00:00")
const due = seconds("2024-02-10T00:00:00")
const secondDue = seconds("2024-03-10T00:00:00")
const day = 86_400
const payoutsOf = PayoutBook.payouts
const attempt = (book: PayoutBook.PayoutBook, fact: PayoutBook.Fact) =>
  failureOf(PayoutBook.record(book, fact))

describe("Payouts, from open to paid", () => {
  it("are active until the due date, then pending, then paid after the holding days", () => {
    const book = recordAll(bookOf([collaborator({ payoutHoldingDays: 7 })]), [
      sold("1", january, { ada: 1_000 }),
    ])
    const statusAt = (to: number) => payoutsOf(advanced(book, to)).map(({ status }) => status)
    expect(statusAt(due - 1)).toEqual(["active"])
    expect(statusAt(due)).toEqual(["pending"])
    expect(statusAt(due + 7 * day - 1)).toEqual(["pending"])
    expect(statusAt(due + 7 * day)).toEqual(["paid"])
    expect(payoutsOf(advanced(book, due + 30 * day))).toMatchObject([
      {
        id: "ada-USD-1",
        collaboratorId: "ada",
        currency: "USD",
        openedAt: january,
        toBePaidAt: due,
        closedAt: due,
        payableAt: due + 7 * day,
        paidAt: due + 7 * day,
      },
    ])
  })

  it("stay pending when the collaborator is not paid automatically", () => {
    const book = recordAll(bookOf([collaborator({ shouldPayAutomatically: false })]), [
      sold("1", january, { ada: 1_000 }),
    ])
    expect(lines(advanced(book, due + 900 * day))).toEqual(["ada-USD-1 pending 1000"])
  })

  it("have what happened before the due date, and nothing from that second on", () => {
    const book = recordAll(bookOf(), [
      sold("1", january, { ada: 1_000 }),
      sold("2", due - 1, { ada: 20 }),
      sold("3", due, { ada: 3 }),
    ])
    expect(lines(advanced(book, due))).toEqual(["ada-USD-1 paid 1000 20", "ada-USD-2 active 3"])
  })

  it("are due in the account's time zone", () => {
    const book = recordAll(bookOf([collaborator()], { timeZone: "America/New_York" }), [
      sold("1", january, { ada: 1_000 }),
    ])
    const [payout] = payoutsOf(book)
    expect(payout?.toBePaidAt).toBe(seconds("2024-02-10T00:00:00-05:00"))
  })

  it("keep the rhythm of the first one: dates are counted from the day it was opened", () => {
    const opened = seconds("2024-01-31T12:00:00")
    const book = recordAll(bookOf(), [
      sold("1", opened, { ada: 1 }),
      sold("2", opened + 40 * day, { ada: 2 }),
      sold("3", opened + 80 * day, { ada: 3 }),
    ])
    expect(payoutsOf(book).map(({ toBePaidAt }) => wallClock(toBePaidAt, "UTC"))).toEqual([
      "2024-02-29 00:00:00",
      "2024-03-31 00:00:00",
      "2024-04-30 00:00:00",
    ])
  })
})

describe("Payouts, threshold and carry-forward", () => {
  const withThreshold = () =>
    bookOf([collaborator({ payoutThreshold: 1_000, payoutHoldingDays: 3 })])

  it("a payout below its threshold rolls to the next date", () => {
    const book = recordAll(withThreshold(), [sold("1", january, { ada: 999 })])
    expect(payoutsOf(advanced(book, due))).toMatchObject([
      { status: "active", toBePaidAt: secondDue, closedAt: null },
    ])
    const raised = recordAll(book, [sold("2", due + day, { ada: 1 })])
    expect(payoutsOf(advanced(raised, secondDue + 3 * day))).toMatchObject([
      { status: "paid", toBePaidAt: secondDue, closedAt: secondDue, paidAt: secondDue + 3 * day },
    ])
  })

  it("a payout of exactly its threshold is closed", () => {
    const book = recordAll(withThreshold(), [sold("1", january, { ada: 1_000 })])
    expect(lines(advanced(book, due))).toEqual(["ada-USD-1 pending 1000"])
  })

  it("a total not above zero is carried forward, however long", () => {
    const facts = [
      sold("1", january, { ada: 100 }),
      entered("expense", "e1", january, 300),
      sold("2", january + 100 * day, { ada: 200 }),
    ]
    const book = recordAll(bookOf(), facts)
    const later = advanced(book, january + 200 * day)
    expect(lines(later)).toEqual(["ada-USD-1 active 100 -300 200"])
    const raised = recordAll(later, [entered("income", "i1", january + 200 * day, 1)])
    const paid = advanced(raised, january + 230 * day)
    expect(lines(paid)).toEqual(["ada-USD-1 paid 100 -300 200 1"])
    expect(wallClock(payoutsOf(paid)[0]?.paidAt ?? 0, "UTC")).toBe("2024-08-10 00:00:00")
  })

  it("a payout that falls below zero after it was closed is set off against the next one", () => {
    const book = recordAll(bookOf([collaborator({ payoutHoldingDays: 7 })]), [
      sold("1", january, { ada: 1_000 }),
      entered("expense", "e1", january, 300),
      refunded("1", due + day, { ada: 1_000 }),
    ])
    expect(lines(book)).toEqual(["ada-USD-1 pending 0 -300 300", "ada-USD-2 active -300"])
    expect(payoutsOf(book).map(({ items }) => items.at(-1))).toMatchObject([
      { kind: "income", about: { payoutId: "ada-USD-2", why: "debt" }, createdAt: due + day },
      { kind: "expense", about: { payoutId: "ada-USD-1", why: "debt" }, createdAt: due + day },
    ])
    const sold2 = recordAll(book, [sold("2", due + 2 * day, { ada: 1_000 })])
    expect(lines(advanced(sold2, due + 60 * day))).toEqual([
      "ada-USD-1 paid 0 -300 300",
      "ada-USD-2 paid -300 1000",
    ])
  })

  it("a payout that falls below zero twice is set off twice, and no entry of it can be taken out", () => {
    const book = recordAll(bookOf([collaborator({ payoutHoldingDays: 7 })]), [
      sold("1", january, { ada: 1_000 }),
      sold("2", january, { ada: 100 }),
      entered("expense", "e1", january, 300),
      refunded("1", due + day, { ada: 1_000 }),
      refunded("2", due + 2 * day, { ada: 100 }),
    ])
    expect(lines(book)).toEqual([
      "ada-USD-1 pending 0 0 -300 200 100",
      "ada-USD-2 active -200 -100",
    ])
    const [first] = payoutsOf(book)
    for (const { id, about } of first?.items ?? []) {
      if (about?.why !== "debt" || first === undefined) continue
      expect(failureOf(Payout.removeItem(first, id)).message).toContain("has its counterpart")
    }
  })

  it("a pending payout whose total went to exactly zero is paid", () => {
    const book = recordAll(bookOf([collaborator({ payoutHoldingDays: 7 })]), [
      sold("1", january, { ada: 1_000 }),
      refunded("1", due + day, { ada: 1_000 }),
    ])
    expect(lines(advanced(book, due + 60 * day))).toEqual(["ada-USD-1 paid 0"])
  })

  it("a total beyond the safe range is an error when it comes to closing", () => {
    const book = recordAll(bookOf(), [
      sold("1", january, { ada: Number.MAX_SAFE_INTEGER }),
      sold("2", january, { ada: 1 }),
    ])
    expect(failureOf(PayoutBook.advance(book, due))).toMatchObject({
      _tag: "AmountOutOfRange",
      what: "the total of payout ada-USD-1",
    })
    const lowered = recordAll(book, [entered("expense", "e1", january, 1)])
    expect(totals(advanced(lowered, due))).toEqual([Number.MAX_SAFE_INTEGER])
  })
})

describe("Payouts, one active for each collaborator and currency", () => {
  it("gathers all shares, expenses and incomes of a collaborator", () => {
    const book = recordAll(bookOf([collaborator(), collaborator({ id: "sam" })]), [
      sold("1", january, { ada: 100, sam: 50 }),
      sold("2", january, { ada: 200 }),
      entered("expense", "e1", january, 30),
      entered("income", "i1", january, 5, "sam"),
    ])
    expect(lines(book)).toEqual(["ada-USD-1 active 100 200 -30", "sam-USD-1 active 50 5"])
  })

  it("a change of currency opens another and leaves the old one its own", () => {
    const book = recordAll(bookOf([collaborator()], { rate: () => "0.5" }), [
      sold("1", january, { ada: 100 }),
      { type: "collaborator", at: january + day, collaborator: collaborator({ currency: "EUR" }) },
      sold("2", january + 2 * day, { ada: 200 }),
      entered("income", "i1", january + 2 * day, 7),
    ])
    expect(lines(advanced(book, due))).toEqual(["ada-USD-1 paid 100", "ada-EUR-1 active 100 7"])
  })

  it("without any rates each currency has a payout of its own", () => {
    const book = recordAll(bookOf(), [
      sold("1", january, { ada: 100 }),
      sold("2", january, { ada: 300 }, "JPY"),
    ])
    expect(lines(book)).toEqual(["ada-JPY-1 active 300", "ada-USD-1 active 100"])
  })

  it("with rates a share in another currency is converted at its time", () => {
    const asked: Array<unknown> = []
    const rate = (from: string, to: string, at: number) => {
      asked.push([from, to, at])
      return "0.0067"
    }
    const book = recordAll(bookOf([collaborator()], { rate }), [
      sold("1", january, { ada: 100 }),
      sold("2", january + 1, { ada: 3_000 }, "JPY"),
    ])
    expect(lines(book)).toEqual(["ada-USD-1 active 100 2010"])
    expect(asked).toEqual([["JPY", "USD", january + 1]])
    const rates = payoutsOf(book)[0]?.items.map((item) => item.currencyExchangeRate)
    expect(rates).toEqual([null, "0.0067"])
  })

  it("a missing or bad rate is an error, and nothing of the sale is recorded", () => {
    const rate = (from: string) => (from === "JPY" ? "nonsense" : undefined)
    const people = [collaborator({ id: "eve", currency: "EUR" }), collaborator()]
    const book = bookOf(people, { rate })
    const euros = sold("1", january, { eve: 5, ada: 100 }, "EUR")
    expect(attempt(book, euros)).toMatchObject({
      _tag: "MissingExchangeRate",
      from: "EUR",
      to: "USD",
      at: january,
    })
    expect(attempt(book, sold("2", january, { ada: 100 }, "JPY"))._tag).toBe("InvalidExchangeRate")
    expect(lines(book)).toEqual([])
  })
})

describe("Refunds of recorded shares", () => {
  const held = () =>
    recordAll(bookOf([collaborator({ payoutHoldingDays: 7 })]), [
      sold("1", january, { ada: 1_000 }),
    ])

  it("reduce the item while its payout is active or pending, and set when", () => {
    for (const at of [january + day, due + day]) {
      const after = recordAll(held(), [refunded("1", at, { ada: 400 })])
      expect(totals(after)).toEqual([600])
      expect(payoutsOf(after)[0]?.items).toMatchObject([
        { amount: 600, orderItem: { refundedAt: at } },
      ])
    }
  })

  it("of a settled payout open an active one when there is none, and leave the settled as it was", () => {
    const paid = advanced(held(), due + 8 * day)
    const once = recordAll(paid, [refunded("1", due + 9 * day, { ada: 400 })])
    expect(lines(once)).toEqual(["ada-USD-1 paid 1000", "ada-USD-2 active -400"])
    expect(payoutsOf(once)[0]).toEqual(payoutsOf(paid)[0])
    const twice = recordAll(once, [
      sold("2", due + 9 * day, { ada: 50 }),
      refunded("1", due + 10 * day, { ada: 600 }),
    ])
    expect(lines(twice)).toEqual(["ada-USD-1 paid 1000", "ada-USD-2 active -400 50 -600"])
    expect(payoutsOf(twice)[1]?.items.map(({ id }) => id)).toEqual([
      "1/1/ada/refund/1",
      "2/1/ada",
      "1/1/ada/refund/2",
    ])
    const beyond = refunded("1", due + 11 * day, { ada: 1 })
    expect(attempt(twice, beyond)).toMatchObject({ _tag: "RefundBeyondShare", left: 0 })
  })

  it("before and after settling add up to the whole share, at the item's own rate", () => {
    const euros = bookOf([collaborator({ currency: "EUR" })], { rate: () => "0.333" })
    const parts = recordAll(euros, [
      sold("1", january, { ada: 1_000 }),
      refunded("1", january, { ada: 101 }),
      refunded("1", due + day, { ada: 333 }),
      refunded("1", due + day, { ada: 566 }),
    ])
    expect(lines(parts)).toEqual(["ada-EUR-1 paid 299", "ada-EUR-2 active -111 -188"])
  })

  it("of one collaborator leave the payouts of another one as they are", () => {
    const both = recordAll(bookOf([collaborator(), collaborator({ id: "zoe" })]), [
      sold("1", january, { ada: 1_000, zoe: 500 }),
      {
        type: "collaborator",
        at: due + day,
        collaborator: collaborator({ payoutThreshold: 9_000 }),
      },
    ])
    expect(lines(both)).toEqual(["ada-USD-1 paid 1000", "zoe-USD-1 active 500"])
  })

  it("stay in the currency that the share was paid in", () => {
    const changed = recordAll(advanced(held(), due + 8 * day), [
      {
        type: "collaborator",
        at: due + 8 * day,
        collaborator: collaborator({ currency: "EUR", payoutHoldingDays: 7 }),
      },
      refunded("1", due + 9 * day, { ada: 1_000 }),
    ])
    expect(lines(changed)).toEqual(["ada-USD-1 paid 1000", "ada-USD-2 active -1000"])
  })

  it("that take back nothing of a settled share add no item", () => {
    const after = recordAll(advanced(held(), due + 8 * day), [
      refunded("1", due + 9 * day, { ada: 0 }),
    ])
    expect(lines(after)).toEqual(["ada-USD-1 paid 1000"])
  })
})
