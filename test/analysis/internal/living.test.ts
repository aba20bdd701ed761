import { type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"
import { enoughToOutrank } from "../../../src/analysis/internal/living.js"
import { wholeOf } from "../../../src/analysis/internal/Parts.js"
import { settingOf } from "../../../src/analysis/internal/Setting.js"

const group = (
  id: string,
  createdAt: number,
  condition: ProductGroup.Input["condition"] = null,
): ProductGroup.Input => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.all" },
  condition,
  percent: 10,
  createdAt,
})

const asking = (...values: ReadonlyArray<string>) => ({ type: "order.tag", values }) as const

/** The groups that are named as enough to outrank the last one, the most specific first. */
const enough = (groups: ReadonlyArray<ProductGroup.Input>, steps: number): string => {
  const part = wholeOf([RuleSet.make(groups)], settingOf({}))
  const side = part.sides[0] ?? []
  const [last] = side.slice(-1)
  if (last === undefined) throw new RangeError("there are groups")
  return enoughToOutrank(last, side.slice(0, -1), { part, steps })
    .map((each) => each.group.id)
    .join(" ")
}

test("no step is taken for what is known already", () => {
  // One step tells that the first two are not enough, and one that the last two are.
  const byLast = [group("a", 9, asking("t")), group("b", 8), group("last", 1)]
  expect(enough(byLast, 2)).toBe("b")
  expect(enough(byLast, 1)).toBe("a b")
})

test("nor for what is known to be too few", () => {
  const four = ["a", "b", "c", "d"].map((id, index) => group(id, 9 - index))
  // One step tells that the first two are enough, and one that the first is.
  expect(enough([...four, group("last", 1)], 2)).toBe("a")
})
