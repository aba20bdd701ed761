import { type ProductGroup, ProductLinks, RuleSet } from "apportion"
import { describe, expect, it } from "vitest"

const group = (id: string, link: ProductGroup.GroupInput["link"]): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link,
  percent: 1,
})

const art = () => RuleSet.make([group("art", { type: "products.tag", values: ["art"] })])

const idsOf = (links: ProductLinks.ProductLinks, id: string) =>
  ProductLinks.productsOf(links, id).map((product) => product.id)

describe("a linking that goes on", () => {
  it("finds a product among those that came first and among those that came later", () => {
    const first = ProductLinks.make(art(), [{ id: "1", tags: ["art"] }])
    const links = ProductLinks.putProducts(first, [{ id: "2", tags: ["Art"] }, { id: "3" }])
    const groupsOf = (key: string) => ProductLinks.groupsOf(links, key).map(({ id }) => id)
    expect(["1", "2", "3", "4"].map(groupsOf)).toEqual([["art"], ["art"], [], []])
  })

  it("leaves what went from it where it was before", () => {
    const products = ["1", "2", "3", "4", "5"].map((id) => ({ id, tags: ["art"] }))
    const all = ProductLinks.make(art(), products)
    const less = ProductLinks.removeProducts(all, ["2"])
    const least = ProductLinks.removeProducts(less, ["4"])
    expect([all, less, least].map((one) => idsOf(one, "art"))).toEqual([
      ["1", "2", "3", "4", "5"],
      ["1", "3", "4", "5"],
      ["1", "3", "5"],
    ])
    expect([all, less, least].map((one) => ProductLinks.countOf(one, "art"))).toEqual([5, 4, 3])
  })

  it("takes away a product that says a thing twice only once", () => {
    const twice = { id: "1", externalId: "1", tags: ["art", "ART", "toy"] }
    const links = ProductLinks.make(art(), [twice, { id: "2", tags: ["art"] }])
    expect(ProductLinks.countOf(ProductLinks.removeProducts(links, ["1"]), "art")).toBe(1)
    const changed = ProductLinks.putProducts(links, [{ id: "1", tags: ["toy"] }])
    expect([ProductLinks.countOf(changed, "art"), idsOf(changed, "art")]).toEqual([1, ["2"]])
  })

  it.each([1, 2])("takes away a product whose id was named after it came, with %i ids", (count) => {
    const ids = ["p1", "p2"].slice(0, count)
    const links = ProductLinks.make(RuleSet.make([]), [{ id: "p1" }, { id: "p2" }, { id: "p3" }])
    const later = ProductLinks.putProducts(links, [{ id: "p4" }])
    const rules = RuleSet.make([group("named", { type: "products", values: ids })])
    const named = ProductLinks.withRules(later, rules)
    expect(ProductLinks.countOf(named, "named")).toBe(count)
    const fresh = ProductLinks.putProducts(named, [{ id: "p5" }])
    const less = ProductLinks.removeProducts(fresh, ["p1", "p4", "p5"])
    expect(ProductLinks.countOf(less, "named")).toBe(count - 1)
    expect(idsOf(less, "named")).toEqual(ids.slice(1))
    const back = ProductLinks.putProducts(less, [{ id: "p1" }])
    expect(ProductLinks.countOf(back, "named")).toBe(count)
  })

  it("knows a product by the id that it has outside, also when that was named later", () => {
    const links = ProductLinks.make(RuleSet.make([]), [
      { id: "p1", externalId: "77" },
      { id: "p2" },
    ])
    const rules = RuleSet.make([group("named", { type: "products", values: ["77", "p2", "none"] })])
    const named = ProductLinks.withRules(links, rules)
    expect([ProductLinks.countOf(named, "named"), idsOf(named, "named")]).toEqual([2, ["p1", "p2"]])
  })

  it("counts for many more rules than it began with, and for fewer again", () => {
    const tags = Array.from({ length: 80 }, (_, index) => `t${index}`)
    const products = tags.map((tag, index) => ({ id: tag, tags: tags.slice(0, index + 1) }))
    const rules = RuleSet.make(
      tags.map((tag, index) =>
        group(tag, { type: "products.tag", values: [tag, `t${(index + 1) % 80}`] }),
      ),
    )
    const few = ProductLinks.make(art(), products.slice(0, 40))
    const many = ProductLinks.putProducts(ProductLinks.withRules(few, rules), products.slice(40))
    const anew = ProductLinks.make(rules, products)
    for (const tag of tags) {
      expect(ProductLinks.countOf(many, tag), tag).toBe(ProductLinks.countOf(anew, tag))
      expect(ProductLinks.countOf(many, tag), tag).toBe(idsOf(many, tag).length)
    }
    const fewer = ProductLinks.putProducts(ProductLinks.withRules(many, art()), [
      { id: "x", tags: ["art"] },
    ])
    expect(ProductLinks.count(fewer)).toBe(1)
  })
})
