/** What plain callers give, checked before anything is done with it: they may not have a type checker. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { show, summarize } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import { unknownFields } from "../../internal/unknownFields.js"
import type { Problem } from "../../Problem.js"
import { InvalidArgument } from "../PromiseError.js"

type Named = Readonly<Record<string, unknown>>

/** The arguments of a call by their names, by what they must be. */
export interface Given {
  readonly accountId: unknown
  readonly texts?: Named | undefined
  readonly input?: Named | undefined
  readonly lists?: Named | undefined
  readonly counts?: Named | undefined
  /** Whole numbers, of which any may be absent. */
  readonly numbers?: Readonly<Record<string, { readonly value: unknown; readonly least: number }>>
  readonly times?: Named | undefined
  readonly functions?: Named | undefined
  /** Arguments that may be absent, each with the names of its fields. */
  readonly options?: Readonly<Record<string, Fields>> | undefined
}

/** An object whose fields are known, so that a misspelt one is not passed over. */
export interface Fields {
  readonly value: unknown
  readonly names: ReadonlyArray<string>
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

const problemsOf = (
  named: Named | undefined,
  isFine: (value: unknown) => boolean,
  expected: string,
): ReadonlyArray<Problem> =>
  Object.entries(named ?? {})
    .filter(([, value]) => !isFine(value))
    .map(([path, value]) => ({ path, value, message: `must be ${expected}, got ${show(value)}` }))

/** What is wrong with an object that may be absent: it is none, or has fields that it can't have. */
export const fieldProblems = (place: string, { value, names }: Fields): ReadonlyArray<Problem> => {
  if (value === undefined) return []
  if (!Predicate.isObject(value) || Array.isArray(value)) {
    return [{ path: place, value, message: `must be an object, got ${show(value)}` }]
  }
  return unknownFields(value, names, { isNone: "is no field here; the fields are", place })
}

const numberProblems = (numbers: Given["numbers"]): ReadonlyArray<Problem> =>
  Object.entries(numbers ?? {})
    .filter(([, { value, least }]) => {
      const isFine = Number.isSafeInteger(value) && Number(value) >= least
      return value !== undefined && !isFine
    })
    .map(([path, { value, least }]) => {
      const message = `must be a whole number of ${least} or more, got ${show(value)}`
      return { path, value, message }
    })

/** All that is wrong with arguments, as one error. */
export const invalid = (problems: ReadonlyArray<Problem>): InvalidArgument =>
  new InvalidArgument({ problems, message: summarize(problems) })

/** Fails with all that is not of its kind. */
export const check = (given: Given): Effect.Effect<void, InvalidArgument> =>
  Effect.suspend(() => {
    const { accountId, texts, input, lists, counts, numbers, times, functions, options } = given
    const problems = [
      ...problemsOf({ accountId, ...texts }, isText, "a text that is not empty"),
      ...problemsOf(input, Predicate.isObject, "an object"),
      ...problemsOf(lists, Array.isArray, "a list"),
      ...problemsOf(counts, isCount, "a whole number of 1 or more"),
      ...numberProblems(numbers),
      ...problemsOf(times, seconds.isSeconds, seconds.expected),
      ...problemsOf(functions, Predicate.isFunction, "a function"),
      ...Object.entries(options ?? {}).flatMap(([path, fields]) => fieldProblems(path, fields)),
    ]
    return problems.length === 0 ? Effect.void : Effect.fail(invalid(problems))
  })

const longestKey = 255

/** Fails for what can't be an idempotency key; an empty or missing one would make two requests one. */
export const checkKey = (value: unknown): Effect.Effect<string, InvalidArgument> => {
  if (typeof value === "string" && value !== "" && value.length <= longestKey) {
    return Effect.succeed(value)
  }
  const message = `must be a text of 1 to ${longestKey} characters, got ${show(value)}`
  return Effect.fail(invalid([{ path: "options.idempotencyKey", value, message }]))
}

/** What can't be told apart from another request, because JSON can't hold it. */
export const notJson = (path: string, value: unknown): InvalidArgument => {
  const message = `can't be written as JSON, which an idempotency key needs, got ${show(value)}`
  return invalid([{ path, value, message }])
}

/**
 * A copy, so that what the caller does with an object after the call changes nothing. What can't be copied,
 * as a function, is refused later on, when it is looked at.
 */
export const copied = <A>(value: A): A => {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}
