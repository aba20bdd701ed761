import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"

const group = (id: string, link: ProductGroup.Input["link"]): ProductGroup.Input => ({
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
  const few = Analysis.overlaps(rules, { budget: 8 })
  expect(few.isComplete).toBe(false)
  expect(few.overlaps).toEqual(Analysis.overlaps(rules).overlaps.slice(0, few.overlaps.length))
  expect(few.overlaps.length).toBeGreaterThan(0)
})
