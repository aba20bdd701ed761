import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"

const group = (
  id: string,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({
  id,
  collaboratorId: id,
  link: { type: "products.all" },
  percent: 10,
  ...changes,
})

test("groups are told together with others only", () => {
  const rules = RuleSet.make([
    group("a"),
    group("b", { startsAt: 10 }),
    group("c"),
    group("d", { startsAt: 20 }),
  ])
  expect(Analysis.togetherGroups(rules)).toEqual([["a", "c"]])
})

test("dates that were over by the time that is asked about tell no groups apart", () => {
  const rules = RuleSet.make([
    group("a", { startsAt: 10, endsAt: 30 }),
    group("b", { startsAt: 15, endsAt: 30 }),
  ])
  expect(Analysis.togetherGroups(rules)).toEqual([])
  expect(Analysis.togetherGroups(rules, { from: 15 })).toEqual([["a", "b"]])
})

test("groups that are over by then apply to nothing together", () => {
  const rules = RuleSet.make([group("a", { endsAt: 15 }), group("b", { endsAt: 15 })])
  expect(Analysis.togetherGroups(rules, { from: 14 })).toEqual([["a", "b"]])
  expect(Analysis.togetherGroups(rules, { from: 15 })).toEqual([])
})
