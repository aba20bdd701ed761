import * as Result from "effect/Result"
import { SaxesParser, type SaxesTagNS } from "saxes"
import { shorten } from "../../../internal/problems.js"
import type { Problem } from "../../../Problem.js"
import { type Unreadable, unreadable } from "../../../Unreadable.js"

/** An element of a document, without its namespace. */
export interface XmlElement {
  readonly name: string
  readonly line: number
  /** The attribute `Ccy`; the others are not needed. */
  readonly currency: string | undefined
  readonly children: ReadonlyArray<XmlElement>
  /** Its own text, trimmed. */
  readonly text: string
}

/** The maximum number of characters of a document: a statement of some tens of thousands of entries. */
export const mostCharacters = 64_000_000

/** An element takes some 200 bytes of memory, however few characters it has. */
const mostElements = 3_000_000

/** Elements of ISO 20022 have one attribute, and the outermost some namespaces. */
const mostAttributes = 20

/** Messages of ISO 20022 are about 15 levels deep; no valid message is deeper than this. */
const mostLevels = 50

/**
 * The size of the pieces given to the parser: it stops early at a problem, and its cost grows with the square of depth.
 */
const pieceLength = 4_096

interface OpenElement {
  readonly name: string
  readonly line: number
  readonly currency: string | undefined
  readonly children: Array<OpenElement>
  text: string
}

const draftOf = (tag: SaxesTagNS, line: number): OpenElement => ({
  name: tag.local,
  line,
  currency: tag.attributes.Ccy?.value,
  children: [],
  text: "",
})

/** The elements of a text as the parser goes through it. */
class Tree {
  root: { readonly draft: OpenElement; readonly namespace: string } | undefined
  problem: Problem | undefined
  readonly #open: Array<OpenElement> = []
  #elements = 0
  #attributes = 0
  readonly #parser = new SaxesParser({ xmlns: true })

  constructor() {
    this.#parser.on("error", ({ message }) =>
      this.#refuse(`is not well-formed XML: ${shorten(message)}`),
    )
    // A document type can define entities, and messages of banks have none.
    this.#parser.on("doctype", () => this.#refuse("must have no document type"))
    this.#parser.on("attribute", () => this.#count())
    this.#parser.on("opentag", (tag) => this.#begin(tag))
    this.#parser.on("text", (text) => this.#add(text))
    this.#parser.on("cdata", (text) => this.#add(text))
    this.#parser.on("closetag", () => this.#end())
  }

  #refuse(message: string) {
    this.problem ??= {
      path: "",
      value: undefined,
      message: `${message} (line ${this.#parser.line})`,
    }
  }

  #count() {
    this.#attributes += 1
    if (this.#attributes > mostAttributes) {
      this.#refuse(`must have at most ${mostAttributes} attributes at an element`)
    }
  }

  #begin(tag: SaxesTagNS) {
    if (this.problem !== undefined) return
    this.#attributes = 0
    this.#elements += 1
    if (this.#elements > mostElements) this.#refuse(`must have at most ${mostElements} elements`)
    const draft = draftOf(tag, this.#parser.line)
    this.#open.at(-1)?.children.push(draft)
    if (this.#open.length === 0) this.root = { draft, namespace: tag.uri }
    this.#open.push(draft)
    if (this.#open.length > mostLevels) this.#refuse(`must be at most ${mostLevels} elements deep`)
  }

  #add(text: string) {
    const inside = this.#open.at(-1)
    if (inside !== undefined && this.problem === undefined) inside.text += text
  }

  #end() {
    const done = this.#open.pop()
    if (done !== undefined) done.text = done.text.trim()
  }

  read(text: string) {
    for (let from = 0; from < text.length && this.problem === undefined; from += pieceLength) {
      this.#parser.write(text.slice(from, from + pieceLength))
    }
    if (this.problem === undefined) this.#parser.close()
  }
}

/** A message of ISO 20022: its name in namespaces, as `camt.053`, and the element that holds it. */
export interface MessageType {
  readonly id: string
  readonly element: string
}

const namespaceOf = (id: string): RegExp =>
  new RegExp(`^urn:iso:std:iso:20022:tech:xsd:${id.replace(".", "\\.")}\\.001\\.\\d\\d$`)

const refused = (what: string, path: string, message: string): Result.Result<never, Unreadable> =>
  Result.fail(unreadable(what, [{ path, value: undefined, message }]))

/**
 * The element that holds a message, in any version of the message. External content is never loaded, and only the
 * entities of XML itself are known.
 */
export const readMessage = (
  text: string,
  { id, element }: MessageType,
): Result.Result<XmlElement, Unreadable> => {
  const what = `${id} file`
  if (typeof text !== "string") return refused(what, "", "must be a text")
  if (text.length > mostCharacters) {
    return refused(what, "", `must have at most ${mostCharacters} characters, has ${text.length}`)
  }
  const tree = new Tree()
  tree.read(text)
  if (tree.problem !== undefined) return Result.fail(unreadable(what, [tree.problem]))
  const { root } = tree
  if (
    root === undefined ||
    root.draft.name !== "Document" ||
    !namespaceOf(id).test(root.namespace)
  ) {
    const found = root === undefined ? "nothing" : `${root.draft.name} of "${root.namespace}"`
    return refused(what, "", `must be a Document of ${id}.001, got ${found}`)
  }
  const message = root.draft.children.find(({ name }) => name === element)
  return message === undefined
    ? refused(what, "Document", `must hold ${element}`)
    : Result.succeed(message)
}
