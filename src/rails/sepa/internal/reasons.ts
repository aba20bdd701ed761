import { node, nodes, text, type XmlNode } from "./xmlNode.js"

/** The reason in an element, as its code and the words beside it: `AC04 account closed`. */
export const reasonOf = (information: XmlNode): string | undefined => {
  const code = text(information, "Rsn", "Cd") ?? text(information, "Rsn", "Prtry")
  const words = nodes(information, "AddtlInf").map(({ element }) => element.text)
  const parts = [code, ...words].filter((part) => part !== undefined && part !== "")
  return parts.length === 0 ? undefined : parts.join(" ")
}

/** All reasons in the elements with a name; `undefined` without one. */
export const reasonsIn = (from: XmlNode | undefined, name: string): string | undefined => {
  const found = (from === undefined ? [] : nodes(from, name)).flatMap(
    (each) => reasonOf(each) ?? [],
  )
  return found.length === 0 ? undefined : found.join("; ")
}

/** Whether the value of an element is true. */
export const isTrue = (from: XmlNode, name: string): boolean =>
  ["true", "1"].includes(node(from, name)?.element.text ?? "")
