/** Unix seconds of an ISO 8601 text; without an offset it is UTC. */
export const seconds = (text: string): number =>
  Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`) / 1_000

const clocks = new Map<string, Intl.DateTimeFormat>()

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const options = { dateStyle: "short", timeStyle: "medium", timeZone } as const
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", options)
  clocks.set(timeZone, clock)
  return clock
}

/** A time as it reads on the wall in a zone: `2024-03-31 00:00:00`. */
export const wallClock = (at: number, timeZone: string): string =>
  clockOf(timeZone).format(at * 1_000)
