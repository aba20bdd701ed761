import * as Result from "effect/Result"
import * as Currency from "../money/Currency.js"
import type { Problem } from "../Problem.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import { misspelt } from "./fieldNames.js"
import * as instant from "./instant.js"
import {
  addProblems,
  type Fields,
  guarded,
  isFields,
  mostProblems,
  type Node,
  note,
  pathOf,
  show,
  withoutRepeats,
} from "./problems.js"

// JSON with long numbers kept as they are written.

/** A whole number of this many digits may be beyond JavaScript's safe integers. */
const longNumber = /[:[,]\s*-?\d{16}/

/** Most texts have no so many digits in a row, which is found out several times as fast. */
const manyDigits = /\d{16}/

/** In a text that is JSON: a string, or a whole number of 16 digits or more. */
const stringOrLong = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

const exact = (token: string): string =>
  token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`

/**
 * Parses JSON, and keeps a whole number beyond ±9007199254740991 as its text: an id of that size is then read
 * unchanged, and an amount is refused with its own digits. Throws like `JSON.parse`.
 */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  return manyDigits.test(text) && longNumber.test(text)
    ? JSON.parse(text.replace(stringOrLong, exact))
    : value
}

// Reading JSON of unknown shape. A reader walks an object field by field and notes every problem with its path; if
// there is any, the result is discarded. That is why the `needed…` functions may return a placeholder after noting a
// problem. It is one pass without a schema interpreter, because a million orders go through it.

export { type Fields, isFields, type Node, note, pathOf, unreadable }

/** A value inside a message. The content of lists and objects is left out: the path says where to look. */
export const describe = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "object" && value !== null) return "an object"
  return show(value)
}

/** The field's value; `undefined` when it is absent or null. */
export const field = (node: Node, key: string): unknown => node.fields[key] ?? undefined

const mismatch = (expected: string, value: unknown): string =>
  value === undefined
    ? `is missing, it must be ${expected}`
    : `must be ${expected}, got ${describe(value)}`

/** Notes that a field is invalid. */
export const refuse = (node: Node, key: string, expected: string): void =>
  note(node, key, mismatch(expected, node.fields[key]))

/** Notes misspelt fields; other unknown fields are ignored. */
export const refuseMisspelt = (node: Node, known: ReadonlyArray<string>): void =>
  addProblems(node.problems, misspelt(node.fields, known, node.path))

const refuseElement = (
  node: Node,
  key: string,
  index: number,
  expected: string,
  value: unknown,
): void => {
  const message = `must be ${expected}, got ${describe(value)}`
  note({ ...node, path: pathOf(node, key) }, index, message, value)
}

/** An optional field, read by a parser that returns `undefined` for invalid values. */
export const parsed = <A>(
  node: Node,
  key: string,
  options: { readonly parse: (value: unknown) => A | undefined; readonly expected: string },
): A | undefined => {
  const value = field(node, key)
  if (value === undefined) return undefined
  const result = options.parse(value)
  if (result === undefined) refuse(node, key, options.expected)
  return result
}

/** Notes a missing field. An invalid value was already noted by its reader. */
const present = <A>(
  node: Node,
  key: string,
  options: { readonly value: A | undefined; readonly standIn: A; readonly expected: string },
): A => {
  if (options.value !== undefined) return options.value
  if (field(node, key) === undefined) refuse(node, key, options.expected)
  return options.standIn
}

const aText = "a text"

export const text = (node: Node, key: string): string | undefined => {
  const value = field(node, key)
  if (value === undefined || typeof value === "string") return value
  refuse(node, key, aText)
  return undefined
}

export const neededText = (node: Node, key: string): string =>
  present(node, key, { value: text(node, key), standIn: "", expected: aText })

const anId = "an id: a text, or a whole number from 0 to 9007199254740991"

/** A text that is not empty, or a whole number as text. */
export const idOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value === "" ? undefined : value
  return Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined
}

/** Beyond this, different ids in the text can become the same number when parsed. */
const isRounded = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)

const expectedId = (value: unknown): string =>
  isRounded(value)
    ? "an id that is a text: this number was rounded when its JSON was parsed, Json.parse of apportion/wire keeps it"
    : anId

/** An optional id; an empty text counts as absent. */
export const id = (node: Node, key: string): string | undefined => {
  const value = field(node, key)
  if (typeof value === "string") return value === "" ? undefined : value
  return parsed(node, key, { parse: idOf, expected: expectedId(value) })
}

export const neededId = (node: Node, key: string): string => {
  const value = id(node, key)
  if (value !== undefined) return value
  const given = field(node, key)
  if (given === undefined || given === "") refuse(node, key, anId)
  return ""
}

const aFlag = "true or false"

export const flag = (node: Node, key: string): boolean | undefined => {
  const value = field(node, key)
  if (value === undefined || typeof value === "boolean") return value
  refuse(node, key, aFlag)
  return undefined
}

const wholeNumber = (least: number): string => {
  if (least === Number.MIN_SAFE_INTEGER) {
    return "a whole number within ±9007199254740991"
  }
  return `a whole number from ${least} to 9007199254740991`
}

/** A whole number; money is one in the lowest unit of its currency. */
export const whole = (
  node: Node,
  key: string,
  least = Number.MIN_SAFE_INTEGER,
): number | undefined => {
  const value = field(node, key)
  if (value === undefined) return undefined
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) {
    return value === 0 ? 0 : value
  }
  refuse(node, key, wholeNumber(least))
  return undefined
}

export const neededWhole = (node: Node, key: string, least = Number.MIN_SAFE_INTEGER): number =>
  present(node, key, {
    value: whole(node, key, least),
    standIn: 0,
    expected: wholeNumber(least),
  })

/** A point in time, in Unix seconds. */
export const time = (node: Node, key: string): number | undefined => parsed(node, key, instant)

export const neededTime = (node: Node, key: string): number =>
  present(node, key, { value: time(node, key), standIn: 0, expected: instant.expected })

export const list = (node: Node, key: string): ReadonlyArray<unknown> | undefined => {
  const value = field(node, key)
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value
  refuse(node, key, "a list")
  return undefined
}

/** Nobody reads more problems: the result is discarded, so the rest need not be checked. */
const isFull = ({ problems }: Node): boolean => problems.length >= mostProblems

/** The elements of a list by a parser; every element that can't be read is noted. */
export const parsedList = <A>(
  node: Node,
  key: string,
  options: { readonly parse: (value: unknown) => A | undefined; readonly expected: string },
): ReadonlyArray<A> | undefined => {
  const values = list(node, key)
  if (values === undefined) return undefined
  const results: Array<A> = []
  for (let index = 0; index < values.length && !isFull(node); index++) {
    const result = options.parse(values[index])
    if (result === undefined) refuseElement(node, key, index, options.expected, values[index])
    else results.push(result)
  }
  return results
}

const asText = {
  parse: (value: unknown) => (typeof value === "string" ? value : undefined),
  expected: aText,
}

export const texts = (node: Node, key: string): ReadonlyArray<string> | undefined =>
  parsedList(node, key, asText)

export const ids = (node: Node, key: string): ReadonlyArray<string> | undefined =>
  parsedList(node, key, { parse: idOf, expected: anId })

/** The object in a field. */
export const child = (node: Node, key: string): Node | undefined => {
  const value = field(node, key)
  if (value === undefined) return undefined
  if (isFields(value)) {
    return { problems: node.problems, path: pathOf(node, key), fields: value }
  }
  refuse(node, key, "an object")
  return undefined
}

export const neededChild = (node: Node, key: string): Node | undefined =>
  present<Node | undefined>(node, key, {
    value: child(node, key),
    standIn: undefined,
    expected: "an object",
  })

/** The objects in a list. */
export const children = (node: Node, key: string): ReadonlyArray<Node> | undefined => {
  const values = list(node, key)
  if (values === undefined) return undefined
  const path = pathOf(node, key)
  const nodes: Array<Node> = []
  for (let index = 0; index < values.length && !isFull(node); index++) {
    const value = values[index]
    if (isFields(value)) {
      nodes.push({ problems: node.problems, path: `${path}[${index}]`, fields: value })
    } else refuseElement(node, key, index, "an object", value)
  }
  return nodes
}

export const neededChildren = (node: Node, key: string): ReadonlyArray<Node> =>
  present(node, key, { value: children(node, key), standIn: [], expected: "a list" })

/** One of a few texts. */
export const choice = <const A extends string>(
  node: Node,
  key: string,
  choices: ReadonlyArray<A>,
): A | undefined =>
  parsed(node, key, {
    parse: (value) => choices.find((choice) => choice === value),
    expected: oneOf(choices),
  })

export const neededChoice = <const A extends string>(
  node: Node,
  key: string,
  choices: ReadonlyArray<A>,
  standIn: NoInfer<A>,
): A => present(node, key, { value: choice(node, key, choices), standIn, expected: oneOf(choices) })

export const oneOf = (choices: ReadonlyArray<string>): string => `one of ${choices.join(", ")}`

/** Reads a whole input. `path` is its path in a larger one. */
export const read = <A>(
  input: unknown,
  options: {
    readonly what: string
    readonly path?: string | undefined
    /** Its fields, where a misspelt one is refused. */
    readonly known?: ReadonlyArray<string> | undefined
    readonly read: (node: Node) => A
  },
): Result.Result<A, Unreadable> => {
  const path = options.path ?? ""
  const make = (): Result.Result<A, ReadonlyArray<Problem>> => {
    if (!isFields(input)) {
      const message = `must be an object, got ${describe(input)}`
      return Result.fail([{ path, value: input, message }])
    }
    const problems: Array<Problem> = []
    const node = { problems, path, fields: input }
    if (options.known !== undefined) refuseMisspelt(node, options.known)
    const value = options.read(node)
    return problems.length === 0 ? Result.succeed(value) : Result.fail(withoutRepeats(problems))
  }
  const made = guarded(input, make, path)
  return Result.mapError(made, (problems) => unreadable(options.what, problems))
}

const aCurrency = "an ISO 4217 currency code, as USD"

const parseCurrency = (value: unknown): string | undefined => {
  const capitals = typeof value === "string" ? value.trim().toUpperCase() : undefined
  return Currency.isCurrency(capitals) ? capitals : undefined
}

/** A known currency code; small letters are raised. */
export const readCurrency = (node: Node, key: string): string => {
  const currency = parseCurrency(field(node, key))
  if (currency === undefined) refuse(node, key, aCurrency)
  return currency ?? ""
}
