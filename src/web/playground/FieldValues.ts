/** What fields of a form show of values in JSON, which may be anything. */

/** As a line of text. */
export const textOf = (value: unknown): string => (value == null ? "" : String(value))

/** As an amount in the lowest unit; `null`: it is none. */
export const centsOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? Number(value) : null
