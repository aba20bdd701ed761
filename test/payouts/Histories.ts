import type { Collaborator, PayoutBook } from "apportion"
import fc from "fast-check"
import { adjusted, entered, refunded, sold } from "./Facts.js"
import { seconds } from "./Instant.js"
import { collaborator } from "./Samples.js"

/** Random histories of a store: who is paid how, and what happened, in the order of time. */
export interface History {
  readonly people: ReadonlyArray<Collaborator.Collaborator>
  readonly timeZone: string
  readonly hasRates: boolean
  readonly maturityDays: number
  readonly facts: ReadonlyArray<PayoutBook.Fact>
  readonly until: number
}

const start = seconds("2024-01-15T12:00:00")
const hour = 3_600
const names = ["ada", "sam"] as const

const person = (id: string) =>
  fc
    .record({
      currency: fc.constantFrom("USD", "EUR"),
      payoutMeasurement: fc.constantFrom("month", "monthly_date", "week", "day"),
      payoutFrequency: fc.integer({ min: 1, max: 3 }),
      payoutThreshold: fc.constantFrom(0, 0, 50, 400),
      payoutHoldingDays: fc.constantFrom(null, 0, 3, 20, 60),
      shouldPayAutomatically: fc.constantFrom(true, true, true, false),
    })
    .map((terms) => collaborator({ id, ...terms }))

/** Waits are mostly whole days, so that facts meet due dates to the second. */
const wait = fc.oneof(
  fc.constantFrom(0, 12 * hour, 24 * hour, 48 * hour),
  fc.integer({ min: 0, max: 40 * 24 * hour }),
)

const step = fc.record({
  wait,
  what: fc.constantFrom(
    "split",
    "split",
    "split",
    "refund",
    "refund",
    "adjustment",
    "expense",
    "income",
    "undone",
  ),
  who: fc.constantFrom(...names),
  amounts: fc.tuple(fc.integer({ min: -60, max: 200 }), fc.integer({ min: 0, max: 200 })),
  currency: fc.constantFrom("USD", "EUR", "JPY"),
  percent: fc.constantFrom(0, 10, 33, 50, 100),
  pick: fc.nat(),
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** What is left of each order's shares and their adjustments, so that refunds are possible ones. */
interface Sold {
  readonly id: string
  readonly currency: string
  readonly left: Record<string, number>
  readonly runs: Record<string, Record<string, number>>
}

/** Takes a part of all that is left. */
const taking = (left: Record<string, number>, percent: number): Record<string, number> => {
  const taken: Record<string, number> = {}
  for (const [name, amount] of Object.entries(left)) {
    taken[name] = Math.trunc((amount * percent) / 100)
    left[name] = amount - taken[name]
  }
  return taken
}

const factOf = (
  { what, who, amounts, currency, percent, pick }: Step,
  { at, id, orders }: { at: number; id: string; orders: Array<Sold> },
): PayoutBook.Fact => {
  const order = orders[pick % Math.max(1, orders.length)]
  if (what === "split" || (what !== "expense" && what !== "income" && order === undefined)) {
    // Now and then somebody has no share of it at first.
    const shares = { [names[0]]: amounts[0], ...(pick % 5 === 0 ? {} : { [names[1]]: amounts[1] }) }
    orders.push({ id, currency, left: { ...shares }, runs: {} })
    return sold(id, at, shares, currency)
  }
  if (what === "adjustment" && order !== undefined) {
    const changes = {
      [names[1]]: amounts[0],
      ...(pick % 3 === 0 ? {} : { [names[0]]: -amounts[1] }),
    }
    order.runs[id] = { ...changes }
    return adjusted(order.id, at, id, changes, order.currency)
  }
  if (what === "refund" && order !== undefined) {
    const ofRuns = Object.entries(order.runs).map(([run, left]) => [run, taking(left, percent)])
    return refunded(
      order.id,
      at,
      taking(order.left, percent),
      undefined,
      Object.fromEntries(ofRuns),
    )
  }
  return entered(what === "income" ? "income" : "expense", id, at, Math.abs(amounts[0]) + 1, who)
}

const undoneAfter = 32 * 24 * hour

/** A sale with an expense beside it, and all of it taken back when its payout may be closed and not paid yet. */
const undone = (
  { who, amounts: [first] }: Step,
  { at, id }: { readonly at: number; readonly id: string },
): ReadonlyArray<PayoutBook.Fact> => {
  const shares = { [who]: Math.abs(first) + 300 }
  return [
    sold(id, at, shares),
    entered("expense", `${id} expense`, at, Math.abs(first) + 1, who),
    refunded(id, at + undoneAfter, shares),
  ]
}

export const history: fc.Arbitrary<History> = fc
  .record({
    people: fc.tuple(person(names[0]), person(names[1])),
    timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
    hasRates: fc.boolean(),
    maturityDays: fc.constantFrom(0, 0, 1, 14, 30, 90),
    steps: fc.array(step, { maxLength: 30 }),
    wait,
  })
  .map(({ people, timeZone, hasRates, maturityDays, steps, wait: last }) => {
    let at = start
    const orders: Array<Sold> = []
    const facts = steps.flatMap((each, index) => {
      at += each.wait
      const id = String(index)
      if (each.what !== "undone") return [factOf(each, { at, id, orders })]
      const found = undone(each, { at, id })
      at += undoneAfter
      return found
    })
    return { people, timeZone, hasRates, maturityDays, facts, until: at + last }
  })

/** The rate of these histories, for any two currencies. */
export const rateOf = (from: string, to: string): string =>
  `${(from.charCodeAt(0) % 7) + 1}.${to.charCodeAt(0)}3`
