import { Product, type ProductGroup, ProductLinks, RuleSet } from "apportion"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stateOf } from "../../../src/rules/linking/State.js"
import { isWhole, runs } from "../../generators/Runs.js"
import { answersOf, expectedOf } from "./Answers.js"
import { catalogue, entries, groupsOf, link, linksFor, product } from "./Shop.js"

const rulesFor = (...links: ReadonlyArray<ProductGroup.GroupInput["link"]>) =>
  RuleSet.make(groupsOf(links))

const art = { type: "products.tag", values: ["art"] } as const
const wall = { type: "products.tag", values: ["wall"] } as const
const print: Product.Product = { id: "print", tags: ["art"] }
const mug: Product.Product = { id: "mug", tags: ["wall"] }

/** A change of a linking, and what it makes of the products and rules that it is of. */
interface Step {
  readonly name: string
  readonly change: (linking: ProductLinks.ProductLinks) => ProductLinks.ProductLinks
  readonly model: (shop: Shop) => Shop
}

interface Shop {
  readonly rules: RuleSet.RuleSet
  readonly products: ReadonlyArray<Product.Product>
}

const putting = (products: ReadonlyArray<Product.Product>): Step => ({
  name: `put ${products.length}`,
  change: (linking) => ProductLinks.putProducts(linking, products),
  model: (shop) => ({ ...shop, products: entries([...shop.products, ...products]) }),
})

const removing = (keys: ReadonlyArray<string>): Step => ({
  name: `remove ${keys.length}`,
  change: (linking) => ProductLinks.removeProducts(linking, keys),
  model: (shop) => ({
    ...shop,
    products: shop.products.filter((one) => !keys.includes(Product.keyOf(one))),
  }),
})

const ruling = (name: string, rulesOf: (rules: RuleSet.RuleSet) => RuleSet.RuleSet): Step => ({
  name,
  change: (linking) => ProductLinks.withRules(linking, rulesOf(linking.rules)),
  model: (shop) => ({ ...shop, rules: rulesOf(shop.rules) }),
})

const idOf = (rules: RuleSet.RuleSet, at: number) =>
  rules.groups[at % rules.groups.length]?.id ?? "g0"

const replacing = (at: number, to: ProductGroup.Link): Step =>
  ruling("replace a group", (rules) =>
    RuleSet.put(rules, { id: idOf(rules, at), collaboratorId: "c", link: to, percent: 1 }),
  )

const adding = (id: string, to: ProductGroup.Link): Step =>
  ruling("add a group", (rules) =>
    RuleSet.put(rules, { id, collaboratorId: "c", link: to, percent: 1 }),
  )

const dropping = (at: number): Step =>
  ruling("drop a group", (rules) => RuleSet.remove(rules, idOf(rules, at)))

const reversing: Step = ruling("other order of groups", ({ groups }) => ({
  groups: groups.toReversed(),
}))

const rereading: Step = ruling("groups from storage", ({ groups }) =>
  RuleSet.make(JSON.parse(JSON.stringify(groups))),
)

const key = product.map(Product.keyOf)
const keysOf = (found: ReadonlyArray<Product.Product>) => found.map(Product.keyOf)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(product, { maxLength: 9 }).map(putting) },
  { weight: 2, arbitrary: fc.array(key, { maxLength: 9 }).map(removing) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(20), link).map(([at, to]) => replacing(at, to)) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.string({ minLength: 1 }), link).map(([id, to]) => adding(id, to)),
  },
  { weight: 1, arbitrary: fc.nat(20).map(dropping) },
  { weight: 1, arbitrary: fc.constantFrom(reversing, rereading) },
)

const start = fc.record({
  links: fc.array(link, { maxLength: 8 }),
  products: fc.array(product, { maxLength: 12 }),
})

const follow = (
  links: ReadonlyArray<ProductGroup.Link>,
  products: ReadonlyArray<Product.Product>,
  steps: ReadonlyArray<Step>,
) => {
  let shop: Shop = { rules: RuleSet.make(groupsOf(links)), products: entries(products) }
  let linking = ProductLinks.make(shop.rules, products)
  const before = [{ linking, answers: answersOf(linking) }]
  for (const { name, change, model } of steps) {
    linking = change(linking)
    shop = model(shop)
    const answers = answersOf(linking)
    expect(answers, name).toEqual(expectedOf(shop.rules, shop.products))
    before.push({ linking, answers })
  }
  return { before, shop, linking }
}

