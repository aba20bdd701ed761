import { Maturity, PayoutBook, type PayoutItem } from "apportion"
import { describe, expect, it } from "vitest"
import { advanced, bookOf, entered, lines, recordAll, refunded, sold } from "./Facts.js"
import { seconds } from "./Instant.js"
import { collaborator, failureOf } from "./Samples.js"

const january = seconds("2024-01-10T12:00:00")
const due = seconds("2024-02-10T00:00:00")
const secondDue = seconds("2024-03-10T00:00:00")
const day = 86_400
const fortnight = { maturityDays: 14 }
const person = collaborator({ shouldPayAutomatically: false })
const book = bookOf([person], fortnight)

describe("An item can be closed only so many days after its sale:", () => {
  it("what is not mature moves to the next payout at closing", () => {
    const sales = recordAll(book, [
      sold("1", january, { ada: 1_000 }),
      sold("2", due - 14 * day, { ada: 20 }),
      sold("3", due - 14 * day + 1, { ada: 3 }),
    ])
    expect(lines(advanced(sales, due - 1))).toEqual(["ada-USD-1 active 1000 20 3"])
    const closed = advanced(sales, due)
    expect(lines(closed)).toEqual(["ada-USD-1 pending 1000 20", "ada-USD-2 active 3"])
    expect(PayoutBook.payouts(closed)).toMatchObject([
      { closedAt: due, payableAt: due },
      {
        openedAt: due,
        toBePaidAt: secondDue,
        items: [{ id: "3/1/ada", about: { payoutId: "ada-USD-1", why: "immature" } }],
      },
    ])
    expect(lines(advanced(closed, secondDue))).toEqual([
      "ada-USD-1 pending 1000 20",
      "ada-USD-2 pending 3",
    ])
  })

  it("what comes after that stands last among the items that stay", () => {
    const closed = recordAll(book, [
      sold("1", january, { ada: 1_000 }),
      sold("2", due - 2 * day, { ada: 20 }),
      sold("3", due - 2 * day, { ada: 3 }),
      entered("expense", "e1", due - day, 5),
    ])
    const below = recordAll(advanced(closed, due), [refunded("1", due + 1, { ada: 1_000 })])
    expect(lines(below)).toEqual(["ada-USD-1 pending 0 -5 5", "ada-USD-2 active 20 3 -5"])
  })

  it("after no days by default, so that nothing ever moves", () => {
    const sales = [sold("1", january, { ada: 1_000 }), sold("2", due - 1, { ada: 3 })]
    const [all, none] = [bookOf([person]), bookOf([person], { maturityDays: 0 })]
    const closed = ["ada-USD-1 pending 1000 3"]
    expect(lines(advanced(recordAll(all, sales), due))).toEqual(closed)
    expect(lines(advanced(recordAll(none, sales), due))).toEqual(closed)
  })

  it("holding days come after closing", () => {
    const held = collaborator({ payoutHoldingDays: 7 })
    const sales = [sold("1", january, { ada: 1_000 }), sold("2", due - 1, { ada: 3 })]
    const after = recordAll(bookOf([held], fortnight), sales)
    expect(PayoutBook.payouts(advanced(after, due + 7 * day))).toMatchObject([
      { closedAt: due, payableAt: due + 7 * day, paidAt: due + 7 * day },
      { status: "active", closedAt: null },
    ])
  })

  it("only the mature part counts against the threshold", () => {
    const above = collaborator({ payoutThreshold: 1_000, shouldPayAutomatically: false })
    const after = recordAll(bookOf([above], fortnight), [
      sold("1", january, { ada: 900 }),
      sold("2", due - day, { ada: 5_000 }),
    ])
    const rolled = advanced(after, due)
    expect(lines(rolled)).toEqual(["ada-USD-1 active 900 5000"])
    expect(PayoutBook.payouts(rolled)).toMatchObject([{ toBePaidAt: secondDue }])
    expect(lines(advanced(after, secondDue))).toEqual(["ada-USD-1 pending 900 5000"])
  })

  it("a payout with nothing mature stays as it is and rolls", () => {
    const after = recordAll(book, [
      entered("expense", "e1", january, 5),
      sold("1", due - 1, { ada: 1_000 }),
    ])
    expect(lines(advanced(after, due))).toEqual(["ada-USD-1 active -5 1000"])
    expect(lines(advanced(after, secondDue))).toEqual(["ada-USD-1 pending -5 1000"])
    expect(PayoutBook.payouts(advanced(after, secondDue + 99 * day))).toMatchObject([
      { closedAt: secondDue },
    ])
  })

  it("a share can move more than once, and tells of the last payout that it was in", () => {
    const long = bookOf([person], { maturityDays: 70 })
    const after = recordAll(long, [
      entered("income", "i1", january, 10),
      sold("1", due - day, { ada: 500 }),
      entered("income", "i2", due + day, 10),
    ])
    const closed = advanced(after, secondDue)
    expect(lines(closed)).toEqual([
      "ada-USD-1 pending 10",
      "ada-USD-2 pending 10",
      "ada-USD-3 active 500",
    ])
    expect(PayoutBook.payouts(closed)[2]?.items).toMatchObject([
      { createdAt: due - day, about: { payoutId: "ada-USD-2" } },
    ])
  })
})

