import { PayoutBook, Schedule } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { type Model, record, tick } from "./BookModel.js"
import { advanced, bookOf, recordAll } from "./Facts.js"
import { type History, history, rateOf } from "./Histories.js"

const emptyOf = ({ people, timeZone, hasRates, maturityDays }: History) =>
  bookOf(people, { timeZone, maturityDays, ...(hasRates ? { rate: rateOf } : {}) })

const bookAfter = (past: History) => advanced(recordAll(emptyOf(past), past.facts), past.until)

const modelAfter = ({ people, timeZone, hasRates, maturityDays, facts, until }: History): Model => {
  const model: Model = {
    collaborators: new Map(people.map((person) => [person.id, person])),
    timeZone,
    maturityDays,
    rate: hasRates ? rateOf : undefined,
    payouts: [],
    firstOpened: new Map(),
    now: Number.NEGATIVE_INFINITY,
  }
  for (const fact of facts) record(model, fact)
  tick(model, until)
  return model
}

interface Summary {
  readonly collaboratorId: string
  readonly currency: string
  readonly status: string
  readonly toBePaidAt: number
  readonly closedAt: number | null
  readonly paidAt: number | null
  readonly items: ReadonlyArray<{ readonly amount: number }>
}

/** What both reckonings must agree on, one line a payout. */
const linesOf = (payouts: ReadonlyArray<Summary>): ReadonlyArray<string> =>
  payouts
    .map((payout) => {
      const { collaboratorId, currency, status, toBePaidAt, closedAt, paidAt, items } = payout
      const amounts = items.map(({ amount }) => amount).join(" ")
      return [collaboratorId, currency, status, toBePaidAt, closedAt, paidAt, amounts].join("|")
    })
    .sort()

describe("the random histories", () => {
  it("come to everything that can become of a payout", () => {
    const seen = new Set<string>()
    for (const past of fc.sample(history, { numRuns: 300, seed: 7 })) {
      for (const { status, currency, items } of PayoutBook.payouts(bookAfter(past))) {
        seen.add(status).add(currency)
        for (const item of items) {
          seen.add(item.kind)
          if (item.currencyExchangeRate !== null) seen.add("converted")
          if (item.about?.why === "immature") seen.add("moved")
          if (item.about?.why === "debt") seen.add("set off")
          if (item.kind === "sale" && item.orderItem.refundedAt !== null) seen.add("reduced")
          if (item.kind === "refund" && item.amount > 0) seen.add("refund of a charge")
          if (item.kind === "sale" && item.adjustment !== undefined) seen.add("adjusted")
        }
      }
    }
    expect([...seen].sort()).toEqual([
      ...[
        "EUR",
        "JPY",
        "USD",
        "active",
        "adjusted",
        "converted",
        "expense",
        "income",
        "moved",
        "paid",
      ],
      ...["pending", "reduced", "refund", "refund of a charge", "sale", "set off"],
    ])
  })
})

