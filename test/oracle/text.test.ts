import { type ProductGroup, RuleSet, Split } from "apportion"
import fc from "fast-check"
import { expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { normalText } from "./Oracle.js"

/** Those of some texts that a group for a tag takes. */
const matched = (wanted: string, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const group: ProductGroup.GroupInput = {
    id: "g",
    collaboratorId: "ada",
    link: { type: "products.tag", values: [wanted] },
    percent: "10",
  }
  const items = texts.map((text, index) => ({
    ...{ id: String(index), product: { id: "p", tags: [text] } },
    ...{ quantity: 1, amount: 100 },
  }))
  const { shares } = Split.order(RuleSet.make([group]), { id: "1", currency: "USD", items })
  const taken = new Set(shares.map(({ itemId }) => itemId))
  return texts.filter((_, index) => taken.has(String(index)))
}

const matches = (wanted: string, there: string): boolean => matched(wanted, [there]).length === 1

const disagreeing = (wanted: string, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taken = matched(wanted, texts)
  return texts.filter((text) => taken.includes(text) !== (normalText(wanted) === normalText(text)))
}

const variantsOf = (text: string): ReadonlyArray<string> => [
  text.toLowerCase(),
  text.toUpperCase(),
  text.toUpperCase().toLowerCase(),
  text.toLowerCase().toUpperCase(),
  text.normalize("NFD"),
  text.normalize("NFKC"),
  ` ${text}\t`,
]

test("every letter that has another case is compared with its variants as the oracle does", () => {
  const letters = Array.from({ length: 0x1e943 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter)
  expect(letters.length).toBeGreaterThan(2_700)
  const wrong = letters.flatMap((letter) =>
    disagreeing(letter, variantsOf(letter)).map((variant) => [letter, variant]),
  )
  expect(wrong).toEqual([])
})

test("letters that only look alike stay different: ı and i, K of Kelvin is k, Å is Å", () => {
  expect(matches("ı", "i")).toBe(false)
  expect(matches("ı", "I")).toBe(false)
  expect(matches("\u212a", "k")).toBe(true)
  expect(matches("\u212b", "\u00e5")).toBe(true)
  expect(matches("\u0391", "A")).toBe(false)
})

test("any two texts are compared as the oracle does", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 4 })
  const pair = fc.oneof(
    fc.tuple(text, text),
    text.chain((one) => fc.tuple(fc.constant(one), fc.constantFrom(...variantsOf(one)))),
    fc.tuple(
      fc.constantFrom("", " ", "\u00a0", "\u3000"),
      fc.constantFrom("", "\n", "\ufeff", "-"),
    ),
  )
  fc.assert(
    fc.property(pair, ([wanted, there]) => {
      expect(disagreeing(wanted, [there])).toEqual([])
    }),
    runs(2_000),
  )
})
