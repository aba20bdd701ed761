/** `payoutHoldingDays` as on the wire: `payout_holding_days`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** The type of what {@link snakeCase} makes of a name. */
export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ""

/** `payout_holding_days` as in the core: `payoutHoldingDays`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

// The library's data as JSON in the names of the wire.

/** A copy with the names of its fields in snake_case, at every depth. */
export const inSnakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [snakeCase(name), inSnakeCase(part)]),
  )
}

/**
 * Escapes an id for a key whose parts are separated by slashes, so that different ids give
 * different keys.
 */
export const escapeSlash = (id: string): string =>
  id.includes("/") || id.includes("%") ? id.replaceAll("%", "%25").replaceAll("/", "%2F") : id
