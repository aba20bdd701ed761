import { Analysis, Catalogue, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"

const rules = RuleSet.make([])

const pathsOf = (analyse: () => unknown): unknown => {
  try {
    return analyse()
  } catch (error) {
    if (!(error instanceof Analysis.InvalidOptions)) throw error
    expect(error.message).not.toBe("")
    return error.problems.map(({ path }) => path)
  }
}

const forged: ReadonlyArray<readonly [string, unknown]> = [
  ["", null],
  ["", 5],
  ["", []],
  ["bugdet", { bugdet: 5 }],
  ["policy", { policy: null }],
  ["policy.stacking", { policy: { stacking: "some" } }],
  ["catalogue", { catalogue: null }],
  ["catalogue", { catalogue: [] }],
  ["catalogue", { catalogue: { products: 5 } }],
  ["catalogue.currency", { catalogue: { products: [], currency: "NOPE" } }],
  ["catalogue.products[0]", { catalogue: { products: [null] } }],
  ["catalogue.products[1].id", { catalogue: { products: [{ id: "p" }, { id: 5 }] } }],
  ["catalogue.products[0].price", { catalogue: { products: [{ id: "p", price: 1.5 }] } }],
  ["from", { from: "1" }],
  ["from", { from: Number.NaN }],
  ["from", { from: 1_700_000_000_000 }],
  ["mostDiscount", { mostDiscount: 101 }],
  ["mostDiscount", { mostDiscount: {} }],
  ["mostTax", { mostTax: -1 }],
  ["atMost", { atMost: 1 }],
  ["atMost.referer", { atMost: { referer: 0 } }],
  ["atMost.order.tag", { atMost: { "order.tag": "1" } }],
  ["atMost.country.code", { atMost: { "country.code": 1 } }],
  ["mostTax", { mostTax: "20 %" }],
  ["idsOfProduct", { idsOfProduct: 0 }],
  ["idsOfProduct", { idsOfProduct: "2" }],
  ["budget", { budget: 0 }],
  ["budget", { budget: 1.5 }],
  ["budget", { budget: Number.POSITIVE_INFINITY }],
]

describe("options that say nothing possible are refused, and the field is named:", () => {
  test.each(forged)("%s", (path, options) => {
    expect(
      pathsOf(() => Reflect.apply(Analysis.overAllocation, undefined, [rules, options])),
    ).toEqual([path])
  })
})

const message = (options: unknown, given: unknown = rules): string => {
  try {
    Reflect.apply(Analysis.overAllocation, undefined, [given, options])
  } catch (error) {
    if (error instanceof Analysis.InvalidOptions) return error.problems[0]?.message ?? ""
  }
  throw new RangeError("they are refused")
}

test("options are refused by name", () => {
  const refused = () => Reflect.apply(Analysis.overAllocation, undefined, [rules, 5])
  expect(refused).toThrow(expect.objectContaining({ _tag: "InvalidOptions" }))
})

test("who gives what is impossible is told what would be possible", () => {
  expect(message({ bugdet: 5 })).toBe(
    "is no option; the options are policy, catalogue, from, mostDiscount, mostTax, idsOfProduct, atMost, budget",
  )
  expect(message(5)).toBe("must be an object, got 5")
  expect(message({ catalogue: 5 })).toBe("must be a catalogue, as Catalogue.make makes it, got 5")
  expect(message({ catalogue: { products: [], currency: "usd" } })).toBe(
    'must be an ISO 4217 currency code in capital letters, got "usd"',
  )
  expect(message({ idsOfProduct: 3 })).toBe("must be 1 or 2, got 3")
  expect(message({ budget: 0.5 })).toBe("must be a whole number above 0, got 0.5")
  expect(message({}, [])).toBe("a rule set is made of groups by RuleSet.make, got []")
})

test("a product can have one or two of the ids that rules name", () => {
  const called = (id: string): ProductGroup.GroupInput => ({
    id,
    collaboratorId: id,
    link: { type: "products", values: [id] },
    percent: 60,
  })
  const both = RuleSet.make([called("a"), called("b")])
  const verdicts = ([1, 2, undefined] as const).map(
    (idsOfProduct) => Analysis.overAllocation(both, { idsOfProduct }).verdict,
  )
  expect(verdicts).toEqual(["impossible", "possible", "possible"])
})

test("a product can have any number of ids that products bring, each of them the group's own", () => {
  const called = (id: string): ProductGroup.GroupInput => ({
    ...{ id, collaboratorId: id, link: { type: "products", values: [id] }, percent: 34 },
  })
  const verdictOf = (...ids: ReadonlyArray<string>) =>
    Analysis.overAllocation(RuleSet.make(ids.map(called)))
  expect(verdictOf("a", "b", "c").verdict).toBe("impossible")
  const { verdict, witness } = verdictOf("sku:A", "type:B", "collection:C")
  expect(verdict).toBe("possible")
  expect(witness?.order.items[0]?.product).toEqual({
    ...{ id: "any-product", otherIds: ["sku:A", "type:B", "collection:C"] },
  })
  const limited = RuleSet.make(["sku:A", "type:B", "collection:C"].map(called))
  expect(Analysis.overAllocation(limited, { idsOfProduct: 2 }).verdict).toBe("impossible")
})

test("everything that is wrong is told at once", () => {
  const options = { budget: -1, from: 0.5, policy: { shipping: "free" } }
  const analyse = () => Reflect.apply(Analysis.deadGroups, undefined, [rules, options])
  expect(pathsOf(analyse)).toEqual(["from", "budget", "policy.shipping"])
})

test.each([
  [[], "rules.groups"],
  [null, "rules.groups"],
  [{ groups: "all" }, "rules.groups"],
  [{ groups: [null] }, "rules[0]"],
  [
    {
      groups: [
        { id: "g", collaboratorId: "ada", link: { type: "products.all" }, percent: "150.00" },
      ],
    },
    "rules[0].percent",
  ],
])("what is no rule set is refused: %j", (forged, place) => {
  const analyses = [Analysis.overAllocation, Analysis.deadGroups, Analysis.check]
  for (const analyse of analyses) {
    expect(pathsOf(() => Reflect.apply(analyse, undefined, [forged]))).toEqual([place])
  }
  const compare = () => Reflect.apply(Analysis.equivalent, undefined, [rules, forged])
  expect(pathsOf(compare)).toEqual([place])
})

test("there are no unpaid products without a catalogue", () => {
  const analyse = () => Reflect.apply(Analysis.unpaidProducts, undefined, [rules])
  expect(pathsOf(analyse)).toEqual(["catalogue"])
})

test("a catalogue may be asked about again and again", () => {
  const catalogue = Catalogue.make([{ id: "p", tags: ["a"], price: 0 }], { currency: "JPY" })
  const verdicts = [1, 2].map(() => Analysis.overAllocation(rules, { catalogue }).verdict)
  expect(verdicts).toEqual(["impossible", "impossible"])
})

test("where there are no rules, nothing is dead, redundant or paid twice", () => {
  const catalogue = Catalogue.make([])
  expect(Analysis.overAllocation(rules, { catalogue })).toEqual({
    verdict: "impossible",
    witness: null,
    products: [],
    withoutPrice: [],
  })
  expect(Analysis.overAllocation(rules).verdict).toBe("impossible")
  expect(Analysis.deadGroups(rules)).toEqual({ dead: [], undecided: [] })
  expect(Analysis.redundantGroups(rules)).toEqual({ redundant: [], undecided: [] })
  expect(Analysis.overlaps(rules)).toEqual({ overlaps: [], isComplete: true })
  expect(Analysis.togetherGroups(rules)).toEqual([])
  expect(Analysis.unpaidProducts(rules, Catalogue.make([{ id: "p" }])).products).toEqual(["p"])
  expect(Analysis.equivalent(rules, RuleSet.make([])).verdict).toBe("equivalent")
})
