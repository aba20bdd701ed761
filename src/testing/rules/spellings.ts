/** Other spellings of a text that are the same to a rule, and texts that are nearly the same and are not. */
import { foldText } from "../../matching/Product.js"

/** How a rule compares a text: freely, as a country code, or as it is. */
export type Kind = "text" | "country" | "id"

const folds: Readonly<Record<Kind, (value: string) => string>> = {
  text: foldText,
  country: (code) => code.trim().toUpperCase(),
  id: (id) => id,
}

/** A text as a rule compares it. */
export const foldOf = (kind: Kind, value: string): string => folds[kind](value)

const swapped = (pairs: ReadonlyArray<readonly [RegExp, string]>) =>
  pairs.map(
    ([from, to]) =>
      (value: string) =>
        value.replace(from, to),
  )

/** What may be done to a text; what comes out is told apart by how rules compare it. */
const respellings: ReadonlyArray<(value: string) => string> = [
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  (value) => ` ${value} `,
  (value) => `\t${value}\n`,
  (value) => `\u00a0${value}\u3000`,
  (value) => value.slice(0, 1).toUpperCase() + value.slice(1),
  (value) => value.normalize("NFC"),
  (value) => value.normalize("NFD"),
  (value) => value.normalize("NFD").toUpperCase(),
  // Letters that only full case folding takes for the same.
  ...swapped([
    [/ß/g, "ss"],
    [/ss/gi, "ß"],
    [/ss|ß/gi, "ẞ"],
    [/[σΣ]/g, "ς"],
    [/ς/g, "σ"],
    [/ﬁ/g, "fi"],
    [/fi/gi, "ﬁ"],
    [/s/i, "ſ"],
    [/k/i, "\u212a"],
  ]),
]

const wide = (value: string): string =>
  value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))

const otherLetter = (letter: string): string => (letter === "e" ? "a" : "e")

const changed = (value: string, place: number): string => {
  const letters = [...value]
  const letter = letters.at(place)
  return letter === undefined ? value : letters.with(place, otherLetter(letter)).join("")
}

/** What a slip of the hand, or a rule that is too kind, would take for the text. */
const slips: ReadonlyArray<(value: string) => string> = [
  (value) => [...value].slice(0, -1).join(""),
  (value) => `${value}s`,
  (value) => changed(value, -1),
  (value) => changed(value, 0),
  (value) => [...value].slice(1).join(""),
  (value) => value.slice(0, 1) + value,
  (value) => value.normalize("NFD").replace(/\p{M}/gu, ""),
  (value) => wide(value),
  (value) => value.replace(/i/i, "ı"),
  (value) => `${value.slice(0, 1)} ${value.slice(1)}`,
  (value) => value.replaceAll(" ", ""),
  () => "",
]

const idSlips: ReadonlyArray<(value: string) => string> = [
  ...[...slips.slice(0, 5), (value: string) => value.toUpperCase()],
  (value) => value.toLowerCase(),
  (value) => ` ${value}`,
  (value) => `0${value}`,
  (value) => `${value}/1`,
]

/** The text as it is, then its other spellings. */
export const spellings = (kind: Kind, value: string): ReadonlyArray<string> => {
  const folded = foldOf(kind, value)
  const others = respellings.map((respell) => respell(value))
  return [...new Set([value, ...others.filter((other) => foldOf(kind, other) === folded)])]
}

/** Texts like one of the values that are none of them to a rule. */
export const nearMisses = (
  kind: Kind,
  value: string,
  values: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const found = (kind === "id" ? idSlips : slips).map((slip) => slip(value))
  return [...new Set(found)].filter((text) => !values.has(foldOf(kind, text)))
}
