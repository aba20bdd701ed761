import * as Result from "effect/Result"
import type { Problem } from "../Problem.js"
import {
  addProblems,
  type Fields,
  isFields,
  mostProblems,
  type Node,
  note,
  pathOf,
  reading,
  show,
  within,
} from "./problems.js"
import { expected as expectedSeconds, isSeconds } from "./seconds.js"

// Reading the models of the core: a field defines its valid values, a shape the fields of an object.

/**
 * Reads a field or an entry of a list. For an invalid value it notes the problem and returns `undefined`.
 *
 * @param orNull - what messages add where `null` would be right too
 */
export type Field<A> = (node: Node, key: string | number, orNull?: string) => A | undefined

/** Every field of an object, by its name. */
export type Shape<A> = { readonly [Name in keyof A]-?: Field<A[Name]> }

const refuse = (node: Node, key: string | number, expected: string): undefined => {
  const value = node.fields[key]
  const shown = value === undefined ? "undefined" : show(value)
  note(node, key, key in node.fields ? `must be ${expected}, got ${shown}` : "is missing")
}

/**
 * A field of one type, such as `string`.
 *
 * @param expected - what is said of a value that has the type and is not right
 */
export const scalar =
  <A>(type: string, isRight: (value: unknown) => value is A, expected = type): Field<A> =>
  (node, key, orNull = "") => {
    const value = node.fields[key]
    if (isRight(value)) return value
    return refuse(node, key, type.includes(typeof value) ? expected : type + orNull)
  }

const isText = (value: unknown): value is string => typeof value === "string"

export const text: Field<string> = /* @__PURE__ */ scalar("string", isText)

export const id: Field<string> = /* @__PURE__ */ scalar(
  "string",
  (value): value is string => isText(value) && value !== "",
  "a value with a length of at least 1",
)

export const flag: Field<boolean> = /* @__PURE__ */ scalar(
  "true or false",
  (value) => typeof value === "boolean",
)

/** A number that is right where `isRight` says so. */
export const number = (isRight: (value: number) => boolean, expected: string): Field<number> =>
  scalar(
    "number",
    (value): value is number => typeof value === "number" && isRight(value),
    expected,
  )

export const seconds: Field<number> = /* @__PURE__ */ number(isSeconds, expectedSeconds)

export const integer: Field<number> = /* @__PURE__ */ number(Number.isSafeInteger, "an integer")

export const finite: Field<number> = /* @__PURE__ */ number(Number.isFinite, "a finite number")

/** One of a few texts. */
export const choice = <const A extends string>(choices: ReadonlyArray<A>): Field<A> =>
  scalar(choices.map((each) => `"${each}"`).join(" or "), (value): value is A =>
    choices.some((each) => each === value),
  )

/** A field that may be absent. */
export const optional =
  <A>(field: Field<A>): Field<A> =>
  (node, key) =>
    node.fields[key] === undefined ? undefined : field(node, key)

/** A field that may be `null`. */
export const nullable =
  <A>(field: Field<A>): Field<A | null> =>
  (node, key) =>
    node.fields[key] === null ? null : field(node, key, " or null")

/** A field that is `null` when it is absent. */
export const orNull =
  <A>(field: Field<A>): Field<A | null> =>
  (node, key) =>
    node.fields[key] == null ? null : field(node, key, " or null")

/** A field that has a value when it is absent. */
export const or =
  <A>(field: Field<A>, absent: A): Field<A> =>
  (node, key) =>
    node.fields[key] === undefined ? absent : field(node, key)

const isList = (value: unknown): value is Fields & ReadonlyArray<unknown> => Array.isArray(value)

export const listOf =
  <A>(entry: Field<A>): Field<ReadonlyArray<A>> =>
  (node, key, orNull = "") => {
    const fields = node.fields[key]
    if (!isList(fields)) return refuse(node, key, `array${orNull}`)
    const list = { problems: node.problems, path: pathOf(node, key), fields }
    const entries: Array<A> = []
    // Nobody reads more problems, and a sparse list may have a length of billions.
    for (let place = 0; place < fields.length && node.problems.length < mostProblems; place += 1) {
      const value = entry(list, place)
      if (value !== undefined) entries.push(value)
    }
    return entries
  }

/** Whether no problem was added since the given count. */
const isWhole = <A>(_made: Partial<A>, node: Node, problems: number): _made is A =>
  node.problems.length === problems

/** The fields of an object; unknown fields are left out. */
export const objectOf =
  <A>(shape: Shape<A>): Field<A> =>
  (node, key, orNull = "") => {
    const fields = node.fields[key]
    if (!isFields(fields)) return refuse(node, key, `object${orNull}`)
    const object = { problems: node.problems, path: pathOf(node, key), fields }
    const before = node.problems.length
    const made: Partial<A> = {}
    for (const name in shape) {
      const value = shape[name](object, name)
      if (value !== undefined) made[name] = value
    }
    return isWhole(made, node, before) ? made : undefined
  }

/** A field that is read by its own function. */
export const nested =
  <A>(
    parse: (value: unknown) => Result.Result<A, { readonly problems: ReadonlyArray<Problem> }>,
  ): Field<A> =>
  (node, key, orNull = "") => {
    const value = node.fields[key]
    if (!isFields(value)) return refuse(node, key, `object${orNull}`)
    const parsed = parse(value)
    if (Result.isSuccess(parsed)) return parsed.success
    const place = pathOf(node, key)
    addProblems(
      node.problems,
      parsed.failure.problems.map((problem) => within(place, problem)),
    )
    return undefined
  }

/** Problems of a value beyond those of its single fields. */
type Rule = (value: unknown) => ReadonlyArray<Problem>

/** A value that was read; with any problems there is none. */
export type ReadValue<A> =
  | { readonly made: A; readonly problems: readonly [] }
  | { readonly made: undefined; readonly problems: ReadonlyArray<Problem> }

/** Reads a whole value, without a `Result`, which would bring Effect into bundles that only split. */
export const look = <A>(value: unknown, field: Field<A>, rule: Rule = () => []): ReadValue<A> => {
  const problems: Array<Problem> = []
  let made: A | undefined
  const found = reading(value, () => {
    made = field({ problems, path: "", fields: { "": value } }, "")
    return [...problems, ...rule(value)]
  })
  return made === undefined || found.length > 0
    ? { made: undefined, problems: found }
    : { made, problems: [] }
}

/** Reads a whole value, and returns it or all its problems. */
export const read = <A>(
  value: unknown,
  field: Field<A>,
  rule?: Rule,
): Result.Result<A, ReadonlyArray<Problem>> => {
  const { made, problems } = look(value, field, rule)
  return made === undefined ? Result.fail(problems) : Result.succeed(made)
}
