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

const deepest = 32

const toJson = (value: unknown, rename: (name: string) => string, depth: number): unknown => {
  if (typeof value === "bigint") return String(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  if (!isPlainObject(value)) return value
  if (depth > deepest) return "…"
  if (Array.isArray(value)) return value.map((element) => toJson(element, rename, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const inner = name === quoted ? (same: string) => same : rename
      return [rename(name), toJson(part, inner, depth + 1)]
    }),
  )
}

export const writeFailure = (error: {
  readonly _tag: string
  readonly message: string
}): FailureJson => {
  const data = Object.entries(error).filter(([name]) => name !== "_tag" && name !== "message")
  const fields = toJson(Object.fromEntries(data), snakeCase, 0)
  return { _tag: error._tag, message: error.message, ...(isPlainObject(fields) ? fields : {}) }
}
