import { type Product, type ProductGroup, ProductLinks, RuleSet } from "apportion"
import { describe, expect, it } from "vitest"
import { stateOf } from "../../../src/rules/linking/State.js"

const group = (id: string, values: ReadonlyArray<string>): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.tag", values },
  percent: 1,
})

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `t${from + index}`)

const sizeOf = (linking: ProductLinks.ProductLinks): number => {
  const { vocabulary, selections } = stateOf(linking).links
  return vocabulary.size + selections.length
}

describe("what a linking knows", () => {
  it("is how many groups share a selection, and how many products it takes", () => {
    const rules = RuleSet.make([group("a", ["x"]), group("b", ["y", "z"]), group("c", [" X"])])
    const { uses, counts, segments } = stateOf(
      ProductLinks.make(rules, [{ id: "1", tags: ["x", "z"] }]),
    )
    expect([...uses]).toEqual([2, 1])
    expect([...counts]).toEqual([1, 1])
    expect(segments).toHaveLength(1)
    expect(stateOf(ProductLinks.make(rules, [])).segments).toEqual([])
  })

  it("is kept when products come, until most of it may be about what is gone", () => {
    const first = ProductLinks.make(RuleSet.make([group("a", ["x"])]), [{ id: "1", tags: ["x"] }])
    const room = 2 * sizeOf(first) + 10_000 - sizeOf(first)
    const large = (count: number): Product.Product => ({ id: "2", tags: numbered(count) })
    const kept = ProductLinks.putProducts(first, [large(room)])
    expect(stateOf(kept).links).toBe(stateOf(first).links)
    expect(stateOf(kept).limit).toBe(stateOf(first).limit)
    const again = ProductLinks.make(RuleSet.make([group("a", ["x"])]), [{ id: "1", tags: ["x"] }])
    const anew = ProductLinks.putProducts(again, [large(room + 1)])
    expect(stateOf(anew).links).not.toBe(stateOf(again).links)
    expect(stateOf(anew).limit).toBe(2 * sizeOf(anew) + 10_000)
    expect(ProductLinks.productsOf(anew, "a")).toEqual([{ id: "1", tags: ["x"] }])
  })

  it("forgets what is gone when it is made anew", () => {
    const rules = RuleSet.make([group("a", ["x"])])
    const wide = ProductLinks.putProducts(ProductLinks.make(rules, [{ id: "1", tags: ["x"] }]), [
      { id: "2", tags: numbered(9_000) },
    ])
    const narrow = ProductLinks.removeProducts(wide, ["2"])
    expect(stateOf(narrow).links).toBe(stateOf(wide).links)
    const anew = ProductLinks.putProducts(narrow, [{ id: "3", tags: numbered(2_000, 9_000) }])
    expect(sizeOf(anew)).toBe(1 + 1 + 2_000)
    expect(anew.productCount).toBe(2)
  })

  it("is not asked again about groups that stand where they stood, before and behind a change", () => {
    const groups = numbered(6).map((tag) => group(tag, [tag]))
    const rules = RuleSet.make(groups)
    const linking = ProductLinks.make(rules, [{ id: "1", tags: ["t3", "new"] }])
    const changed = RuleSet.put(rules, group("t3", ["new"]))
    const { links, codes } = stateOf(ProductLinks.withRules(linking, changed))
    const asked = changed.groups.filter(({ link }) => links.codes.has(link)).map(({ id }) => id)
    expect(asked).toEqual(["t3"])
    expect(codes).toHaveLength(6)
    const less = RuleSet.remove(rules, "t2")
    const known = stateOf(ProductLinks.withRules(linking, less))
    expect([...known.codes]).toEqual([0, 2, 6, 8, 10])
    const kept = less.groups.filter(({ link }) => known.links.codes.has(link))
    expect(kept).toEqual([])
  })

  it("is right when groups go from the front, the end and the middle", () => {
    const groups = numbered(6).map((tag) => group(tag, [tag]))
    const products = [0, 1, 2, 3, 4, 5].map((index) => ({
      id: `${index}`,
      tags: numbered(6).slice(index),
    }))
    const linking = ProductLinks.make(RuleSet.make(groups), products)
    for (const gone of [["t0"], ["t5"], ["t2", "t3"], ["t0", "t5"], numbered(6)]) {
      const rules = gone.reduce(RuleSet.remove, RuleSet.make(groups))
      const left = ProductLinks.withRules(linking, rules)
      const counts = rules.groups.map(({ id }) => ProductLinks.countOf(left, id))
      expect(counts).toEqual(rules.groups.map(({ id }) => Number(id.slice(1)) + 1))
      const { links } = stateOf(left)
      expect(ProductLinks.count(left)).toBe(counts.reduce((sum, count) => sum + count, 0))
      expect(links).toBe(stateOf(linking).links)
    }
  })

  it("is not counted again for groups that stay, when others go and while products stay", () => {
    const groups = numbered(3).map((tag) => group(tag, [tag]))
    const rules = RuleSet.make(groups)
    const linking = ProductLinks.make(rules, [{ id: "1", tags: ["t0", "t1"] }])
    const less = ProductLinks.withRules(linking, RuleSet.remove(rules, "t0"))
    const least = ProductLinks.withRules(less, RuleSet.remove(less.rules, "t1"))
    expect([linking, less, least].map(ProductLinks.count)).toEqual([2, 1, 0])
    const placesOf = () => stateOf(linking).segments[0]?.postings.places
    expect(placesOf()).toBeUndefined()
    expect(ProductLinks.count(ProductLinks.withRules(least, rules))).toBe(2)
    expect(placesOf()).toBeDefined()
  })

  it("of a product is read once, also when the catalogue is put together anew", () => {
    let reads = 0
    const read: Product.Product = {
      id: "1",
      get tags() {
        reads += 1
        return ["x"]
      },
    }
    const first = ProductLinks.make(RuleSet.make([]), [read, { id: "2" }, { id: "3" }])
    const left = ProductLinks.removeProducts(first, ["2", "3"])
    expect(stateOf(left).segments.map(({ postings }) => postings.products)).toEqual([[read]])
    const grown = numbered(9).reduce(
      (linking, id) => ProductLinks.putProducts(linking, [{ id }]),
      left,
    )
    expect(stateOf(grown).segments[0]?.postings.products).toHaveLength(8)
    const named = ProductLinks.withRules(grown, RuleSet.make([group("a", ["x"])]))
    expect(ProductLinks.count(named)).toBe(1)
    expect(ProductLinks.count(ProductLinks.removeProducts(named, ["1"]))).toBe(0)
    expect(reads).toBe(1)
  })

  it("counts a selection of many small values that no bits are made of", () => {
    const products = Array.from({ length: 100 }, (_, index) => ({
      id: `${index}`,
      tags: [`t${Math.floor(index / 3)}`, ...(index < 50 ? [`u${Math.floor(index / 2)}`] : [])],
    }))
    const rules = RuleSet.make([
      group("small", numbered(20)),
      group("large", [...numbered(20), ...numbered(25).map((tag) => tag.replace("t", "u"))]),
    ])
    const linking = ProductLinks.make(rules, products)
    expect(ProductLinks.countOf(linking, "small")).toBe(60)
    expect(ProductLinks.countOf(linking, "large")).toBe(60)
    expect(ProductLinks.productsOf(linking, "large")).toHaveLength(60)
  })
})

