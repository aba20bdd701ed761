import { PayoutBook } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { adjusted, advanced, bookOf, entered, lines, recordAll, refunded, sold } from "./Facts.js"
import { seconds } from "./Instant.js"
import { collaborator, failureOf } from "./Samples.js"

const january = seconds("2024-01-10T12:00:00")
const due = seconds("2024-02-10T00:00:00")
const day = 86_400
const attempt = (book: PayoutBook.PayoutBook, fact: PayoutBook.Fact) =>
  failureOf(PayoutBook.record(book, fact))
type Moved = Extract<PayoutBook.Fact, { type: "payout" }>
const moved = (at: number, event: Moved["event"], payoutId = "ada-USD-1"): Moved => ({
  type: "payout",
  at,
  payoutId,
  event,
})

describe("recording the same again", () => {
  it("has no effect for an order, item and group, whenever it comes", () => {
    const once = recordAll(bookOf(), [sold("1", january, { ada: 100 })])
    const twice = recordAll(advanced(once, due + day), [sold("1", january, { ada: 100 })])
    expect(lines(twice)).toEqual(["ada-USD-1 paid 100"])
  })

  it("records what is new in it", () => {
    const book = recordAll(bookOf([collaborator(), collaborator({ id: "sam" })]), [
      sold("1", january, { ada: 100 }),
      sold("1", january, { ada: 100, sam: 50 }),
    ])
    expect(lines(book)).toEqual(["ada-USD-1 active 100", "sam-USD-1 active 50"])
  })

  it("has no effect for an expense or income of the same id, and a refund of the same id", () => {
    const facts = [
      sold("1", january, { ada: 100 }),
      refunded("1", january, { ada: 40 }, "r1"),
      entered("income", "i1", january, 5),
      entered("expense", "e1", january, 3),
    ]
    const book = recordAll(advanced(recordAll(bookOf(), facts), january + day), facts)
    expect(lines(book)).toEqual(["ada-USD-1 active 60 5 -3"])
    const another = recordAll(book, [refunded("1", january + day, { ada: 40 }, "r2")])
    expect(lines(another)).toEqual(["ada-USD-1 active 20 5 -3"])
  })

  it("has no effect for what a run changed of a share, whenever it comes", () => {
    const sale = sold("1", january, { ada: 100 })
    const once = recordAll(bookOf(), [sale, adjusted("1", january, "raise", { ada: 20 })])
    const again = adjusted("1", january, "raise", { ada: 30 })
    const twice = recordAll(advanced(once, due + day), [again])
    expect(lines(twice)).toEqual(["ada-USD-1 paid 100 20"])
    const other = recordAll(twice, [adjusted("1", due + day, "more", { ada: 30 })])
    expect(lines(other)).toEqual(["ada-USD-1 paid 100 20", "ada-USD-2 active 30"])
  })

  it("takes back again for refunds without an id", () => {
    const again = refunded("1", january, { ada: 40 })
    const book = recordAll(bookOf(), [sold("1", january, { ada: 100 }), again, again])
    expect(lines(book)).toEqual(["ada-USD-1 active 20"])
  })
})

describe("what a re-split changes", () => {
  const people = [collaborator(), collaborator({ id: "sam", currency: "EUR" })]

  it("goes to active payouts, at the rate of the share that it is of", () => {
    let rate = "0.50"
    const book = bookOf(people, { rate: () => rate })
    const paid = advanced(recordAll(book, [sold("1", january, { sam: 100 })]), due + day)
    rate = "0.80"
    const changed = adjusted("1", due + day, "raise", { sam: 20, ada: 7 })
    expect(lines(recordAll(paid, [changed]))).toEqual([
      ...["ada-USD-1 active 7", "sam-EUR-1 paid 50", "sam-EUR-2 active 10"],
    ])
    // Who had nothing of it gets the rate of today.
    const sams = adjusted("2", due + day, "raise", { sam: 20 })
    const others = recordAll(paid, [sold("2", due + day, { ada: 100 }), sams])
    expect(lines(others)).toContain("sam-EUR-2 active 16")
  })

  it("may take a group's share from one and give it to another, and a refund finds both", () => {
    const [share] = sold("1", january, { ada: 100 }).split.shares
    const fact = adjusted("1", january, "other", { ada: -100 })
    const shares = [
      ...fact.adjustment.shares,
      ...(share ? [{ ...share, collaboratorId: "sam", before: 0, after: 60 }] : []),
    ]
    const changed = { ...fact, adjustment: { shares } }
    const book = recordAll(bookOf(people), [sold("1", january, { ada: 100 }), changed, changed])
    expect(lines(book)).toEqual(["ada-USD-1 active 100 -100", "sam-USD-1 active 100"])
    const taken = [{ groupId: "ada", collaboratorId: "sam", amount: 100 }]
    const back = refunded("1", january, { ada: 100 }, "r1", { other: { ada: -100 } })
    const adjustedBack = [...(back.adjusted ?? []), { runId: "other", shares: taken }]
    expect(lines(recordAll(book, [{ ...back, adjusted: adjustedBack }]))).toEqual([
      ...["ada-USD-1 active 0 0", "sam-USD-1 active 0"],
    ])
  })

  it("has to be of a run and of a collaborator that are there", () => {
    const book = recordAll(bookOf(), [sold("1", january, { ada: 100 })])
    expect(attempt(book, refunded("1", january, {}, "r1", { raise: { ada: 5 } }))).toMatchObject({
      _tag: "UnknownShare",
      message: "no adjustment of run raise of group ada of item 1 of order 1 was recorded",
    })
    expect(attempt(book, adjusted("1", january, "raise", { eve: 5 }))._tag).toBe(
      "UnknownCollaborator",
    )
  })
})

