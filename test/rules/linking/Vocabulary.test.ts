import { describe, expect, it } from "vitest"
import { makeVocabulary, namedNumber, scratchOf } from "../../../src/rules/linking/Links.js"

describe("the numbers of values", () => {
  it("are the same for all spellings of a text, in whichever order they come", () => {
    const vocabulary = makeVocabulary()
    const spellings = ["Art", "ART", " art", "Art"]
    expect(spellings.map((tag) => namedNumber(vocabulary, "products.tag", tag))).toEqual([
      0, 0, 0, 0,
    ])
    expect(
      ["wall", "art", "WALL"].map((tag) => namedNumber(vocabulary, "products.tag", tag)),
    ).toEqual([1, 0, 1])
    expect(vocabulary.size).toBe(2)
  })

  it("are others for a tag, a vendor and an id of the same text", () => {
    const vocabulary = makeVocabulary()
    const numbers = [
      namedNumber(vocabulary, "products.tag", "art"),
      namedNumber(vocabulary, "products.vendor", "art"),
      namedNumber(vocabulary, "products", "art"),
      namedNumber(vocabulary, "products", "Art"),
    ]
    expect(numbers).toEqual([0, 1, 2, 3])
    expect(vocabulary.lastId).toBe(3)
    expect(namedNumber(vocabulary, "products", "art")).toBe(2)
    expect(vocabulary.lastId).toBe(3)
  })

  it("have a place each in the scratch, which is made anew only when there are more of them", () => {
    const vocabulary = makeVocabulary()
    const seen = ["a", "b", "c", "d", "e", "f", "g"].map((tag) => {
      namedNumber(vocabulary, "products.tag", tag)
      const scratch = scratchOf(vocabulary)
      expect(scratch.length).toBeGreaterThanOrEqual(vocabulary.size)
      expect(scratch.every((number) => number === -1)).toBe(true)
      return scratch
    })
    const sizes = seen.map(({ length }) => length)
    expect(sizes).toEqual([2, 2, 6, 6, 6, 6, 14])
    expect(new Set(seen).size).toBe(3)
  })
})
