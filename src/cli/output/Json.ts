/** The library's data as JSON in the names of the wire. */
import { snakeCase } from "../../internal/names.js"

/** A copy with the names of its fields in snake_case, at every depth. */
export const inSnakeCase = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [snakeCase(name), inSnakeCase(part)]),
  )
}
