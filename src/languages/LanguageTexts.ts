/** What a language says: the messages of English. */
import type { english, englishDocuments, englishExplanations } from "./english.js"
import type { Translation } from "./Messages.js"

/** The texts of a statement. */
export type LanguageTexts = Translation<typeof english>

/** The sentences of explanations. */
export type ExplanationTexts = Translation<typeof englishExplanations>

/** What stands on statements that are files. */
export type DocumentTexts = Translation<typeof englishDocuments>
