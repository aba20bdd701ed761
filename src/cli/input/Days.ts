/** Days and times as people write them on the command line and in files. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as instant from "../../internal/instant.js"
import * as ExitCode from "../ExitCode.js"

/** What a day or time must look like, for messages. */
export const expected =
  "a day, as 2025-12-31, or a date and time with its offset, as 2025-12-31T18:00:00Z"

const day = /^(\d{4})-(\d\d)-(\d\d)$/

/**
 * The first second of the day `daysLater` days after a day, in a time zone; `undefined` when the day does not exist.
 */
const startOfDay = (text: string, timeZone: string, daysLater: number): number | undefined => {
  const [matched, ...parts] = day.exec(text) ?? []
  const [year = 0, month = 0, date = 0] = parts.map(Number)
  // The calendar rolls the 30th of February over to March: such a day does not exist.
  const exists = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(text)
  if (matched === undefined || !exists) return undefined
  const later = new Date(Date.UTC(year, month - 1, date + daysLater))
  const start = DateTime.makeZoned(later, { timeZone, adjustForTimeZone: true })
  return Option.getOrUndefined(
    Option.map(start, (zoned) => Math.floor(DateTime.toEpochMillis(zoned) / 1000)),
  )
}

/** The first second after a day, or a time itself. */
export const endOf = (text: string, timeZone: string): number | undefined =>
  day.test(text) ? startOfDay(text, timeZone, 1) : instant.parse(text)

/** The first second of a day, or a time as Unix seconds or with its offset. */
export const startOf = (value: unknown, timeZone: string): number | undefined =>
  typeof value === "string" && day.test(value)
    ? startOfDay(value, timeZone, 0)
    : instant.parse(value)

const refuse = (message: string): never => {
  throw new ExitCode.UnusableInput({ message })
}

/** The period between the flags `--from` and `--until`; `undefined` where a flag is absent. */
export const periodOf = (
  { from, until }: { readonly from: string | undefined; readonly until: string | undefined },
  timeZone: string,
): { readonly from: number | undefined; readonly until: number | undefined } => {
  const timeOf = (flag: string, text: string | undefined, read: typeof endOf) =>
    text === undefined
      ? undefined
      : (read(text, timeZone) ?? refuse(`--${flag}: must be ${expected}, got "${text}"`))
  const [first, end] = [timeOf("from", from, startOf), timeOf("until", until, endOf)]
  if (first !== undefined && end !== undefined && first >= end) {
    refuse(`--from: must be before --until, got "${from}" and "${until}"`)
  }
  return { from: first, until: end }
}