describe("what happens to payouts by hand", () => {
  const closed = () => {
    const held = bookOf([collaborator({ payoutHoldingDays: 7 })])
    return advanced(recordAll(held, [sold("1", january, { ada: 100 })]), due)
  }

  it("a failed payout takes refunds, and is paid once it is tried again", () => {
    const failed = recordAll(closed(), [
      moved(due + day, { type: "fail", reason: "account closed" }),
      refunded("1", due + 20 * day, { ada: 40 }),
    ])
    expect(lines(advanced(failed, due + 30 * day))).toEqual(["ada-USD-1 failed 60"])
    const retried = recordAll(failed, [moved(due + 30 * day, { type: "retry" })])
    expect(PayoutBook.payouts(advanced(retried, due + 40 * day))).toMatchObject([
      { status: "paid", paidAt: due + 30 * day, failureReason: null },
    ])
  })

  it("an active payout that is set as paid takes nothing more", () => {
    const active = recordAll(bookOf(), [
      sold("1", january, { ada: 100 }),
      moved(january + 1, { type: "set-paid" }),
      sold("2", january + 2, { ada: 5 }),
      refunded("1", january + 3, { ada: 10 }),
    ])
    expect(lines(advanced(active, due))).toEqual([
      "ada-USD-1 manually paid 100",
      "ada-USD-2 active 5 -10",
    ])
  })

  it("a pending payout can be paid by hand after its holding days, not before", () => {
    const manual = collaborator({ shouldPayAutomatically: false, payoutHoldingDays: 7 })
    const pending = advanced(recordAll(bookOf([manual]), [sold("1", january, { ada: 9 })]), due)
    expect(attempt(pending, moved(due + day, { type: "pay" }))._tag).toBe("PayoutOnHold")
    const paid = recordAll(pending, [moved(due + 8 * day, { type: "pay" })])
    expect(lines(advanced(paid, due + 9 * day))).toEqual(["ada-USD-1 paid 9"])
  })

  it("leave the other payouts of the collaborator as they are", () => {
    const slow = bookOf([collaborator({ payoutHoldingDays: 60 })])
    const sales = [
      sold("1", january, { ada: 1 }),
      sold("2", due + day, { ada: 20 }),
      sold("3", due + 40 * day, { ada: 300 }),
    ]
    const book = advanced(recordAll(slow, sales), due + 45 * day)
    expect(lines(book)).toEqual([
      "ada-USD-1 pending 1",
      "ada-USD-2 pending 20",
      "ada-USD-3 active 300",
    ])
    const failed = moved(due + 45 * day, { type: "fail", reason: "account closed" })
    const later = recordAll(book, [failed, sold("4", due + 46 * day, { ada: 4_000 })])
    expect(lines(advanced(later, due + 46 * day))).toEqual([
      "ada-USD-1 failed 1",
      "ada-USD-2 pending 20",
      "ada-USD-3 active 300 4000",
    ])
    expect(lines(advanced(later, due + 200 * day))).toEqual([
      "ada-USD-1 failed 1",
      "ada-USD-2 paid 20",
      "ada-USD-3 paid 300 4000",
    ])
  })

  it("what its status does not allow is refused", () => {
    expect(attempt(closed(), moved(due, { type: "retry" }))).toMatchObject({
      _tag: "InvalidTransition",
      status: "pending",
      event: "retry",
    })
    expect(attempt(closed(), moved(due, { type: "pay" }, "p9"))).toMatchObject({
      _tag: "UnknownPayout",
      payoutId: "p9",
      message: "there is no payout with the id p9",
    })
  })
})

