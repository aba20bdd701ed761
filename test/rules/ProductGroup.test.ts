import { ProductGroup, RuleSet } from "apportion"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const good = {
  id: "g1",
  collaboratorId: "ada",
  link: { type: "products.tag", values: ["art"] },
  percent: "12.5",
} as const

const problems = (input: unknown) => {
  const result = ProductGroup.parse(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}

const messages = (input: unknown) => {
  const result = ProductGroup.parse(input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, message }) => `${path}: ${message}`)
    : []
}

describe("a product group", () => {
  it("says in words what its fields must be to each other", () => {
    const limits = { minAmount: 10, maxAmount: 5, startsAt: 20, endsAt: 20 }
    expect(messages({ ...good, ...limits })).toEqual([
      "maxAmount: must be above minAmount (10), got 5",
      "endsAt: must be above startsAt (20), got 20",
    ])
    expect(messages({ ...good, percent: null })).toEqual([
      "percent: a group needs a percent, an amount or both",
    ])
    const condition = { type: "order.tag", values: ["vip"] }
    expect(messages({ ...good, condition, deductForOtherSplits: true })).toEqual([
      "deductForOtherSplits: only a group with a referer condition can be deducted, " +
        'its condition is "order.tag"',
    ])
    expect(messages({ ...good, deductForOtherSplits: true })).toEqual([
      expect.stringMatching(/can be deducted, its condition is nothing$/),
    ])
  })

  it("says which fields there are when it has another one", () => {
    const { id: _, ...fields } = good
    expect(messages({ ...fields, id: "g1", precent: 10 })).toEqual([
      "precent: is no field of a group; the fields are id, collaboratorId, link, condition, percent, " +
        "amount, shippingPercent, shippingAmount, deductForOtherSplits, minAmount, maxAmount, " +
        "startsAt, endsAt, createdAt",
    ])
  })

  it("has one of four links and one of five conditions, each with WITH or with NOT", () => {
    const links = ["products", "products.tag", "products.vendor", "products.all"]
    expect(ProductGroup.linkTypes).toEqual(links)
    const conditions = ["order.tag", "customer.tag", "discount.code", "country.code", "referer"]
    expect(ProductGroup.conditionTypes).toEqual(conditions)
    for (const modifier of ["WITH", "NOT"]) {
      for (const type of links) {
        const link = { type, modifier, values: ["a"] }
        expect(problems({ ...good, link }), type).toEqual([])
      }
      for (const type of conditions) {
        const condition = { type, modifier, values: ["a"] }
        expect(problems({ ...good, condition }), type).toEqual([])
      }
    }
    for (const type of ["", "products.", "Products", "not"]) {
      expect(problems({ ...good, link: { type, values: [] } })).toEqual([["link.type", type]])
      const condition = { type, modifier: type, values: [] }
      expect(problems({ ...good, condition })).toEqual([
        ["condition.type", type],
        ["condition.modifier", type],
      ])
    }
  })

  it("may have its minimum at its maximum, and begins before it ends", () => {
    expect(problems({ ...good, minAmount: 5, maxAmount: 5 })).toEqual([])
    expect(problems({ ...good, startsAt: 20, endsAt: 21 })).toEqual([])
    expect(problems({ ...good, startsAt: 21, endsAt: 20 })).toEqual([["endsAt", 20]])
  })

  it("has no limits to compare where one of them is no number", () => {
    expect(problems({ ...good, minAmount: "9", maxAmount: 5 })).toEqual([["minAmount", "9"]])
    expect(problems({ ...good, minAmount: 9, maxAmount: "5" })).toEqual([["maxAmount", "5"]])
  })

  it("is for every product that its link says nothing about, and asks with WITH", () => {
    const condition = { type: "referer", values: ["blog"] } as const
    const made = ProductGroup.make({ ...good, link: { type: "products.all" }, condition })
    expect(made.link).toEqual({ type: "products.all", modifier: "WITH", values: [] })
    expect(made.condition).toEqual({ type: "referer", modifier: "WITH", values: ["blog"] })
  })

  it("throws an error that names itself and every field", () => {
    const broken = { ...good, id: "", percent: 120 }
    expect(() => ProductGroup.make(broken)).toThrow(ProductGroup.InvalidProductGroup)
    const result = ProductGroup.parse(broken)
    expect(Result.isFailure(result) && result.failure).toMatchObject({
      _tag: "InvalidProductGroup",
      message: expect.stringMatching(/^id: .*; percent: must be a percentage/s),
    })
  })

  it("is completed with what has no effect", () => {
    expect(ProductGroup.make(good)).toEqual({
      id: "g1",
      collaboratorId: "ada",
      link: { type: "products.tag", modifier: "WITH", values: ["art"] },
      condition: null,
      percent: "12.50",
      amount: null,
      shippingPercent: null,
      shippingAmount: null,
      deductForOtherSplits: false,
      minAmount: null,
      maxAmount: null,
      startsAt: null,
      endsAt: null,
      createdAt: null,
    })
  })

  it("is the same when a made group is made again", () => {
    const made = ProductGroup.make(good)
    expect(ProductGroup.make(made)).toEqual(made)
  })

  it("tells every problem at once, each with path and value", () => {
    const broken = {
      id: "",
      collaboratorId: 7,
      link: { type: "products.colour", modifier: "with", values: ["a", 5] },
      condition: { type: "referer" },
      percent: "12.345",
      amount: 1.5,
      minAmount: 10,
      maxAmount: 5,
      startsAt: 20,
      endsAt: 20,
    }
    expect(problems(broken)).toEqual([
      ["id", ""],
      ["collaboratorId", 7],
      ["link.type", "products.colour"],
      ["link.modifier", "with"],
      ["link.values[1]", 5],
      ["condition.values", undefined],
      ["percent", "12.345"],
      ["amount", 1.5],
      ["maxAmount", 5],
      ["endsAt", 20],
    ])
  })

  it("has no fields but its own: a misspelt one would limit nothing", () => {
    expect(problems({ ...good, maxAmmount: 5, precent: 10 })).toEqual([
      ["maxAmmount", 5],
      ["precent", 10],
    ])
  })

  it("has times in seconds, not in milliseconds", () => {
    expect(problems({ ...good, startsAt: 1_746_180_000_000 })).toEqual([
      ["startsAt", 1_746_180_000_000],
    ])
  })

  it("needs a percent or an amount", () => {
    expect(problems({ ...good, percent: null })).toEqual([["percent", null]])
    expect(problems({ ...good, percent: null, amount: 0 })).toEqual([])
  })

  it("is deducted for others only under a referer condition", () => {
    const deducting = { ...good, deductForOtherSplits: true }
    expect(problems(deducting)).toEqual([["deductForOtherSplits", true]])
    const condition = { type: "referer", values: ["sam"] }
    expect(problems({ ...deducting, condition })).toEqual([])
  })

  it.each([null, 5, "group", undefined])("is not made of %j", (input) => {
    expect(problems(input)).toEqual([["", input]])
  })

  it("is not made of a list", () => {
    expect(Result.isFailure(ProductGroup.parse([]))).toBe(true)
    expect(problems([]).filter(([path]) => path === "percent")).toEqual([])
  })
})

