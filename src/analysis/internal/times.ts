import { firstSecond, lastSecond } from "../../internal/seconds.js"
import { isDated, type Predicate } from "./Predicate.js"

/** Whether any time that is asked about is within the dates. */
export const isEver = (predicate: Predicate, from: number | undefined): boolean =>
  !isDated(predicate) ||
  Math.max(from ?? firstSecond, predicate.startsAt) < Math.min(lastSecond + 1, predicate.endsAt)

/** One time of each stretch in which dates tell no two times apart; an order without a time is before all of them. */
export const timesOf = (
  dated: ReadonlyArray<Predicate>,
  from: number | undefined,
): ReadonlyArray<number | null> => {
  if (dated.length === 0) return [null]
  const start = from ?? firstSecond
  const cuts = new Set([start])
  for (const { startsAt, endsAt } of dated) {
    for (const time of [startsAt, endsAt]) {
      if (start < time && time <= lastSecond) cuts.add(time)
    }
  }
  const times = [...cuts].sort((one, other) => one - other)
  // The very first second is a poor example of a time before another.
  if (start === firstSecond) times[0] = (times[1] ?? lastSecond + 1) - 1
  return [null, ...times]
}
