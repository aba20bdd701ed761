/** The texts that collaborators read: what each message is called, what it takes, and how it is filled in. */

/** A text for each number of things that a language tells apart; `other` stands for those that are not there. */
export interface Plural {
  readonly zero?: string
  readonly one?: string
  readonly two?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

/** A text, or one for each number. What stands in braces is filled in, as `{count}`. */
export type Message = string | Plural

/** What fills a message in. */
export type Values = Readonly<Record<string, string | number>>

/** The text of a message. */
export const say = (message: Message, language: string, values: Values = {}): string => {
  const { count } = values
  const text =
    typeof message === "string"
      ? message
      : (message[new Intl.PluralRules(language).select(Number(count))] ?? message.other)
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