describe("after any changes one after another", () => {
  it("a linking answers as the links and products of then do, and each earlier one as before", () => {
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 14 }), ({ links, products }, steps) => {
        const { before } = follow(links, products, steps)
        for (const { linking, answers } of before) expect(answersOf(linking)).toEqual(answers)
      }),
      runs(700),
    )
  })

  it("a linking answers as one that is made anew", () => {
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 30 }), ({ links, products }, steps) => {
        const { linking, shop } = follow(links, products, steps)
        const anew = ProductLinks.make(shop.rules, shop.products)
        expect(answersOf(linking)).toEqual(answersOf(anew))
      }),
      runs(300),
    )
  })

  it("two changes of one linking don't know of each other", () => {
    fc.assert(
      fc.property(start, step, step, step, ({ links, products }, first, left, right) => {
        const { linking, shop } = follow(links, products, [first])
        const [one, other] = [left.change(linking), right.change(linking)]
        const [oneShop, otherShop] = [left.model(shop), right.model(shop)]
        expect(answersOf(one)).toEqual(expectedOf(oneShop.rules, oneShop.products))
        expect(answersOf(other)).toEqual(expectedOf(otherShop.rules, otherShop.products))
        const both = [right.change(one), right.model(oneShop)] as const
        expect(answersOf(both[0])).toEqual(expectedOf(both[1].rules, both[1].products))
      }),
      runs(500),
    )
  })

  it("none of the random steps is of one kind alone, and most catalogues have several products", () => {
    const steps = fc.sample(step, { numRuns: 2_000, seed: 5 }).map(({ name }) => name.split(" ")[0])
    for (const name of ["put", "remove", "replace", "add", "drop", "other", "groups"]) {
      expect(steps.filter((each) => each === name).length, name).toBeGreaterThan(40)
    }
    const sizes = fc
      .sample(start, { numRuns: 500, seed: 5 })
      .map((one) => entries(one.products).length)
    expect(sizes.filter((size) => size > 4).length).toBeGreaterThan(150)
  })
})

/** Puts and removes products of a large catalogue for a long time, in small and in larger parts. */
const longSteps = (size: number, rounds: number): ReadonlyArray<Step> =>
  Array.from({ length: rounds }, (_, round): ReadonlyArray<Step> => {
    const all = catalogue(size, 100 + round)
    const from = (round * 37) % size
    const [more, fewer] = [all.slice(from, from + 1 + (round % 13)), catalogue(size, 1)]
    const changes = [putting(more)]
    if (round % 5 === 0) changes.push(removing(keysOf(fewer.slice(from, from + 20))))
    if (round % 7 === 0)
      changes.push(
        replacing(round, linksFor(size, round)[1 + (round % 20)] ?? { ...art, modifier: "WITH" }),
      )
    if (round % 40 === 39) changes.push(putting(all))
    return changes
  }).flat()

describe("a linking that is changed for a long time", () => {
  const size = 193
  const steps = longSteps(size, 160)
  const first: Shop = {
    rules: RuleSet.make(groupsOf(linksFor(size, 3))),
    products: entries(catalogue(size, 1)),
  }

  it("answers after each change as one that is made anew", () => {
    let shop = first
    let linking = ProductLinks.make(shop.rules, shop.products)
    for (const { name, change, model } of isWhole ? steps : steps.slice(0, 60)) {
      linking = change(linking)
      shop = model(shop)
      expect(answersOf(linking), name).toEqual(
        answersOf(ProductLinks.make(shop.rules, shop.products)),
      )
    }
    expect(answersOf(linking)).toEqual(expectedOf(shop.rules, shop.products))
  })

  it("keeps its catalogue in few parts, which are merged now and then", () => {
    let linking = ProductLinks.make(first.rules, first.products)
    const shops = steps.map(({ change }) => {
      linking = change(linking)
      return linking
    })
    const parts = shops.map((shop) => stateOf(shop).segments.length)
    expect(Math.max(...parts)).toBeGreaterThan(4)
    expect(Math.max(...parts)).toBeLessThan(30)
    const merged = parts.filter((count, at) => count < (parts[at - 1] ?? 0))
    expect(merged.length).toBeGreaterThan(10)
    const kept = shops.map((shop) => {
      const { segments, productCount } = stateOf(shop)
      const held = segments.reduce((sum, part) => sum + part.postings.products.length, 0)
      return held - 2 * productCount
    })
    expect(Math.max(...kept)).toBeLessThanOrEqual(0)
  })
})