describe("a rule set", () => {
  it("tells the problems of all groups with their places", () => {
    const result = RuleSet.parse([good, { ...good, id: "g2", percent: "NaN" }, good, 5])
    expect(Result.isFailure(result) && result.failure.problems.map((each) => each.path)).toEqual([
      "[1].percent",
      "[3]",
      "[2].id",
    ])
  })

  it("says what is wrong with its groups in words, each with its place", () => {
    const tell = (groups: ReadonlyArray<unknown>) => {
      const result = RuleSet.parse(groups)
      return Result.isFailure(result) ? result.failure : undefined
    }
    const twice = tell([good, { ...good, id: "g2" }, good])
    expect(twice?.problems).toEqual([
      { path: "[2].id", value: "g1", message: 'must be unique, group [0] has the id "g1" too' },
    ])
    expect(twice?._tag).toBe("InvalidRuleSet")
    expect(twice?.message).toBe('[2].id: must be unique, group [0] has the id "g1" too')
    expect(
      tell([
        { ...good, id: undefined },
        { ...good, id: undefined },
      ])?.problems,
    ).toHaveLength(2)
    expect(tell([5, 5, null])?.problems.map(({ path, value }) => [path, value])).toEqual([
      ["[0]", 5],
      ["[1]", 5],
      ["[2]", null],
    ])
    expect(tell(JSON.parse('"groups"'))?.problems).toEqual([
      { path: "", value: "groups", message: 'must be a list of groups, got "groups"' },
    ])
    expect(tell([{ ...good, id: "a" }, good])).toBeUndefined()
  })

  it("throws the same typed error from its short form", () => {
    expect(() => RuleSet.make([{ ...good, percent: "101" } as ProductGroup.GroupInput])).toThrow(
      RuleSet.InvalidRuleSet,
    )
  })

  it("is refused when it is no list", () => {
    expect(Result.isFailure(RuleSet.parse(JSON.parse('{"a":1}')))).toBe(true)
  })
})
