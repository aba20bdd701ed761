import { Analysis, Catalogue, type Product, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, test } from "vitest"

const all = { type: "products.all" } as const
const group = (
  id: string,
  collaboratorId: string,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({ id, collaboratorId, link: all, percent: 60, ...changes })

const vendor = (modifier: ProductGroup.Modifier, ...values: ReadonlyArray<string>) =>
  ({ type: "products.vendor", modifier, values }) as const

test("a product of no vendor has only one vendor to do without", () => {
  // Each gives up ten for sixty when the product is of a vendor of its own; it can be of one vendor only.
  const rules = RuleSet.make(
    ["ada", "sam"].flatMap((name) => [
      group(`${name}-10`, name, { link: vendor("NOT", name), percent: 10 }),
      group(`${name}-60`, name, { percent: 60 }),
    ]),
  )
  expect(Analysis.overAllocation(rules).verdict).toBe("impossible")
})

test("the product of an example is called by an id that no rule knows", () => {
  const rules = RuleSet.make([
    group("a", "ada"),
    group("b", "sam", {
      link: { type: "products", modifier: "NOT", values: ["any-product", "any-product-"] },
    }),
  ])
  expect(Analysis.overAllocation(rules).witness?.order.items[0]?.product).toEqual({
    id: "any-product--",
  })
})

test("a product without a cost costs nothing", () => {
  const rules = RuleSet.make([group("a", "ada", { amount: 41, percent: 60 })])
  const ask = (cost?: number) =>
    Analysis.overAllocation(rules, {
      policy: { cost: "deduct" },
      catalogue: Catalogue.make([{ id: "p", price: 100, ...(cost === undefined ? {} : { cost }) }]),
    }).verdict
  expect([ask(), ask(0), ask(1)]).toEqual(["possible", "possible", "possible"])
  expect(ask(2)).toBe("impossible")
})

const tagged = (...values: ReadonlyArray<string>) => ({ type: "products.tag", values }) as const
const from = (...values: ReadonlyArray<string>) => ({ type: "referer", values }) as const
const selling = (...products: ReadonlyArray<Product.Product>) => ({
  catalogue: Catalogue.make(products),
})

test("what is too much by its percentages, and not once one is deducted, may be with more", () => {
  const rules = RuleSet.make([
    group("a", "ada", { percent: 60 }),
    group("b", "sam", { percent: 50, condition: from("blog"), deductForOtherSplits: true }),
    group("c", "bob", {
      percent: 0,
      amount: 30,
      condition: { type: "discount.code", values: ["gift"] },
    }),
  ])
  expect(Analysis.overAllocation(rules, selling({ id: "p", price: 100 }))).toMatchObject({
    verdict: "possible",
    witness: { attributeCount: 2, isSmallest: true, distributable: 100 },
  })
})

describe("of several products", () => {
  const rules = RuleSet.make([
    group("one", "ada", { link: tagged("one"), condition: from("blog"), percent: 101 / 2 }),
    group("two", "ada", { link: tagged("two"), condition: from("blog"), percent: 60 }),
    group("three", "sam", {
      link: tagged("one", "two", "three"),
      condition: { type: "country.code", values: ["DE"] },
    }),
    group("four", "bob", { link: tagged("three") }),
  ])
  const product = (tag: string): Product.Product => ({ id: tag, tags: [tag], price: 100 })
  const [one, two, three] = [product("one"), product("two"), product("three")]
  const witnessOf = (...products: ReadonlyArray<Product.Product>) =>
    Analysis.overAllocation(rules, selling(...products)).witness

  test("the one that needs the fewest attributes is shown, and of these the first", () => {
    const shown = (...products: ReadonlyArray<Product.Product>) =>
      witnessOf(...products)?.order.items[0]?.product.id
    expect(shown(one, three, two)).toBe("three")
    expect(shown(three, one, two)).toBe("three")
    expect(shown(one, two, three)).toBe("three")
    expect(shown(one, two)).toBe("one")
    expect(shown(two, one)).toBe("two")
    expect(witnessOf(one)).toMatchObject({ attributeCount: 2, isSmallest: true })
  })

  test("those are told of which too much can be claimed, though others cost as much", () => {
    const { verdict, products } = Analysis.overAllocation(
      rules,
      selling(one, product("free"), three),
    )
    expect(verdict).toBe("possible")
    expect(products.map((each) => each.products)).toEqual([["one"], ["three"]])
  })

  test("one that costs nothing has a price", () => {
    const said = Analysis.overAllocation(rules, selling({ id: "gift", price: 0 }, { id: "other" }))
    expect(said.withoutPrice).toEqual(["other"])
  })
})

describe("an order is known to be the smallest", () => {
  const beyond = { id: "beyond", price: Number.MAX_SAFE_INTEGER }
  const plain = { id: "plain", price: 100 }
  const all100 = (changes: Partial<ProductGroup.GroupInput> = {}) =>
    RuleSet.make([group("a", "ada", { percent: 100, amount: 1, ...changes })])

  test("when it needs nothing, though of other products nothing is known", () => {
    expect(Analysis.overAllocation(all100(), selling(beyond, plain))).toMatchObject({
      witness: { attributeCount: 0, isSmallest: true },
      products: [
        { products: ["beyond"], witness: null },
        { products: ["plain"], witness: { attributeCount: 0 } },
      ],
    })
  })

  test("not when it needs anything while another product is undecided", () => {
    const rules = all100({ condition: from("blog") })
    expect(Analysis.overAllocation(rules, selling(beyond, plain)).witness).toMatchObject({
      attributeCount: 1,
      isSmallest: false,
    })
    expect(Analysis.overAllocation(rules, selling(plain)).witness).toMatchObject({
      attributeCount: 1,
      isSmallest: true,
    })
  })

  test("not when it was found after the steps were spent", () => {
    const names = ["ada", "sam", "bob"]
    const rules = RuleSet.make(
      names.map((name) => group(name, name, { link: tagged(name), percent: 40 })),
    )
    const found = (budget: number) => Analysis.overAllocation(rules, { budget }).witness
    const few = [60, 80, 100, 120, 140].map(found)
    expect(few).toContainEqual(expect.objectContaining({ attributeCount: 3, isSmallest: false }))
    expect(found(1_000)).toMatchObject({ attributeCount: 3, isSmallest: true })
  })

  test("not when shipping may be too much with less, and that is undecided", () => {
    const codes = Array.from({ length: 12 }, (_, index) => `c${index}`)
    const asking = (...values: ReadonlyArray<string>) =>
      ({ condition: { type: "discount.code", values }, percent: 0 }) as const
    const rules = RuleSet.make([
      group("x", "eve", { link: tagged("x"), percent: 60, shippingPercent: 0 }),
      group("y", "kim", { link: tagged("y"), percent: 50, shippingPercent: 0 }),
      group("base", "ada", { percent: 0, shippingPercent: 60 }),
      group("both", "sam", { link: tagged("z"), ...asking("w"), shippingPercent: 50 }),
      // Each of the codes seems to give Sam 50 %, but the newer group takes that away.
      group("none", "sam", { ...asking(...codes), shippingPercent: 0, createdAt: 2 }),
      ...codes.map((code) =>
        group(code, "sam", { ...asking(code), shippingPercent: 50, createdAt: 1 }),
      ),
    ])
    const policy = { shipping: "share" } as const
    const witness = (budget: number) => Analysis.overAllocation(rules, { policy, budget }).witness
    expect(witness(100_000)).toMatchObject({ attributeCount: 2, isSmallest: true })
    expect(witness(3 * 20 * rules.groups.length)).toMatchObject({
      attributeCount: 2,
      isSmallest: false,
    })
  })
})

describe("the steps are divided", () => {
  const names = ["ada", "sam", "bob", "eve"]
  const rules = RuleSet.make(
    names.flatMap((name) => [
      // The first takes away what the second seems to add.
      group(`${name}-a`, name, {
        condition: { type: "order.tag", values: [name, `${name}-`] },
        percent: 1,
        shippingPercent: 0,
        createdAt: 2,
      }),
      group(`${name}-b`, name, {
        condition: { type: "order.tag", values: [name] },
        percent: 40,
        shippingPercent: 0,
        createdAt: 1,
      }),
    ]),
  )

  /** The fewest steps with which it is known that too much is impossible. */
  const leastSteps = (options: Analysis.Options): number => {
    let [few, enough] = [0, 100_000]
    while (enough - few > 1) {
      const budget = Math.floor((few + enough) / 2)
      const { verdict } = Analysis.overAllocation(rules, { ...options, budget })
      if (verdict === "impossible") enough = budget
      else few = budget
    }
    return enough
  }

  test("among the products that rules tell apart", () => {
    const [one, other, third] = [100, 200, 300].map((price) => ({ id: `p${price}`, price }))
    const steps = (...products: ReadonlyArray<Product.Product | undefined>) =>
      leastSteps(selling(...products.filter((product) => product !== undefined)))
    expect(steps(one)).toBeGreaterThan(10)
    expect(steps(one, other, third)).toBeGreaterThan(2 * steps(one))
  })

  test("among the ways in which too much can be claimed", () => {
    const goods = leastSteps({})
    expect(goods).toBeGreaterThan(10)
    expect(leastSteps({ policy: { shipping: "share" } })).toBeGreaterThan(goods)
  })
})
