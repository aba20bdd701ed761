/** Texts as the database can hold them, for any text that a program can have. */
import { Buffer } from "node:buffer"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fromOrdered, toOrdered } from "../../src/internal/orderedText.js"
import { longIds } from "../../src/service/internal/longIds.js"
import { toSearchable } from "../../src/sql/internal/rows.js"
import { runs } from "../generators/Runs.js"
import { anyText as text } from "./AnyText.js"

const many = runs(20_000)

const compareUnits = (one: string, other: string): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}

const compareBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8"))

/** Whether a database of UTF-8 takes it: it has no NUL and no half of a surrogate pair. */
const isStorable = (stored: string): boolean => stored.isWellFormed() && !stored.includes("\0")

describe("texts that are ordered", () => {
  test("are stored as text without NUL and halves of pairs, and come back as they were", () => {
    fc.assert(
      fc.property(text, (given) => {
        const stored = toOrdered(given)
        expect(isStorable(stored)).toBe(true)
        // Who reads UTF-8 takes it for no letter of the text when it comes first.
        expect(stored).not.toContain("\ufeff")
        expect(fromOrdered(stored)).toBe(given)
      }),
      many,
    )
  })

  test("have their bytes in the order of the code units", () => {
    fc.assert(
      fc.property(text, text, text, (start, one, other) => {
        const [first, second] = [start + one, start + other]
        const expected = compareUnits(first, second)
        expect(Math.sign(compareBytes(toOrdered(first), toOrdered(second)))).toBe(expected)
      }),
      many,
    )
  })

  test("stay as they are when there is nothing in them that the database can't hold or order", () => {
    const plain = [
      "",
      "art",
      "Größe “M”",
      "ключ",
      "一丁",
      "\u0002\u001d\n",
      "\u{e000}\uffff",
      "' OR 1=1; --",
    ]
    expect(plain.map(toOrdered)).toEqual(plain)
  })

  test("are ids that services take exactly if they have room in the database", () => {
    const isTaken = (id: string) => longIds([["id", id]]).length === 0
    const hasRoom = (id: string) => Buffer.byteLength(toOrdered(id)) <= 500
    for (let code = 0; code < 0x10000; code += 1) {
      const letter = String.fromCharCode(code)
      const most = Math.floor(500 / Buffer.byteLength(toOrdered(letter)))
      expect([isTaken(letter.repeat(most)), isTaken(letter.repeat(most + 1))]).toEqual([
        true,
        false,
      ])
    }
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (piece, times) => {
        const id = piece.repeat(times)
        expect(isTaken(id)).toBe(hasRoom(id))
      }),
      many,
    )
  })

  test("stand in the database in the order of every code unit there is", () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const stored = all.map(toOrdered)
    expect(stored.every(isStorable)).toBe(true)
    expect(stored.toSorted(compareBytes)).toEqual(stored)
    expect(new Set(stored).size).toBe(all.length)
  })
})

type Search = readonly [whole: string, sought: string]

/** A text and one to look for in it, which is there more often than by chance. */
const search: fc.Arbitrary<Search> = fc.oneof(
  fc.tuple(text, text),
  fc
    .tuple(text, text, text)
    .map(([before, sought, after]): Search => [before + sought + after, sought]),
  fc
    .tuple(text, fc.nat(8), fc.nat(8))
    .map(([whole, from, to]): Search => [whole, whole.slice(from, to)]),
  // A part of what is stored, which cuts what stands for one letter in two.
  fc
    .tuple(text, fc.nat(40), fc.nat(40))
    .map(([whole, from, to]): Search => [whole, toSearchable(whole).slice(from, to)]),
)

describe("texts that are searched", () => {
  test("are stored as text without NUL and halves of pairs", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(isStorable(toSearchable(given))).toBe(true)
      }),
      many,
    )
  })

  test("are found exactly where they are, also when the database compares bytes", () => {
    fc.assert(
      fc.property(search, ([whole, sought]) => {
        const stored = toSearchable(whole)
        const key = toSearchable(sought)
        expect(stored.includes(key)).toBe(whole.includes(sought))
        expect(Buffer.from(stored).includes(Buffer.from(key))).toBe(whole.includes(sought))
      }),
      many,
    )
  })

  test("are found by the half of a letter, as in memory", () => {
    expect(toSearchable("a🎨b").includes(toSearchable("\ud83c"))).toBe(true)
    expect(toSearchable("a🎨b").includes(toSearchable("\ud83d"))).toBe(false)
  })
})

describe("the texts of these tests", () => {
  const share = (holds: (given: string) => boolean): number => {
    const sample = fc.sample(text, { numRuns: 4_000, seed: 7 })
    return sample.filter(holds).length / sample.length
  }

  test("have of everything that matters", () => {
    const kinds = {
      empty: share((given) => given === ""),
      nul: share((given) => given.includes("\0")),
      halves: share((given) => !given.isWellFormed()),
      pairs: share((given) => /[\ud800-\udbff][\udc00-\udfff]/.test(given)),
      lead: share((given) => given.includes("\ud7ff")),
      byteOrder: share((given) => given.includes("\ufeff")),
      last: share((given) => given.includes("\uffff")),
      plain: share((given) => given !== "" && toOrdered(given) === given),
      escapes: share((given) => given.includes("\u000e") || given.includes("\u001d")),
    }
    for (const [kind, part] of Object.entries(kinds)) {
      expect(part, kind).toBeGreaterThan(0.05)
      expect(part, kind).toBeLessThan(0.8)
    }
  })

  test("of a search and what is searched, often are and often are not within each other", () => {
    const sample = fc.sample(search, { numRuns: 4_000, seed: 7 })
    const found = sample.filter(([whole, sought]) => sought !== "" && whole.includes(sought))
    const missed = sample.filter(([whole, sought]) => !whole.includes(sought))
    expect(found.length / sample.length).toBeGreaterThan(0.25)
    expect(missed.length / sample.length).toBeGreaterThan(0.25)
  })
})
