/** Checking which payouts are asked for. */
import * as Result from "effect/Result"
import { show, summarize } from "../../internal/problems.js"
import * as seconds from "../../internal/seconds.js"
import type { Problem } from "../../Problem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import type { PayoutFilter, TimeRange } from "../../ports/PayoutStore.js"
import { InvalidPayoutFilter } from "../InvalidPayoutFilter.js"

const timeProblems = (path: string, value: number | undefined): ReadonlyArray<Problem> => {
  if (value === undefined || seconds.isSeconds(value)) return []
  return [{ path, value, message: `must be ${seconds.expected}, got ${show(value)}` }]
}

const rangeProblems = (
  name: "paid" | "expected",
  range: TimeRange | undefined,
): ReadonlyArray<Problem> => {
  const { from, to } = range ?? {}
  const found = [...timeProblems(`${name}.from`, from), ...timeProblems(`${name}.to`, to)]
  if (found.length > 0 || from === undefined || to === undefined || from <= to) return found
  const message = `must not be after ${name}.to, which is ${to}, got ${from}`
  return [{ path: `${name}.from`, value: from, message }]
}

const statusProblems = (status: PayoutFilter["status"]): ReadonlyArray<Problem> => {
  if (status === undefined || PayoutStatus.statuses.includes(status)) return []
  const message = `must be one of ${PayoutStatus.statuses.join(", ")}, got ${show(status)}`
  return [{ path: "status", value: status, message }]
}

/** The filter, or everything that is wrong with it. */
export const checkPayoutFilter = (
  filter: PayoutFilter,
): Result.Result<PayoutFilter, InvalidPayoutFilter> => {
  const problems = [
    ...statusProblems(filter.status),
    ...rangeProblems("paid", filter.paid),
    ...rangeProblems("expected", filter.expected),
  ]
  return problems.length === 0
    ? Result.succeed(filter)
    : Result.fail(new InvalidPayoutFilter({ problems, message: summarize(problems) }))
}
