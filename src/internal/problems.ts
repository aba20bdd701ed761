import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Problem } from "../Problem.js"

const standard = SchemaIssue.makeFormatterStandardSchemaV1()

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

/** Reads an unknown value by a schema and tells every problem in it, not only the first. */
export const decode = <A>(
  schema: Schema.ConstraintDecoder<A>,
  input: unknown,
): Result.Result<A, ReadonlyArray<Problem>> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })(input),
    (error) =>
      standard(error.issue).issues.map((issue) => {
        const path = keysOf(issue.path)
        return {
          path: formatPath(path),
          value: valueAt(input, path),
          message: inWords(issue.message),
        }
      }),
  )

/** Several problems as one message: `percent: must be … (got "12.345"); amount: …`. */
export const summarize = (problems: ReadonlyArray<Problem>): string =>
  problems
    .map((problem) =>
      problem.path === "" ? problem.message : `${problem.path}: ${problem.message}`,
    )
    .join("; ")
