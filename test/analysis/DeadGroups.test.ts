import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"
import { pigeons } from "./HardQuestions.js"

const last: ProductGroup.GroupInput = {
  id: "last",
  collaboratorId: "ada",
  link: { type: "products.all" },
  percent: 10,
}

const about = (count: number, budget: number) => {
  const rules = RuleSet.make([...pigeons(count), last])
  const { dead, undecided } = Analysis.deadGroups(rules, { budget })
  const isDead = dead.some(({ groupId }) => groupId === "last")
  return { isDead, isOpen: undecided.includes("last"), openCount: undecided.length }
}

test("the steps are for all groups: one that needs very many takes none away from most others", () => {
  const { isDead, isOpen, openCount } = about(8, 300_000)
  expect([isDead, isOpen]).toEqual([false, true])
  expect(openCount).toBeLessThan(pigeons(8).length / 2)
})

test("what the others leave is for those that need more than their share", () => {
  expect(about(4, 200_000)).toEqual({ isDead: true, isOpen: false, openCount: 0 })
})
