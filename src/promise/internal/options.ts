/** What `makeApportion` is given, checked before anything is built on it. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"
import type { InvalidArgument } from "../PromiseError.js"
import { invalid, unknownFields } from "./given.js"

interface Kind {
  readonly isFine: (value: unknown) => boolean
  readonly expected: string
}

const isPort = (value: unknown): boolean => Predicate.isObject(value) || Predicate.isFunction(value)

const kinds: Readonly<Record<string, Kind>> = {
  storage: {
    isFine: (value) =>
      Predicate.isObject(value) && Predicate.isFunction(Reflect.get(value, "transaction")),
    expected: "a storage with a function `transaction`",
  },
  exchangeRates: { isFine: isPort, expected: "a function, or rates by their currencies" },
  tokens: {
    isFine: (value) => isPort(value) || Array.isArray(value),
    expected: "a function, or a list of tokens",
  },
  settings: { isFine: isPort, expected: "settings, or a function that gives them" },
  log: { isFine: Predicate.isFunction, expected: "a function" },
  now: { isFine: Predicate.isFunction, expected: "a function" },
}

const problemsOf = (options: unknown): ReadonlyArray<Problem> => {
  const unknown = unknownFields("", { value: options, names: Object.keys(kinds) })
  if (!Predicate.isObject(options)) return unknown
  const wrong = Object.entries(kinds).flatMap(([path, { isFine, expected }]) => {
    const value: unknown = Reflect.get(options, path)
    if (value === undefined || isFine(value)) return []
    return [{ path, value, message: `must be ${expected}, got ${show(value)}` }]
  })
  return [...unknown, ...wrong]
}

/** Fails when an option is misspelt or is not of its kind: a storage that is not used would lose everything. */
export const checkOptions = (options: unknown): Effect.Effect<void, InvalidArgument> =>
  Effect.suspend(() => {
    const problems = problemsOf(options)
    return problems.length === 0 ? Effect.void : Effect.fail(invalid(problems))
  })
