/** Times as people read and choose them, in the time zone of the account. They come as Unix seconds. */
import { computed, signal } from "@preact/signals"

/** The account's time zone, by its IANA name; until it is known, that of the browser. */
export const zone = signal(Intl.DateTimeFormat().resolvedOptions().timeZone)

const formatters = computed(() => {
  const timeZone = zone.value
  const numeric = { year: "numeric", month: "2-digit", day: "2-digit" } as const
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const
  return {
    day: new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone }),
    minute: new Intl.DateTimeFormat(undefined, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone,
    }),
    parts: new Intl.DateTimeFormat("en-GB", { ...numeric, ...clock, timeZone }),
  }
})

const month = new Intl.DateTimeFormat(undefined, {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
})

/** As `Jan 15, 2026`. */
export const date = (seconds: number): string => formatters.value.day.format(seconds * 1000)

/** As `Jan 15, 2026, 10:30 AM`. */
export const moment = (seconds: number): string => formatters.value.minute.format(seconds * 1000)

/** A month given as `2026-01`, as `Jan 2026`. */
export const monthName = (text: string): string => month.format(Date.parse(`${text}-01T00:00:00Z`))

/** What clocks of the zone show at a time: `2026-01-15T10:30:00`. */
const clockOf = (seconds: number): string => {
  const parts = formatters.value.parts.formatToParts(seconds * 1000)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? ""
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`
  return `${day}T${part("hour")}:${part("minute")}:${part("second")}`
}

/** When clocks of the zone show a time given as `2026-01-15T10:30`; `undefined`: it is no time. */
export const timeAt = (text: string): number | undefined => {
  const asUtc = Date.parse(`${text}Z`) / 1000
  if (Number.isNaN(asUtc)) return undefined
  const offsetAt = (seconds: number) => Date.parse(`${clockOf(seconds)}Z`) / 1000 - seconds
  // The offset a day's part away may be another one: it is asked for twice.
  const near = asUtc - offsetAt(asUtc)
  return asUtc - offsetAt(near)
}

/** A time as fields of forms have it: `2026-01-15T10:30`. */
export const fieldOf = (seconds: number): string => clockOf(seconds).slice(0, 16)

/** The day of a time: `2026-01-15`. */
export const dayOf = (seconds: number): string => clockOf(seconds).slice(0, 10)

/** The first second of a day given as `2026-01-15`. */
export const dayStart = (text: string): number | undefined => timeAt(`${text}T00:00:00`)

/** The last second of a day given as `2026-01-15`. */
export const dayEnd = (text: string): number | undefined => {
  const noon = Date.parse(`${text}T12:00:00Z`)
  if (Number.isNaN(noon)) return undefined
  const next = dayStart(new Date(noon + 86_400_000).toISOString().slice(0, 10))
  return next === undefined ? undefined : next - 1
}

/**
 * The time that a field stands for: the one that it was filled in with as long as it says the same, since fields have no
 * seconds, and some no hours.
 */
export const keptTime = (
  text: string,
  stored: number | undefined,
  {
    fieldOf: shown,
    timeOf,
  }: {
    readonly fieldOf: (seconds: number) => string
    readonly timeOf: (text: string) => number | undefined
  },
): number | undefined => (stored !== undefined && shown(stored) === text ? stored : timeOf(text))

/** The month of a time: `2026-01`. */
export const monthOf = (seconds: number): string => clockOf(seconds).slice(0, 7)

/** So many months after a month given as `2026-01`. */
export const monthAfter = (text: string, months: number): string => {
  const time = new Date(`${text}-01T00:00:00Z`)
  time.setUTCMonth(time.getUTCMonth() + months)
  return time.toISOString().slice(0, 7)
}

/** The first second of a month given as `2026-01`. */
export const monthStart = (text: string): number => dayStart(`${text}-01`) ?? 0

/** Now, in Unix seconds. */
export const now = (): number => Math.floor(Date.now() / 1000)
