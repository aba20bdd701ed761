/** Texts of others, shown as they are: nothing in them is markup, and nothing in them can steer the text around. */
import type { JSX } from "preact"
import { partsOf } from "./UnseenCharacters.js"

/** The longest text that is shown whole in the middle of others. */
const mostShown = 200

/** A host's text: a name, an id, a tag. Longer than `most` characters, it is cut, and the whole is in its title. */
export const Verbatim = ({
  text,
  most = mostShown,
}: {
  readonly text: string
  readonly most?: number
}): JSX.Element => {
  const characters = text.length > most ? [...text] : []
  const isCut = characters.length > most
  const shown = isCut ? characters.slice(0, most).join("") : text
  const title = isCut ? `${characters.length} characters` : undefined
  return (
    <bdi title={title}>
      {partsOf(shown).map((part) =>
        part.isUnseen ? <span class="unseen">{part.text}</span> : part.text,
      )}
      {isCut ? "…" : ""}
    </bdi>
  )
}
