const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

/** A text escaped for XML. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** An element with its content, which is XML; empty without content. */
export const element = (name: string, ...content: ReadonlyArray<string>): string => {
  const inside = content.join("")
  return inside === "" ? "" : `<${name}>${inside}</${name}>`
}
