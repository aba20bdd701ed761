/** Where things are in a JSON text: the place of a syntax error, and the place of a field. */

/** A position in a text, counted from 1. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** What is wrong with a JSON text, and at which character. */
export interface SyntaxProblem {
  readonly offset: number
  readonly message: string
  /** The text is no JSON only because it is not at its end. */
  readonly isUnfinished: boolean
}

/** Keys and indexes from the outside in. */
export type JsonPath = ReadonlyArray<string | number>

const deepest = 1_000

/** Line and column of a character. */
export const placeOf = (text: string, offset: number): TextPosition => {
  let line = 1
  let start = 0
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** `[3].items[0].amount` as its keys and indexes. */
export const parsePath = (path: string): JsonPath =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? "") : Number(index),
  )

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const wordPattern = /[A-Za-z0-9_$+.-]+/y

/** Walks over a JSON text and remembers the first problem, and the place of the value looked for. */
class Walk {
  private at = 0
  problem: SyntaxProblem | undefined
  found = 0
  private readonly text: string
  private readonly target: JsonPath

  constructor(text: string, target: JsonPath) {
    this.text = text
    this.target = target
  }

  document(): void {
    if (!this.value(0, true)) return
    this.blank()
    if (this.at < this.text.length) this.fail("there is more after the end of the JSON value")
  }

  private fail(message: string, options: { readonly isUnfinished?: boolean } = {}): false {
    const isUnfinished = options.isUnfinished ?? this.at >= this.text.length
    this.problem ??= { offset: this.at, message, isUnfinished }
    return false
  }

  private blank(): void {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const matched = pattern.exec(this.text)?.[0]
    this.at += matched?.length ?? 0
    return matched
  }

  /** `onTarget`: every key so far was the target's. */
  private value(depth: number, onTarget: boolean): boolean {
    this.blank()
    if (onTarget) this.found = this.at
    if (depth > deepest) return this.fail(`is nested more than ${deepest} levels deep`)
    const first = this.text[this.at]
    if (first === undefined) return this.fail("the text ends in the middle of the JSON value")
    if (first === "{") return this.members(depth, onTarget)
    if (first === "[") return this.elements(depth, onTarget)
    if (first === '"') return this.string("a text")
    return this.scalar(first)
  }

  private string(what: string): boolean {
    if (this.text[this.at] !== '"') {
      return this.fail(`expected ${what} in double quotes, found ${this.nearby()}`)
    }
    const start = this.at
    for (this.at += 1; this.at < this.text.length; ) {
      const character = this.text[this.at] ?? ""
      if (character === "\\") {
        if (this.match(escapePattern) === undefined) return this.fail("is an unknown \\ escape")
      } else {
        if (character < " ") return this.fail("a text can't hold a line break or control character")
        this.at += 1
        if (character === '"') return true
      }
    }
    this.at = start
    return this.fail("this text has no closing quote", { isUnfinished: true })
  }

  private scalar(first: string): boolean {
    const start = this.at
    const word = this.match(wordPattern) ?? ""
    if (word === "true" || word === "false" || word === "null") return true
    this.at = start
    if ((first === "-" || (first >= "0" && first <= "9")) && this.match(numberPattern) === word) {
      return true
    }
    this.at = start
    return this.fail(`${this.nearby()} is no JSON value`)
  }

  private nearby(): string {
    if (this.at >= this.text.length) return "the end of the text"
    const start = this.at
    const word = this.match(wordPattern)
    this.at = start
    return `"${(word ?? this.text.slice(start, start + 1)).slice(0, 20)}"`
  }

  private members(depth: number, onTarget: boolean): boolean {
    return this.list("}", (index) => {
      const start = this.at
      if (!this.string("a field name")) return false
      const key = index === undefined ? "" : this.text.slice(start + 1, this.at - 1)
      this.blank()
      if (this.text[this.at] !== ":") {
        return this.fail(`expected ":" after the field name, found ${this.nearby()}`)
      }
      this.at += 1
      return this.value(depth + 1, onTarget && this.target[depth] === key)
    })
  }

  private elements(depth: number, onTarget: boolean): boolean {
    return this.list("]", (index) =>
      this.value(depth + 1, onTarget && this.target[depth] === index),
    )
  }

  private list(close: string, entry: (index: number) => boolean): boolean {
    this.at += 1
    this.blank()
    if (this.text[this.at] === close) {
      this.at += 1
      return true
    }
    for (let index = 0; ; index += 1) {
      this.blank()
      if (!entry(index)) return false
      this.blank()
      const next = this.text[this.at]
      if (next !== "," && next !== close) {
        return this.fail(`expected "," or "${close}", found ${this.nearby()}`)
      }
      this.at += 1
      if (next === close) return true
    }
  }
}

const walk = (text: string, target: JsonPath): Walk => {
  const walked = new Walk(text, target)
  walked.document()
  return walked
}

/** The first thing that keeps a text from being JSON, in words; none when it is JSON. */
export const syntaxProblem = (text: string): SyntaxProblem | undefined => walk(text, []).problem

/** The character at which the value of a path begins, or the nearest value around it that is there. */
export const offsetOf = (text: string, path: JsonPath): number => walk(text, path).found
