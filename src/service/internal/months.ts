/** The months of a time zone. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** The months of a time zone, as `2025-12`. */
export const monthsOf = (timeZone: string): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "gregory", year: "numeric", month: "2-digit" },
  })
  const known = new Map<number, string>()
  return (at) => {
    // Clocks are set by quarters of an hour, so within one no other month begins.
    const quarter = Math.floor(at / 900)
    const cached = known.get(quarter)
    if (cached !== undefined) return cached
    const parts = new Map(format.formatToParts(at * 1_000).map(({ type, value }) => [type, value]))
    const month = `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}`
    if (known.size < 10_000) known.set(quarter, month)
    return month
  }
}

/** A part of a period that lies in one month. */
export interface MonthSpan {
  /** As `2025-12`. */
  readonly month: string
  /** The first second, in Unix seconds. */
  readonly from: number
  /** The first second after it. */
  readonly until: number
}

/** When the month begins that is so many months after January of the year 0; a time zone that is none has UTC's. */
const startOf = (months: number, timeZone: string): number => {
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(Math.floor(months / 12), months % 12, 1)
  const zoned = DateTime.makeZoned(date, { timeZone, adjustForTimeZone: true })
  const millis = Option.match(zoned, {
    onNone: () => date.getTime(),
    onSome: DateTime.toEpochMillis,
  })
  return Math.ceil(millis / 1_000)
}

const numberOf = (month: string): number => {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return year * 12 + number - 1
}

const nameOf = (months: number): string =>
  `${String(Math.floor(months / 12)).padStart(4, "0")}-${String((months % 12) + 1).padStart(2, "0")}`

/** The months between two times, the first and the last of which may be parts. */
export const monthSpans = (
  { from, until }: { readonly from: number; readonly until: number },
  timeZone: string,
): ReadonlyArray<MonthSpan> => {
  if (until <= from) return []
  const nameAt = monthsOf(timeZone)
  const [first, last] = [numberOf(nameAt(from)), numberOf(nameAt(until - 1))]
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    month: nameOf(first + index),
    from: index === 0 ? from : startOf(first + index, timeZone),
    until: first + index === last ? until : startOf(first + index + 1, timeZone),
  }))
}

/** When the month of a time begins. */
export const monthBegin = (at: number, timeZone: string): number =>
  startOf(numberOf(monthsOf(timeZone)(at)), timeZone)

/** The whole month before that of a time. */
export const monthBefore = (at: number, timeZone: string): MonthSpan => {
  const current = numberOf(monthsOf(timeZone)(at))
  const [from, until] = [startOf(current - 1, timeZone), startOf(current, timeZone)]
  return { month: nameOf(current - 1), from, until }
}
