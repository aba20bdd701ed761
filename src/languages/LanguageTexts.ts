/** The shape of the texts of a language: the messages of English, each a text or one for each number. */
import type { english } from "./english.js"
import type { Plural } from "./Messages.js"

/** The messages of a language. */
export type LanguageTexts = {
  readonly [Name in keyof typeof english]: (typeof english)[Name] extends string ? string : Plural
}
