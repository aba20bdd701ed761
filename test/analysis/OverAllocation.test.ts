import { Analysis, Catalogue, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"

const all = { type: "products.all" } as const
const group = (
  id: string,
  collaboratorId: string,
  changes: Partial<ProductGroup.Input> = {},
): ProductGroup.Input => ({ id, collaboratorId, link: all, percent: 60, ...changes })

const vendor = (modifier: ProductGroup.Modifier, ...values: ReadonlyArray<string>) =>
  ({ type: "products.vendor", modifier, values }) as const

test("a product of no vendor has only one vendor to do without", () => {
  // Each gives up ten for sixty when the product is of a vendor of its own; it can be of one vendor only.
  const rules = RuleSet.make(
    ["ada", "sam"].flatMap((name) => [
      group(`${name}-10`, name, { link: vendor("NOT", name), percent: 10 }),
      group(`${name}-60`, name, { percent: 60 }),
    ]),
  )
  expect(Analysis.overAllocation(rules).verdict).toBe("impossible")
})

test("the product of an example is called by an id that no rule knows", () => {
  const rules = RuleSet.make([
    group("a", "ada"),
    group("b", "sam", {
      link: { type: "products", modifier: "NOT", values: ["any-product", "any-product-"] },
    }),
  ])
  expect(Analysis.overAllocation(rules).witness?.order.items[0]?.product).toEqual({
    id: "any-product--",
  })
})

test("a product without a cost costs nothing", () => {
  const rules = RuleSet.make([group("a", "ada", { amount: 41, percent: 60 })])
  const ask = (cost?: number) =>
    Analysis.overAllocation(rules, {
      policy: { cost: "deduct" },
      catalogue: Catalogue.make([{ id: "p", price: 100, ...(cost === undefined ? {} : { cost }) }]),
    }).verdict
  expect([ask(), ask(0), ask(1)]).toEqual(["possible", "possible", "impossible"])
})
