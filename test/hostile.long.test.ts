/**
 * Whatever a host hands over from outside is read or refused: with a typed error, in bounded work. Nothing may
 * bring a bare error out of a reader, for a host tells its users what is wrong by the tag.
 */
import * as core from "apportion"
import * as shopify from "apportion/shopify"
import * as wire from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const throwing = {
  get id(): never {
    throw new RangeError("not here")
  },
}
const proxy = new Proxy(
  {},
  {
    get: () => {
      throw new RangeError("not here")
    },
    ownKeys: () => {
      throw new RangeError("nor here")
    },
  },
)
const cyclic: Record<string, unknown> = { id: "1" }
cyclic.self = cyclic
cyclic.items = [cyclic]
cyclic.link = cyclic
cyclic.product = cyclic
let deep: unknown = 1
for (let depth = 0; depth < 50_000; depth += 1) deep = { link: deep }

const sparse: ReadonlyArray<unknown> = new Array(2 ** 32 - 1)
const holes: Array<unknown> = new Array(3)
holes[1] = { id: "1" }
const wrong: ReadonlyArray<unknown> = Array.from({ length: 200_000 }, () => 5)

/** Values that no format has, and what they stand for. */
const values: ReadonlyArray<readonly [string, unknown]> = [
  ...[null, undefined, 0, -0, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 53, 10n].map(
    (value) => [String(value), value] as const,
  ),
  ["a symbol", Symbol("s")],
  ["a text", "text"],
  ["a function", () => 5],
  ["a date", new Date(Number.NaN)],
  ["a map", new Map([["id", "1"]])],
  ["an object without a prototype", Object.create(null)],
  ["a throwing getter", throwing],
  ["a throwing proxy", proxy],
  ["a value that holds itself", cyclic],
  ["a value of 50,000 levels", deep],
  ["a list with holes", holes],
  ["a list of four thousand million places", sparse],
  ["a list of 200,000 wrong values", wrong],
]

/** The fields in which a hostile value is planted, too. */
const fields = [
  ...["id", "link", "condition", "percent", "amount", "items", "product", "tags", "referers"],
  ...["currency", "quantity", "collaboratorId", "groups", "products", "orders", "line_items"],
  ...["variants", "refunds", "transactions", "discount_codes", "created_at", "policy", "values"],
  ...["page", "per_page", "permissions", "account", "severities", "catalogue", "budget", "name"],
]

const rules = core.RuleSet.make([
  { id: "g", collaboratorId: "ada", link: { type: "products.all" }, percent: 5 },
])
const sold = { id: "1", product: { id: "p1", tags: ["t"] }, quantity: 1, amount: 1_000 }
const order = { id: "1001", currency: "USD", items: [sold] }
const group = {
  id: "g",
  collaboratorId: "a",
  link: { type: "products", values: ["1"] },
  percent: 5,
}
const split = core.Split.order(rules, order)
const refund = { orderId: "1001", itemId: "1", quantity: 1, refundedAt: 1 }
const usd = { currency: "USD" }

/** Every function that reads what comes from outside: its arguments, and which of them that is. */
const doors: ReadonlyArray<readonly [string, unknown, ReadonlyArray<unknown>, number]> = [
  ["ProductGroup.makeResult", core.ProductGroup.makeResult, [group], 0],
  ["ProductGroup.make", core.ProductGroup.make, [group], 0],
  ["RuleSet.makeResult", core.RuleSet.makeResult, [[group]], 0],
  ["RuleSet.make", core.RuleSet.make, [[group]], 0],
  ["RuleSet.putResult", core.RuleSet.putResult, [rules, group], 1],
  ["RuleSet.putResult of rules", core.RuleSet.putResult, [rules, group], 0],
  ["RuleSet.get", core.RuleSet.get, [rules, "g"], 0],
  ["RuleSet.linkedGroups", core.RuleSet.linkedGroups, [rules, { id: "p1" }], 0],
  ["Split.orderResult", core.Split.orderResult, [rules, order], 1],
  ["Split.order", core.Split.order, [rules, order], 1],
  ["Split.orderResult of rules", core.Split.orderResult, [rules, order], 0],
  ["Split.orderResult by policy", core.Split.orderResult, [rules, order, {}], 2],
  ["SplitPolicy.makeResult", core.SplitPolicy.makeResult, [{}], 0],
  ["Refund.reverse", core.Refund.reverse, [split, refund], 1],
  ["Collaborator.makeResult", core.Collaborator.makeResult, [{ id: "a", currency: "USD" }], 0],
  ["PageRequest.parse", core.PageRequest.parse, [{}], 0],
  ["Percent.parse", core.Percent.parse, ["5"], 0],
  ["Allocation.allocateResult", core.Allocation.allocateResult, [100, [1]], 0],
  ["Allocation.allocateResult over weights", core.Allocation.allocateResult, [100, [1]], 1],
  ...Object.entries(wire).flatMap(([name, module]) =>
    Object.entries(module)
      .filter(([call, door]) => /^(read|parse)/.test(call) && typeof door === "function")
      .map(([call, door]) => [`wire ${name}.${call}`, door, [{}], 0] as const),
  ),
]

/** A call's answer: fine, or the tag of the error; else what went wrong. */
const answer = (door: unknown, taken: ReadonlyArray<unknown>): string => {
  try {
    const result: unknown = Reflect.apply(Object(door), undefined, taken)
    if (!Result.isResult(result) || Result.isSuccess(result)) return "fine"
    return tagOf(result.failure)
  } catch (error) {
    return tagOf(error)
  }
}

const tagOf = (error: unknown): string => {
  const tag: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "_tag") : ""
  return typeof tag === "string" && tag !== "" ? "fine" : `a bare error: ${String(error)}`
}

const planted = (value: unknown, field: string, hostile: unknown): unknown =>
  Array.isArray(value)
    ? value.map((part) => planted(part, field, hostile))
    : { ...Object(value), [field]: hostile }

describe("what comes from outside is read or refused with a typed error", () => {
  test.each(doors)("by %s", { timeout: 120_000 }, (_, door, taken, place) => {
    const bare: Array<string> = []
    for (const [name, value] of values) {
      const whole = answer(door, taken.with(place, value))
      if (whole !== "fine") bare.push(`${name}: ${whole}`)
      for (const field of fields) {
        const said = answer(door, taken.with(place, planted(taken[place], field, value)))
        if (said !== "fine") bare.push(`${field}: ${name}: ${said}`)
      }
    }
    expect(bare).toEqual([])
  })

  test("there is a door for every format", () => {
    expect(doors.filter(([name]) => name.startsWith("wire ")).length).toBeGreaterThanOrEqual(12)
  })

  test("by the analyses' options, and by Shopify's list of products with holes in it", () => {
    expect(answer(core.Analysis.check, [rules, null])).toBe("fine")
    expect(answer(core.Analysis.check, [null, {}])).toBe("fine")
    expect(answer(shopify.Products.read, [holes, usd])).toBe("fine")
    expect(answer(shopify.Products.read, [sparse, usd])).toBe("fine")
  })
})
