import { type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"
import { enoughToOutrank } from "../../src/analysis/DeadGroups.js"
import { Budget, finish } from "../../src/analysis/internal/Budget.js"
import { Inquiry } from "../../src/analysis/internal/Inquiry.js"
import { settingOf } from "../../src/analysis/internal/ResolvedOptions.js"

const group = (
  id: string,
  createdAt: number,
  condition: ProductGroup.GroupInput["condition"] = null,
): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.all" },
  condition,
  percent: 10,
  createdAt,
})

const asking = (...values: ReadonlyArray<string>) => ({ type: "order.tag", values }) as const

/** The groups that are named as enough to outrank the last one, the most specific first. */
const enough = (groups: ReadonlyArray<ProductGroup.GroupInput>, steps: number): string => {
  const inquiry = new Inquiry([RuleSet.make(groups)], settingOf({}))
  const part = finish(inquiry.whole(inquiry.budget()))
  const side = part?.rows[0]?.list ?? []
  const [last] = side.slice(-1)
  if (part === undefined || last === undefined) throw new RangeError("there are groups")
  const found = finish(enoughToOutrank(last, side.slice(0, -1), part, Budget.of(steps)))
  return found.map((each) => each.group.id).join(" ")
}

test("no step is taken for what is known already", () => {
  const byLast = [group("a", 9, asking("t")), group("b", 8), group("last", 1)]
  expect(enough(byLast, 10)).toBe("b")
  expect(enough(byLast, 1)).toBe("a b")
})

test("nor for what is known to be too few", () => {
  const four = ["a", "b", "c", "d"].map((id, index) => group(id, 9 - index))
  // Two of them are asked about, and then one.
  expect(enough([...four, group("last", 1)], 10)).toBe("a")
})
