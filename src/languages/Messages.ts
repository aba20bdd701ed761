/** The texts that collaborators read: what each message is called, what it takes, and how it is filled in. */
import type { Language } from "./Language.js"

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

/** The messages of a language, by name. */
export type Messages = Readonly<Record<string, Message>>

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** What a message of English takes. */
export type ParameterOf<M> = M extends { readonly other: infer Other }
  ? NamesIn<Other> | "count"
  : NamesIn<M>

/** A text that has each of the names in braces. */
type TextWith<Name extends string> = [Name] extends [never]
  ? string
  : (Name extends string ? (text: `${string}{${Name}}${string}`) => void : never) extends (
        text: infer Text,
      ) => void
    ? Text
    : never

type PluralWith<Name extends string> = { readonly [Form in keyof Plural]: TextWith<Name> }

/**
 * The same messages in another language: a name or a parameter that is not there does not compile. A text for one
 * number may leave the number out.
 */
export type Translation<English extends Messages> = {
  readonly [Name in keyof English]: English[Name] extends { readonly other: infer Other }
    ? PluralWith<Exclude<NamesIn<Other>, "count">>
    : TextWith<NamesIn<English[Name]>>
}

/** A piece of a text: words of the language, or what fills them in, such as an amount or a name. */
export interface PhrasePart {
  readonly text: string
  readonly isFilledIn: boolean
}

/** A text in its pieces. */
export type Phrase = ReadonlyArray<PhrasePart>

/** What fills a message in: a text of its own, a number of things, or another phrase. */
export type Filling = string | number | Phrase

/** What a message is filled in with: nothing, or something for each of its parameters. */
export type Values<M> = [ParameterOf<M>] extends [never]
  ? readonly []
  : readonly [Readonly<Record<ParameterOf<M>, Filling>>]

/** Says a message. */
export type Say<English> = <Name extends keyof English>(
  name: Name,
  ...values: Values<English[Name]>
) => Phrase

const pieces = (filling: Filling): Phrase =>
  typeof filling === "object" ? filling : [{ text: String(filling), isFilledIn: true }]

const textFor = (message: Message, language: Language, count: Filling | undefined): string =>
  typeof message === "string"
    ? message
    : (message[new Intl.PluralRules(language).select(Number(count))] ?? message.other)

/** What says the messages of a language, with the parameters of English. */
export const sayIn =
  <English>(
    texts: { readonly [Name in keyof English]: Message },
    language: Language,
  ): Say<English> =>
  (name, ...[values = {}]) => {
    const filled: Readonly<Record<string, Filling | undefined>> = values
    const text = textFor(texts[name], language, filled.count)
    return text.split(/\{(\w+)\}/).flatMap((part, index): Phrase => {
      if (index % 2 === 1) return pieces(filled[part] ?? `{${part}}`)
      return part === "" ? [] : [{ text: part, isFilledIn: false }]
    })
  }

/** A phrase as one text. */
export const plain = (phrase: Phrase): string => phrase.map(({ text }) => text).join("")
