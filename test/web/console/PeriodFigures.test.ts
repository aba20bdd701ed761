import { describe, expect, test } from "vitest"
import {
  add,
  type CurrencyFigures,
  type PeriodFigures,
} from "../../../src/web/console/PeriodFigures.js"

const sold = (shares: number, store: number) => ({
  ...{ sales: 1, refunds: 0, came_in: shares + store, shares, store },
})

const inCurrency = (
  currency: string,
  months: ReadonlyArray<readonly [month: string, shares: number]>,
  who = "ada",
): CurrencyFigures => {
  const shares = months.reduce((sum, [, amount]) => sum + amount, 0)
  return {
    currency,
    ...sold(shares, 10 * months.length),
    sales: months.length,
    came_in: shares + 10 * months.length,
    months: months.map(([month, amount]) => ({ month, ...sold(amount, 10) })),
    collaborators: [
      {
        collaborator_id: who,
        collaborator_name: null,
        amount: shares,
        months: months.map(([, amount]) => amount),
      },
    ],
    others: null,
  }
}

const period = (
  next: number | null,
  ...currencies: ReadonlyArray<CurrencyFigures>
): PeriodFigures => ({
  first_sale_at: 1,
  last_sale_at: 9,
  next,
  currencies,
})

describe("the figures of a period that came in two answers", () => {
  test("are added up by month and by collaborator, where the second begins within a month", () => {
    const first = period(
      5,
      inCurrency("EUR", [
        ["2025-11", 7],
        ["2025-12", 20],
        ["2026-01", 0],
      ]),
    )
    const second = period(
      null,
      inCurrency(
        "EUR",
        [
          ["2025-12", 3],
          ["2026-01", 40],
        ],
        "ben",
      ),
    )
    const [euros] = add(first, second)?.currencies ?? []
    expect(euros).toMatchObject({ sales: 5, came_in: 120, shares: 70, store: 50 })
    expect(euros?.months.map(({ month, shares }) => [month, shares])).toEqual([
      ["2025-11", 7],
      ["2025-12", 23],
      ["2026-01", 40],
    ])
    expect(euros?.collaborators).toEqual([
      { collaborator_id: "ben", collaborator_name: null, amount: 43, months: [0, 3, 40] },
      { collaborator_id: "ada", collaborator_name: null, amount: 27, months: [7, 20, 0] },
    ])
  })

  test("have every month of a currency that only the second answer knows", () => {
    const first = period(
      5,
      inCurrency("EUR", [
        ["2025-12", 20],
        ["2026-01", 0],
      ]),
    )
    const second = period(null, inCurrency("USD", [["2026-01", 4]]))
    const whole = add(first, second)
    expect(whole?.next).toBe(null)
    expect(whole?.currencies.map(({ currency }) => currency)).toEqual(["EUR", "USD"])
    expect(whole?.currencies[1]?.months.map(({ shares }) => shares)).toEqual([0, 4])
    expect(whole?.currencies[1]?.collaborators[0]?.months).toEqual([0, 4])
  })

  test("list nobody where somebody may be listed in one answer and not in the other", () => {
    const crowded = {
      ...inCurrency("EUR", [["2026-01", 40]]),
      others: { collaborators: 3, amount: 9 },
    }
    const quiet = period(null, inCurrency("EUR", [["2026-01", 2]]))
    const once = add(period(5, crowded), quiet)
    expect(once?.currencies[0]).toMatchObject({
      shares: 42,
      collaborators: [],
      has_all_earners: false,
    })
    const twice = once === undefined ? undefined : add(once, quiet)
    expect(twice?.currencies[0]).toMatchObject({
      shares: 44,
      collaborators: [],
      has_all_earners: false,
    })
  })

  test("are none where no number holds a sum exactly", () => {
    const most = period(5, inCurrency("EUR", [["2026-01", Number.MAX_SAFE_INTEGER - 10]]))
    expect(add(most, period(null, inCurrency("EUR", [["2026-01", 1]])))).toBe(undefined)
  })
})
