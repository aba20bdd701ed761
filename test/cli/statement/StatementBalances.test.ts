/** What the statement of files says of terms at its end. */
import { CountedRules } from "apportion"
import { expect, test } from "vitest"
import * as StatementBalances from "../../../src/cli/statement/StatementBalances.js"

const group = (id: string, terms: CountedRules.CountedGroupInput["terms"]) => ({
  ...{ id, collaboratorId: "ada", link: { type: "products.all" } as const, terms },
  ...(terms?.tiers == null && { percent: 10 }),
})

const bands = [
  { from: 0, percent: 10 },
  { from: 1_000, percent: 15 },
]

const standsOf = (
  groups: ReadonlyArray<CountedRules.CountedGroupInput>,
  counters: Readonly<Record<string, number>>,
) => {
  const rules = CountedRules.make(groups)
  const [agreements, collaborator] = [undefined, undefined]
  const counted = { rules, counters }
  const final = { agreements, collaborator, counted, timeZone: "UTC" }
  return [...StatementBalances.texts(final)].slice(2, -1).map((line) => line.trim().split(/ {2,}/))
}

test("each group has a row for each counter of what it counts, whoever counts it with it", () => {
  const tiers = { counted: "base", per: "collaborator", bands } as const
  const month = { amount: Number.MAX_SAFE_INTEGER, period: "month" } as const
  const groups = [group("a", { tiers }), group("b", { tiers, cap: month })]
  const counters = {
    "base/USD/lifetime/collaborator/ada": 999,
    "base/USD/2026/collaborator/ada": 5,
    "share/USD/2026-03/group/b": -1,
    // The name of a payout may look like a month.
    "share/USD/payout:2026-03/group/b": 7,
    "units/USD/lifetime/group/a": 3,
  }
  const now = "10.00% now, 15.00% from 10.00 USD on"
  const of = (id: string) => [id, "ada", "base", "USD", "lifetime", "9.99", now]
  const [most, paid] = ["90071992547409.91 USD", "-0.01 USD"]
  const cap = `${paid} of ${most} paid, ${most} left`
  expect(standsOf(groups, counters)).toEqual([
    of("a"),
    of("b"),
    ["b", "ada", "share", "USD", "2026-03", "-0.01", cap],
  ])
})
