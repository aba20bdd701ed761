/** What a check says of claims that exceed what there is, and what it calls proved. */
import { describe, expect, test } from "vitest"
import { Analysis, Catalogue, type ProductGroup, RuleSet } from "../../src/index.js"
import { group } from "./Groups.js"

const product = (id: string) => ({ type: "products", values: [id] }) as const

const check = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  options: Analysis.CheckOptions = {},
): Analysis.Check => Analysis.check(RuleSet.make(groups), options)

const about = ({ findings }: Analysis.Check) =>
  findings.filter(
    ({ rule, message }) =>
      rule === "over-allocation" || rule === "two-ids" || / than it brings in /.test(message),
  )

const provedOf = ({ proved }: Analysis.Check) =>
  proved.filter(({ rule }) => rule === "over-allocation").map(({ message }) => message)

/** With each referer or without it 9 % are claimed: 36 % on every order, and 72 % if all could be at once. */
const hard = Array.from({ length: 8 }, (_, index) =>
  group(`g${index}`, {
    collaboratorId: `c${index}`,
    percent: 9,
    condition: {
      type: "referer",
      modifier: index % 2 === 0 ? "WITH" : "NOT",
      values: [`r${Math.floor(index / 2)}`],
    },
  }),
)

const one = group("one", { link: product("p1"), percent: 60 })
const other = group("other", { link: product("p2"), percent: 50, collaboratorId: "sam" })

describe("claims that exceed what there is", () => {
  test("are told by the ids of their groups, in order", () => {
    const groups = [
      group("z", { link: product("p1"), percent: 70 }),
      group("a", { percent: 60, collaboratorId: "sam" }),
    ]
    expect(about(check(groups)).map(({ groupIds }) => groupIds)).toEqual([["a", "z"]])
  })

  test("are told with nothing that there is none of", () => {
    const [finding] = about(check([one, { ...other, link: product("p1") }]))
    expect(Object.keys(finding ?? {}).sort()).toEqual(
      ["groupIds", "message", "rule", "severity", "witness"].sort(),
    )
  })

  test("leave nothing proved", () => {
    expect(provedOf(check([one, { ...other, link: product("p1") }]))).toEqual([])
  })

  test("are undecided of items of any kind where the budget does not suffice", () => {
    const harder = hard.map((each) => ({ ...each, percent: 20 }))
    expect(about(check(harder, { budget: 1 }))).toStrictEqual([
      {
        rule: "undecided",
        severity: "warning",
        groupIds: [],
        message:
          "Whether more can be claimed of an item than it brings in was not decided within the budget.",
      },
    ])
    expect(provedOf(check(harder, { budget: 1 }))).toEqual([])
    expect(provedOf(check(harder))).toHaveLength(1)
  })
})

describe("a product with two ids of the rules", () => {
  const text =
    "one of ada 60.00 USD and other of sam 50.00 USD can be claimed of a product whose id and external id are both named by rules, and that brings in 100.00 USD, 110.00 USD in all."

  test("is told to be one, and the others are proved to be sound", () => {
    const made = check([one, other])
    expect(about(made)).toMatchObject([
      { rule: "two-ids", severity: "note", groupIds: ["one", "other"], message: text },
    ])
    expect(provedOf(made)).toEqual([
      "No order can claim more of an item whose product goes by one id of the rules than it brings in.",
    ])
  })

  test("is not spoken of where one id is enough", () => {
    const greedy = [one, { ...other, percent: 100 }, group("all", { collaboratorId: "kim" })]
    const [finding, ...others] = about(check(greedy))
    expect(others).toEqual([])
    expect(finding).toMatchObject({ rule: "over-allocation", groupIds: ["all", "other"] })
    expect(finding?.message).toMatch(/ can be claimed of an item that brings in 100\.00 USD, /)
  })

  test("is told beside the others where the budget does not suffice for those", () => {
    const made = check([one, other, ...hard], { budget: 1_000 })
    expect(about(made).map(({ rule }) => rule)).toEqual(["undecided", "two-ids"])
    expect(provedOf(made)).toEqual([])
    expect(provedOf(check([one, other, ...hard]))).toHaveLength(1)
  })
})

describe("that no order can claim too much", () => {
  const isOfPercentages = (changes: Partial<ProductGroup.GroupInput>) =>
    provedOf(check([group("a", changes)])).map((message) => message.includes("Only percentages"))

  test("is said of percentages only where there are amounts of any kind", () => {
    expect(isOfPercentages({})).toEqual([false])
    expect(isOfPercentages({ amount: 0, minAmount: 0, shippingAmount: 0 })).toEqual([false])
    expect(isOfPercentages({ amount: 1 })).toEqual([true])
    expect(isOfPercentages({ minAmount: 1 })).toEqual([true])
    expect(isOfPercentages({ amount: 0, shippingAmount: 1 })).toEqual([true])
  })

  test("is said of a catalogue with all prices, without an exception", () => {
    const catalogue = Catalogue.make([{ id: "p1", price: 500 }])
    expect(provedOf(check([group("a", { amount: 1 })], { catalogue, mostDiscount: 10 }))).toEqual([
      "With a discount of at most 10.00 % and without tax in the price, no order can claim more of a product of the catalogue, at its price, than it brings in.",
    ])
  })
})