describe("What does not have to mature:", () => {
  it("expenses and incomes count at once", () => {
    const after = recordAll(book, [
      entered("income", "i1", january, 70),
      sold("1", due - day, { ada: 1_000 }),
      entered("expense", "e1", due - 1, 30),
    ])
    expect(lines(advanced(after, due))).toEqual([
      "ada-USD-1 pending 70 -30",
      "ada-USD-2 active 1000",
    ])
  })

  it("a refund of a share that was closed counts at once, and can keep the rest from closing", () => {
    const paid = bookOf([collaborator()], fortnight)
    const after = recordAll(paid, [
      sold("1", january, { ada: 1_000 }),
      entered("income", "i1", due + day, 70),
      refunded("1", secondDue - day, { ada: 100 }),
    ])
    expect(lines(advanced(after, secondDue))).toEqual([
      "ada-USD-1 paid 1000",
      "ada-USD-2 active 70 -100",
    ])
  })

  it("a charge from a sale matures as every share does", () => {
    const after = recordAll(book, [
      sold("1", january, { ada: 1_000 }),
      sold("2", due - day, { ada: -300 }),
    ])
    expect(lines(advanced(after, due))).toEqual(["ada-USD-1 pending 1000", "ada-USD-2 active -300"])
  })
})

describe("A refund finds a share in the payout where it is now:", () => {
  const moved = recordAll(book, [
    sold("1", january, { ada: 1_000 }),
    sold("2", due - day, { ada: 400 }),
  ])

  it("before it is closed, in the payout to which it moved", () => {
    const after = recordAll(moved, [refunded("2", due + day, { ada: 150 })])
    expect(lines(after)).toEqual(["ada-USD-1 pending 1000", "ada-USD-2 active 250"])
    expect(PayoutBook.payouts(after)[1]?.items).toMatchObject([
      { about: { payoutId: "ada-USD-1" }, orderItem: { refundedAt: due + day } },
    ])
  })

  it("in the second in which it moves", () => {
    const after = recordAll(moved, [refunded("2", due, { ada: 400 })])
    expect(lines(after)).toEqual(["ada-USD-1 pending 1000", "ada-USD-2 active 0"])
  })

  it("after that is paid, it goes to the payout that collects", () => {
    const after = recordAll(advanced(moved, secondDue), [
      { type: "payout", at: secondDue, payoutId: "ada-USD-2", event: { type: "pay" } },
      refunded("2", secondDue + day, { ada: 400 }),
    ])
    expect(lines(after).slice(1)).toEqual(["ada-USD-2 paid 400", "ada-USD-3 active -400"])
  })
})

describe("A number of days that no share can take is refused:", () => {
  it.each([-1, 0.5, 3_651, Number.NaN])("%s", (maturityDays) => {
    const refused = failureOf(PayoutBook.empty({ collaborators: [], maturityDays }))
    expect(refused).toMatchObject({ _tag: "InvalidTime", field: "maturityDays" })
  })
})

describe("What agreements booked of a share", () => {
  const line = (
    id: string,
    amount: number,
    createdAt: number,
    agreement: Partial<PayoutItem.AgreementLine>,
  ): PayoutItem.Entry => ({
    ...{ kind: amount < 0 ? "expense" : "income", id, createdAt, name: id, amount },
    ...{ originalAmount: amount, originalCurrency: "USD", currencyExchangeRate: null },
    agreement: {
      ...{ kind: "recoupment", event: "sale", agreementId: "a1", orderId: "1", itemId: "1" },
      ...{ groupId: "g1", ...agreement },
    },
  })
  const waiting = (...items: ReadonlyArray<PayoutItem.PayoutItem>) =>
    Maturity.sharesOf(items).map(({ itemId, soldAt }) => [itemId, soldAt])

  it("matures with it, and so does what a refund takes back of that", () => {
    const taken = line("taken", -500, january, {})
    const back = line("back", 500, january + day, { event: "refund" })
    expect(waiting(taken, back)).toEqual([
      ["taken", january],
      ["back", january],
    ])
    expect(waiting(taken, line("more", -5, due, {}), back)).toEqual([
      ["taken", january],
      ["more", due],
      ["back", due],
    ])
  })

  it("counts at once where what it takes back is in another payout, or was released before", () => {
    const back = line("back", 500, january, { event: "refund" })
    const release = line("release", 20, january, { kind: "release", event: "release" })
    const others = [{ agreementId: "a2" }, { orderId: "2" }, { itemId: "2" }, { groupId: "g2" }]
    expect(waiting(back, release)).toEqual([])
    for (const other of others) {
      expect(waiting(line("taken", -500, january, other), back)).toHaveLength(1)
    }
  })
})
