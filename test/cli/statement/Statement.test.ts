import { Payout, PayoutBook, type PayoutItem } from "apportion"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type RefundedSale,
  type Section,
  StatementLedger,
} from "../../../src/cli/statement/Statement.js"
import { advanced, bookOf, recordAll } from "../../payouts/Facts.js"
import { type History, rateOf, history as storedHistory } from "../../payouts/Histories.js"

type FactOf<Type extends PayoutBook.Fact["type"]> = Extract<PayoutBook.Fact, { type: Type }>

/** Histories as files have them: sales are split again in a storage only. */
const history = storedHistory.map((drawn) => ({
  ...drawn,
  facts: drawn.facts.flatMap((fact): ReadonlyArray<PayoutBook.Fact> => {
    if (fact.type === "adjustment") return []
    if (fact.type !== "refund") return [fact]
    const { adjusted: _, ...refund } = fact
    return [refund]
  }),
}))

const saleOf = (
  { at, order, split: { shares } }: FactOf<"split">,
  refunds: ReadonlyArray<FactOf<"refund">>,
): RefundedSale => {
  const { currency } = order
  const distributable = shares.reduce((sum, { amount }) => sum + amount, 0)
  const reversals = refunds
    .filter(({ reversal }) => reversal.orderId === order.id)
    .map(({ at: refundedAt, reversal }) => ({ ...reversal, refundedAt, store: 0 }))
  const store = [{ amount: 0 }]
  return { order, split: { currency, items: [{ distributable }], store, shares }, at, reversals }
}

/** The ledger, which is told in an order of its own: sales with their refunds, then the entries. */
const ledgerOf = (
  { people, timeZone, hasRates, maturityDays, facts }: History,
  options: { readonly from?: number; readonly until: number; readonly memoryBytes?: number },
): StatementLedger => {
  const collaborators = new Map(people.map((person) => [person.id, person]))
  const rate = hasRates ? rateOf : undefined
  const period = { timeZone, from: options.from, until: options.until + 1 }
  const { memoryBytes } = options
  const ledger = new StatementLedger({
    ...{ collaborators, rate, period, maturityDays },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  })
  const refunds = facts.filter((fact) => fact.type === "refund")
  for (const fact of facts.toReversed()) {
    if (fact.type === "split") Result.getOrThrow(ledger.addSale(saleOf(fact, refunds)))
  }
  for (const fact of facts) {
    if (fact.type !== "expense" && fact.type !== "income") continue
    const { type: kind, collaboratorId, amount, name, at } = fact
    ledger.addEntry({ kind, collaboratorId, amount, name, at })
  }
  return ledger
}

const bookUpTo = ({ people, timeZone, hasRates, maturityDays, facts }: History, to: number) => {
  const book = bookOf(people, { timeZone, maturityDays, ...(hasRates ? { rate: rateOf } : {}) })
  const past = facts.filter(({ at }) => at <= to).toSorted(PayoutBook.order)
  return PayoutBook.payouts(advanced(recordAll(book, past), to))
}

const sorted = (key: string, value: unknown): unknown =>
  key === "details"
    ? undefined
    : typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value

/**
 * An item as text, without its id, the payout that it is about and the details that no statement shows: within one
 * second the items of a payout may come in another order.
 */
const itemText = ({ id: _, about: _about, ...item }: PayoutItem.PayoutItem): string =>
  JSON.stringify(item, sorted)

const payoutsOf = (sections: ReadonlyArray<Section>) =>
  sections.flatMap(({ payouts }) =>
    payouts.map(({ total: _total, broughtForward: _forward, all, ofPeriod: _, ...head }) => ({
      ...head,
      items: [...all()].flat().map(itemText).sort(),
    })),
  )

const byId = (one: { readonly id: string }, other: { readonly id: string }) =>
  one.id < other.id ? -1 : 1

const sumOf = (items: Iterable<ReadonlyArray<PayoutItem.PayoutItem>>): number =>
  [...items].flat().reduce((sum, { amount }) => sum + amount, 0)

/** What is brought forward into the payouts of each collaborator, by currency. */
const forwardOf = (
  payouts: ReadonlyArray<{
    readonly collaboratorId: string
    readonly currency: string
    readonly amount: number
  }>,
): Readonly<Record<string, bigint>> => {
  const sums = new Map<string, bigint>()
  for (const { collaboratorId, currency, amount } of payouts) {
    const key = `${currency} ${collaboratorId}`
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount))
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).sort())
}

const unsettled = (payouts: ReadonlyArray<Payout.Payout>): ReadonlyMap<string, number> =>
  new Map(
    payouts
      .filter((payout) => !Payout.isSettled(payout))
      .map((payout) => [payout.id, Result.getOrThrow(Payout.total(payout))]),
  )

describe("a statement, for any history of sales, refunds, expenses and incomes", () => {
  it.each([undefined, 1, 2_000])("has the payouts of a payout book (memory: %s)", (memoryBytes) => {
    fc.assert(
      fc.property(history, (drawn) => {
        const { until } = drawn
        const ledger = ledgerOf(drawn, { until, ...(memoryBytes && { memoryBytes }) })
        const found = payoutsOf(ledger.finish().sections).sort(byId)
        const expected = bookUpTo(drawn, until).map(({ items, ...head }) => ({
          ...head,
          items: items.map(itemText).sort(),
        }))
        expect(found).toEqual(expected.toSorted(byId))
        expect(ledger.balance.holds).toBe(true)
        ledger.close()
      }),
      { numRuns: 30 },
    )
  })

  it("brings forward what was to be paid when its period began, and lists what came to it", () => {
    fc.assert(
      fc.property(history, fc.double({ min: 0, max: 1, noNaN: true }), (drawn, part) => {
        const first = drawn.facts[0]?.at ?? drawn.until
        const from = Math.floor(first + (drawn.until - first) * part)
        const ledger = ledgerOf(drawn, { from, until: drawn.until })
        const payouts = ledger.finish().sections.flatMap((section) => section.payouts)
        const before = bookUpTo(drawn, from - 1)
        const open = unsettled(before)
        const settled = new Set(before.filter(Payout.isSettled).map(({ id }) => id))
        const all = bookUpTo(drawn, drawn.until).map(({ id }) => id)
        expect(payouts.map(({ id }) => id).sort()).toEqual(
          all.filter((id) => !settled.has(id)).sort(),
        )
        for (const { id, total, broughtForward, ofPeriod, all: items } of payouts) {
          // What is not mature takes with it what of it was there when the period began.
          if (drawn.maturityDays === 0) expect([id, broughtForward]).toEqual([id, open.get(id)])
          expect(sumOf(ofPeriod())).toBe(total - (broughtForward ?? 0))
          expect(sumOf(items())).toBe(total)
        }
        const forward = payouts.map((payout) => ({ ...payout, amount: payout.broughtForward ?? 0 }))
        const were = before.map((payout) => ({ ...payout, amount: open.get(payout.id) ?? 0 }))
        expect(forwardOf(forward)).toEqual(forwardOf(were))
        ledger.close()
      }),
      { numRuns: 60 },
    )
  })
})
