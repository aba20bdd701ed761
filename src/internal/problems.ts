import * as Result from "effect/Result"
import type { Problem } from "../Problem.js"

/** Nobody reads more, and a list of half a million problems must not delay everyone else. */
export const mostProblems = 100

/** Adds problems to a list, up to the maximum. */
export const addProblems = (found: Array<Problem>, more: ReadonlyArray<Problem>): void => {
  found.push(...more.slice(0, Math.max(0, mostProblems - found.length)))
}

/** `["items", 2, "amount"]` as `items[2].amount`. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")

const longestShownValue = 80

/** A text as it is shown inside a message: cut when it is long. */
export const shorten = (text: string): string =>
  text.length > longestShownValue ? `${text.slice(0, longestShownValue)}…` : text

/** Further parts are never visible, and a value may contain itself. */
const mostShownParts = 10_000

/** As much of each part of a value as can be visible. */
const visible = () => {
  let parts = 0
  return (_key: string, value: unknown): unknown => {
    parts += 1
    if (parts > mostShownParts) throw new RangeError("too much to show")
    if (typeof value === "string") return value.slice(0, longestShownValue)
    if (typeof value === "bigint") return String(value)
    // A sparse list may have a length of billions, and each entry would be written.
    return Array.isArray(value) ? value.slice(0, longestShownValue) : value
  }
}

/** A value as it is shown inside a message: as JSON if possible, cut when it is long. */
export const show = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  try {
    return shorten(JSON.stringify(value, visible()) ?? String(value))
  } catch {
    // It contains itself, is nested too deeply, or throws when it is read.
    return "a value that can't be shown"
  }
}

export type Fields = Readonly<Record<string, unknown>>

/** An object or a list of the input, its path, and the list of problems. */
export interface Node {
  readonly problems: Array<Problem>
  readonly path: string
  readonly fields: Fields
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The path of a field of an object, or of an entry of a list. */
export const pathOf = ({ path }: Node, key: string | number): string => {
  if (typeof key === "number") return `${path}[${key}]`
  return path === "" ? key : `${path}.${key}`
}

/** Notes a problem in words. */
export const note = (
  node: Node,
  key: string | number,
  message: string,
  value = node.fields[key],
): void => {
  if (node.problems.length >= mostProblems) return
  node.problems.push({ path: pathOf(node, key), value, message })
}

/** The problem of a value that throws when it is read, through a getter or a proxy. */
const throwing = (value: unknown): Problem => ({
  path: "",
  value,
  message: "can't be read: it throws when it is looked at",
})

/**
 * The result of reading an unknown value; one that throws when it is read (a getter, a proxy) has
 * that problem.
 */
export const guarded = <A>(
  value: unknown,
  make: () => Result.Result<A, ReadonlyArray<Problem>>,
  path = "",
): Result.Result<A, ReadonlyArray<Problem>> => {
  try {
    return make()
  } catch {
    return Result.fail([{ ...throwing(value), path }])
  }
}

/** A problem of a part, as a problem of the whole value. */
export const within = (place: string, problem: Problem): Problem => {
  const { path } = problem
  const isDeeper = path !== "" && !path.startsWith("[")
  return { ...problem, path: `${place}${isDeeper ? "." : ""}${path}` }
}

/** The problems of a value; one that throws when it is read has that problem. */
export const reading = (
  value: unknown,
  problemsIn: (value: unknown) => ReadonlyArray<Problem>,
): ReadonlyArray<Problem> => {
  try {
    return problemsIn(value)
  } catch {
    return [throwing(value)]
  }
}

/** A value that is checked twice has its problem once. */
export const withoutRepeats = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> => {
  const seen = new Set<string>()
  return problems.filter(({ path, message }) => {
    const key = JSON.stringify([path, message])
    return !seen.has(key) && seen.add(key)
  })
}

/** Several problems as one message: `percent: must be … (got "12.345"); amount: …`. */
export const summarize = (problems: ReadonlyArray<Problem>): string => {
  const lines = problems
    .slice(0, mostProblems)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
  if (problems.length >= mostProblems) lines.push("there may be more")
  return lines.join("; ")
}

/** Makes the error for a value from its problems. */
export const refusal =
  <E>(
    Invalid: new (fields: {
      readonly problems: ReadonlyArray<Problem>
      readonly message: string
    }) => E,
  ) =>
  (problems: ReadonlyArray<Problem>): E =>
    new Invalid({ problems, message: summarize(problems) })

/** A repeated value of a list, and its first index. */
export interface Repeat<A> {
  readonly value: A
  readonly index: number
  readonly first: number
}

/** The repeated values of a list. */
export const repeats = <A>(values: ReadonlyArray<A>): ReadonlyArray<Repeat<A>> => {
  const firsts = new Map<A, number>()
  return values.flatMap((value, index) => {
    const first = firsts.get(value)
    if (first === undefined) firsts.set(value, index)
    return first === undefined ? [] : [{ value, index, first }]
  })
}
