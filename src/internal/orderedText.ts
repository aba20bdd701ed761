/**
 * Texts as PostgreSQL can hold them. It has no NUL and no half of a surrogate pair, it orders by code points
 * where lists here are ordered by UTF-16 code units, and some of its clients drop the byte order mark that a
 * text begins with; what can't be said is written in other letters. Nearly every text stays as it is.
 */
const surrogates = 0xd800
const endOfSurrogates = 0xe000
/** No letter has this code. It stands just before the surrogates, so what it leads sorts as they do. */
const lead = "\ud7ff"
/** Where the letters begin that stand for the 2,048 surrogates, in their order. */
const firstLetter = 0x4e00

/** The letter before the byte order mark, which has none of its own. */
const beforeMark = "\ufefe"

const nul = String.fromCharCode(0)
/** Stands before what says which letter is meant. */
const sign = String.fromCharCode(1)

const needsOrderedForm = new RegExp(`[${nul}${sign}\ud7ff-\udfff\ufefe\ufeff]`)

const orderedLetter = (unit: number): string => {
  if (unit <= 1) return `${sign}${String.fromCharCode(unit + 1)}`
  if (unit === 0xd7ff) return `${lead}${sign}`
  if (unit === 0xfefe) return `${beforeMark}\u0001`
  if (unit === 0xfeff) return `${beforeMark}\u0002`
  const isSurrogate = unit >= surrogates && unit < endOfSurrogates
  return isSurrogate
    ? `${lead}${String.fromCharCode(firstLetter + unit - surrogates)}`
    : String.fromCharCode(unit)
}

const mapUnits = (text: string, letter: (unit: number) => string): string => {
  let mapped = ""
  for (let index = 0; index < text.length; index += 1) mapped += letter(text.charCodeAt(index))
  return mapped
}

/** A text of which the bytes in UTF-8 are in the order of the code units of the text itself. */
export const toOrdered = (text: string): string =>
  needsOrderedForm.test(text) ? mapUnits(text, orderedLetter) : text

const unitOf = (first: string, code: number): number => {
  if (first === beforeMark) return 0xfefd + code
  if (first !== lead) return code - 1
  return code === 1 ? 0xd7ff : code - firstLetter + surrogates
}

const orderedForms = new RegExp(`([${sign}${lead}${beforeMark}])([\\s\\S])`, "g")

/** The text of which `toOrdered` made this one. */
export const fromOrdered = (stored: string): string =>
  stored.replace(orderedForms, (_all, first: string, second: string) =>
    String.fromCharCode(unitOf(first, second.charCodeAt(0))),
  )
