/** What `makeApportion` is given, checked before anything is built on it. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"
import { isActor } from "../../service/Actor.js"
import type { InvalidArgument } from "../PromiseError.js"
import { fieldProblems, invalid } from "./given.js"
import { actor, nowProblems, rateProblems, tokenProblems } from "./supplied.js"

interface Kind {
  readonly isFine: (value: unknown) => boolean
  readonly expected: string
  /** Whether what stands there may be a secret, which no message repeats. */
  readonly isSecret?: boolean
  /** What is wrong inside of one that is of its kind. */
  readonly inside?: (value: unknown) => ReadonlyArray<Problem>
}

const isPort = (value: unknown): boolean => Predicate.isObject(value) || Predicate.isFunction(value)

/** Something to loop over, as a `Map`, has no fields: it would be taken for a table without rates. */
const isRates = (value: unknown): boolean =>
  Predicate.isFunction(value) || (Predicate.isObject(value) && !(Symbol.iterator in value))

const isTokens = (value: unknown): boolean =>
  Predicate.isFunction(value) ||
  Array.isArray(value) ||
  (Predicate.isObject(value) && Predicate.isFunction(Reflect.get(value, "find")))

const kinds: Readonly<Record<string, Kind>> = {
  storage: {
    isFine: (value) =>
      Predicate.isObject(value) && Predicate.isFunction(Reflect.get(value, "transaction")),
    expected: "a storage with a function `transaction`",
  },
  exchangeRates: {
    isFine: isRates,
    expected: "a function, or rates by their currencies",
    inside: rateProblems,
  },
  tokens: {
    isFine: isTokens,
    expected: "a function, or a list of tokens",
    isSecret: true,
    inside: tokenProblems,
  },
  settings: { isFine: isPort, expected: "settings, or a function that gives them" },
  actor: { isFine: isActor, expected: actor },
  closeDueEvery: {
    isFine: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    expected: "a whole number of seconds of 1 or more",
  },
  log: { isFine: Predicate.isFunction, expected: "a function" },
  now: { isFine: Predicate.isFunction, expected: "a function", inside: nowProblems },
}

const notOfKind = (path: string, { expected, isSecret }: Kind, value: unknown): Problem =>
  isSecret === true
    ? { path, value: undefined, message: `must be ${expected}` }
    : { path, value, message: `must be ${expected}, got ${show(value)}` }

const problemsOf = (options: unknown): ReadonlyArray<Problem> => {
  const unknown = fieldProblems("", { value: options, names: Object.keys(kinds) })
  if (!Predicate.isObject(options)) return unknown
  const wrong = Object.entries(kinds).flatMap(([path, kind]) => {
    const value: unknown = Reflect.get(options, path)
    if (value === undefined) return []
    return kind.isFine(value) ? (kind.inside?.(value) ?? []) : [notOfKind(path, kind, value)]
  })
  return [...unknown, ...wrong]
}

/** Fails when an option is misspelt, is not of its kind or holds what is not: a storage that is not used would lose everything. */
export const checkOptions = (options: unknown): Effect.Effect<void, InvalidArgument> =>
  Effect.suspend(() => {
    const problems = problemsOf(options)
    return problems.length === 0 ? Effect.void : Effect.fail(invalid(problems))
  })
