import { Analysis, Catalogue, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"
import { pigeons } from "./HardQuestions.js"

const group = (
  id: string,
  collaboratorId: string,
  percent: number,
  createdAt = 1,
): ProductGroup.GroupInput => ({
  id,
  collaboratorId,
  link: { type: "products.all" },
  percent,
  createdAt,
})

const catalogue = Catalogue.make([{ id: "p" }])

const unpaid = (groups: ReadonlyArray<ProductGroup.GroupInput>, options: Analysis.Options = {}) =>
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
  // The last one never counts, and the others pay nothing.
  const hard = [...pigeons(6), group("rest", "ada", 10)]

  test("they are all looked at, or none is said to be without anybody", () => {
    expect(unpaid(hard, { budget: 2_000_000 })).toEqual({ products: ["p"], undecided: [] })
    expect(unpaid(hard, { budget: 100 })).toEqual({ products: [], undecided: ["p"] })
  })

  test("somebody else who is paid is found all the same", () => {
    const harder = [...pigeons(12), group("rest", "ada", 10), group("sam", "sam", 10)]
    expect(unpaid(harder, { budget: 20_000 })).toEqual({ products: [], undecided: [] })
  })

  test("products with the same groups are looked at once", () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ id: `p${index}` }))
    const sold = Catalogue.make(many)
    const { products } = Analysis.unpaidProducts(RuleSet.make(hard), sold, { budget: 2_000_000 })
    expect(products).toHaveLength(20)
  })
})
