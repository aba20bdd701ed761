/** A tagged error as JSON: what its class carries, in snake_case, and nothing that JSON can't hold. */
import { snakeCase } from "../../internal/names.js"

/**
 * A tagged error on the wire: its tag, its message, and its data in snake_case.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailureJson {
  readonly _tag: string
  readonly message: string
  readonly [field: string]: unknown
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null

/** Input that a problem quotes keeps its own names; everything else in an error is ours. */
const quoted = "value"

/** A number as JSON has it; one that it has not, as text. */
const scalar = (value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value
}

/** So deep, and so much of an input, is quoted: it may hold itself, or claim thousands of millions of places. */
const deepest = 32
const mostQuoted = 10_000
const more = "…"

const quote = (input: unknown): unknown => {
  let parts = 0
  const part = (value: unknown, depth: number): unknown => {
    parts += 1
    if (!isPlainObject(value)) return scalar(value)
    if (depth > deepest || parts > mostQuoted) return more
    if (!Array.isArray(value)) {
      const fields = Object.entries(value).slice(0, mostQuoted)
      return Object.fromEntries(fields.map(([name, field]) => [name, part(field, depth + 1)]))
    }
    const elements = value.slice(0, mostQuoted - parts)
    const whole = Array.from(elements, (element: unknown) => part(element, depth + 1))
    return elements.length < value.length ? [...whole, more] : whole
  }
  try {
    return part(input, 0)
  } catch {
    // It throws when it is looked at.
    return more
  }
}

const toJson = (value: unknown): unknown => {
  if (!isPlainObject(value)) return scalar(value)
  if (Array.isArray(value)) return value.map(toJson)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      snakeCase(name),
      name === quoted ? quote(part) : toJson(part),
    ]),
  )
}

export const writeFailure = (error: {
  readonly _tag: string
  readonly message: string
}): FailureJson => {
  const data = Object.entries(error).filter(([name]) => name !== "_tag" && name !== "message")
  const fields = toJson(Object.fromEntries(data))
  return { _tag: error._tag, message: error.message, ...(isPlainObject(fields) ? fields : {}) }
}