describe("changed products", () => {
  it("leave the groups they no longer belong to and come last", () => {
    const linking = ProductLinks.make(rulesFor(art, { type: "products.all" }), [print, mug])
    const changed = ProductLinks.putProducts(linking, [{ id: "print", tags: ["wall"] }])
    expect(ProductLinks.productsOf(changed, "g0")).toEqual([])
    expect(keysOf(ProductLinks.productsOf(changed, "g1"))).toEqual(["mug", "print"])
    expect(ProductLinks.productsOf(linking, "g0")).toEqual([print])
  })

  it("need a linking: a copy of one is refused", () => {
    const copy = { ...ProductLinks.make(rulesFor(art), [print]) }
    expect(() => ProductLinks.putProducts(copy, [mug])).toThrow(
      "must be product links as ProductLinks makes them",
    )
  })

  it("are the very same value when nothing changes", () => {
    const linking = ProductLinks.make(rulesFor(art), [print])
    expect(ProductLinks.putProducts(linking, [])).toBe(linking)
    expect(ProductLinks.removeProducts(linking, [])).toBe(linking)
    expect(ProductLinks.removeProducts(linking, ["other", "mug"])).toBe(linking)
    expect(ProductLinks.withRules(linking, linking.rules)).toBe(linking)
  })

  it("that are removed twice are gone once, and can come back", () => {
    const linking = ProductLinks.make(rulesFor(art), [print, mug])
    const without = ProductLinks.removeProducts(linking, ["print", "print"])
    expect([without.productCount, ProductLinks.count(without)]).toEqual([1, 0])
    const again = ProductLinks.putProducts(ProductLinks.removeProducts(without, ["print"]), [print])
    expect([again.productCount, ProductLinks.count(again)]).toEqual([2, 1])
  })
})

describe("changed rules", () => {
  it("link by ids that no rule had named before", () => {
    const products = [{ id: "a" }, { id: "b", externalId: "9" }, { id: "9" }]
    const linking = ProductLinks.make(RuleSet.make([]), products)
    const named = ProductLinks.withRules(
      linking,
      rulesFor({ type: "products", values: ["9", "a"] }),
    )
    expect(keysOf(ProductLinks.productsOf(named, "g0"))).toEqual(["a", "b", "9"])
    const fewer = ProductLinks.removeProducts(named, ["b"])
    expect([ProductLinks.countOf(fewer, "g0"), ProductLinks.countOf(named, "g0")]).toEqual([2, 3])
    expect(
      keysOf(
        ProductLinks.productsOf(
          ProductLinks.putProducts(fewer, [{ id: "b", externalId: "9" }]),
          "g0",
        ),
      ),
    ).toEqual(["a", "9", "b"])
  })

  it("that come back after they were gone count what has changed in between", () => {
    const linking = ProductLinks.make(rulesFor(art), [print])
    const other = ProductLinks.withRules(linking, rulesFor(wall))
    const grown = ProductLinks.putProducts(other, [{ id: "poster", tags: ["Art"] }, mug])
    expect(ProductLinks.count(grown)).toBe(1)
    expect(ProductLinks.count(ProductLinks.withRules(grown, rulesFor(art, wall)))).toBe(3)
  })

  it("of another linking's past are as good", () => {
    const first = rulesFor(art, wall)
    const linking = ProductLinks.make(first, [print, mug])
    const second = ProductLinks.withRules(linking, RuleSet.remove(first, "g0"))
    expect(ProductLinks.count(second)).toBe(1)
    expect(ProductLinks.count(ProductLinks.withRules(second, first))).toBe(2)
  })

  it("leave nothing behind, however often they change", () => {
    let linking = ProductLinks.make(rulesFor(art), [print, mug])
    let most = 0
    for (let round = 0; round < 12_000; round += 1) {
      const values = [`tag ${round}`, round % 2 === 0 ? "art" : "wall"]
      linking = ProductLinks.withRules(linking, rulesFor({ type: "products.tag", values }, wall))
      most = Math.max(most, stateOf(linking).links.selections.length)
    }
    expect(most).toBeLessThan(11_000)
    expect(stateOf(linking).links.selections.length).toBeLessThan(9_000)
    expect(ProductLinks.countOf(linking, "g0")).toBe(1)
    expect(answersOf(linking)).toEqual(expectedOf(linking.rules, [print, mug]))
  })
})
