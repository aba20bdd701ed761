import { ProductGroup } from "apportion"
import { expect, it } from "vitest"
import { compareTexts } from "../../../src/internal/compare.js"
import { ofProduct } from "../../../src/orders/Attribute.js"
import { selects, valuesOf } from "../../../src/rules/engine/LinkIndex.js"
import { bySpecificity, placed } from "../../../src/rules/engine/Precedence.js"

const groupOf = (
  link: ProductGroup.GroupInput["link"],
  rest: Partial<ProductGroup.GroupInput> = {},
) => ProductGroup.make({ id: "g", collaboratorId: "ada", link, percent: 1, ...rest })

const print = { id: "p1", externalId: "77", vendor: " North", tags: ["Art", "Wall"] }

it.each([
  [{ type: "products.all" }, true],
  [{ type: "products.tag", values: ["toy", " ART"] }, true],
  [{ type: "products.tag", values: ["toy"] }, false],
  [{ type: "products.tag", values: [] }, false],
  [{ type: "products.vendor", values: ["NORTH"] }, true],
  [{ type: "products.vendor", values: ["art"] }, false],
  [{ type: "products", values: ["p1"] }, true],
  [{ type: "products", values: ["77"] }, true],
  [{ type: "products", values: ["P1", " p1"] }, false],
] as const)(
  "by itself, the link %j selects a product: %s; with NOT the opposite",
  (link, selected) => {
    expect(selects(print, groupOf(link))).toBe(selected)
    expect(selects(print, groupOf({ ...link, modifier: "NOT" }))).toBe(!selected)
  },
)

it("a link's values are compared without spaces and case, and each once; ids as they are", () => {
  const tags = { type: "products.tag", values: ["Art", "art ", "Toy"] } as const
  expect(valuesOf(groupOf(tags))).toEqual(["art", "toy"])
  expect(valuesOf(groupOf({ type: "products", values: ["P1", "p1", "P1"] }))).toEqual(["P1", "p1"])
  expect(valuesOf(groupOf({ type: "products.vendor", values: ["North "] }))).toEqual(["north"])
  expect(valuesOf(groupOf({ type: "products.vendor" }))).toEqual([])
  expect(valuesOf(groupOf({ type: "products.all", values: ["A", "A"] }))).toEqual(["A"])
})

it("a product has its ids once each, its tags, its vendor, or nothing of them", () => {
  expect(ofProduct.products(print)).toEqual(["p1", "77"])
  expect(ofProduct.products({ id: "p1", externalId: "p1" })).toEqual(["p1"])
  expect(ofProduct.products({ id: "p1" })).toEqual(["p1"])
  expect(ofProduct["products.tag"](print)).toEqual(["Art", "Wall"])
  expect(ofProduct["products.vendor"](print)).toEqual([" North"])
  expect(ofProduct["products.tag"]({ id: "p1" })).toEqual([])
  expect(ofProduct["products.vendor"]({ id: "p1" })).toEqual([])
})

it("more specific groups come first: by link, condition, the newer one, the smaller id", () => {
  const condition = { type: "referer", values: ["blog"] } as const
  const all = { type: "products.all" } as const
  const inOrder = [
    groupOf({ type: "products", values: [] }, { condition }),
    groupOf({ type: "products", values: [] }),
    groupOf({ type: "products.tag" }),
    groupOf({ type: "products.vendor" }),
    groupOf(all, { condition }),
    groupOf(all, { createdAt: 9 }),
    groupOf(all, { createdAt: 8, id: "a" }),
    groupOf(all, { createdAt: 8, id: "b" }),
    groupOf(all, { id: "a" }),
    groupOf(all, { id: "b" }),
  ]
  for (const [place, one] of inOrder.entries()) {
    for (const [other, two] of inOrder.entries()) {
      expect(Math.sign(bySpecificity(placed(one), placed(two)))).toBe(Math.sign(place - other))
    }
  }
  expect([compareTexts("a", "b"), compareTexts("b", "a"), compareTexts("a", "a")]).toEqual([
    -1, 1, 0,
  ])
  expect(compareTexts("B", "a")).toBe(-1)
})
