/** Characters of a text that are not seen, or that steer the text around them. */

/** Control characters, marks that turn the direction of writing, and characters without width or ink. */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0001}-\u{e007f}]/gu

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

/** Joins the parts of a family or a flag emoji: it is shown as it is between two of them. */
const joins = (text: string, at: number): boolean =>
  text[at] === "\u200d" && /\p{Extended_Pictographic}\ufe0f?$/u.test(text.slice(0, at))

/** A text cut into what is seen and the names of characters that are not. */
export const partsOf = (
  text: string,
): ReadonlyArray<{ readonly text: string; readonly isUnseen: boolean }> => {
  const parts: Array<{ readonly text: string; readonly isUnseen: boolean }> = []
  let done = 0
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (joins(text, index)) continue
    if (index > done) parts.push({ text: text.slice(done, index), isUnseen: false })
    parts.push({ text: nameOf(character), isUnseen: true })
    done = index + character.length
  }
  if (done < text.length) parts.push({ text: text.slice(done), isUnseen: false })
  return parts
}
