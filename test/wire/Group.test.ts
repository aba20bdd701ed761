import { Collaborator, Page, PageRequest, ProductGroup } from "apportion"
import { Group } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const request = {
  id: "g1",
  collaborator_id: "ada",
  itemType: "products.tag",
  items: ["art", "wall"],
  type_modifier: "NOT",
  splitConditionType: "referer",
  splitConditions: ["sam-blog"],
  condition_modifier: "NOT",
  type: "percentage",
  percent: "12.5",
  amount: 900,
  deduct_for_other_splits: true,
  shipping_percent: 3,
  shipping_amount: 40,
  min_amount: 10,
  max_amount: 5_000,
  starts_at: 1_704_067_200,
  ends_at: "2025-01-01T00:00:00Z",
  created_at: 1_700_000_000,
}

const read = (input: unknown, options: Group.ReadOptions = {}) =>
  Result.getOrThrow(Group.read(input, options))
const readWith = (changes: object) => read({ ...request, ...changes })

const problemsOf = (input: unknown, options: Group.ReadOptions = {}) => {
  const result = Group.read(input, options)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, value }) => [path, value])
    : []
}
const problemsWith = (changes: object) => problemsOf({ ...request, ...changes })

const without = (...keys: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(request).filter(([key]) => !keys.includes(key)))

