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

type Path = ReadonlyArray<PropertyKey>

/** The single findings within a schema's finding, with their places, one after the other. */
function* findingsOf(
  issue: SchemaIssue.Issue,
  path: Path = [],
): Generator<{ readonly path: Path; readonly message: string }> {
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

/** As much of a part of a value as can be seen in the end. */
const visible = (_key: string, value: unknown): unknown => {
  if (typeof value === "string") return value.slice(0, longestShownValue)
  if (typeof value === "bigint") return String(value)
  // A list may claim to have billions of places, and each of them would be written.
  return Array.isArray(value) ? value.slice(0, longestShownValue) : value
}

/** A value as it is shown inside a message: JSON where there is one, cut when it is long. */
export const show = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  try {
    return shorten(JSON.stringify(value, visible) ?? String(value))
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

/** Reads an unknown value by a schema and tells every problem in it, not only the first; a hundred at most. */
export const decode = <A>(
  schema: Schema.ConstraintDecoder<A>,
  input: unknown,
): Result.Result<A, ReadonlyArray<Problem>> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })(input),
    (error) => {
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
    },
  )

/** A problem of a part of a larger value, as a problem of the whole. */
export const within = (place: string, problem: Problem): Problem => {
  const { path } = problem
  const isDeeper = path !== "" && !path.startsWith("[")
  return { ...problem, path: `${place}${isDeeper ? "." : ""}${path}` }
}

/** Several problems as one message: `percent: must be … (got "12.345"); amount: …`. */
export const summarize = (problems: ReadonlyArray<Problem>): string => {
  const lines = problems
    .slice(0, mostProblems)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
  if (problems.length >= mostProblems) lines.push("there may be more")
  return lines.join("; ")
}
