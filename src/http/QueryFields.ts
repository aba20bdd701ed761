/** Reading the parameters of a query, one by one; all problems are reported at once. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { show } from "../internal/problems.js"
import * as seconds from "../internal/seconds.js"
import type { Problem } from "../Problem.js"
import * as PageRequest from "../pagination/PageRequest.js"
import * as PayoutStatus from "../payouts/PayoutStatus.js"

/** Each parameter's value, or its values when it is given more than once. */
export type Given = Readonly<Record<string, string | ReadonlyArray<string>>>

/** A query, and where its problems are noted. */
export interface QueryFields {
  readonly given: Given
  readonly problems: Array<Problem>
}

export const note = (
  { problems }: QueryFields,
  path: string,
  value: unknown,
  message: string,
): undefined => {
  problems.push({ path, value, message })
}

export const single = (fields: QueryFields, name: string): string | undefined => {
  const value = fields.given[name]
  if (value === undefined || typeof value === "string") return value
  return note(fields, name, value, `is given ${value.length} times, it must be given once`)
}

export const parsed = <A>(
  fields: QueryFields,
  name: string,
  options: { readonly parse: (text: string) => A | undefined; readonly expected: string },
): A | undefined => {
  const text = single(fields, name)
  if (text === undefined) return undefined
  const value = options.parse(text)
  if (value !== undefined) return value
  return note(fields, name, text, `must be ${options.expected}, got ${show(text)}`)
}

export const anId = { parse: (text: string) => (text === "" ? undefined : text), expected: "an id" }

export const aTime = {
  parse: (text: string) => {
    const value = /^[+-]?\d{1,20}$/.test(text) ? Number(text) : undefined
    return seconds.isSeconds(value) ? value : undefined
  },
  expected: seconds.expected,
}

const flags = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
])

export const aFlag = { parse: (text: string) => flags.get(text), expected: "true or false" }

export const aWhole = {
  parse: (text: string) => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined),
  expected: "a whole number",
}

export const aStatus = {
  parse: (text: string) => PayoutStatus.statuses.find((status) => status === text),
  expected: `one of ${PayoutStatus.statuses.join(", ")}`,
}

export const readPage = (fields: QueryFields) => {
  const number = single(fields, "page")
  const result = PageRequest.parse({ page: number, per_page: single(fields, "per_page") })
  if (Result.isFailure(result)) fields.problems.push(...result.failure.problems)
  const { page, perPage } = Result.getOrElse(result, () => PageRequest.first)
  return { page, per_page: perPage }
}

export const bounded = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)

const Raw = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const refused = (
  type: Schema.Top,
  problems: ReadonlyArray<Problem>,
): Effect.Effect<never, SchemaIssue.Issue> => {
  const [first, ...others] = problems.map(
    ({ path, message }) =>
      new SchemaIssue.Pointer([path], new SchemaIssue.InvalidValue({ message })),
  )
  return first === undefined
    ? Effect.die("nothing is wrong")
    : Effect.fail(new SchemaIssue.Composite(type.ast, [first, ...others]))
}

/** A query whose parameters have types, read from everything that is given: misspelt parameters are found as well. */
export const queryOf = <F extends Schema.Struct.Fields>(
  type: Schema.Struct<F>,
  read: (fields: QueryFields) => Schema.Struct<F>["Encoded"],
) =>
  Schema.StructWithRest(Schema.Struct(Record.map(type.fields, () => Schema.optionalKey(Raw))), [
    Schema.Record(Schema.String, Raw),
  ]).pipe(
    Schema.decodeTo(
      type,
      SchemaTransformation.transformEffect({
        decode: (given: Given) => {
          const fields: QueryFields = { given, problems: [] }
          const query = read(fields)
          return fields.problems.length === 0
            ? Effect.succeed(query)
            : refused(type, fields.problems)
        },
        encode: (query) =>
          Effect.succeed(Record.map(Record.filter({ ...query }, Predicate.isNotUndefined), String)),
      }),
    ),
  )

export const pageFields = {
  per_page: Schema.optional(Schema.Int),
  page: Schema.optional(Schema.Int),
}

/** The OpenAPI document's description of a parameter with a time. */
export const secondsOf = (description: string) => ({
  schema: { type: "integer" },
  description: `Unix seconds; ${description}`,
})

/** Which end of a list comes first. */
export const orders = ["asc", "desc"] as const

export const anOrder = {
  parse: (text: string) => orders.find((order) => order === text),
  expected: "asc or desc",
}
