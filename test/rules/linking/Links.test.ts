import type { ProductGroup } from "apportion"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  codeOf,
  keptCodeOf,
  type Links,
  makeLinks,
  roomFor,
  valuesOf,
} from "../../../src/rules/linking/Links.js"

type Link = ProductGroup.Link

const linkOf = (
  type: Link["type"],
  values: ReadonlyArray<string>,
  modifier: Link["modifier"] = "WITH",
): Link => ({ type, modifier, values })

const tags = (...values: ReadonlyArray<string>) => linkOf("products.tag", values)

describe("a link as a number", () => {
  it("is the same for links that ask for the same, however they are written", () => {
    const links = makeLinks()
    const code = codeOf(links, tags("art", "wall", "toy"))
    for (const same of [tags("toy", "art", "wall"), tags("ART ", "Wall", "art", "toy", "wall")]) {
      expect(codeOf(links, same)).toBe(code)
    }
    expect(links.selections).toHaveLength(1)
    expect(codeOf(links, linkOf("products.all", []))).toBe(
      codeOf(links, linkOf("products.all", ["x"])),
    )
    expect(codeOf(links, linkOf("products", ["p1", "p2"]))).toBe(
      codeOf(links, linkOf("products", ["p2", "p1", "p2"])),
    )
  })

  it("is another one for links that ask for something else", () => {
    const links = makeLinks()
    const different = [
      tags(),
      tags("art"),
      tags("art", "wall"),
      linkOf("products.vendor", ["art"]),
      linkOf("products", ["art"]),
      linkOf("products", ["ART"]),
      linkOf("products.all", []),
    ]
    const codes = different.map((link) => codeOf(links, link))
    expect(new Set(codes).size).toBe(different.length)
    for (const [place, link] of different.entries()) {
      expect(codeOf(links, { ...link, modifier: "NOT" })).toBe((codes[place] ?? 0) + 1)
    }
  })

  it("is the same for a link without values of whatever kind: none of them takes anything", () => {
    const links = makeLinks()
    expect(codeOf(links, linkOf("products", []))).toBe(codeOf(links, tags()))
  })

  it("is kept for the link that was asked about", () => {
    const links = makeLinks()
    const link = tags("art")
    const code = keptCodeOf(links, link)
    expect(links.codes.get(link)).toBe(code)
    expect(code).toBe(codeOf(links, tags("art")))
    expect(keptCodeOf(links, link)).toBe(code)
  })

  it("is found once for the same link: its values are not read again", () => {
    const links = makeLinks()
    let reads = 0
    const link: Link = {
      type: "products.tag",
      modifier: "NOT",
      get values() {
        reads += 1
        return ["art"]
      },
    }
    expect([keptCodeOf(links, link), keptCodeOf(links, link)]).toEqual([1, 1])
    expect(reads).toBe(1)
  })

  it("is the same for thousands of values in the other order, without comparing each with each", () => {
    const links = makeLinks()
    const values = Array.from({ length: 4_000 }, (_, index) => `t${index}`)
    const code = codeOf(links, tags(...values))
    expect(codeOf(links, tags(...values.toReversed(), "t0"))).toBe(code)
    expect(valuesOf(links, code >> 1)).toHaveLength(4_000)
  })

  it("tells a hundred and sixty thousand links apart, also those that hash alike", () => {
    const links = makeLinks()
    const names = Array.from({ length: 100 }, (_, index) => `t${index}`)
    const all = names.flatMap((one, first) =>
      names
        .slice(0, first)
        .flatMap((two, second) => names.slice(0, second).map((three) => tags(one, two, three))),
    )
    const codes = all.map((link) => codeOf(links, link))
    expect(new Set(codes).size).toBe(all.length)
    expect(links.byHash.size).toBeLessThan(all.length)
    expect(links.byHash.size).toBeGreaterThan(all.length * 0.9)
    expect(all.map((link) => codeOf(links, link))).toEqual(codes)
  })
})

/** The selections with a value, as the table chains them. */
const chained = ({ heads, nexts, owners }: Links, number: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let next = heads[number] ?? 0; next > 0; next = nexts[next - 1] ?? 0) {
    found.push(owners[next - 1] ?? -1)
  }
  return found.reverse()
}

describe("the table of links", () => {
  it("has the values of each, each once and ascending, and the links of each value", () => {
    const text = fc.integer({ min: 0, max: 60 }).map((number) => `t${number}`)
    const list = fc.array(text, { maxLength: 50, size: "max" })
    fc.assert(
      fc.property(fc.array(list, { maxLength: 12 }), (lists) => {
        const links = makeLinks()
        const indexes = lists.map((values) => codeOf(links, tags(...values)) >> 1)
        const asked = new Map<number, Set<number>>()
        for (const [place, values] of lists.entries()) {
          const index = indexes[place] ?? -1
          const numbers = [...new Set(values)].map((value) =>
            Number(links.vocabulary.words.get("products.tag")?.spelled.get(value)),
          )
          expect([...valuesOf(links, index)]).toEqual(numbers.sort((a, b) => a - b))
          for (const number of numbers) {
            asked.set(number, (asked.get(number) ?? new Set()).add(index))
          }
        }
        for (const [number, wanted] of asked) {
          expect(chained(links, number)).toEqual([...wanted].sort((a, b) => a - b))
        }
      }),
      { numRuns: 100 },
    )
  })

  it("knows the one selection that takes every product", () => {
    const links = makeLinks()
    codeOf(links, tags("art"))
    expect(links.takers).toEqual([])
    const all = codeOf(links, linkOf("products.all", []))
    codeOf(links, linkOf("products.all", ["x"], "NOT"))
    expect(links.takers).toEqual([all >> 1])
  })

  it("grows by doubling, and only when there is no room", () => {
    const numbers = Int32Array.of(7, 8)
    expect(roomFor(numbers, 2)).toBe(numbers)
    expect([...roomFor(numbers, 3)]).toEqual([7, 8, 0, 0, 0, 0])
  })
})
