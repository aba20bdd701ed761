import { Analysis, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"

type Link = ProductGroup.GroupInput["link"]
const all: Link = { type: "products.all" }
const tagged = (...values: ReadonlyArray<string>): Link => ({ type: "products.tag", values })
const vendor = (...values: ReadonlyArray<string>): Link => ({ type: "products.vendor", values })

/** Of groups with the same kind of link, that of the smaller id is the more specific one. */
const group = (
  id: string,
  link: Link,
  percent: number,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({ id, collaboratorId: "ada", link, percent, ...changes })

const said = (groups: ReadonlyArray<ProductGroup.GroupInput>, options: Analysis.Options = {}) =>
  Analysis.redundantGroups(RuleSet.make(groups), options)

const redundant = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  options: Analysis.Options = {},
) =>
  said(groups, options).redundant.map(
    ({ groupId, insteadOfIt }) => `${groupId}: ${insteadOfIt.join(" ")}`,
  )

describe("a group can go", () => {
  test("not when it counts in the place of one that is gone already", () => {
    const groups = [
      group("a", tagged("x"), 10),
      group("b", tagged("x", "y"), 10),
      group("c", tagged("y", "w"), 10),
      group("d", all, 20),
    ]
    expect(redundant(groups)).toEqual(["a: b"])
  })

  test("when what counts in its place otherwise is hidden by a group above it", () => {
    const groups = [
      group("b", vendor("X"), 50),
      group("c", vendor("X", "Y"), 10),
      group("d", vendor("X", "W"), 20),
      group("e", all, 10),
    ]
    expect(redundant(groups)).toEqual(["c: e"])
  })

  test("where every group is paid, when it pays nothing and is alive", () => {
    const groups = [
      group("pays", all, 10),
      group("nothing", all, 0),
      group("dead", tagged(), 0),
      group("twin", all, 10),
    ]
    expect(said(groups, { policy: { stacking: "all" } })).toEqual({
      redundant: [{ groupId: "nothing", collaboratorId: "ada", insteadOfIt: [] }],
      undecided: [],
    })
  })
})

describe("where flat amounts are paid once an order", () => {
  const once = { policy: { flatScope: "order" } } as const

  test("a percentage can go as anywhere", () => {
    expect(redundant([group("a", tagged("x"), 10), group("b", all, 10)], once)).toEqual(["a: b"])
  })

  test("an amount of which nothing is left can go, when none counts in its place", () => {
    expect(redundant([group("a", all, 0, { amount: 50, maxAmount: 0 })], once)).toEqual(["a: "])
  })
})

test("it is undecided whether a group can go while it is not known who counts in its place", () => {
  const groups = [
    group("a", tagged("x"), 10),
    group("b", all, 10, { condition: { type: "order.tag", values: ["y"] } }),
    group("c", all, 20),
  ]
  expect(said(groups)).toEqual({ redundant: [], undecided: [] })
  // With fewer steps one group after the other is undecided, the one for which it takes most of them first.
  const budgets = Array.from({ length: 80 }, (_, index) => index + 1)
  const answers = budgets.map((budget) => said(groups, { budget }))
  for (const { redundant } of answers) expect(redundant).toEqual([])
  expect(answers.map(({ undecided }) => undecided)).toContainEqual(["a"])
})
