import { type Product, type ProductGroup, RuleSet } from "apportion"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"
import { spellingsOf, usualSale } from "../generators/Sales.js"

const group = (
  id: string,
  rest: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.all" },
  percent: 10,
  ...rest,
})

const linkedIds = (
  groups: ReadonlyArray<ProductGroup.GroupInput>,
  product: Product.Product,
): ReadonlyArray<string> => RuleSet.linkedGroups(RuleSet.make(groups), product).map(({ id }) => id)

const print: Product.Product = {
  id: "p1",
  externalId: "77",
  vendor: "North",
  tags: ["Art", "Wall"],
}

describe("the groups a product is linked to", () => {
  it("are those whose link selects it, most specific first", () => {
    const groups = [
      group("all"),
      group("vendor", { link: { type: "products.vendor", values: [" NORTH"] } }),
      group("tag", { link: { type: "products.tag", values: ["wall", "music"] } }),
      group("other tag", { link: { type: "products.tag", values: ["music"] } }),
      group("id", { link: { type: "products", values: ["p1"] } }),
      group("external id", { link: { type: "products", values: ["77"] } }),
      group("other id", { link: { type: "products", values: ["P1"] } }),
    ]
    expect(linkedIds(groups, print)).toEqual(["external id", "id", "tag", "vendor", "all"])
  })

  it("do not depend on conditions, of which only an order knows", () => {
    const condition = { type: "referer", values: ["sam-blog"] } as const
    expect(linkedIds([group("g", { condition })], print)).toEqual(["g"])
  })

  it("do not depend on dates, which are about the time of an order", () => {
    expect(linkedIds([group("g", { startsAt: 10, endsAt: 20 })], print)).toEqual(["g"])
  })

  it("are told once, when a product has several of the values and both of its ids are named", () => {
    const groups = [
      group("tags", { link: { type: "products.tag", values: ["art", "wall", "ART"] } }),
      group("ids", { link: { type: "products", values: ["p1", "77"] } }),
    ]
    expect(linkedIds(groups, print)).toEqual(["ids", "tags"])
  })

  it("are with NOT those that it is not linked to without", () => {
    const groups = [
      group("not art", { link: { type: "products.tag", modifier: "NOT", values: ["art"] } }),
      group("not music", { link: { type: "products.tag", modifier: "NOT", values: ["music"] } }),
      group("not all", { link: { type: "products.all", modifier: "NOT" } }),
    ]
    expect(linkedIds(groups, print)).toEqual(["not music"])
    expect(linkedIds(groups, { id: "p2" })).toEqual(["not art", "not music"])
  })

  it("are none for a rule set without groups", () => {
    expect(linkedIds([], print)).toEqual([])
  })
})

const sameText = (left: string, right: string): boolean => spellingsOf(left).includes(right)

/** What DOMAIN calls any-of and its complement, said as plainly as can be. */
const isSelected = (link: ProductGroup.GroupInput["link"], product: Product.Product): boolean => {
  const values = link.values ?? []
  const selects = {
    "products.all": true,
    "products.tag": values.some((value) =>
      (product.tags ?? []).some((tag) => sameText(value, tag)),
    ),
    "products.vendor": values.some(
      (value) => product.vendor !== undefined && sameText(value, product.vendor),
    ),
    products: values.some((value) =>
      [product.id, product.externalId, ...(product.otherIds ?? [])].includes(value),
    ),
  }
  return link.modifier === "NOT" ? !selects[link.type] : selects[link.type]
}

describe("whatever the groups and the product", () => {
  it("the linked groups are those that asking every link by itself finds", () => {
    fc.assert(
      fc.property(usualSale, ({ groups, order }) => {
        for (const { product } of order.items) {
          const expected = groups.filter(({ link }) => isSelected(link, product))
          expect([...linkedIds(groups, product)].sort()).toEqual(
            expected.map(({ id }) => id).sort(),
          )
        }
      }),
      runs(2_000),
    )
  })

  it("they are the groups that would match on an order that meets every condition", () => {
    fc.assert(
      fc.property(usualSale, ({ groups, order }) => {
        const unconditional = groups.map((each) => ({
          ...each,
          condition: null,
          deductForOtherSplits: false,
          startsAt: null,
          endsAt: null,
        }))
        const rules = RuleSet.make(unconditional)
        for (const item of order.items) {
          const matching = RuleSet.matchingGroups(rules, order, item)
          expect(RuleSet.linkedGroups(rules, item.product)).toEqual(matching)
        }
      }),
      runs(1_000),
    )
  })
})
