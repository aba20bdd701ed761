const ascii = /^[\x20-\x7e]*$/

const space = 0x20
const lastPrintable = 0x7e
const [capitalA, capitalZ] = [0x41, 0x5a]

/** Whether the text is already folded: printable ASCII without capitals, leading or trailing spaces. */
const isFolded = (text: string): boolean => {
  const { length } = text
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < space || code > lastPrintable || (code >= capitalA && code <= capitalZ)) return false
  }
  return length === 0 || (text.charCodeAt(0) !== space && text.charCodeAt(length - 1) !== space)
}

/** Applies upper and lower case so that letters that differ only in case become the same text. */
const foldCase = (text: string): string =>
  text
    // A dotless i is a separate letter; upper case would turn it into an ordinary one.
    .split("ı")
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join("ı")
    // Lower case writes a sigma at the end of a word differently.
    .replaceAll("ς", "σ")

const joiner = "\u034f"

/** Thirty marks in a row followed by another one; the joiner is a mark itself. */
const manyMarks = /[\p{M}--[\u034f]]{30}(?=[\p{M}--[\u034f]])/gv

/**
 * Unicode's composed form (NFC). More than thirty marks on one letter, which no language writes, are sorted thirty at a
 * time, as in Unicode's stream-safe format: sorting a hundred thousand takes minutes.
 */
const composed = (text: string): string => text.replace(manyMarks, `$&${joiner}`).normalize("NFC")

/** Text as rules compare it: trimmed, in Unicode's composed form (NFC), case-folded. */
export const fold = (text: string): string => {
  if (isFolded(text)) return text
  return ascii.test(text) ? text.trim().toLowerCase() : composed(foldCase(composed(text.trim())))
}

/** A country code as rules compare it. */
export const foldCountry = (code: string): string => code.trim().toUpperCase()
