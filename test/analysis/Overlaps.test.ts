import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"

const group = (id: string, link: ProductGroup.GroupInput["link"]): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link,
  percent: 10,
})

const rules = RuleSet.make([
  group("art", { type: "products.tag", values: ["art"] }),
  group("north", { type: "products.vendor", values: ["North"] }),
  group("rest", { type: "products.all" }),
  group("shop", { type: "products.all" }),
])

test("the more specific of two groups wins, sometimes or wherever the other applies", () => {
  const told = (winner: string, loser: string, isAlways = false) => ({
    collaboratorId: "ada",
    winner,
    loser,
    isAlways,
  })
  expect(Analysis.overlaps(rules)).toEqual({
    overlaps: [
      told("art", "north"),
      told("art", "rest"),
      told("north", "rest"),
      told("art", "shop"),
      told("north", "shop"),
      told("rest", "shop", true),
    ],
    isComplete: true,
  })
})

test("no group takes another's place where all are paid", () => {
  expect(Analysis.overlaps(rules, { policy: { stacking: "all" } })).toEqual({
    overlaps: [],
    isComplete: true,
  })
})

test("the list ends where the steps do", () => {
  const all = Analysis.overlaps(rules).overlaps
  const counts = new Set<number>()
  for (let budget = 1; budget <= 100; budget += 1) {
    const { overlaps, isComplete } = Analysis.overlaps(rules, { budget })
    expect(overlaps).toEqual(all.slice(0, overlaps.length))
    if (isComplete) expect(overlaps).toHaveLength(all.length)
    else counts.add(overlaps.length)
  }
  expect(counts.has(0) && counts.size > 1).toBe(true)
})
