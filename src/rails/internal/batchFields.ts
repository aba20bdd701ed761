import * as Result from "effect/Result"
import { addProblems, repeats, show, within } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"
import * as Fields from "../Fields.js"

/** The problems of a batch, collected while its file is written. */
export interface Fitting {
  readonly problems: Array<Problem>
}

/** The value, or a placeholder after its problem was recorded with its place in the batch. */
export const take = <A, B>(
  { problems }: Fitting,
  place: string,
  result: Result.Result<A, Problem>,
  none: B,
): A | B => {
  if (Result.isSuccess(result)) return result.success
  addProblems(problems, [place === "" ? result.failure : within(place, result.failure)])
  return none
}

/** A text fitted to a field of the rail. `path`: its place, if that differs from the field's own path. */
export const takeText = (
  fitting: Fitting,
  place: string,
  value: unknown,
  field: Fields.TextField,
  path = field.path,
): string =>
  take(fitting, place, Fields.fit(value, path === field.path ? field : { ...field, path }), "")

/** A text that matches a pattern; `expected` describes the pattern in messages. */
export const matching = (
  value: unknown,
  pattern: RegExp,
  path: string,
  expected: string,
): Result.Result<string, Problem> =>
  typeof value === "string" && pattern.test(value)
    ? Result.succeed(value)
    : Result.fail({ path, value, message: `must be ${expected}, got ${show(value)}` })

/** A day as files write it, if the calendar has that day. */
export const dayOf = (value: unknown, path: string): Result.Result<string, Problem> => {
  const isWritten = typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)
  const time = isWritten ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  // The 30th of February is read as a day of March.
  if (isWritten && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)) {
    return Result.succeed(value)
  }
  const message = `must be a day of the calendar, as 2026-12-01, got ${show(value)}`
  return Result.fail({ path, value, message })
}

/** Notes an empty list of transfers, or a repeated key. */
export const noteTransfers = (
  fitting: Fitting,
  transfers: ReadonlyArray<{ readonly key: string }>,
): void => {
  if (transfers.length === 0) {
    const message = "must have at least one transfer"
    addProblems(fitting.problems, [{ path: "transfers", value: transfers, message }])
  }
  const again = repeats(transfers.map(({ key }) => key)).map(({ value, index, first }) => ({
    path: `transfers[${index}].key`,
    value,
    message: `stands at transfers[${first}] already: ${show(value)}`,
  }))
  addProblems(fitting.problems, again)
}
