import { firstSecond, lastSecond } from "../../internal/seconds.js"
import { always, isDated, type Predicate } from "./Predicate.js"

/**
 * One time of each stretch in which dates tell no two times apart, within the dates of all of `apply`;
 * `[null]` where they have no dates, for then an order without a time serves as well.
 */
export const timesFor = (
  apply: ReadonlyArray<Predicate>,
  others: ReadonlyArray<Predicate>,
  from: number | undefined,
): ReadonlyArray<number | null> => {
  if (!apply.some(isDated)) return [null]
  const start = Math.max(from ?? firstSecond, ...apply.map(({ startsAt }) => startsAt))
  const end = Math.min(lastSecond + 1, ...apply.map(({ endsAt }) => endsAt))
  if (start >= end) return []
  const cuts = others
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .filter((time) => start < time && time < end)
  const times = [...new Set([start, ...cuts])].sort((a, b) => a - b)
  // The very first second is a poor example of a time before another.
  const isOpen = start === firstSecond
  return isOpen ? [(times[1] ?? end) - 1, ...times.slice(1)] : times
}

/** The times that the dates of some groups tell apart; an order without a time is before all of them. */
export const timesOf = (
  dated: ReadonlyArray<Predicate>,
  from: number | undefined,
): ReadonlyArray<number | null> =>
  dated.length === 0
    ? [null]
    : [null, ...timesFor([{ ...always, endsAt: lastSecond + 1 }], dated, from)]
