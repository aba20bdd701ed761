/**
 * Points in time as inputs write them: Unix seconds, or an ISO 8601 date-time with its offset.
 */

import { isSeconds } from "./seconds.js"

/** What a point in time must look like, for messages. */
export const expected =
  "a time: Unix seconds (up to the year 9999), or a date and time with its offset, as 2024-03-01T12:00:00Z"

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:[Zz]|([+-])(\d\d):?(\d\d)?)$/

/** A date rolls the 30th of February over to March: a day that does not exist is recognised by its month. */
const utcSeconds = (
  year: number,
  month: number,
  day: number,
  secondOfDay: number,
): number | undefined => {
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month - 1, day)
  const exists = midnight.getUTCMonth() === month - 1
  return exists ? midnight.getTime() / 1000 + secondOfDay : undefined
}

const parseDateTime = (text: string): number | undefined => {
  const parts = pattern.exec(text)
  if (parts === null) return undefined
  const part = (index: number) => Number(parts[index] ?? 0)
  const [hour, minute, second] = [part(4), part(5), part(6)]
  const [offsetHour, offsetMinute] = [part(8), part(9)]
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) {
    return undefined
  }
  const offset = (offsetHour * 60 + offsetMinute) * (parts[7] === "-" ? -60 : 60)
  return utcSeconds(part(1), part(2), part(3), hour * 3600 + minute * 60 + second - offset)
}

/**
 * Whole Unix seconds of a time as written; `undefined` when it is not a time. Fractions of a second
 * are dropped.
 */
export const parse = (value: unknown): number | undefined => {
  const seconds = typeof value === "string" ? parseDateTime(value) : value
  return isSeconds(seconds) ? seconds : undefined
}
