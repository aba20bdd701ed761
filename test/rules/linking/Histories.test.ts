import { Linking, type ProductGroup, RuleSet } from "apportion"
import { describe, expect, it } from "vitest"

const group = (id: string, link: ProductGroup.GroupInput["link"]): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link,
  percent: 1,
})

const art = () => RuleSet.make([group("art", { type: "products.tag", values: ["art"] })])

const idsOf = (linking: Linking.Linking, id: string) =>
  Linking.productsOf(linking, id).map((product) => product.id)

describe("a linking that goes on", () => {
  it("finds a product among those that came first and among those that came later", () => {
    const first = Linking.make(art(), [{ id: "1", tags: ["art"] }])
    const linking = Linking.putProducts(first, [{ id: "2", tags: ["Art"] }, { id: "3" }])
    const groupsOf = (key: string) => Linking.groupsOf(linking, key).map(({ id }) => id)
    expect(["1", "2", "3", "4"].map(groupsOf)).toEqual([["art"], ["art"], [], []])
  })

  it("leaves what went from it where it was before", () => {
    const products = ["1", "2", "3", "4", "5"].map((id) => ({ id, tags: ["art"] }))
    const all = Linking.make(art(), products)
    const less = Linking.removeProducts(all, ["2"])
    const least = Linking.removeProducts(less, ["4"])
    expect([all, less, least].map((one) => idsOf(one, "art"))).toEqual([
      ["1", "2", "3", "4", "5"],
      ["1", "3", "4", "5"],
      ["1", "3", "5"],
    ])
    expect([all, less, least].map((one) => Linking.countOf(one, "art"))).toEqual([5, 4, 3])
  })

  it("takes away a product that says a thing twice only once", () => {
    const twice = { id: "1", externalId: "1", tags: ["art", "ART", "toy"] }
    const linking = Linking.make(art(), [twice, { id: "2", tags: ["art"] }])
    expect(Linking.countOf(Linking.removeProducts(linking, ["1"]), "art")).toBe(1)
    const changed = Linking.putProducts(linking, [{ id: "1", tags: ["toy"] }])
    expect([Linking.countOf(changed, "art"), idsOf(changed, "art")]).toEqual([1, ["2"]])
  })

  it.each([1, 2])("takes away a product whose id was named after it came, with %i ids", (count) => {
    const ids = ["p1", "p2"].slice(0, count)
    const linking = Linking.make(RuleSet.make([]), [{ id: "p1" }, { id: "p2" }, { id: "p3" }])
    const later = Linking.putProducts(linking, [{ id: "p4" }])
    const rules = RuleSet.make([group("named", { type: "products", values: ids })])
    const named = Linking.withRules(later, rules)
    expect(Linking.countOf(named, "named")).toBe(count)
    const fresh = Linking.putProducts(named, [{ id: "p5" }])
    const less = Linking.removeProducts(fresh, ["p1", "p4", "p5"])
    expect(Linking.countOf(less, "named")).toBe(count - 1)
    expect(idsOf(less, "named")).toEqual(ids.slice(1))
    const back = Linking.putProducts(less, [{ id: "p1" }])
    expect(Linking.countOf(back, "named")).toBe(count)
  })

  it("knows a product by the id that it has outside, also when that was named later", () => {
    const linking = Linking.make(RuleSet.make([]), [{ id: "p1", externalId: "77" }, { id: "p2" }])
    const rules = RuleSet.make([group("named", { type: "products", values: ["77", "p2", "none"] })])
    const named = Linking.withRules(linking, rules)
    expect([Linking.countOf(named, "named"), idsOf(named, "named")]).toEqual([2, ["p1", "p2"]])
  })

  it("counts for many more rules than it began with, and for fewer again", () => {
    const tags = Array.from({ length: 80 }, (_, index) => `t${index}`)
    const products = tags.map((tag, index) => ({ id: tag, tags: tags.slice(0, index + 1) }))
    const rules = RuleSet.make(
      tags.map((tag, index) =>
        group(tag, { type: "products.tag", values: [tag, `t${(index + 1) % 80}`] }),
      ),
    )
    const few = Linking.make(art(), products.slice(0, 40))
    const many = Linking.putProducts(Linking.withRules(few, rules), products.slice(40))
    const anew = Linking.make(rules, products)
    for (const tag of tags) {
      expect(Linking.countOf(many, tag), tag).toBe(Linking.countOf(anew, tag))
      expect(Linking.countOf(many, tag), tag).toBe(idsOf(many, tag).length)
    }
    const fewer = Linking.putProducts(Linking.withRules(many, art()), [{ id: "x", tags: ["art"] }])
    expect(Linking.count(fewer)).toBe(1)
  })
})
