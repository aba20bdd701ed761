import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { unknownFields } from "../../internal/misspelling.js"
import { shorten, show, summarize } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import { isCurrency } from "../../money/Currency.js"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import type { Problem } from "../../Problem.js"
import { isActor } from "../../service/Actor.js"
import { InvalidArgument } from "../PromiseError.js"

// What plain callers give, checked before anything is done with it: they may not have a type checker.

type Named = Readonly<Record<string, unknown>>

/** The arguments of a call by their names, by what they must be. */
export interface CallArguments {
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
  readonly options?: Readonly<Record<string, KnownFields>> | undefined
}

/** An object whose fields are known, so that a misspelt one is not passed over. */
export interface KnownFields {
  readonly value: unknown
  readonly names: ReadonlyArray<string>
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== ""

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

const schemaProblemsOf = (
  named: Named | undefined,
  isFine: (value: unknown) => boolean,
  expected: string,
): ReadonlyArray<Problem> =>
  Object.entries(named ?? {})
    .filter(([, value]) => !isFine(value))
    .map(([path, value]) => ({ path, value, message: `must be ${expected}, got ${show(value)}` }))

/** What is wrong with an object that may be absent: it is none, or has fields that it can't have. */
export const fieldProblems = (
  place: string,
  { value, names }: KnownFields,
): ReadonlyArray<Problem> => {
  if (value === undefined) return []
  if (!Predicate.isObject(value) || Array.isArray(value)) {
    return [{ path: place, value, message: `must be an object, got ${show(value)}` }]
  }
  return unknownFields(value, names, { isNone: "is no field here; the fields are", place })
}

const numberProblems = (numbers: CallArguments["numbers"]): ReadonlyArray<Problem> =>
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
export const check = (given: CallArguments): Effect.Effect<void, InvalidArgument> =>
  Effect.suspend(() => {
    const { accountId, texts, input, lists, counts, numbers, times, functions, options } = given
    const problems = [
      ...schemaProblemsOf({ accountId, ...texts }, isText, "a text that is not empty"),
      ...schemaProblemsOf(input, Predicate.isObject, "an object"),
      ...schemaProblemsOf(lists, Array.isArray, "a list"),
      ...schemaProblemsOf(counts, isCount, "a whole number of 1 or more"),
      ...numberProblems(numbers),
      ...schemaProblemsOf(times, seconds.isSeconds, seconds.expected),
      ...schemaProblemsOf(functions, Predicate.isFunction, "a function"),
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

// What a host supplies beside its storage, looked into: what is wrong in it would show only much later.

type Problems = ReadonlyArray<Problem>

const isRate = Schema.is(ExchangeRate.ExchangeRate)

const isPair = (name: string): boolean => {
  const currencies = name.split("/")
  return currencies.length === 2 && currencies.every(isCurrency)
}

/** What is wrong with rates that never change: no other name than that of a pair would ever be asked for. */
export const rateProblems = (rates: unknown): Problems => {
  if (!Predicate.isObject(rates) || Predicate.isFunction(rates.rate)) return []
  return Object.entries(rates).flatMap(([name, value]) => {
    const path = `exchangeRates.${shorten(name)}`
    if (!isPair(name)) {
      return [{ path, value, message: "must be named by two currency codes, as EUR/USD" }]
    }
    if (isRate(value)) return []
    return [{ path, value, message: `must be ${ExchangeRate.expected}, got ${show(value)}` }]
  })
}

/** What an actor must be. */
export const actor = "a text of 1 to 200 characters"

export const actorProblem = (path: string, value: unknown): Problem => ({
  path,
  value,
  message: `must be ${actor}, got ${show(value)}`,
})

const tokenNames = ["token", "accountId"]

/** A value that may be a secret, in words that don't give it away. */
const unseen = (value: unknown): string => {
  if (value === undefined) return "nothing"
  return value === "" ? "an empty text" : `something else (${typeof value})`
}

/** Nothing that stands in a list of tokens is repeated: it may be a token at a wrong place. */
const tokenProblem = (path: string, value: unknown, expected: string): Problem => ({
  path,
  value: undefined,
  message: `must be ${expected}, got ${unseen(value)}`,
})

const entryProblems = (path: string, entry: unknown): Problems => {
  if (!Predicate.isObject(entry)) {
    return [tokenProblem(path, entry, "an object with a token and an accountId")]
  }
  const unknown = fieldProblems(path, { value: entry, names: [...tokenNames, "actor"] })
  const isActing = entry.actor === undefined || isActor(entry.actor)
  const wrong = tokenNames.filter((name) => typeof entry[name] !== "string" || entry[name] === "")
  return [
    ...unknown.map((problem) => ({ ...problem, value: undefined })),
    ...wrong.map((name) =>
      tokenProblem(`${path}.${name}`, entry[name], "a text that is not empty"),
    ),
    ...(isActing ? [] : [tokenProblem(`${path}.actor`, entry.actor, actor)]),
  ]
}

/** What is wrong with a list of tokens: a token without an account would let nobody in, or anybody. */
export const tokenProblems = (tokens: unknown): Problems =>
  Array.isArray(tokens)
    ? Array.from(tokens).flatMap((entry: unknown, index) =>
        entryProblems(`tokens[${index}]`, entry),
      )
    : []

const isNow = (value: unknown): boolean =>
  typeof value === "number" && seconds.isSeconds(Math.floor(value))

/** What is wrong with a host's time, asked for once; of a fraction the whole seconds count. */
export const nowProblems = (now: unknown): Problems => {
  if (!Predicate.isFunction(now)) return []
  const path = "now"
  try {
    const value: unknown = now()
    if (isNow(value)) return []
    return [{ path, value, message: `must give ${seconds.expected}, gave ${show(value)}` }]
  } catch (error) {
    const told = error instanceof Error ? error.message : show(error)
    return [{ path, value: error, message: `must give ${seconds.expected}, threw: ${told}` }]
  }
}

// What `makeApportion` is given, checked before anything is built on it.

interface OptionKind {
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

const kinds: Readonly<Record<string, OptionKind>> = {
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

const notOfKind = (path: string, { expected, isSecret }: OptionKind, value: unknown): Problem =>
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
