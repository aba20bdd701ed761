/** The characters that random texts are made of. */
import fc from "fast-check"

const surrogates = { first: 0xd800, count: 0x800 }

const characterAt = (place: number): string =>
  String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count)

/** Where a character stands among all; an error, which fast-check asks for, for what is none. */
const placeOf = (value: unknown): number => {
  const code = typeof value === "string" ? value.codePointAt(0) : undefined
  const place =
    code === undefined || code < surrogates.first ? (code ?? -1) : code - surrogates.count
  if (place < 0 || characterAt(place) !== value) throw new TypeError("is no character")
  return place
}

/**
 * Any character of Unicode. The unit "binary" of fast-check is the same, but lists all of them before it makes the first
 * text, which costs each process most of a second and a map of a million entries.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(characterAt, placeOf)
