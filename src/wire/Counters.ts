/**
 * Counters as JSON: how much was counted for terms that depend on what came before.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { addProblems, guarded, repeats, show, within } from "../internal/problems.js"
import * as reader from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import * as Core from "../terms/Counters.js"
import { type Unreadable, unreadable } from "../Unreadable.js"

/**
 * A counter on the wire.
 *
 * @since 0.6.0
 * @category models
 */
export interface CounterJson {
  /** Units, or cents of bases or of shares. */
  readonly counted: Core.Counter["counted"]
  readonly currency: string
  /** `lifetime`, a year as `2026`, a month as `2026-03`, or `payout:` with the payout's name. */
  readonly period: string
  readonly per: Core.Counter["per"]
  /** Of the group or the collaborator. */
  readonly id: string
  /** How far it has come. */
  readonly count: number
}

/**
 * Writes counters, in the order of their keys.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Counters } from "apportion/wire"
 *
 * Counters.write({ "units/USD/2026-03/group/g1": 812 })
 * // => [{ counted: "units", currency: "USD", period: "2026-03", per: "group", id: "g1", count: 812 }]
 * ```
 */
export const write = (counters: Core.Counters): ReadonlyArray<CounterJson> =>
  Object.keys(counters)
    .toSorted()
    .flatMap((key) => {
      const counter = Core.read(key)
      return counter === undefined ? [] : [{ ...counter, count: counters[key] ?? 0 }]
    })

const fields = ["counted", "currency", "period", "per", "id", "count"]

const readCounter = (node: reader.Node): Core.Counters => {
  const counter = {
    counted: reader.neededChoice(node, "counted", ["units", "base", "share"], "units"),
    currency: reader.readCurrency(node, "currency"),
    period: reader.neededText(node, "period"),
    per: reader.neededChoice(node, "per", ["group", "collaborator"], "group"),
    id: reader.neededId(node, "id"),
  }
  const key = Core.keyOf(counter)
  if (node.problems.length === 0 && Core.read(key)?.period !== counter.period) {
    reader.refuse(
      node,
      "period",
      "lifetime, a year as 2026, a month as 2026-03, or payout: and a name",
    )
  }
  return { [key]: reader.neededWhole(node, "count") }
}

/**
 * Reads one counter, as counters that have only this one. Fails with `Unreadable`, which lists every problem with its
 * path.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Counters } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const read = Counters.readOne({
 *   counted: "units",
 *   currency: "USD",
 *   period: "lifetime",
 *   per: "group",
 *   id: "g1",
 *   count: 812,
 * })
 * Result.getOrThrow(read) // => { "units/USD/lifetime/group/g1": 812 }
 * ```
 */
export const readOne = (input: unknown): Result.Result<Core.Counters, Unreadable> =>
  reader.read(input, { what: "counter", known: fields, read: readCounter })

const readList = (input: unknown): Result.Result<Core.Counters, ReadonlyArray<Problem>> => {
  // A list with holes is refused: going through one could take for ever.
  if (!Array.isArray(input) || Object.keys(input).length !== input.length) {
    const message = `must be a list of counters, without holes, got ${reader.describe(input)}`
    return Result.fail([{ path: "", value: input, message }])
  }
  const problems: Array<Problem> = []
  const entries: Array<[string, number]> = []
  input.forEach((each: unknown, place) => {
    const counter = readOne(each)
    if (Result.isSuccess(counter)) entries.push(...Object.entries(counter.success))
    else
      addProblems(
        problems,
        counter.failure.problems.map((one) => within(`[${place}]`, one)),
      )
  })
  if (problems.length === 0) {
    for (const { value, index, first } of repeats(entries.map(([key]) => key))) {
      const message = `must be there once, entry ${first} is ${show(value)} too`
      addProblems(problems, [{ path: `[${index}]`, value: input[index], message }])
    }
  }
  return problems.length > 0 ? Result.fail(problems) : Result.succeed(Object.fromEntries(entries))
}

/**
 * Reads a list of counters. Fails with `Unreadable`, which lists every problem with its path; a counter that is there
 * twice is one.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { Counters } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const counter = { counted: "share", currency: "USD", period: "2026", per: "group", id: "g1", count: 1.5 }
 * const result = Counters.read([counter])
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.path) // => ["[0].count"]
 * ```
 */
export const read = (input: unknown): Result.Result<Core.Counters, Unreadable> =>
  Result.mapError(
    guarded(input, () => readList(input)),
    (problems) => unreadable("counters", problems),
  )
