import { ProductGroup } from "apportion"
import { Group } from "apportion/wire"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const group = ProductGroup.make({
  id: "g1",
  collaboratorId: "ada",
  link: { type: "products.tag", modifier: "NOT", values: ["art"] },
  condition: { type: "referer", modifier: "NOT", values: ["blog"] },
  percent: "12.50",
  shippingPercent: "3.00",
  shippingAmount: 40,
  deductForOtherSplits: true,
  minAmount: 10,
  maxAmount: 5_000,
  startsAt: 1_704_067_200,
  endsAt: 1_735_689_600,
  createdAt: 1_700_000_000,
})

const merged = (input: unknown, from = group) => Result.getOrThrow(Group.merge(from, input))

const problems = (input: unknown, from = group) => {
  const result = Group.merge(from, input)
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, message }) => `${path}: ${message}`)
    : []
}

describe("a change of a group", () => {
  it("that says nothing changes nothing", () => {
    expect(merged({})).toEqual(group)
  })

  it("never changes id, collaborator and time of creation", () => {
    const body = { id: "g9", collaborator_id: "sam", collaborator: { id: "sam" }, created_at: 5 }
    expect(merged(body)).toEqual(group)
  })

  it("replaces only the values of the link", () => {
    const link = { ...group.link, values: ["wall", "print"] }
    expect(merged({ items: ["wall", "print"] })).toEqual({ ...group, link })
  })

  it("keeps the modifier of the link unless it says another", () => {
    expect(merged({ type_modifier: [] }).link.modifier).toBe("NOT")
    expect(merged({ type_modifier: null }).link.modifier).toBe("NOT")
    expect(merged({ type_modifier: ["WITH"] }).link.modifier).toBe("WITH")
  })

  it("to another link type comes with its values", () => {
    const link = { type: "products.vendor", modifier: "NOT", values: ["North"] }
    expect(merged({ itemType: "products.vendor", items: ["North"] })).toEqual({ ...group, link })
    expect(problems({ itemType: "products.vendor" })).toEqual([
      "items: is missing, a change of itemType needs its values",
    ])
  })

  it("to the other spelling of its link type is none", () => {
    expect(merged({ itemType: "product.tag" })).toEqual(group)
  })

  it("to all products needs no values", () => {
    const link = { type: "products.all", modifier: "NOT", values: [] }
    expect(merged({ itemType: "products.all" })).toEqual({ ...group, link })
  })

  it("from all products to some needs values", () => {
    const all = { ...group, link: { type: "products.all", modifier: "WITH", values: [] } as const }
    expect(problems({ itemType: "products" }, all)).toHaveLength(2)
    expect(merged({ itemType: "products", items: [17] }, all).link.values).toEqual(["17"])
  })

  it("takes the condition away with null, and its deduction with it", () => {
    const change = { condition: null, deductForOtherSplits: false }
    expect(merged({ splitConditionType: null })).toEqual({ ...group, ...change })
    expect(merged({ splitConditionType: null, splitConditions: [] })).toEqual({
      ...group,
      ...change,
    })
  })

  it("replaces only the values of the condition", () => {
    const condition = { type: "referer", modifier: "NOT", values: ["shop"] }
    expect(merged({ splitConditions: ["shop"] })).toEqual({ ...group, condition })
  })

  it("sets the modifier of the condition back with null", () => {
    expect(merged({ condition_modifier: null }).condition?.modifier).toBe("WITH")
  })

  it("to another condition type comes with its values", () => {
    expect(merged({ splitConditionType: "country.code", splitConditions: ["DE"] })).toMatchObject({
      condition: { type: "country.code", modifier: "NOT", values: ["DE"] },
      deductForOtherSplits: false,
    })
    expect(problems({ splitConditionType: "order.tag" })).toEqual([
      "splitConditions: is missing, a change of splitConditionType needs its values",
    ])
  })

  it("gives a group its first condition", () => {
    const free = { ...group, condition: null, deductForOtherSplits: false }
    const body = { splitConditionType: "order.tag", splitConditions: ["vip"] }
    expect(merged(body, free).condition).toEqual({
      type: "order.tag",
      modifier: "WITH",
      values: ["vip"],
    })
    expect(merged({ splitConditions: [] }, free)).toEqual(free)
    expect(problems({ splitConditions: ["vip"] }, free)).toEqual([
      expect.stringContaining("splitConditionType"),
    ])
  })

  it("leaves no link and no condition without values", () => {
    expect(problems({ items: [] })).toEqual([expect.stringContaining("items")])
    expect(problems({ items: [" "] })).toEqual(["items[0]: must not be blank"])
    expect(problems({ splitConditions: [] })).toEqual([expect.stringContaining("splitConditions")])
  })

  it("switches from a percentage to a flat amount and back", () => {
    const flat = merged({ type: "flat", amount: 500 })
    expect(flat).toEqual({ ...group, percent: null, amount: 500 })
    expect(merged({ type: "percentage", percentage: 7 }, flat).percent).toBe("7.00")
    expect(problems({ type: "flat" })).toEqual([expect.stringContaining("amount: is missing")])
  })

  it("takes the percentage under both names", () => {
    expect(merged({ percent: "5" }).percent).toBe("5.00")
    expect(merged({ percentage: 5.5 }).percent).toBe("5.50")
    expect(problems({ percent: 5, percentage: 6 })).toEqual([
      "percentage: is 6.00, but percent is 5.00: give one of them",
    ])
    expect(problems({ percent: null })).toEqual([expect.stringContaining("percent: ")])
  })

  it("ignores the pay that does not count, as a create request does", () => {
    expect(merged({ percent: 5, amount: 900 })).toEqual({ ...group, percent: "5.00" })
    expect(merged({ amount: null })).toEqual(group)
  })

  it("is refused when it pays in another kind without saying so", () => {
    const needed =
      "type: is missing, it must be flat for amount to count: the group is percentage now"
    expect(problems({ amount: 900 })).toEqual([needed])
    const flat = { ...group, percent: null, amount: 500 }
    expect(problems({ percentage: 9 }, flat)).toEqual([
      "type: is missing, it must be percentage for percentage to count: the group is flat now",
    ])
  })

  it("keeps both pays of a group that has both, until it says which counts", () => {
    const both = { ...group, amount: 500 }
    expect(merged({ percent: 5 }, both)).toEqual({ ...both, percent: "5.00" })
    expect(merged({ amount: null }, both)).toEqual(group)
    expect(merged({ percent: null }, both)).toEqual({ ...both, percent: null })
    expect(merged({ type: "flat" }, both)).toEqual({ ...both, percent: null })
    expect(merged({ type: "both", amount: 500 })).toEqual({ ...group, amount: 500 })
    expect(problems({ percent: null, amount: null }, both)).not.toEqual([])
  })

  it("takes limits, dates and shipping away with null", () => {
    const names = ["shipping_percent", "shipping_amount", "min_amount", "max_amount"]
    const body = Object.fromEntries([...names, "starts_at", "ends_at"].map((name) => [name, null]))
    expect(merged(body)).toEqual({
      ...group,
      shippingPercent: null,
      shippingAmount: null,
      minAmount: null,
      maxAmount: null,
      startsAt: null,
      endsAt: null,
    })
  })

  it("is checked together with what stays", () => {
    expect(problems({ min_amount: 6_000 })).toEqual([
      "max_amount: must be at least min_amount (6000), got 5000",
    ])
    expect(problems({ ends_at: 1_704_067_200 })).toEqual([expect.stringContaining("ends_at")])
  })

  it("can be what an answer gave", () => {
    const body = {
      type: "product.tag",
      type_values: ["wall"],
      condition: "referer",
      condition_values: ["shop"],
      percent: "20.00",
      amount: null,
    }
    expect(merged(body)).toEqual({
      ...group,
      link: { ...group.link, values: ["wall"] },
      condition: { type: "referer", modifier: "NOT", values: ["shop"] },
      percent: "20.00",
    })
    expect(problems({ itemType: "products.tag", type_values: ["x"] })).toEqual([
      expect.stringContaining("type_values: has no effect"),
    ])
  })

  it("must be an object", () => {
    expect(problems([])).toEqual([": must be an object, got an empty list"])
  })

  it("is refused or gives a group that a create request could make, whatever it says", () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(null, [], "NOT", 5, ["x"], "9"))
    const body = fc.dictionary(fc.constantFrom(...Group.fields), value)
    fc.assert(
      fc.property(body, (input) => {
        const result = Group.merge(group, input)
        if (Result.isFailure(result)) {
          expect(result.failure.problems.length).toBeGreaterThan(0)
          return
        }
        const request = Group.writeRequest(result.success)
        expect(Result.getOrThrow(Group.read(request, { requireValues: true }))).toEqual(
          result.success,
        )
      }),
    )
  })
})
