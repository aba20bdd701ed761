import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"

/** A day as files have it, when there is such a day. */
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
