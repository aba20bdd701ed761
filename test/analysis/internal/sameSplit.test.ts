import { type Order, type ProductGroup, RuleSet, SplitPolicy } from "apportion"
import { expect, test } from "vitest"
import { isSameSplit } from "../../../src/analysis/internal/Comparison.js"

type Groups = ReadonlyArray<ProductGroup.GroupInput>

const pays = (
  id: string,
  percent: number,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.all" },
  percent,
  ...changes,
})

const orderOf = (amount: number): Order.Order => ({
  id: "1",
  currency: "USD",
  items: [{ id: "1", product: { id: "p" }, quantity: 1, amount }],
})

const isSame = (
  one: Groups,
  other: Groups,
  policy: Partial<SplitPolicy.SplitPolicy> = {},
  amount = 100,
) =>
  isSameSplit([RuleSet.make(one), RuleSet.make(other)], orderOf(amount), SplitPolicy.make(policy))

test("what somebody is paid by several groups counts together", () => {
  const policy = { stacking: "all" } as const
  const two = [pays("a", 10), pays("b", 20)]
  expect(isSame(two, [pays("c", 30)], policy)).toBe(true)
  for (const one of two) expect(isSame(two, [one], policy)).toBe(false)
})

test("who is paid nothing is paid as one who is not there", () => {
  expect(isSame([pays("a", 0)], [])).toBe(true)
  expect(isSame([pays("a", 1)], [])).toBe(false)
})

test("being refused is the same for both, and not the same as being paid", () => {
  const sam = (percent: number) => pays("b", percent, { collaboratorId: "sam" })
  const tooMuch = [pays("a", 60), sam(60)]
  expect(isSame(tooMuch, [pays("a", 70), sam(70)])).toBe(true)
  expect(isSame(tooMuch, [pays("a", 60)])).toBe(false)
  expect(isSame([pays("a", 60)], tooMuch)).toBe(false)
})

test("of figures beyond all numbers nothing is said", () => {
  const policy = { overAllocation: "allow" } as const
  const beyond = [pays("a", 100, { amount: 1 })]
  const most = Number.MAX_SAFE_INTEGER
  expect(isSame(beyond, [], policy, most)).toBe(true)
  expect(isSame([], beyond, policy, most)).toBe(true)
  expect(isSame(beyond, [], policy, most - 1)).toBe(false)
})
