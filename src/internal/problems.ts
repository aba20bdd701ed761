import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Problem } from "../Problem.js"

/** Nobody reads more, and a list of half a million mistakes must not keep everyone else waiting. */
export const mostProblems = 100

/** Adds problems to a list, as long as somebody reads them. */
export const addProblems = (found: Array<Problem>, more: ReadonlyArray<Problem>): void => {
  found.push(...more.slice(0, Math.max(0, mostProblems - found.length)))
}

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

type ProblemPath = ReadonlyArray<PropertyKey>

/** The single findings within a schema's finding, with their places, one after the other. */
function* findingsOf(
  issue: SchemaIssue.Issue,
  path: ProblemPath = [],
): Generator<{ readonly path: ProblemPath; readonly message: string }> {
  if (issue._tag === "Pointer") yield* findingsOf(issue.issue, [...path, ...issue.path])
  else if (issue._tag === "Composite") {
    for (const each of issue.issues) yield* findingsOf(each, path)
  } else {
    for (const each of standard(issue).issues) {
      yield { path: [...path, ...keysOf(each.path)], message: each.message }
    }
  }
}

/** `["items", 2, "amount"]` as `items[2].amount`. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")

const valueAt = (input: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      Object.hasOwn(Object(value), key) ? Reflect.get(Object(value), key) : undefined,
    input,
  )

const longestShownValue = 80

/** A text as it is shown inside a message: cut when it is long. */
export const shorten = (text: string): string =>
  text.length > longestShownValue ? `${text.slice(0, longestShownValue)}…` : text

/** More parts than these are never seen, and the same part may stand in a value without end. */
const mostShownParts = 10_000

/** As much of each part of a value as can be seen in the end. */
const visible = () => {
  let parts = 0
  return (_key: string, value: unknown): unknown => {
    parts += 1
    if (parts > mostShownParts) throw new RangeError("too much to show")
    if (typeof value === "string") return value.slice(0, longestShownValue)
    if (typeof value === "bigint") return String(value)
    // A list may claim to have billions of places, and each of them would be written.
    return Array.isArray(value) ? value.slice(0, longestShownValue) : value
  }
}

/** A value as it is shown inside a message: JSON where there is one, cut when it is long. */
export const show = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  try {
    return shorten(JSON.stringify(value, visible()) ?? String(value))
  } catch {
    // It holds itself, or is nested without end, or throws when it is looked at.
    return "a value that can't be shown"
  }
}

/** A schema's finding as it reads behind the name of a field: `percent: must be …`. */
const inWords = (message: string): string => {
  if (message === "Missing key") return "is missing"
  return message.replace(/^Expected (.*?)(, got .*)?$/s, (_, expected: string, got = "") => {
    const alternatives = expected.replace(/ \| undefined$/, "").replaceAll(" | ", " or ")
    return `must be ${alternatives.replace(/^boolean\b/, "true or false")}${shorten(got)}`
  })
}

/** The keys of a place as the Standard Schema tells it: none, or each by itself or inside of something. */
export const keysOf = (
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined,
): ReadonlyArray<PropertyKey> =>
  path === undefined
    ? []
    : path.map((segment) => (typeof segment === "object" ? segment.key : segment))

/** So many parts of a value are looked at for lists that are mostly holes. */
const mostLooks = 100_000

/** Whether a list in a value claims places where nothing stands: it may claim thousands of millions of them. */
const hasHoles = (input: unknown): boolean => {
  const open: Array<unknown> = [input]
  const seen = new Set<unknown>()
  for (let looked = 0; looked < mostLooks && open.length > 0; looked += 1) {
    const value = open.pop()
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    const keys = Object.keys(value)
    if (Array.isArray(value) && keys.length < value.length) return true
    if (keys.length < mostLooks) for (const key of keys) open.push(Reflect.get(value, key))
  }
  return false
}

/** The problem of a value that throws when it is looked at: of a getter, or a proxy. */
const throwing = (value: unknown): Problem => ({
  path: "",
  value,
  message: "can't be read: it throws when it is looked at",
})

const decodeAll = <A>(
  schema: Schema.ConstraintDecoder<A>,
  input: unknown,
): Result.Result<A, ReadonlyArray<Problem>> => {
  const first = Schema.decodeUnknownResult(schema, { reportInput: true })(input)
  if (Result.isSuccess(first)) return Result.succeed(first.success)
  // What is told of a list would name all its places.
  const all = hasHoles(input)
    ? Schema.decodeUnknownResult(schema, { reportInput: false })(input)
    : Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })(input)
  return Result.mapError(all, (error) => {
    const found: Array<Problem> = []
    for (const { path, message } of findingsOf(error.issue)) {
      if (found.length >= mostProblems) break
      found.push({
        path: formatPath(path),
        value: valueAt(input, path),
        message: inWords(message),
      })
    }
    return found
  })
}

/** What is made of an unknown value; one that throws when it is looked at (a getter, a proxy) has that problem. */
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

/** Reads an unknown value by a schema and tells every problem in it, not only the first; a hundred at most. */
export const decode = <A>(
  schema: Schema.ConstraintDecoder<A>,
  input: unknown,
): Result.Result<A, ReadonlyArray<Problem>> => guarded(input, () => decodeAll(schema, input))

/** A problem of a part of a larger value, as a problem of the whole. */
export const within = (place: string, problem: Problem): Problem => {
  const { path } = problem
  const isDeeper = path !== "" && !path.startsWith("[")
  return { ...problem, path: `${place}${isDeeper ? "." : ""}${path}` }
}

/** What is found wrong in a value, as {@link decode} would tell it. */
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

/** What is looked at twice has its problem once. */
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

/** A value that stands in a list again, and where it stood first. */
export interface Repeat<A> {
  readonly value: A
  readonly index: number
  readonly first: number
}

/** The values of a list that stood in it before. */
export const repeats = <A>(values: ReadonlyArray<A>): ReadonlyArray<Repeat<A>> => {
  const firsts = new Map<A, number>()
  return values.flatMap((value, index) => {
    const first = firsts.get(value)
    if (first === undefined) firsts.set(value, index)
    return first === undefined ? [] : [{ value, index, first }]
  })
}