describe("Payouts, for any history of sales, refunds, expenses and incomes", () => {
  it("the book has what reckoning everything anew has", () => {
    const property = fc.property(history, (past) => {
      const expected = linesOf(modelAfter(past).payouts)
      expect(linesOf(PayoutBook.payouts(bookAfter(past)))).toEqual(expected)
    })
    fc.assert(property, runs(400))
  })

  it("all items of all payouts come to everything recorded", () => {
    const property = fc.property(history, (past) => {
      const recorded = new Map<string, number>()
      const count = (currency: string, amount: number) =>
        recorded.set(currency, (recorded.get(currency) ?? 0) + amount)
      const currencies = new Map<string, string>()
      for (const fact of past.facts) {
        if (fact.type === "split") {
          currencies.set(fact.order.id, fact.order.currency)
          for (const { amount } of fact.split.shares) count(fact.order.currency, amount)
        } else if (fact.type === "adjustment") {
          for (const { amount } of fact.adjustment.shares) count(fact.order.currency, amount)
        } else if (fact.type === "refund") {
          const currency = currencies.get(fact.reversal.orderId) ?? ""
          for (const { amount } of fact.reversal.shares) count(currency, -amount)
          const changed = (fact.adjusted ?? []).flatMap(({ shares }) => shares)
          for (const { amount } of changed) count(currency, -amount)
        } else if (fact.type === "expense" || fact.type === "income") {
          const own = past.people.find(({ id }) => id === fact.collaboratorId)?.currency ?? ""
          count(own, fact.type === "income" ? fact.amount : -fact.amount)
        }
      }
      const found = new Map<string, number>()
      for (const { originalCurrency, originalAmount } of PayoutBook.payouts(
        bookAfter(past),
      ).flatMap(({ items }) => items)) {
        found.set(originalCurrency, (found.get(originalCurrency) ?? 0) + originalAmount)
      }
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(recorded))
    })
    fc.assert(property, runs(300))
  })

  it("maturity moves money between payouts and changes none of it", () => {
    const totalsOf = (past: History) => {
      const found = new Map<string, bigint>()
      for (const { collaboratorId, currency, items } of PayoutBook.payouts(bookAfter(past))) {
        const key = `${collaboratorId} ${currency}`
        const sum = items.reduce((all, { amount }) => all + BigInt(amount), 0n)
        found.set(key, (found.get(key) ?? 0n) + sum)
      }
      return Object.fromEntries(found)
    }
    const property = fc.property(history, fc.constantFrom(1, 7, 45), (past, maturityDays) => {
      expect(totalsOf({ ...past, maturityDays })).toEqual(totalsOf({ ...past, maturityDays: 0 }))
    })
    fc.assert(property, runs(300))
  })

  it("no share is closed before it is mature", () => {
    const property = fc.property(history, (past) => {
      const { maturityDays, timeZone } = past
      for (const { closedAt, items } of PayoutBook.payouts(bookAfter(past))) {
        if (closedAt === null) continue
        for (const { kind, createdAt } of items) {
          if (kind !== "sale") continue
          const sold = { closedAt: createdAt, holdingDays: maturityDays, timeZone }
          expect(Result.getOrThrow(Schedule.payableAt(sold))).toBeLessThanOrEqual(closedAt)
        }
      }
    })
    fc.assert(property, runs(300))
  })

  it("a settled payout never changes", () => {
    const property = fc.property(history, (past) => {
      let book = emptyOf(past)
      const settled = new Map<string, string>()
      for (const fact of past.facts) {
        book = recordAll(book, [fact])
        for (const payout of PayoutBook.payouts(book)) {
          const text = JSON.stringify(payout)
          expect(settled.get(payout.id) ?? text).toBe(text)
          if (payout.status === "paid") settled.set(payout.id, text)
        }
      }
    })
    fc.assert(property, runs(100))
  })

  it("a collaborator has at most one active payout in a currency", () => {
    const property = fc.property(history, (past) => {
      const active = PayoutBook.payouts(bookAfter(past))
        .filter(({ status }) => status === "active")
        .map(({ collaboratorId, currency }) => `${collaboratorId} ${currency}`)
      expect(new Set(active).size).toBe(active.length)
    })
    fc.assert(property, runs(200))
  })

  it("advancing in many steps or in one comes to the same", () => {
    const property = fc.property(history, fc.array(fc.nat(1_000)), (past, stops) => {
      const start = past.facts.at(-1)?.at ?? past.until
      const span = past.until - start
      let book = recordAll(emptyOf(past), past.facts)
      for (const stop of stops.toSorted((a, b) => a - b)) {
        book = advanced(book, start + Math.floor((span * stop) / 1_000))
      }
      expect(PayoutBook.payouts(advanced(book, past.until))).toEqual(
        PayoutBook.payouts(bookAfter(past)),
      )
    })
    fc.assert(property, runs(200))
  })
})
