/**
 * What was counted before: units, bases and shares by group or collaborator, period and currency.
 *
 * @since 0.6.0
 */

import type * as Result from "effect/Result"
import { isFields, mostProblems, reading, refusal, show } from "../internal/problems.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import type { Problem } from "../Problem.js"
import { KeptCounters, keepIn } from "./internal/KeptCounters.js"

/**
 * Counts by their key, as `{ "units/USD/lifetime/group/g1": 812 }`: what is counted, the currency, the period (a year,
 * a month, `lifetime`, or `payout:` with a payout's name), and the id of the group or the collaborator. A key that is
 * absent stands at 0. Plain data, to be stored as it is.
 *
 * @since 0.6.0
 * @category models
 */
export interface Counters {
  readonly [key: string]: number
}

/**
 * What a key says.
 *
 * @since 0.6.0
 * @category models
 */
export interface Counter {
  readonly counted: "units" | "base" | "share"
  readonly currency: string
  /** `lifetime`, a year, a month, or `payout:` with the payout's name. */
  readonly period: string
  readonly per: "group" | "collaborator"
  /** Of the group or the collaborator. */
  readonly id: string
}

/**
 * Invalid counters, or missing data that counting needs, with all problems.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidCounters extends TaggedError("InvalidCounters")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/**
 * Nothing was counted yet.
 *
 * @since 0.6.0
 * @category constants
 */
export const none: Counters = /* @__PURE__ */ Object.freeze({})

const form =
  /^(units|base|share)\/([A-Z]{3})\/(lifetime|-?\d{1,6}|-?\d{1,6}-\d\d|payout:[^/]+)\/(group|collaborator)\/(.+)$/su

const isCounted = (text: string | undefined): text is Counter["counted"] =>
  text === "units" || text === "base" || text === "share"

const isPer = (text: string | undefined): text is Counter["per"] =>
  text === "group" || text === "collaborator"

/**
 * Reads the key of a counter; `undefined` for a text that is none.
 *
 * @since 0.6.0
 * @category getters
 * @example
 * ```ts
 * import { Counters } from "apportion"
 *
 * Counters.read("units/USD/2026-03/group/g1")?.period // => "2026-03"
 * Counters.read("sold") // => undefined
 * ```
 */
export const read = (key: string): Counter | undefined => {
  const [, counted, currency = "", period = "", per, id = ""] = form.exec(key) ?? []
  return isCounted(counted) && isPer(per) ? { counted, currency, period, per, id } : undefined
}

/**
 * The key of a counter, which {@link read} reads.
 *
 * @since 0.6.0
 * @category getters
 * @example
 * ```ts
 * import { Counters } from "apportion"
 *
 * const counter = { counted: "units", currency: "USD", period: "2026-03", per: "group", id: "g1" } as const
 * Counters.keyOf(counter) // => "units/USD/2026-03/group/g1"
 * ```
 */
export const keyOf = ({ counted, currency, period, per, id }: Counter): string =>
  `${counted}/${currency}/${period}/${per}/${id}`

/** The problem of one count, if it has one. */
const problemOf = (key: string, count: unknown): Problem | undefined => {
  if (read(key) === undefined) {
    const message = `must be a counter, as units/USD/lifetime/group/g1, got ${show(key)}`
    return { path: key, value: count, message }
  }
  if (Number.isSafeInteger(count)) return undefined
  const message = `must be a whole number within ±9007199254740991, got ${show(count)}`
  return { path: key, value: count, message }
}

const isCounts = (_: unknown, problems: ReadonlyArray<Problem>): _ is Counters =>
  problems.length === 0

const made = (input: unknown): Counters => {
  const problems = reading(input, (value) => {
    if (!isFields(value)) {
      return [{ path: "", value, message: `must be an object of counts, got ${show(value)}` }]
    }
    return Object.entries(value)
      .flatMap(([key, count]) => problemOf(key, count) ?? [])
      .slice(0, mostProblems)
  })
  if (!isCounts(input, problems)) throw refusal(InvalidCounters)(problems)
  return { ...input }
}

/**
 * Checks counters that come from outside the program, such as a file. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Counters } from "apportion"
 * import { Result } from "effect"
 *
 * const result = Counters.parse({ "units/USD/lifetime/group/g1": 1.5 })
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.value) // => [1.5]
 * ```
 */
export const parse = (input: unknown): Result.Result<Counters, InvalidCounters> =>
  attempt([InvalidCounters], () => made(input))

/**
 * What a counter has come to.
 *
 * @since 0.6.0
 * @category models
 */
export interface CounterChange {
  readonly key: string
  /** A safe integer. */
  readonly count: number
}

/**
 * Where orders are counted one after another: how far counters have come, and setting them to what an order made of
 * them.
 *
 * @since 0.6.0
 * @category models
 */
export interface CounterTally {
  at(key: string): number
  /** Each counter is there once. */
  set(changes: ReadonlyArray<CounterChange>): void
}

/**
 * Counters that go on counting, for many orders in a row.
 *
 * @since 0.6.0
 * @category models
 */
export class RunningCounters implements CounterTally {
  private readonly kept: KeptCounters

  constructor(counters: Counters = none) {
    this.kept = new KeptCounters(Object.entries(made(counters)))
    // What derives from this class may read and set its counters elsewhere.
    if (new.target === RunningCounters) keepIn(this, this.kept)
  }

  /** How far a counter has come. */
  at(key: string): number {
    return this.kept.at(key)
  }

  /** Sets counters to what they have reached; throws {@link InvalidCounters}. */
  set(changes: ReadonlyArray<CounterChange>): void {
    for (const { key, count } of changes) {
      const problem = Number.isSafeInteger(count) ? undefined : problemOf(key, count)
      if (problem !== undefined) throw refusal(InvalidCounters)([problem])
    }
    for (const { key, count } of changes) this.kept.counterAt(key).count = count
  }

  /** Everything that was counted, as plain data in the order of the keys. */
  get counters(): Counters {
    return Object.fromEntries([...this.kept.counts()].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/**
 * A tally that begins with what was counted before.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Counters } from "apportion"
 *
 * const tally = Counters.tally({ "units/USD/lifetime/group/g1": 812 })
 * tally.at("units/USD/lifetime/group/g1") // => 812
 * ```
 */
export const tally = (counters: Counters = none): RunningCounters => new RunningCounters(counters)
