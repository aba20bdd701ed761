/** Groups on equal terms pay the same: every combination of what a group may pay, each against the engine. */
import { type Order, ProductGroup, type RuleSet, Split, SplitPolicy } from "apportion"
import { Result } from "effect"
import { expect, test } from "vitest"
import * as terms from "../../../src/analysis/internal/terms.js"

const blog = { type: "referer", values: ["blog"] } as const
const everything = { type: "products.all" } as const
const [none, nothing] = [null, 0]

/** All combinations of some choices. */
const combined = <A>(choices: { readonly [K in keyof A]: ReadonlyArray<A[K]> }) =>
  Object.entries<ReadonlyArray<unknown>>(choices).reduce<ReadonlyArray<object>>(
    (made, [name, values]) =>
      made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  )

const groups = combined({
  percent: [none, nothing, 50],
  amount: [none, nothing, 5],
  minAmount: [none, nothing, 30],
  maxAmount: [none, nothing, 100],
  shippingPercent: [none, nothing, 30],
  shippingAmount: [none, nothing, 2],
  deductForOtherSplits: [false, true],
}).flatMap((money) => {
  const group = { id: "g", collaboratorId: "ada", link: everything, condition: blog, ...money }
  const made = ProductGroup.parse(group)
  return Result.isSuccess(made) ? [made.success] : []
})

const sale = (amount: number, quantity: number, shippingAmount: number): Order.Order => ({
  id: "1",
  currency: "USD",
  referers: ["blog"],
  shippingAmount,
  items: [{ id: "1", product: { id: "p1" }, quantity, amount }],
})
const sales = [
  [1_000, 1, 0],
  [1_000, 3, 500],
  [77, 1, 7],
  [3, 2, 1],
  [0, 1, 100],
].map(([amount = 0, quantity = 0, shipping = 0]) => sale(amount, quantity, shipping))

const others = [
  { id: "o", collaboratorId: "sam", link: everything, percent: 33.33 },
  { id: "p", collaboratorId: "bob", link: everything, amount: 11, shippingAmount: 1 },
].map((group) => ProductGroup.make(group))

/** What everyone is paid of each sale, alone and beside others. */
const paidBy = (group: ProductGroup.ProductGroup, policy: SplitPolicy.SplitPolicy): string =>
  [[group], [group, ...others]]
    .map((rules) => ({ groups: rules }))
    .flatMap((rules: RuleSet.RuleSet) =>
      sales.map((order) => {
        const split = Split.orderResult(rules, order, policy)
        if (Result.isFailure(split)) return split.failure._tag
        const paid = new Map<string, number>()
        for (const { collaboratorId, amount } of split.success.shares) {
          paid.set(collaboratorId, (paid.get(collaboratorId) ?? 0) + amount)
        }
        return JSON.stringify([...paid].filter(([, amount]) => amount !== 0).sort())
      }),
    )
    .join("; ")

test.each([
  { shipping: "store", overAllocation: "allow" },
  { shipping: "share", overAllocation: "allow", flatScope: "order" },
  { shipping: "share", overAllocation: "scale" },
  { shipping: "charge", overAllocation: "rank" },
  { shipping: "charge", overAllocation: "allow", rounding: "floor" },
  { shipping: "all", overAllocation: "scale", flatScope: "item" },
  { shipping: "all", overAllocation: "rank" },
] as const)("under %o", (choices) => {
  const policy = SplitPolicy.make(choices)
  const known = new Map<string, { readonly paid: string; readonly first: object }>()
  const wrong: Array<object> = []
  let count = 0
  for (const group of groups) {
    const key = terms.keyOf(terms.termsOf(group, policy))
    const paid = paidBy(group, policy)
    const before = known.get(key)
    if (before === undefined) known.set(key, { paid, first: group })
    else {
      count += 1
      if (before.paid !== paid) wrong.push([before, { paid, group }])
    }
  }
  expect(wrong.slice(0, 2)).toEqual([])
  expect(count).toBeGreaterThan(300)
  expect(known.size).toBeGreaterThan(20)
})
