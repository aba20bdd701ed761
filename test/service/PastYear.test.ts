import { makeApportion } from "apportion/promise"
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../generators/Runs.js"

// A year that was lived day by day, with payouts closed and paid on their days, and the same year imported afterwards.

const shop = "shop"
const begin = Date.UTC(2024, 0, 1) / 1_000
const end = Date.UTC(2025, 0, 1) / 1_000
const day = 86_400
const people = ["ada", "bo"] as const

interface Deed {
  readonly at: number
  readonly amount: number
  /** Of which earlier sale it is a refund, counted from the last; `undefined`: it is a sale. */
  readonly of: number | undefined
}

const deed: fc.Arbitrary<Deed> = fc.record({
  at: fc.integer({ min: begin, max: end - 1 }),
  amount: fc.integer({ min: 100, max: 90_000 }),
  of: fc.option(fc.nat(4), { nil: undefined, freq: 3 }),
})

const rates = { "USD/EUR": "0.9173" }

const open = async (now: () => number) => {
  const all = await makeApportion({ now, exchangeRates: rates })
  for (const [index, id] of people.entries()) {
    const terms = { payoutMeasurement: "monthly_date", payoutFrequency: 1 + 14 * index } as const
    await all.collaborators.create(shop, { id, currency: "EUR", ...terms })
    const link = { type: "products.all" } as const
    await all.groups.create(shop, id, { id, link, percent: index === 0 ? "12.50" : "7.25" })
  }
  return all
}

type Opened = Awaited<ReturnType<typeof open>>

const orderOf = ({ at, amount }: Deed, index: number) => ({
  ...{ id: `o${index}`, currency: amount % 3 === 0 ? "USD" : "EUR", createdAt: at },
  items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount }],
})

/** Sales and refunds in the order of their times; a refund takes a third of a sale back. */
const entriesOf = (deeds: ReadonlyArray<Deed>) => {
  const sorted = [...deeds].sort((one, other) => one.at - other.at)
  const sold: Array<number> = []
  return sorted.map((one, index) => {
    const place = one.of === undefined ? undefined : sold.at(-1 - one.of)
    const sale = place === undefined ? undefined : sorted[place]
    if (place === undefined || sale === undefined) {
      sold.push(index)
      return { at: one.at, sale: orderOf(one, index) }
    }
    sold.splice(sold.indexOf(place), 1)
    const amount = Math.ceil(sale.amount / 3)
    const refund = { id: `r${index}`, orderId: `o${place}`, itemId: "1", amount }
    return { at: one.at, refund: { ...refund, refundedAt: one.at } }
  })
}

const settle = async ({ payouts }: Opened) => {
  await payouts.closeDue(shop)
  for (const { payout } of await payouts.listPayable(shop, 100)) {
    await payouts.pay(shop, payout.id, { total: payout.total })
  }
}

const figures = async ({ statements }: Opened, from: number, until: number) => {
  const all = people.map(async (id) => (await statements.of(shop, id, { from, until })).statements)
  return Promise.all(all)
}

test("the statements of an imported year are those of the year as it was lived", async () => {
  let refunds = 0
  let compared = 0
  const property = fc.asyncProperty(
    fc.array(deed, { minLength: 1, maxLength: 25 }),
    // Until before the end of the year: then all that was imported was paid, and what was lived may be due later.
    fc.array(fc.integer({ min: 0, max: 365 }), { minLength: 2, maxLength: 2 }),
    fc.array(fc.nat(40), { maxLength: 25 }),
    async (deeds, days, order) => {
      const entries = entriesOf(deeds)
      const clock = { now: begin }
      const lived = await open(() => clock.now)
      for (let month = 0, next = 0; month <= 24; month += 1) {
        const due = Date.UTC(2024, Math.floor(month / 2), month % 2 === 0 ? 1 : 15) / 1_000
        for (; next < entries.length && (entries[next]?.at ?? due) < due; next += 1) {
          const entry = entries[next]
          clock.now = entry?.at ?? due
          if (entry?.sale !== undefined) await lived.sales.record(shop, entry.sale)
          if (entry?.refund !== undefined) await lived.sales.refund(shop, entry.refund)
        }
        clock.now = due
        await settle(lived)
      }
      const imported = await open(() => end + day)
      // A sale comes before its refund; otherwise the order does not matter.
      const shuffled = entries
        .map((entry, index) => ({ entry, place: (order[index] ?? 0) + (entry.refund ? 100 : 0) }))
        .sort((one, other) => one.place - other.place)
      const paidUntil = end
      for (let at = 0; at < shuffled.length; at += 7) {
        const some = shuffled.slice(at, at + 7).map(({ entry }) => entry)
        const given = some.map((entry) =>
          entry.sale === undefined ? { refund: entry.refund } : { sale: entry.sale },
        )
        const outcomes = await imported.pastSales.recordAll(shop, given, { paidUntil })
        expect(outcomes.map(({ type }) => type)).toEqual(given.map(() => "imported"))
      }
      const [first = 0, last = 0] = [...days].sort((one, other) => one - other)
      const [from, until] = [begin + first * day, begin + last * day + 1]
      const [was, is] = [await figures(lived, from, until), await figures(imported, from, until)]
      const earned = (all: typeof was) =>
        all.map((one) => one.map(({ sales, refunds: back }) => [sales, back]))
      expect(earned(is)).toEqual(earned(was))
      // What is not above zero is carried over where it is lived; where it is imported it was paid then.
      const { entries: listed } = await imported.payouts.list(shop, {}, { page: 1, perPage: 100 })
      const isAbove = listed.every(({ payout }) => payout.total > 0)
      if (isAbove) {
        expect(is).toEqual(was)
        compared += 1
      }
      refunds += entries.filter(({ refund }) => refund !== undefined).length
      expect((await imported.audit.payouts(shop)).differences).toEqual([])
      expect(await imported.payouts.listPayable(shop, 5)).toEqual([])
      await Promise.all([lived.close(), imported.close()])
    },
  )
  await fc.assert(property, { numRuns: Math.max(24, Math.ceil(runs(100, 20).numRuns / 4)) })
  expect(refunds).toBeGreaterThan(0)
  expect(compared).toBeGreaterThan(0)
}, 60_000)
