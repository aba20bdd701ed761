import { describe, expect, it } from "vitest"
import { makeVocabulary, namedNumber } from "../../../src/rules/linking/Links.js"
import { makePostings, positionsOf, positionsOfId } from "../../../src/rules/linking/Postings.js"

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)

describe("an index of products", () => {
  it("has every value of a product, however many these are", () => {
    for (let count = 0; count <= 20; count += 1) {
      const vocabulary = makeVocabulary()
      const ids = ["p1", "77"].map((id) => namedNumber(vocabulary, "products", id))
      const tags = numbered(count)
      const postings = makePostings(vocabulary, [
        { id: "p1", externalId: "77", vendor: "North", tags },
      ])
      const numbers = [
        ...tags.map((tag) => namedNumber(vocabulary, "products.tag", tag)),
        namedNumber(vocabulary, "products.vendor", "North"),
        ...ids,
      ]
      for (const number of numbers) expect(Array.from(positionsOf(postings, number))).toEqual([0])
      expect(postings.numbers).toHaveLength(count + 3)
    }
  })

  it("finds products by ids of either kind that were named before, after and never", () => {
    const vocabulary = makeVocabulary()
    const before = ["p1", "77"]
    for (const id of before) namedNumber(vocabulary, "products", id)
    const postings = makePostings(vocabulary, [
      { id: "p1", externalId: "77" },
      { id: "p2", externalId: "p3" },
      { id: "p3" },
    ])
    const found = (id: string) => Array.from(positionsOfId(postings, vocabulary, id))
    expect(before.map(found)).toEqual([[0], [0]])
    expect(postings.byId).toBeUndefined()
    namedNumber(vocabulary, "products", "p3")
    expect(["p3", "p2", "none"].map(found)).toEqual([[1, 2], [1], []])
    expect(postings.byId).toEqual(
      new Map([
        ["p1", [0]],
        ["77", [0]],
        ["p2", [1]],
        ["p3", [1, 2]],
      ]),
    )
  })

  it("works out where values and ids stand once, when first asked", () => {
    const vocabulary = makeVocabulary()
    const art = namedNumber(vocabulary, "products.tag", "art")
    const postings = makePostings(vocabulary, [{ id: "p1", tags: ["art"] }])
    expect([postings.places, postings.byId]).toEqual([undefined, undefined])
    positionsOf(postings, art)
    positionsOfId(postings, vocabulary, "p1")
    const { places, byId } = postings
    expect(Array.from(positionsOf(postings, art))).toEqual([0])
    expect(positionsOfId(postings, vocabulary, "p1")).toEqual([0])
    expect(places).toEqual(new Map([[art, 0]]))
    expect(postings.places).toBe(places)
    expect(postings.byId).toBe(byId)
  })
})