describe("a create request", () => {
  it("is read with every field", () => {
    expect(read(request)).toEqual({
      id: "g1",
      collaboratorId: "ada",
      link: { type: "products.tag", modifier: "NOT", values: ["art", "wall"] },
      condition: { type: "referer", modifier: "NOT", values: ["sam-blog"] },
      percent: "12.50",
      amount: null,
      shippingPercent: "3.00",
      shippingAmount: 40,
      deductForOtherSplits: true,
      minAmount: 10,
      maxAmount: 5_000,
      startsAt: 1_704_067_200,
      endsAt: 1_735_689_600,
      createdAt: 1_700_000_000,
    })
  })

  it("gives a group that the core accepts unchanged", () => {
    expect(ProductGroup.make(read(request))).toEqual(read(request))
  })

  it("needs little: who, what and how much", () => {
    const small = { id: 7, collaborator_id: 8, itemType: "products.all", percent: 5 }
    expect(read(small)).toMatchObject({
      id: "7",
      collaboratorId: "8",
      link: { type: "products.all", modifier: "WITH", values: [] },
      condition: null,
      percent: "5.00",
    })
  })

  it.each([
    ["product.tag", "products.tag"],
    ["products.tags", "products.tag"],
    ["product.vendor", "products.vendor"],
    ["products.vendor", "products.vendor"],
    ["product.all", "products.all"],
    ["products.all", "products.all"],
    ["product", "products"],
    ["products", "products"],
    [" Products.Tag ", "products.tag"],
  ])("reads the link type %s as %s", (written, type) => {
    expect(readWith({ itemType: written }).link.type).toBe(type)
  })

  it.each([
    ["WITH", "WITH"],
    ["NOT", "NOT"],
    ["not", "NOT"],
    [["NOT"], "NOT"],
    [["with"], "WITH"],
    [[], "WITH"],
    [null, "WITH"],
    [undefined, "WITH"],
  ])("reads the modifier %j as %s, on the link and on the condition", (written, modifier) => {
    const group = readWith({ type_modifier: written, condition_modifier: written })
    expect([group.link.modifier, group.condition?.modifier]).toEqual([modifier, modifier])
  })

  it.each([["12.5"], ["12.50"], [12.5]])("reads a percentage written as %j", (percent) => {
    expect(readWith({ percent }).percent).toBe("12.50")
    expect(read({ ...without("percent"), percentage: percent }).percent).toBe("12.50")
  })

  it("accepts the percentage under both names when it is the same", () => {
    expect(readWith({ percent: "12.50", percentage: 12.5 }).percent).toBe("12.50")
    expect(problemsWith({ percent: "12.50", percentage: 13 })).toEqual([["percentage", 13]])
  })

  it("lets type say which of percent and amount counts, and ignores the other", () => {
    expect(readWith({ type: "flat" })).toMatchObject({ percent: null, amount: 900 })
    expect(readWith({ type: "percentage" })).toMatchObject({ percent: "12.50", amount: null })
    expect(readWith({ type: "flat", percent: "not a number" }).percent).toBeNull()
    expect(readWith({ type: "percentage", amount: "not a number" }).amount).toBeNull()
  })

  it("infers the type when only one of percent and amount is there", () => {
    expect(read(without("type", "amount"))).toMatchObject({ percent: "12.50", amount: null })
    expect(read(without("type", "percent"))).toMatchObject({ percent: null, amount: 900 })
    expect(problemsOf(without("type"))).toEqual([["type", undefined]])
    expect(problemsOf(without("type", "percent", "amount"))).toEqual([["type", undefined]])
  })

  it("takes product ids as numbers, but not tags", () => {
    const ids = readWith({ itemType: "products", items: [632_910_392, "p2"] })
    expect(ids.link.values).toEqual(["632910392", "p2"])
    expect(problemsWith({ items: ["art", 5] })).toEqual([["items[1]", 5]])
  })

  it("ignores any values for all products", () => {
    expect(readWith({ itemType: "products.all", items: [1, null, {}] }).link.values).toEqual([])
    expect(readWith({ itemType: "products.all", items: "anything" }).link.values).toEqual([])
  })

  it("deducts for other splits with a referer condition only", () => {
    const deducts = (changes: object) => readWith(changes).deductForOtherSplits
    expect(deducts({})).toBe(true)
    expect(deducts({ splitConditionType: "order.tag" })).toBe(false)
    expect(deducts({ splitConditionType: null })).toBe(false)
    expect(deducts({ deduct_for_other_splits: null })).toBe(false)
  })

  it("has no condition when its type is null, whatever values are left", () => {
    expect(readWith({ splitConditionType: null }).condition).toBeNull()
  })

  it("is refused when condition values stand there without a type", () => {
    expect(problemsOf(without("splitConditionType"))).toEqual([["splitConditionType", undefined]])
    expect(read({ ...without("splitConditionType"), splitConditions: [] }).condition).toBeNull()
  })

  it("wants country codes of two letters", () => {
    const country = { splitConditionType: "country.code", deduct_for_other_splits: false }
    expect(readWith({ ...country, splitConditions: ["be", "NL"] }).condition?.values).toEqual([
      "be",
      "NL",
    ])
    expect(problemsWith({ ...country, splitConditions: ["BE", "Belgium"] })).toEqual([
      ["splitConditions[1]", "Belgium"],
    ])
  })

  it("takes ids and time of creation from beside the JSON when it has none", () => {
    const options = { id: "new", collaboratorId: "ben", createdAt: 5 }
    const bare = without("id", "collaborator_id", "created_at")
    expect(read(bare, options)).toMatchObject({ id: "new", collaboratorId: "ben", createdAt: 5 })
    expect(read(request, options)).toMatchObject({ id: "g1", collaboratorId: "ada" })
  })

  it("may have no values, unless they are required", () => {
    const bare = { ...request, items: [], splitConditions: [] }
    expect(problemsOf(bare)).toEqual([])
    expect(problemsOf(bare, { requireValues: true })).toEqual([
      ["splitConditions", []],
      ["items", []],
    ])
    expect(problemsOf({ ...request, items: ["art", " "] }, { requireValues: true })).toEqual([
      ["items[1]", " "],
    ])
    expect(
      problemsOf({ ...without("items"), itemType: "products.all" }, { requireValues: true }),
    ).toEqual([])
    expect(problemsOf(without("items"), { requireValues: true })).toEqual([["items", undefined]])
  })

  it("tells limits and dates that contradict each other", () => {
    expect(problemsWith({ min_amount: 10, max_amount: 9 })).toEqual([["max_amount", 9]])
    expect(problemsWith({ min_amount: 10, max_amount: 10 })).toEqual([])
    expect(problemsWith({ starts_at: 5, ends_at: "1970-01-01T00:00:05Z" })).toEqual([
      ["ends_at", "1970-01-01T00:00:05Z"],
    ])
  })

  it("tells every problem at once, in the wire's own names", () => {
    expect(
      problemsOf({
        id: "",
        itemType: "products.colour",
        type_modifier: ["WITH", "NOT"],
        splitConditionType: "weekday",
        type: "percentage",
        percent: "12.345",
        deduct_for_other_splits: "yes",
        shipping_percent: 101,
        min_amount: -1,
        starts_at: "2024-01-01",
      }),
    ).toEqual([
      ["splitConditionType", "weekday"],
      ["deduct_for_other_splits", "yes"],
      ["id", ""],
      ["collaborator_id", undefined],
      ["type_modifier", ["WITH", "NOT"]],
      ["itemType", "products.colour"],
      ["percent", "12.345"],
      ["shipping_percent", 101],
      ["min_amount", -1],
      ["starts_at", "2024-01-01"],
    ])
  })

  it("tells what type asks for and is not there", () => {
    expect(problemsOf(without("percent"))).toEqual([["percent", undefined]])
    expect(problemsOf({ ...without("amount"), type: "flat" })).toEqual([["amount", undefined]])
    expect(problemsOf({ ...without("amount"), type: "both" })).toEqual([["amount", undefined]])
    expect(problemsOf({ ...without("percent"), type: "both" })).toEqual([["percent", undefined]])
    expect(problemsWith({ type: "neither" })).toEqual([["type", "neither"]])
  })

  it("puts where it stands before the paths", () => {
    expect(problemsOf({ ...request, id: null }, { path: "[3]" })).toEqual([["[3].id", null]])
    expect(problemsOf("a text", { path: "[3]" })).toEqual([["[3]", "a text"]])
  })

  it("is not changed by keys that mean something to JavaScript", () => {
    const hostile: unknown = JSON.parse(
      `{"__proto__":{"percent":"99","id":"evil"},"constructor":{"prototype":{"x":1}},${JSON.stringify(request).slice(1)}`,
    )
    expect(read(hostile)).toEqual(read(request))
    expect(Reflect.get({}, "percent")).toBeUndefined()
    expect(problemsOf(JSON.parse('{"__proto__":{"id":"g1"}}'))[0]).toEqual(["id", undefined])
  })
})

