import { Analysis, Catalogue, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import { pairs } from "./HardQuestions.js"

const group = (
  id: string,
  collaboratorId: string,
  percent: number,
  createdAt = 1,
): ProductGroup.Input => ({
  id,
  collaboratorId,
  link: { type: "products.all" },
  percent,
  createdAt,
})

const catalogue = Catalogue.make([{ id: "p" }])

const unpaid = (groups: ReadonlyArray<ProductGroup.Input>, options: Analysis.Options = {}) =>
  Analysis.unpaidProducts(RuleSet.make(groups), catalogue, options)

describe("of a product somebody is paid", () => {
  test("when a group counts that pays, not when it is outranked", () => {
    const groups = [group("new", "ada", 0, 2), group("old", "ada", 10)]
    expect(unpaid(groups)).toEqual({ products: ["p"], undecided: [] })
    expect(unpaid(groups, { policy: { stacking: "all" } }).products).toEqual([])
  })

  test("whatever groups of others come before", () => {
    expect(unpaid([group("new", "sam", 0, 2), group("old", "ada", 10)]).products).toEqual([])
  })
})

describe("where it takes many steps to tell whether anybody is paid", () => {
  // It is found after 64 steps that there is an order on which the last one counts.
  const hard = [...pairs(6), group("rest", "ada", 10)]

  test("a search has more of them than a small part of few", () => {
    expect(unpaid(hard, { budget: 1_000 })).toEqual({ products: [], undecided: [] })
    expect(unpaid(hard, { budget: 60 })).toEqual({ products: [], undecided: ["p"] })
  })

  test("no search has all of very many", () => {
    const harder = [...pairs(13), group("rest", "ada", 10)]
    expect(unpaid(harder, { budget: 20_000 })).toEqual({ products: [], undecided: ["p"] })
  })

  test("products with the same groups are looked at once", () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ id: `p${index}` }))
    const said = Analysis.unpaidProducts(RuleSet.make(hard), Catalogue.make(many), { budget: 100 })
    expect(said).toEqual({ products: [], undecided: [] })
  })
})
