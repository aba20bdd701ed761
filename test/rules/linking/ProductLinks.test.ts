import { type Product, type ProductGroup, ProductLinks, RuleSet } from "apportion"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stateOf } from "../../../src/rules/linking/State.js"
import { runs } from "../../generators/Runs.js"
import { answersOf, expectedOf } from "./Answers.js"
import { catalogue, entries, groupsOf, isSelected, link, linksFor, product } from "./Shop.js"

const rulesFor = (...links: ReadonlyArray<ProductGroup.GroupInput["link"]>) =>
  RuleSet.make(groupsOf(links))

const print: Product.Product = {
  id: "p1",
  externalId: "77",
  vendor: "North",
  tags: ["Art", "Wall"],
}
const mug: Product.Product = { id: "p2", vendor: "South" }

const idsOf = (linking: ProductLinks.ProductLinks, groupId: string) =>
  ProductLinks.productsOf(linking, groupId).map(({ id }) => id)

describe("a linking", () => {
  it("links products by their tags, vendor and both of their ids, and all of them", () => {
    const rules = rulesFor(
      { type: "products.tag", values: [" WALL", "music"] },
      { type: "products.vendor", values: ["south", "north"] },
      { type: "products", values: ["77", "p2", "P1"] },
      { type: "products.all" },
    )
    const linking = ProductLinks.make(rules, [print, mug])
    expect(ProductLinks.productsOf(linking, "g0")).toEqual([print])
    expect(ProductLinks.productsOf(linking, "g1")).toEqual([print, mug])
    expect(ProductLinks.productsOf(linking, "g2")).toEqual([print, mug])
    expect(ProductLinks.productsOf(linking, "g3")).toEqual([print, mug])
    expect(ProductLinks.count(linking)).toBe(7)
  })

  it("links with NOT whatever is left without, and nothing with NOT of all", () => {
    const rules = rulesFor(
      { type: "products.tag", modifier: "NOT", values: ["art"] },
      { type: "products.all", modifier: "NOT" },
      { type: "products.vendor", modifier: "NOT" },
      { type: "products.vendor" },
    )
    const linking = ProductLinks.make(rules, [print, mug])
    expect(["g0", "g1", "g2", "g3"].map((id) => idsOf(linking, id))).toEqual([
      ["p2"],
      [],
      ["p1", "p2"],
      [],
    ])
    expect(["g0", "g1", "g2", "g3"].map((id) => ProductLinks.countOf(linking, id))).toEqual([
      1, 0, 2, 0,
    ])
  })

  it("counts a product once, whichever of the values and ids it has", () => {
    const twice = { id: "p1", externalId: "p1", tags: ["art", "ART", "wall"] }
    const rules = rulesFor(
      { type: "products.tag", values: ["Art", "art", "Wall"] },
      { type: "products", values: ["p1", "p1"] },
    )
    const linking = ProductLinks.make(rules, [twice])
    expect(ProductLinks.count(linking)).toBe(2)
  })

  it("does not ask conditions and dates, which are about orders", () => {
    const condition = { type: "referer", values: ["sam-blog"] } as const
    const group = { ...groupsOf([{ type: "products.all" }])[0], condition, endsAt: 10 }
    const rules = RuleSet.make([
      { id: "g", collaboratorId: "ada", link: { type: "products.all" }, percent: 1, ...group },
    ])
    expect(ProductLinks.count(ProductLinks.make(rules, [print]))).toBe(1)
  })

  it("knows nothing of groups and products that are not there", () => {
    const linking = ProductLinks.make(rulesFor({ type: "products.all" }), [print])
    expect(ProductLinks.productsOf(linking, "other")).toEqual([])
    expect(ProductLinks.countOf(linking, "other")).toBe(0)
    expect(ProductLinks.groupsOf(linking, "other")).toEqual([])
  })

  it("of no products, and of no groups, has no links", () => {
    const empty = ProductLinks.make(rulesFor({ type: "products.all" }), [])
    expect([ProductLinks.count(empty), empty.productCount, idsOf(empty, "g0")]).toEqual([0, 0, []])
    const idle = ProductLinks.make(RuleSet.make([]), [print, mug])
    expect([ProductLinks.count(idle), idle.productCount]).toEqual([0, 2])
    expect(ProductLinks.groupsOf(idle, "p1")).toEqual([])
  })

  it("keeps variants of a product apart, and has the last of two with the same key", () => {
    const red = { id: "p1", externalVariantId: "red", tags: ["art"] }
    const blue = { id: "p1", externalVariantId: "blue", tags: ["art"] }
    const linking = ProductLinks.make(rulesFor({ type: "products.tag", values: ["art"] }), [
      red,
      blue,
      { ...red, tags: [] },
      { id: "p1/red", tags: ["art"] },
    ])
    expect(linking.productCount).toBe(3)
    expect(ProductLinks.productsOf(linking, "g0")).toEqual([blue, { id: "p1/red", tags: ["art"] }])
    expect(ProductLinks.groupsOf(linking, "p1/red")).toEqual([])
    expect(ProductLinks.groupsOf(linking, "p1%2Fred").map(({ id }) => id)).toEqual(["g0"])
  })

  it("finds products by their keys, also those whose ids are made of the signs that keys escape", () => {
    const keys = { "/": "%2F", "%": "%25", "%/": "%25%2F", "//": "%2F%2F" }
    const products = Object.keys(keys).map((id) => ({ id }))
    const linking = ProductLinks.make(rulesFor({ type: "products.all" }), products)
    for (const [id, key] of Object.entries(keys)) {
      expect(ProductLinks.groupsOf(linking, key).map((group) => group.id)).toEqual(["g0"])
      expect(ProductLinks.groupsOf(linking, id)).toEqual([])
    }
  })
})