describe("the segments of a catalogue", () => {
  const rules = RuleSet.make([group("a", ["x"])])
  const put = (linking: ProductLinks.ProductLinks, ...ids: ReadonlyArray<string>) =>
    ProductLinks.putProducts(
      linking,
      ids.map((id) => ({ id, tags: ["x"] })),
    )
  const sizes = (linking: ProductLinks.ProductLinks) =>
    stateOf(linking).segments.map(({ live }) => live)

  it("are few: eight of about one size become one", () => {
    let linking = ProductLinks.make(rules, [])
    const seen = numbered(16).map((id) => {
      linking = put(linking, id)
      return sizes(linking)
    })
    expect(seen[6]).toEqual([1, 1, 1, 1, 1, 1, 1])
    expect(seen[7]).toEqual([8])
    expect(seen[8]).toEqual([8, 1])
    expect(seen[15]).toEqual([8, 8])
    for (let round = 0; round < 200; round += 1) linking = put(linking, `r${round}`)
    expect(sizes(linking).length).toBeLessThan(22)
    expect(ProductLinks.productsOf(linking, "a").map(({ id }) => id)).toEqual([
      ...numbered(16),
      ...Array.from({ length: 200 }, (_, round) => `r${round}`),
    ])
  })

  it("become one when they are eight of about one size, not of just the same size", () => {
    const parts = [7, 6, 5, 4, 3, 2, 1, 1].map((count, part) => numbered(count, part * 10))
    const seen: Array<ReadonlyArray<number>> = []
    let linking = ProductLinks.make(rules, [])
    for (const ids of parts) {
      linking = put(linking, ...ids)
      seen.push(sizes(linking))
    }
    expect(seen[6]).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(seen[7]).toEqual([29])
    expect(ProductLinks.productsOf(linking, "a").map(({ id }) => id)).toEqual(parts.flat())
  })

  it("become one with those of their own size, not with the larger ones before them", () => {
    let linking = put(ProductLinks.make(rules, []), ...numbered(64))
    linking = put(linking, ...numbered(8, 100))
    for (const id of numbered(8, 200)) linking = put(linking, id)
    expect(sizes(linking)).toEqual([64, 8, 8])
  })

  it("stay the very same while nothing goes from them", () => {
    const one = put(ProductLinks.make(rules, []), "1", "2", "3")
    const two = put(put(one, "4"), "5", "4")
    const [first] = stateOf(one).segments
    expect(stateOf(two).segments[0]).toBe(first)
    expect(stateOf(put(two, "1")).segments[0]).not.toBe(first)
    expect(sizes(put(two, "1"))).toEqual([2, 2, 1])
  })

  it("are made anew when more than half of one is gone, and go when all of it is", () => {
    const linking = put(ProductLinks.make(rules, []), ...numbered(10))
    const half = ProductLinks.removeProducts(linking, numbered(5))
    expect(stateOf(half).segments.map(({ postings }) => postings.products.length)).toEqual([10])
    const less = ProductLinks.removeProducts(half, ["t5"])
    expect(stateOf(less).segments.map(({ postings }) => postings.products.length)).toEqual([4])
    expect(ProductLinks.productsOf(less, "a").map(({ id }) => id)).toEqual(["t6", "t7", "t8", "t9"])
    expect(stateOf(ProductLinks.removeProducts(less, numbered(10))).segments).toEqual([])
  })
})

it("a copy of a linking is none, and is told so", () => {
  const linking = ProductLinks.make(RuleSet.make([]), [])
  expect(() => ProductLinks.count({ ...linking })).toThrow(
    new TypeError("must be product links as ProductLinks makes them, got a copy or something else"),
  )
})

it("a catalogue that is made anew keeps the products that are there, in their order", () => {
  const rules = RuleSet.make([group("a", ["x"])])
  const products = ["1", "2", "3"].map((id) => ({ id, tags: ["x"] }))
  const linking = ProductLinks.putProducts(ProductLinks.make(rules, products), [
    { id: "4", tags: ["x"] },
  ])
  const less = ProductLinks.removeProducts(linking, ["2"])
  const anew = ProductLinks.putProducts(less, [{ id: "5", tags: numbered(11_000) }])
  expect(stateOf(anew).links).not.toBe(stateOf(less).links)
  expect(ProductLinks.productsOf(anew, "a").map(({ id }) => id)).toEqual(["1", "3", "4"])
  expect(anew.productCount).toBe(4)
  expect(stateOf(anew).segments).toHaveLength(1)
  expect(ProductLinks.countOf(linking, "a")).toBe(4)
})
