const ascii = /^[\x20-\x7e]*$/

/** Upper and lower case are applied until letters that only differ in case are the same text. */
const foldCase = (text: string): string =>
  text
    // A dotless i is a letter of its own; upper case would make it an ordinary one.
    .split("ı")
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join("ı")
    // Lower case writes a sigma at the end of a word differently.
    .replaceAll("ς", "σ")

/**
 * Text as rules compare it: without surrounding white space, in Unicode's composed form (NFC), without
 * a difference of case.
 */
export const fold = (text: string): string =>
  ascii.test(text)
    ? text.trim().toLowerCase()
    : foldCase(text.trim().normalize("NFC")).normalize("NFC")

/** A country code as rules compare it. */
export const foldCountry = (code: string): string => code.trim().toUpperCase()
