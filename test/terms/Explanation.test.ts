import { CountedRules, CountedSplit, Explanation, Permissions, SeenExplanation } from "apportion"
import { describe, expect, it } from "vitest"

const link = { type: "products.all" } as const

const sold = (
  group: Omit<CountedRules.CountedGroupInput, "id" | "collaboratorId" | "link">,
  sale: { readonly quantity: number; readonly amount: number },
  counters = {},
) => {
  const rules = CountedRules.make([{ id: "g1", collaboratorId: "ada", link, ...group }])
  const items = [{ id: "1", product: { id: "p1" }, ...sale }]
  const order = { id: "1001", currency: "USD", createdAt: 1_773_500_000, items }
  return Explanation.ofSplit(CountedSplit.order(rules, order, undefined, counters).split)
}

/** What is said of the share. */
const said = (explanation: Explanation.Explanation, language: "en" | "de" | "ar" = "en") =>
  Explanation.toText(explanation, { language }).replaceAll("\u00a0", " ").split("\n")[2]?.trim()

const bands = [
  { from: 0, percent: 10 },
  { from: 1_000, percent: 15 },
]
const byUnits = { terms: { tiers: { counted: "units", bands } } } as const

/** The steps of a share add up to it. */
const checkSum = ({ items }: Explanation.Explanation) => {
  for (const share of items.flatMap(({ shares }) => shares)) {
    expect(share.steps.reduce((sum, { amount }) => sum + amount, 0)).toBe(share.amount)
  }
}

describe("what a term did", () => {
  it("is said of a share over two bands, by units", () => {
    const explanation = sold(
      byUnits,
      { quantity: 1_000, amount: 1_000_000 },
      {
        "units/USD/lifetime/group/g1": 200,
      },
    )
    checkSum(explanation)
    expect(said(explanation)).toBe(
      "ada gets 1100.00 USD (group g1): 800 of its 1,000 units were at 10.00%, 200 at 15.00%: 1100.00 USD. Units counted: 200 before it, 1,200 with it.",
    )
    expect(said(explanation, "de")).toBe(
      "ada erhält 1.100,00 USD (Gruppe g1): 800 von 1.000 Stück zu 10,00 %, 200 zu 15,00 %: 1.100,00 USD. Gezählte Stück: 200 davor, 1.200 mit diesem Verkauf.",
    )
    expect(said(explanation, "ar")).toContain("وحدة بنسبة")
    const [share] = explanation.items[0]?.shares ?? []
    expect(share?.percent).toBeNull()
    expect(share?.terms?.tiers?.bands.map(({ counted }) => counted)).toEqual([800, 200])
  })

  it("is said of a share in one band with its percentage", () => {
    const explanation = sold(
      byUnits,
      { quantity: 3, amount: 9_999 },
      {
        "units/USD/lifetime/group/g1": 1_000,
      },
    )
    checkSum(explanation)
    expect(said(explanation)).toBe(
      "ada gets 15.00 USD (group g1): 15.00% of 99.99 USD is 14.9985 USD, rounded up to 15.00 USD (an odd cent went here). Units counted: 1,000 before it, 1,003 with it.",
    )
  })

  it("is said of bases and of shares as amounts", () => {
    const byBase = { terms: { tiers: { counted: "base", bands } } } as const
    expect(said(sold(byBase, { quantity: 1, amount: 2_000 }))).toBe(
      "ada gets 2.50 USD (group g1): 10.00 USD of its 20.00 USD were at 10.00%, 10.00 USD at 15.00%: 2.50 USD. Counted: 0.00 USD before it, 20.00 USD with it.",
    )
    const byShare = { terms: { tiers: { counted: "share", bands } } } as const
    expect(said(sold(byShare, { quantity: 1, amount: 20_000 }))).toBe(
      "ada gets 25.00 USD (group g1): of 25.00 USD, 10.00 USD were earned at 10.00%, 15.00 USD at 15.00%: 25.00 USD. Counted: 0.00 USD before it, 25.00 USD with it.",
    )
  })

  it("is said of a return", () => {
    const explanation = sold(
      byUnits,
      { quantity: 4, amount: -4_000 },
      {
        "units/USD/lifetime/group/g1": 1_002,
      },
    )
    checkSum(explanation)
    expect(said(explanation)).toBe(
      "ada gets -5.00 USD (group g1): 2 of its 4 units were at 15.00%, 2 at 10.00%: -5.00 USD. Units counted: 1,002 before it, 998 with it.",
    )
  })

  it("is said of a cap: what it cut, and what is left of it", () => {
    const capped = { percent: 10, terms: { cap: { amount: 500, period: "month" } } } as const
    const cut = sold(capped, { quantity: 1, amount: 9_000 })
    checkSum(cut)
    expect(said(cut)).toBe(
      "ada gets 5.00 USD (group g1): 10.00% of 90.00 USD is 9.00 USD; 4.00 USD less to stay within the cap. The cap of 5.00 USD in 2026-03 is reached.",
    )
    expect(cut.items[0]?.shares[0]?.steps).toEqual([
      { what: "percent", amount: 900 },
      { what: "cap", amount: -400 },
    ])
    expect(said(sold(capped, { quantity: 1, amount: 2_000 }))).toBe(
      "ada gets 2.00 USD (group g1): 10.00% of 20.00 USD is 2.00 USD. 3.00 USD of the cap of 5.00 USD in 2026-03 is left.",
    )
    expect(said(cut, "de")).toContain("Die Obergrenze von 5,00 USD für 2026-03 ist erreicht.")
    expect(said(cut, "ar")).toContain("بُلغ السقف")
  })

  it("keeps a maximum and a cap apart", () => {
    const both = { percent: 50, maxAmount: 600, terms: { cap: { amount: 500 } } } as const
    const explanation = sold(both, { quantity: 1, amount: 2_000 })
    checkSum(explanation)
    expect(explanation.items[0]?.shares[0]?.amount).toBe(500)
    const steps = explanation.items[0]?.shares[0]?.steps ?? []
    expect(steps.map(({ what }) => what)).toEqual(["percent", "maximum", "cap"])
  })

  it("is told to a collaborator who may see nothing without what it would reveal", () => {
    const none = { id: "ada", permissions: Permissions.none }
    const text = (explanation: Explanation.Explanation) =>
      SeenExplanation.toText(SeenExplanation.of(explanation, none)).split("\n")[1]?.trim()
    const capped = { percent: 10, terms: { cap: { amount: 500 } } } as const
    expect(text(sold(capped, { quantity: 1, amount: 9_000 }))).toBe(
      "You get 5.00 USD (group g1): 10.00%, cut to the group's cap.",
    )
    const tiers = sold(
      byUnits,
      { quantity: 1_000, amount: 1_000_000 },
      {
        "units/USD/lifetime/group/g1": 200,
      },
    )
    expect(text(tiers)).toBe(
      "You get 1100.00 USD (group g1): several percentages, as the bands say, come to 1100.00 USD.",
    )
  })
})
