import type { Schedule } from "apportion"
import { wallClock } from "./Instant.js"

/**
 * Due dates found the slow way: each day of the calendar is looked at, and its first second is searched
 * for on the wall clock. It knows nothing of how the library does it.
 */

const dayLength = 86_400
const stepLength = 900

const isoDate = (day: number): string =>
  new Date(day * dayLength * 1_000).toISOString().slice(0, 10)
const dayOfMonth = (day: number): number => Number(isoDate(day).slice(8))
const monthNumber = (day: number): number =>
  Number(isoDate(day).slice(0, 4)) * 12 + Number(isoDate(day).slice(5, 7))
const isLastOfMonth = (day: number): boolean => dayOfMonth(day + 1) === 1

const dateAt = (at: number, timeZone: string): string => wallClock(at, timeZone).slice(0, 10)

const dayAt = (at: number, timeZone: string): number =>
  Date.parse(`${dateAt(at, timeZone)}T00:00:00Z`) / (dayLength * 1_000)

/** The first second at which the wall shows the day or a later one. */
export const firstSecondOf = (day: number, timeZone: string): number => {
  const isReached = (at: number) => dateAt(at, timeZone) >= isoDate(day)
  let step = day * dayLength - 2 * dayLength
  while (!isReached(step)) step += stepLength
  let second = step - stepLength
  while (!isReached(second)) second += 1
  return second
}

const isDueDay = (schedule: Schedule.Schedule, opened: number, day: number): boolean => {
  const { payoutMeasurement, payoutFrequency: frequency } = schedule
  if (payoutMeasurement === "monthly_date") {
    return frequency === -1 ? isLastOfMonth(day) : dayOfMonth(day) === frequency
  }
  if (day <= opened) return false
  if (payoutMeasurement === "day") return (day - opened) % frequency === 0
  if (payoutMeasurement === "week") return (day - opened) % (7 * frequency) === 0
  const isMonth = (monthNumber(day) - monthNumber(opened)) % frequency === 0
  const isSameDay = dayOfMonth(day) === dayOfMonth(opened)
  const isClamped = isLastOfMonth(day) && dayOfMonth(day) < dayOfMonth(opened)
  return isMonth && monthNumber(day) > monthNumber(opened) && (isSameDay || isClamped)
}

/** The first due date strictly after a time. */
export const nextDueDateByWalking = (
  schedule: Schedule.Schedule,
  options: { readonly openedAt: number; readonly after: number; readonly timeZone: string },
): number => {
  const { openedAt, timeZone } = options
  const after = Math.max(openedAt, options.after)
  const opened = dayAt(openedAt, timeZone)
  for (let day = dayAt(after, timeZone) - 2; ; day += 1) {
    if (!isDueDay(schedule, opened, day)) continue
    const due = firstSecondOf(day, timeZone)
    if (due > after) return due
  }
}