const answered = {
  id: "g1",
  type: "product.tag",
  type_values: ["art"],
  condition: "country.code",
  condition_values: ["BE"],
  amount: null,
  shipping_amount: null,
  percent: "12.50",
  shipping_percent: null,
  created_at: 1_700_000_000,
  updated_at: 1_700_000_001,
  products_count: 3,
  collaborator: { id: "ada", currency: "USD" },
}

describe("a group as the service answers with it", () => {
  it("is recognised and read", () => {
    expect(read(answered)).toEqual({
      id: "g1",
      collaboratorId: "ada",
      link: { type: "products.tag", modifier: "WITH", values: ["art"] },
      condition: { type: "country.code", modifier: "WITH", values: ["BE"] },
      percent: "12.50",
      amount: null,
      shippingPercent: null,
      shippingAmount: null,
      deductForOtherSplits: false,
      minAmount: null,
      maxAmount: null,
      startsAt: null,
      endsAt: null,
      createdAt: 1_700_000_000,
    })
  })

  it("is recognised by its link type alone", () => {
    expect(read({ id: "g", collaborator_id: "a", type: "product.all", percent: 5 }).link.type).toBe(
      "products.all",
    )
  })

  it("pays both percent and amount when both are set, and neither is an error", () => {
    expect(read({ ...answered, amount: 5 })).toMatchObject({ percent: "12.50", amount: 5 })
    expect(problemsOf({ ...answered, percent: null })).toEqual([["percent", null]])
  })

  it("has its problems in its own names", () => {
    const broken = {
      ...answered,
      type: "product.size",
      condition: "moon",
      collaborator: { id: null },
    }
    expect(problemsOf(broken)).toEqual([
      ["condition", "moon"],
      ["collaborator.id", null],
      ["type", "product.size"],
    ])
    expect(problemsOf({ ...answered, type_values: [1], condition_values: [2] })).toEqual([
      ["condition_values[0]", 2],
      ["type_values[0]", 1],
    ])
    expect(problemsOf({ ...answered, collaborator: "ada" })[0]).toEqual(["collaborator", "ada"])
  })
})

const make = (input: Partial<ProductGroup.GroupInput>) =>
  ProductGroup.make({
    id: "g1",
    collaboratorId: "ada",
    link: { type: "products.all" },
    percent: "12.50",
    ...input,
  })
const collaborator = Collaborator.make({ id: "ada", currency: "USD" })
const products = Page.of([{ id: "p1" }], PageRequest.first, { path: "/products" })
const surroundings = { collaborator, updatedAt: 9, productsCount: 3, products }

describe("a written group", () => {
  it("has exactly the fields of a list entry", () => {
    const view = Group.writeListed(make({ createdAt: 7, shippingPercent: 1 }), surroundings)
    expect(Object.keys(view)).toEqual([
      "id",
      "type",
      "type_values",
      "condition",
      "condition_values",
      "amount",
      "shipping_amount",
      "percent",
      "shipping_percent",
      "created_at",
      "updated_at",
      "collaborator",
      "products_count",
    ])
    expect(view).toMatchObject({
      type: "products.all",
      condition: null,
      condition_values: null,
      percent: "12.50",
      shipping_percent: "1.00",
      created_at: 7,
      updated_at: 9,
      products_count: 3,
    })
  })

  it("has a page of products instead of their number when it stands alone", () => {
    const view = Group.writeView(make({}), surroundings)
    expect("products_count" in view).toBe(false)
    expect(view.products.data.map(({ id }) => id)).toEqual(["p1"])
    expect(view.percent).toBe("12.50")
    expect(view.created_at).toBe(9)
  })

  it("has percentages as numbers after a change", () => {
    const view = Group.writeChanged(make({ shippingPercent: "0.07" }), surroundings)
    expect([view.percent, view.shipping_percent]).toEqual([12.5, 0.07])
    expect(Group.writeChanged(make({ percent: null, amount: 5 }), surroundings).percent).toBeNull()
    expect("products_count" in view).toBe(false)
  })

  it.each([
    ["products.tag", "product.tag"],
    ["products.vendor", "products.vendor"],
    ["products", "products"],
    ["products.all", "products.all"],
  ] as const)("spells the link type %s as %s", (type, written) => {
    const group = make({ link: { type, values: ["x"] } })
    expect(Group.writeListed(group, surroundings).type).toBe(written)
  })

  it("shows its collaborator with the fields of product groups", () => {
    const { collaborator: shown } = Group.writeListed(make({}), surroundings)
    expect(shown.account.is_managed).toBe(false)
    expect(shown.should_pay_automatically).toBe(true)
  })

  it("is a request of both when it pays a percentage and a flat amount", () => {
    const both = make({ amount: 500 })
    expect(Group.writeRequest(both)).toMatchObject({ type: "both", percent: "12.50", amount: 500 })
    expect(Result.getOrThrow(Group.read(Group.writeRequest(both)))).toEqual(both)
  })
})
