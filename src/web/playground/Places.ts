/** Where in a text of JSON something is, by its path. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language"
import type { Diagnostic } from "@codemirror/lint"
import type { EditorState } from "@codemirror/state"
import type { SyntaxNode } from "@lezer/common"
import type { Problem } from "../../Problem.js"

/** A step of a path: a field's name, or the place in a list. */
export type PathStep = string | number

/** The steps of a path such as `items[2].product.tags[0]`. */
export const stepsOf = (path: string): ReadonlyArray<PathStep> =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name = ""]) =>
    index === undefined ? name : Number(index),
  )

const values = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"])

const childrenOf = (node: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const children: Array<SyntaxNode> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const unquoted = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    return String(value)
  } catch {
    return text
  }
}

/** The name of a property. */
export const nameOf = (
  property: SyntaxNode,
  text: (from: number, to: number) => string,
): string => {
  const name = property.getChild("PropertyName")
  return name === null ? "" : unquoted(text(name.from, name.to))
}

const heldBy = (property: SyntaxNode): SyntaxNode | undefined =>
  childrenOf(property).find(({ name }) => values.has(name))

const inside = (
  node: SyntaxNode,
  step: PathStep,
  text: (from: number, to: number) => string,
): SyntaxNode | undefined => {
  if (typeof step === "number") {
    return childrenOf(node).filter(({ name }) => values.has(name))[step]
  }
  const property = node.getChildren("Property").find((one) => nameOf(one, text) === step)
  return property === undefined ? undefined : (heldBy(property) ?? property)
}

/** The nearest node to a path: the object that lacks a field, where the field is not there. */
const nodeAt = (
  root: SyntaxNode,
  path: string,
  text: (from: number, to: number) => string,
): SyntaxNode => {
  let node = root
  for (const step of stepsOf(path)) {
    const next = inside(node, step, text)
    if (next === undefined) return node
    node = next
  }
  return node
}

/** As many marks are set; a text with more is wrong as a whole. */
const mostMarks = 200

/** The problems as marks in the text. */
export const diagnosticsOf = (
  state: EditorState,
  problems: ReadonlyArray<Problem>,
): ReadonlyArray<Diagnostic> => {
  const tree = ensureSyntaxTree(state, state.doc.length, 200) ?? syntaxTree(state)
  const root = childrenOf(tree.topNode).find(({ name }) => values.has(name))
  const text = (from: number, to: number) => state.sliceDoc(from, to)
  return problems.slice(0, mostMarks).map(({ path, message }) => {
    const node = root === undefined ? undefined : nodeAt(root, path, text)
    const from = node?.from ?? 0
    // A whole object is marked by its first line alone.
    const to = Math.min(node?.to ?? 0, state.doc.lineAt(from).to)
    return { from, to, severity: "error", message: `${path} ${message}`.trim() }
  })
}
