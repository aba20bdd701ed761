const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

/** A text as XML has it inside an element. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** An element with what is in it, which is XML already; nothing when there is nothing. */
export const element = (name: string, ...content: ReadonlyArray<string>): string => {
  const inside = content.join("")
  return inside === "" ? "" : `<${name}>${inside}</${name}>`
}