describe("whatever the groups and the products", () => {
  it("they are linked as asking each link about each product does", () => {
    fc.assert(
      fc.property(
        fc.array(link, { maxLength: 12 }),
        fc.array(product, { maxLength: 12 }),
        (links, products) => {
          const rules = RuleSet.make(groupsOf(links))
          const linking = ProductLinks.make(rules, products)
          expect(answersOf(linking)).toEqual(expectedOf(rules, entries(products)))
        },
      ),
      runs(1_500),
    )
  })

  it("a rule set of each group alone gives the same links", () => {
    fc.assert(
      fc.property(
        fc.array(link, { maxLength: 8 }),
        fc.array(product, { maxLength: 8 }),
        (links, products) => {
          const rules = RuleSet.make(groupsOf(links))
          const linking = ProductLinks.make(rules, products)
          for (const group of rules.groups) {
            const alone = entries(products).filter(
              (each) => RuleSet.linkedGroups({ groups: [group] }, each).length > 0,
            )
            expect(ProductLinks.productsOf(linking, group.id)).toEqual(alone)
          }
        },
      ),
      runs(500),
    )
  })
})

const sizes = [1, 2, 31, 32, 33, 63, 64, 65, 95, 96, 97, 255, 256, 257, 700]

describe("with as many products as fill words of bits, one fewer and one more", () => {
  for (const size of sizes) {
    it(`${size} products are linked as asking each link about each product does`, () => {
      for (const seed of [1, 2, 3, 4, 5]) {
        const [products, rules] = [
          catalogue(size, seed),
          RuleSet.make(groupsOf(linksFor(size, seed))),
        ]
        expect(answersOf(ProductLinks.make(rules, products))).toEqual(
          expectedOf(rules, entries(products)),
        )
      }
    })
  }

  it("these have links to few, many, all and none of the products", () => {
    const shares = [1, 2, 3, 4, 5].flatMap((seed) => {
      const products = entries(catalogue(257, seed))
      return linksFor(257, seed).map(
        (each) => products.filter((one) => isSelected(each, one)).length / 257,
      )
    })
    const within = (least: number, most: number) =>
      shares.filter((share) => share >= least && share <= most).length / shares.length
    expect(within(0, 0)).toBeGreaterThan(0.03)
    expect(within(0.001, 0.05)).toBeGreaterThan(0.1)
    expect(within(0.1, 0.4)).toBeGreaterThan(0.1)
    expect(within(0.4, 0.99)).toBeGreaterThan(0.1)
    expect(within(1, 1)).toBeGreaterThan(0.03)
  })
})

describe("the comparison", () => {
  it("notices a link that is missing, one too many, and a wrong number", () => {
    const [products, rules] = [entries(catalogue(65, 1)), RuleSet.make(groupsOf(linksFor(65, 1)))]
    const expected = expectedOf(rules, products)
    const [, ...fewer] = products
    expect(answersOf(ProductLinks.make(rules, fewer))).not.toEqual(expected)
    expect(answersOf(ProductLinks.make(rules, [...products, { id: "more" }]))).not.toEqual(expected)
    const linking = ProductLinks.make(rules, products)
    const { counts } = stateOf(linking)
    counts[1] = (counts[1] ?? 0) + 1
    expect(answersOf(linking)).not.toEqual(expected)
  })
})
