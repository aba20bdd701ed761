import fc from "fast-check"
import { ofLetters } from "./internal/Choice.js"

/**
 * Texts in families: the members of one are the same text to a rule, members of two never are.
 */
const textFamilies: ReadonlyArray<ReadonlyArray<string>> = [
  ["art", "ART", " Art", "aRt \t"],
  ["café", "cafe\u0301", "CAFÉ ", "Cafe\u0301"],
  ["cafe", "CAFE"],
  ["straße", "STRASSE", "Strasse", "STRAẞE"],
  ["οδος", "ΟΔΟΣ", "οδοσ"],
  ["ﬁlm", "film", "FILM"],
  ["wall art", " Wall Art"],
  ["", " ", "\t\n"],
]

const countryFamilies: ReadonlyArray<ReadonlyArray<string>> = [
  ["DE", "de", " De "],
  ["FR", "fr"],
  ["US", "us "],
]

/**
 * The other spellings of a text or a country that the arbitraries make, itself included: to a rule, they
 * are all the same.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 *
 * Arbitraries.spellingsOf("cafe") // => ["cafe", "CAFE"]
 * Arbitraries.spellingsOf("anything else") // => ["anything else"]
 * ```
 */
export const spellingsOf = (text: string): ReadonlyArray<string> =>
  [...textFamilies, ...countryFamilies].find((family) => family.includes(text)) ?? [text]

/**
 * Texts as rules compare them, tags, vendors, codes and referers: mostly from a few families of spellings
 * (case, accents, spaces), so that two of them are often the same text to a rule; some blank, some of any
 * characters.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * new Set(fc.sample(Arbitraries.text(), 200)).size > 20 // => true
 * ```
 */
export const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...textFamilies.flat()) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  )

/**
 * Texts with something in them besides white space: what a link or a condition of the services needs.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.filledText(), 50).every((text) => text.trim() !== "") // => true
 * ```
 */
export const filledText = (): fc.Arbitrary<string> =>
  text().map((value) => (value.trim() === "" ? `${value}art` : value))

/**
 * Country codes as orders and groups spell them.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.country(), 50).every((code) => code.trim().length === 2) // => true
 * ```
 */
export const country = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...countryFamilies.flat()) },
    {
      weight: 1,
      arbitrary: ofLetters("ABCDEFGHIJKLMNOPQRSTUVWXYZ", { minLength: 2, maxLength: 2 }),
    },
  )

/** Ids whose order is easily got wrong, that need escaping, or that name what every object has. */
const notableIds = [
  ...["1", "9", "10", "a", "B", "b", "é", "e\u0301", "ﬀ", "😀", "-", "07", " p1"],
  ...["a/b", "a%2Fb", "100%", "a b", "constructor", "__proto__", "null", "\\", '"', "'"],
]

/**
 * Ids: not empty, of any characters, never changed by case or spaces. Among them are numbers as text,
 * slashes and signs that need escaping, and names that every object has.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.id(), 50).every((id) => id.length > 0) // => true
 * ```
 */
export const id = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...notableIds) },
    { weight: 3, arbitrary: ofLetters("abc0123", { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }) },
  )

/**
 * So many different ids.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const lists = fc.sample(Arbitraries.ids({ minLength: 3, maxLength: 3 }), 50)
 * lists.every((ids) => new Set(ids).size === 3) // => true
 * ```
 */
export const ids = (
  options: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<ReadonlyArray<string>> => fc.uniqueArray(id(), options)

/**
 * Names of expenses and incomes: 1 to 200 characters besides the spaces around them.
 *
 * @since 0.2.0
 * @category texts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.entryName(), 50).every((name) => name.trim() !== "") // => true
 * ```
 */
export const entryName = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom("Samples", " Bonus ", "x", "é".repeat(200), `${"😀".repeat(200)}  `, "null"),
    fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 })
      .map((name) => (name.trim() === "" ? "Samples" : name)),
  )
