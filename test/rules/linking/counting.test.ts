import type { Product, ProductGroup } from "apportion"
import { describe, expect, it } from "vitest"
import { addCounts, roomOf } from "../../../src/rules/linking/counts.js"
import { codeOf, type Links, makeLinks } from "../../../src/rules/linking/Links.js"
import { makePostings } from "../../../src/rules/linking/Postings.js"

const tags = (...values: ReadonlyArray<string>): ProductGroup.Link => ({
  type: "products.tag",
  modifier: "WITH",
  values,
})

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)

/** What counting finds for each selection of a table, when so many groups use each of them. */
const countsOf = (
  links: Links,
  products: ReadonlyArray<Product.Product>,
  uses: ReadonlyArray<number> = links.selections.map(() => 1),
): ReadonlyArray<number> => {
  const counts = new Int32Array(links.selections.length)
  const postings = makePostings(links.vocabulary, products)
  addCounts(links, postings, { uses: Int32Array.from(uses), counts, times: 1 })
  return [...counts]
}

describe("the selections of a table are counted at once", () => {
  it("those in use alone: not one that no group uses, nor one that another linking has brought", () => {
    const links = makeLinks()
    for (const tag of ["art", "wall", "toy", "new"]) codeOf(links, tags(tag))
    const product = { id: "1", tags: ["art", "wall", "toy", "new"] }
    expect(countsOf(links, [product], [1, 0])).toEqual([1, 0, 0, 0])
    expect(countsOf(links, [product], [0, 2, 1])).toEqual([0, 1, 1, 0])
    expect(countsOf(links, [product])).toEqual([1, 1, 1, 1])
  })

  it("however many there are, as the table grows by one after another", () => {
    const links = makeLinks()
    const all = numbered(60)
    for (const [index, tag] of all.entries()) {
      codeOf(links, tags(tag))
      const counts = countsOf(links, [{ id: "1", tags: all }, { id: "2" }])
      expect(counts).toEqual(Array.from({ length: index + 1 }, () => 1))
    }
  })

  it("also when far more of them ask for a few values than there are values", () => {
    const links = makeLinks()
    for (const tag of numbered(100)) codeOf(links, tags("art", "wall", tag))
    const products = [{ id: "1", tags: ["art", "wall"] }, { id: "2", tags: ["wall"] }, { id: "3" }]
    expect(countsOf(links, products)).toEqual(numbered(100).map(() => 2))
  })

  it("none of them finds anything among no products", () => {
    const links = makeLinks()
    codeOf(links, { type: "products.all", modifier: "WITH", values: [] })
    codeOf(links, tags("art"))
    expect(countsOf(links, [])).toEqual([0, 0])
  })
})

describe("the room for counting", () => {
  it("is kept from one count to the next, until there are more selections than it has room for", () => {
    const links = makeLinks()
    codeOf(links, tags("first"))
    const room = roomOf(links, 10)
    expect(roomOf(links, 20)).toBe(room)
    while (links.selections.length < room.met.length) {
      codeOf(links, tags(`t${links.selections.length}`))
    }
    expect(roomOf(links, 10)).toBe(room)
    codeOf(links, tags("one more"))
    const larger = roomOf(links, 10)
    expect(larger.met.length).toBeGreaterThanOrEqual(links.selections.length)
    expect(roomOf(links, 10)).toBe(larger)
  })

  it("is made anew before its marks would be more than 32 bits hold", () => {
    const links = makeLinks()
    codeOf(links, tags("art", "wall"))
    const products = ["1", "2", "3"].map((id) => ({ id, tags: ["art", "wall"] }))
    const room = roomOf(links, products.length)
    room.mark = 2 ** 31 - 6
    expect(roomOf(links, products.length)).toBe(room)
    expect(countsOf(links, products)).toEqual([3])
    expect(room.mark).toBe(2 ** 31 - 3)
    room.mark += 1
    expect(countsOf(links, products)).toEqual([3])
    expect(roomOf(links, products.length)).not.toBe(room)
  })
})
