/** What a language says: the messages of English. */
import type { english, englishExplanations } from "./english.js"
import type { Translation } from "./Messages.js"

/** The texts of a statement. */
export type LanguageTexts = Translation<typeof english>

/** The sentences of explanations. */
export type ExplanationTexts = Translation<typeof englishExplanations>
