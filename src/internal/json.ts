/** JSON whose numbers are kept as they are written. */

/** A whole number of so many digits may be one that no number of JavaScript holds. */
const longNumber = /[:[,]\s*-?\d{16}/

const wholeNumber = /^-?\d+$/

/** What stands in the text; a name for what `JSON.parse` gives beside a value. */
interface Context {
  readonly source?: string
}

const keepExact = (_key: string, value: unknown, context?: Context): unknown => {
  const source = context?.source
  const isRounded =
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined
  return isRounded && wholeNumber.test(source) ? source : value
}

/**
 * Parses JSON, and keeps a whole number beyond ±9007199254740991 as the text that stands there: an id of that
 * size is then read as it is, and an amount is refused with its own digits. Throws as `JSON.parse` does.
 */
export const parseJson = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text)