describe("a fact that was stored and is of no type that there is", () => {
  it("is refused, with the type", () => {
    const stored: PayoutBook.Fact = JSON.parse('{"type":"incom","at":1,"amount":5}')
    expect(attempt(bookOf([collaborator()]), stored)).toMatchObject({
      _tag: "UnknownFact",
      type: "incom",
      message: 'type: there is no fact of the type "incom"',
    })
  })
})

describe("a collaborator's new terms", () => {
  const small = () => collaborator({ payoutThreshold: 1_000 })
  const changed = (at: number, to = collaborator()) =>
    ({ type: "collaborator", at, collaborator: to }) as const

  it("count from when they come, not before", () => {
    const book = recordAll(bookOf([small()]), [sold("1", january, { ada: 100 })])
    const before = advanced(recordAll(book, [changed(due - 1)]), due)
    expect(lines(before)).toEqual(["ada-USD-1 paid 100"])
    const after = advanced(recordAll(book, [changed(due)]), due + day)
    expect(lines(after)).toEqual(["ada-USD-1 active 100"])
  })

  it("pay what is waiting when they say that payment is automatic", () => {
    const manual = collaborator({ shouldPayAutomatically: false })
    const book = recordAll(bookOf([manual]), [
      sold("1", january, { ada: 100 }),
      changed(due + 50 * day),
    ])
    expect(PayoutBook.payouts(advanced(book, due + 51 * day))).toMatchObject([
      { status: "paid", paidAt: due + 50 * day },
    ])
  })

  it("may be those of someone new", () => {
    const book = recordAll(bookOf([]), [changed(january), sold("1", january, { ada: 100 })])
    expect(lines(book)).toEqual(["ada-USD-1 active 100"])
  })
})

describe("facts that can't be recorded", () => {
  it("are of unknown collaborators or shares", () => {
    const book = bookOf()
    expect(attempt(book, sold("1", january, { ada: 1, eve: 1 }))).toMatchObject({
      _tag: "UnknownCollaborator",
      collaboratorId: "eve",
      message: "there is no collaborator with the id eve",
    })
    expect(attempt(book, entered("income", "i1", january, 5, "eve"))._tag).toBe(
      "UnknownCollaborator",
    )
    expect(attempt(book, refunded("1", january, { ada: 5 }))).toMatchObject({
      _tag: "UnknownShare",
      orderId: "1",
      itemId: "1",
      groupId: "ada",
      message: "no share of group ada of item 1 of order 1 was recorded",
    })
    expect(lines(book)).toEqual([])
  })

  it("come before what is recorded already, or at no time at all", () => {
    const book = recordAll(bookOf(), [sold("1", january, { ada: 1 })])
    expect(attempt(book, sold("2", january - 1, { ada: 1 }))).toMatchObject({
      _tag: "FactOutOfOrder",
      at: january - 1,
      latestAt: january,
      message:
        "a fact of 2024-01-10T11:59:59Z comes too late: the book has reached 2024-01-10T12:00:00Z",
    })
    expect(failureOf(PayoutBook.advance(book, january - 1))._tag).toBe("FactOutOfOrder")
    expect(attempt(book, sold("2", Number.NaN, { ada: 1 }))).toMatchObject({
      _tag: "InvalidTime",
      field: "at",
    })
    expect(failureOf(PayoutBook.advance(book, 1e15))._tag).toBe("InvalidTime")
  })

  it("are entries that are not right, or items whose id is taken", () => {
    const book = recordAll(bookOf(), [sold("1", january, { ada: 1 })])
    expect(attempt(book, entered("expense", "e1", january, 0))._tag).toBe("InvalidEntry")
    expect(attempt(book, entered("expense", "1/1/ada", january, 1))).toMatchObject({
      _tag: "ItemIdTaken",
      itemId: "1/1/ada",
      message: "an item of another kind has the id 1/1/ada",
    })
    const taken = recordAll(book, [entered("income", "2/1/ada", january, 1)])
    expect(attempt(taken, sold("2", january, { ada: 1 }))._tag).toBe("ItemIdTaken")
  })

  it("would open a payout with an id that is taken", () => {
    const book = recordAll(bookOf([collaborator()], { payoutId: () => "p1" }), [
      sold("1", january, { ada: 1 }),
    ])
    expect(attempt(book, sold("2", due, { ada: 1 }))).toMatchObject({
      _tag: "DuplicatePayout",
      payoutId: "p1",
      message: "a new payout would get the id p1, which another one has",
    })
  })
})

