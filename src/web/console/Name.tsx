/** Names and ids of others, as they are. */
import { Verbatim } from "../parts/Verbatim.js"

/** An id, in letters of one width. */
export const Id = ({ of }: { of: string }) => (
  <code class="id">
    <Verbatim text={of} most={60} />
  </code>
)

/** A name, or the id where there is no name. */
export const Name = ({ name, id }: { name: string | null | undefined; id: string }) =>
  name == null || name.trim() === "" ? <Id of={id} /> : <Verbatim text={name} />

const nameless = /^token:([0-9a-f]{4})[0-9a-f]{4}$/

/** Who made a change: the owner of a token. Those without a name are told apart by four letters of their hash. */
export const Actor = ({ of }: { of: string }) => {
  const [, hash] = nameless.exec(of) ?? []
  return hash === undefined ? (
    <Verbatim text={of} most={40} />
  ) : (
    <span class="faint">Unnamed token {hash}</span>
  )
}

/** A text of several lines. */
export const Lines = ({ of }: { of: string }) => (
  <div class="lines">
    {of.split("\n").map((line, index) => (
      <div key={`${index}`} class={line.startsWith(" ") ? "step" : undefined}>
        <Verbatim text={line.trim()} most={1000} />
      </div>
    ))}
  </div>
)

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** A text where no elements can be, as in the options of a choice and in what is said instead of a mark. */
export const plain = (text: string): string => {
  const characters = [...text]
  const shown = characters.slice(0, 80).join("").replace(controls, codeOf)
  return characters.length > 80 ? `${shown}…` : shown
}
