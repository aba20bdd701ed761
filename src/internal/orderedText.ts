/**
 * Texts as PostgreSQL can hold them. It has no NUL and no half of a surrogate pair, it orders by code points
 * where lists here are ordered by UTF-16 code units, and some of its clients drop the byte order mark that a
 * text begins with; what can't be said is written in other letters. Nearly every text stays as it is.
 */
const surrogates = 0xd800
/** No letter has this code. It stands just before the surrogates, so what it leads sorts as they do. */
const lead = "\ud7ff"
/** Where the letters begin that stand for the 2,048 surrogates, in their order. */
const firstLetter = 0x4e00

/** The letter before the byte order mark, which has none of its own. */
const beforeMark = "\ufefe"

const nul = "\0"
/** Stands before what says which letter is meant. */
const sign = "\u0001"

/** A text without any stays as it is, which is told without looking for all of them. */
const needsOrderedForm = /* @__PURE__ */ new RegExp(`[${nul}${sign}\ud7ff-\udfff\ufefe\ufeff]`)
const needOrderedForm = /* @__PURE__ */ new RegExp(needsOrderedForm, "g")

const orderedForm = (character: string): string => {
  const unit = character.charCodeAt(0)
  if (unit <= 1) return `${sign}${String.fromCharCode(unit + 1)}`
  if (character === lead) return `${lead}${sign}`
  return unit >= 0xfefe
    ? `${beforeMark}${String.fromCharCode(unit - 0xfefd)}`
    : `${lead}${String.fromCharCode(firstLetter + unit - surrogates)}`
}

/** A text of which the bytes in UTF-8 are in the order of the code units of the text itself. */
export const toOrdered = (text: string): string =>
  needsOrderedForm.test(text) ? text.replace(needOrderedForm, orderedForm) : text

const unitOf = (first: string, code: number): number => {
  if (first === beforeMark) return 0xfefd + code
  if (first !== lead) return code - 1
  return code === 1 ? 0xd7ff : code - firstLetter + surrogates
}

const orderedForms = /* @__PURE__ */ new RegExp(`([${sign}${lead}${beforeMark}])([\\s\\S])`, "g")

/** The text of which `toOrdered` made this one. */
export const fromOrdered = (stored: string): string =>
  stored.replace(orderedForms, (_all, first: string, second: string) =>
    String.fromCharCode(unitOf(first, second.charCodeAt(0))),
  )

/** How many bytes the ordered form of a code unit takes in UTF-8. */
const bytesOfUnit = (unit: number): number => {
  if (unit < 0x80) return unit <= 1 ? 2 : 1
  if (unit < 0x800) return 2
  if (unit >= 0xd800 && unit < 0xe000) return 6
  return unit === 0xd7ff || unit === 0xfefe || unit === 0xfeff ? 4 : 3
}

/** How many bytes `toOrdered` of a text takes in UTF-8, counted without it: whoever only asks need not have it. */
export const orderedBytes = (text: string): number => {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) bytes += bytesOfUnit(text.charCodeAt(index))
  return bytes
}
