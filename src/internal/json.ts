/** JSON whose numbers are kept as they are written. */

/** A whole number of so many digits may be one that no number of JavaScript holds. */
const longNumber = /[:[,]\s*-?\d{16}/

/** In a text that is JSON: a string, or a whole number of 16 digits or more. */
const stringOrLong = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

const exact = (token: string): string =>
  token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`

/**
 * Parses JSON, and keeps a whole number beyond ±9007199254740991 as the text that stands there: an id of that
 * size is then read as it is, and an amount is refused with its own digits. Throws as `JSON.parse` does.
 */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  return longNumber.test(text) ? JSON.parse(text.replace(stringOrLong, exact)) : value
}
