import * as reader from "../../internal/reader.js"

/** The texts that are not blank, without blanks around them. */
export const notBlank = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.flatMap((text) => {
    const trimmed = text?.trim() ?? ""
    return trimmed === "" ? [] : [trimmed]
  })

/** Tags as Shopify writes them: separated by commas; newer payloads have a list. */
export const tags = (node: reader.Node, key: string): ReadonlyArray<string> => {
  const value = reader.field(node, key)
  if (Array.isArray(value)) return notBlank(reader.texts(node, key) ?? [])
  if (value === undefined || typeof value === "string") return notBlank((value ?? "").split(","))
  reader.refuse(node, key, "a text of tags separated by commas")
  return []
}

/** A text, or `undefined` when it is blank. */
export const filled = (node: reader.Node, key: string): string | undefined =>
  notBlank([reader.text(node, key)])[0]
