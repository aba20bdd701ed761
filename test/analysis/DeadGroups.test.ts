import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"
import { pairs } from "./HardQuestions.js"

const last: ProductGroup.Input = {
  id: "last",
  collaboratorId: "ada",
  link: { type: "products.all" },
  percent: 10,
}

test("the steps are for all groups, none has them alone", () => {
  const rules = RuleSet.make([...pairs(6), last])
  // Whether the last one counts is known after 64 steps, and there are eight groups.
  expect(Analysis.deadGroups(rules, { budget: 8 * 64 })).toEqual({ dead: [], undecided: [] })
  expect(Analysis.deadGroups(rules, { budget: 8 * 63 })).toEqual({
    dead: [],
    undecided: ["last"],
  })
})
