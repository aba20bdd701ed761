/** What a host supplies beside its storage, looked into: what is wrong in it would show only much later. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { shorten, show } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import { isCurrency } from "../../money/Currency.js"
import * as ExchangeRate from "../../money/ExchangeRate.js"
import type { Problem } from "../../Problem.js"
import { isActor } from "../../service/Actor.js"
import { fieldProblems } from "./given.js"

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
