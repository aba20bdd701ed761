/** A sentence of the catalogue: what fills it in stands by itself, whichever way it runs. */
import type { JSX } from "preact"
import type { Phrase } from "../../languages/Messages.js"
import { Verbatim } from "../parts/Verbatim.js"

/** An amount, a percentage or a day: with the marks by which a language that runs from right to left writes figures. */
const isFigure = (text: string): boolean =>
  /^[\p{Nd}\p{P}\p{S}\p{Z}A-Z\u061c\u200e\u200f]*$/u.test(text)

const Filled = ({ text }: { readonly text: string }): JSX.Element =>
  isFigure(text) ? <bdi>{text}</bdi> : <Verbatim text={text} />

export const Said = ({ phrase }: { readonly phrase: Phrase }): JSX.Element => (
  <>{phrase.map(({ text, isFilledIn }) => (isFilledIn ? <Filled text={text} /> : text))}</>
)
