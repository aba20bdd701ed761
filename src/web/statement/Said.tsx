/** A sentence of the catalogue: what fills it in stands by itself, whichever way it runs. */
import type { JSX } from "preact"
import type { Phrase } from "../../languages/Messages.js"
import { Verbatim } from "../parts/Verbatim.js"

export const Said = ({ phrase }: { readonly phrase: Phrase }): JSX.Element => (
  <>{phrase.map(({ text, isFilledIn }) => (isFilledIn ? <Verbatim text={text} /> : text))}</>
)
