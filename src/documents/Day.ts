/** Days as documents show them. */

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The day of a time in a time zone, as `2025-12-31`. */
export const show = (seconds: number, timeZone: string): string => {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    })
  formatters.set(timeZone, formatter)
  return formatter.format(seconds * 1000)
}
