/**
 * The languages in which collaborators read what they are shown.
 *
 * @since 0.6.0
 */

/**
 * All languages, by their BCP 47 codes; the first is the default.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { Language } from "apportion"
 *
 * Language.all // => ["en", "de", "ar"]
 * ```
 */
export const all = ["en", "de", "ar"] as const

/**
 * A language, by its BCP 47 code.
 *
 * @since 0.6.0
 * @category models
 */
export type Language = (typeof all)[number]

/**
 * Whether a value is the code of a language.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { Language } from "apportion"
 *
 * Language.isLanguage("de") // => true
 * Language.isLanguage("xx") // => false
 * ```
 */
export const isLanguage = (value: unknown): value is Language => all.some((one) => one === value)

/**
 * The direction in which a language is written.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Language } from "apportion"
 *
 * Language.directionOf("ar") // => "rtl"
 * ```
 */
export const directionOf = (language: Language): "ltr" | "rtl" =>
  language === "ar" ? "rtl" : "ltr"
