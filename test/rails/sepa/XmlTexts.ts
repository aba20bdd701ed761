import { SaxesParser } from "saxes"

/** The texts of all elements of a name, in their order, by a parser that knows nothing of this library. */
export const textsOf = (xml: string, name: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let inside: string | undefined
  const parser = new SaxesParser()
  parser.on("opentag", (tag) => {
    if (tag.name === name) inside = ""
  })
  parser.on("text", (text) => {
    if (inside !== undefined) inside += text
  })
  parser.on("closetag", (tag) => {
    if (tag.name === name) found.push(inside ?? "")
    if (tag.name === name) inside = undefined
  })
  parser.write(xml).close()
  return found
}
