/** HTML text in which all values from outside are escaped. */
import { oneLine, printable } from "../orders/Words.js"

/** A text that is already HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const escapes: Readonly<{ [character: string]: string }> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** A text as HTML shows it: on one line, and nothing in it turns the text around it. */
const escaped = (text: string): string =>
  printable(oneLine(text)).replace(/[&<>"']/g, (character) => escapes[character] ?? "")

type HtmlPart = string | number | Html | ReadonlyArray<Html>

const partText = (part: HtmlPart): string => {
  if (part instanceof Html) return part.text
  if (typeof part === "string" || typeof part === "number") return escaped(String(part))
  return part.map(({ text }) => text).join("")
}

/** A template whose values are escaped, unless they are already HTML. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<HtmlPart>): Html =>
  new Html(
    texts.reduce((page, text, index) => {
      const part = parts[index - 1]
      return `${page}${part === undefined ? "" : partText(part)}${text}`
    }),
  )