describe("a book", () => {
  it("lists payouts by collaborator, then as they were opened", () => {
    const people = [collaborator({ id: "zoe" }), collaborator()]
    const book = recordAll(bookOf(people), [
      sold("1", january, { zoe: 1 }),
      sold("2", january + day, { ada: 20 }),
      sold("3", due + day, { zoe: 300, ada: 4_000 }),
    ])
    expect(PayoutBook.payouts(book).map(({ id }) => id)).toEqual([
      "ada-USD-1",
      "ada-USD-2",
      "zoe-USD-1",
      "zoe-USD-2",
    ])
  })

  it("may begin before 1970", () => {
    const book = recordAll(bookOf(), [sold("1", -400 * day, { ada: 1 })])
    expect(lines(advanced(book, -300 * day))).toEqual(["ada-USD-1 paid 1"])
  })

  it("names payouts as the host says", () => {
    const payoutId = ({ collaboratorId, currency, number }: PayoutBook.NewPayout) =>
      `${number}/${currency}/${collaboratorId}`
    const book = recordAll(bookOf([collaborator()], { payoutId }), [
      sold("1", january, { ada: 1 }),
      sold("2", due, { ada: 2 }),
    ])
    expect(lines(book)).toEqual(["1/USD/ada paid 1", "2/USD/ada active 2"])
  })

  it("needs a time zone that exists and collaborators with different ids", () => {
    const empty = (options: Partial<PayoutBook.Options>) =>
      failureOf(PayoutBook.empty({ collaborators: [], ...options }))
    expect(empty({ timeZone: "Mars/Olympus" })).toMatchObject({
      _tag: "UnknownTimeZone",
      value: "Mars/Olympus",
    })
    expect(empty({ collaborators: [collaborator(), collaborator()] })).toMatchObject({
      _tag: "DuplicateCollaborator",
      collaboratorId: "ada",
      message: "there are two collaborators with the id ada",
    })
  })

  it("is a value: recording and advancing leave the old one as it was", () => {
    const before = recordAll(bookOf(), [sold("1", january, { ada: 100 })])
    const payouts = structuredClone(PayoutBook.payouts(before))
    recordAll(before, [refunded("1", january, { ada: 100 }), entered("income", "i", january, 1)])
    advanced(before, due + 100 * day)
    expect(PayoutBook.payouts(before)).toEqual(payouts)
    expect(before.latestAt).toBe(january)
  })

  it("takes facts of one second in the order: shares, re-splits, refunds, expenses and incomes", () => {
    const facts = [
      moved(january, { type: "set-paid" }),
      entered("income", "i1", january, 5),
      entered("expense", "e1", january, 7),
      refunded("1", january, { ada: 40 }),
      adjusted("1", january, "raise", { ada: 9 }),
      sold("1", january, { ada: 100 }),
      { type: "collaborator", at: january, collaborator: collaborator() } as const,
      entered("expense", "e0", january - 1, 1),
    ].toSorted(PayoutBook.order)
    expect(facts.map(({ type }) => type)).toEqual([
      ...["expense", "collaborator", "split", "adjustment", "refund", "income", "expense"],
      "payout",
    ])
    const book = recordAll(bookOf(), facts)
    expect(lines(book)).toEqual(["ada-USD-1 manually paid -1 60 9 5 -7"])
  })

  it("keeps each of very many facts, in the time that a test has", () => {
    const people = ["a", "b", "c", "d"].map((id) => collaborator({ id, payoutMeasurement: "week" }))
    const count = Math.min(20_000, runs(20_000).numRuns)
    let book = bookOf(people)
    for (let number = 0; number < count; number += 1) {
      const id = "abcd".charAt(number % 4)
      const fact = sold(String(number), january + number * 1_500, { [id]: number })
      book = Result.getOrThrow(PayoutBook.record(book, fact))
    }
    const items = PayoutBook.payouts(book).flatMap((payout) => payout.items)
    expect(items.length).toBe(count)
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe((count * (count - 1)) / 2)
  })
})
