// Days and times of day in the time zones that Intl knows. A wall time is what a clock in the zone shows.

const secondsOfDay = 86_400

/** A time zone of the IANA database. */
export type Zone = Intl.DateTimeFormat

/** Making one is slow; a host has few. */
const zones = /* @__PURE__ */ new Map<string, Zone>()

/** Names can be in any case, so the same zone has many. */
const mostZones = 1_000

const makeZone = (name: string): Zone | undefined => {
  try {
    // An offset is not a zone: it has no summer time, and stores in zones with summer time would be paid an hour off.
    if (/^[+-]/.test(name)) return undefined
    return new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    })
  } catch {
    return undefined
  }
}

/** The zone with a name; `undefined` for an unknown name. */
export const zoneOf = (name: string): Zone | undefined => {
  const known = zones.get(name)
  if (known !== undefined) return known
  const zone = makeZone(name)
  if (zone !== undefined && zones.size < mostZones) zones.set(name, zone)
  return zone
}

/** The seconds of a date in UTC; years below 100 are taken as they are. */
const utcSeconds = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day) / 1_000

/** The wall time in the zone at a time: the Unix seconds at which a clock in UTC shows the same. */
export const wallOf = (at: number, zone: Zone): number => {
  const shown = new Map(zone.formatToParts(at * 1_000).map(({ type, value }) => [type, value]))
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(shown.get(name))
  const year = shown.get("era") === "BC" ? 1 - part("year") : part("year")
  const day = utcSeconds(year, part("month"), part("day"))
  return day + part("hour") * 3_600 + part("minute") * 60 + part("second")
}

/** A day of the calendar, without a zone: the Unix seconds of its midnight in UTC. */
export const dayOf = (at: number, zone: Zone): number => {
  const wall = wallOf(at, zone)
  return wall - (((wall % secondsOfDay) + secondsOfDay) % secondsOfDay)
}

/**
 * When a clock in the zone shows a wall time: the first time when it shows it twice. A wall time that the clocks jump
 * over is later by the jump.
 */
export const timeOf = (wall: number, zone: Zone): number => {
  const offsetAt = (at: number) => wallOf(at, zone) - at
  const before = wall - offsetAt(wall - secondsOfDay)
  const after = wall - offsetAt(wall + secondsOfDay)
  const found = [before, after].filter((at) => wallOf(at, zone) === wall)
  return found.length === 0 ? before : Math.min(...found)
}

/** How many months a day's month is after the first one of the year 0. */
export const monthsOf = (day: number): number => {
  const date = new Date(day * 1_000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const dayOfMonth = (day: number): number => new Date(day * 1_000).getUTCDate()

/** A day of a month; the last one where the month has no such day. */
export const dayIn = (months: number, day: number): number => {
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1]
  return Math.min(utcSeconds(year, month, day), utcSeconds(year, month + 1, 0))
}
