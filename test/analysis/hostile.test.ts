import { Analysis, Catalogue, type ProductGroup, RuleSet } from "apportion"
import { expect, test } from "vitest"

const all = { type: "products.all" } as const
const budget = 20_000

test("lists of which one value each must be left out are given up, and not guessed", () => {
  const names = Array.from({ length: 40 }, (_, index) => `v${index}`)
  const lists = names.map((_, at) => [0, 7, 13].map((step) => names[(at + step) % 40] ?? "v"))
  const groups = lists.map(
    (values, index): ProductGroup.GroupInput => ({
      id: `n${index}`,
      collaboratorId: "ada",
      link: { type: "products.tag", modifier: "NOT", values },
      percent: 5,
    }),
  )
  const rules = RuleSet.make([
    ...groups,
    { id: "all", collaboratorId: "ada", link: all, percent: 1 },
  ])
  const { dead, undecided } = Analysis.deadGroups(rules, { budget: 500 })
  expect(dead.map(({ groupId }) => groupId)).not.toContain("all")
  expect(undecided).toContain("all")
  expect(["different", "undecided"]).toContain(
    Analysis.equivalent(rules, RuleSet.remove(rules, "all"), { budget }).verdict,
  )
})

test("hundreds of dates, and hundreds of groups of one collaborator", () => {
  const groups = Array.from(
    { length: 300 },
    (_, index): ProductGroup.GroupInput => ({
      id: `g${index}`,
      collaboratorId: "ada",
      link: { type: "products.tag", values: [`t${index % 20}`] },
      percent: 1,
      createdAt: index,
      startsAt: index,
      endsAt: index + 150,
    }),
  )
  const rules = RuleSet.make(groups)
  expect(Analysis.deadGroups(rules).undecided).toEqual([])
  expect(Analysis.overAllocation(rules).verdict).toBe("impossible")
  expect(Analysis.overAllocation(rules, { policy: { stacking: "all" } }).verdict).not.toBe(
    "undecided",
  )
  expect(Analysis.overlaps(rules, { budget }).isComplete).toBe(false)
})

test("a thousand groups of one collaborator, with long lists, are checked", () => {
  const groups = Array.from(
    { length: 1_000 },
    (_, index): ProductGroup.GroupInput => ({
      id: `g${index}`,
      collaboratorId: "ada",
      link: {
        type: "products.tag",
        values: Array.from({ length: 5 }, (_, at) => `t${index * 5 + at}`),
      },
      percent: 5,
      createdAt: index,
    }),
  )
  expect(Analysis.check(RuleSet.make(groups)).findings).toEqual([])
})

test("thousands of values in one group", () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `t${index}`)
  const link = { type: "products.tag", values } as const
  const rules = RuleSet.make([
    { id: "a", collaboratorId: "ada", link, percent: 60 },
    { id: "b", collaboratorId: "sam", link: { ...link, modifier: "NOT" }, percent: 60 },
  ])
  expect(Analysis.overAllocation(rules).verdict).toBe("impossible")
  expect(Analysis.deadGroups(rules)).toEqual({ dead: [], undecided: [] })
})

test("products that are there twice, that are free, and that cost less than nothing", () => {
  const rules = RuleSet.make([{ id: "a", collaboratorId: "ada", link: all, percent: 100 }])
  const ask = (price: number, cost: number) =>
    Analysis.overAllocation(rules, {
      policy: { cost: "deduct" },
      catalogue: Catalogue.make([
        { id: "p", price, cost },
        { id: "p", price, cost },
      ]),
    })
  expect(ask(100, 0).verdict).toBe("impossible")
  expect(ask(0, 0).verdict).toBe("impossible")
  expect(ask(100, -1).products).toMatchObject([{ products: ["p", "p"] }])
})
