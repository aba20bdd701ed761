import { type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"

test("a product that five thousand groups are for is looked up each time, and right each time", () => {
  const link = { type: "products.tag", values: ["art"] } as const
  const groups = Array.from(
    { length: 5_000 },
    (_, index): ProductGroup.GroupInput => ({
      id: `g${String(index).padStart(4, "0")}`,
      collaboratorId: "ada",
      link,
      percent: 1,
    }),
  )
  const rules = RuleSet.make(groups)
  const item = { id: "1", product: { id: "p1", tags: ["Art"] }, quantity: 1, amount: 100 }
  const order = { id: "1001", currency: "USD", items: [item] }
  for (let time = 0; time < 2; time += 1) {
    const ids = RuleSet.matchingGroups(rules, order, item).map(({ id }) => id)
    expect(ids).toEqual(groups.map(({ id }) => id))
  }
})
