/** Requests that may come twice, and have one effect. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { InvalidRequest } from "./ErrorBody.js"
import type { Match } from "./Routes.js"

const name = "Idempotency-Key"

const usable = /^[\x20-\x7e]{1,255}$/

/** The key of a request; `undefined`: it came without one. */
export const read = (
  header: string | undefined,
): Result.Result<string | undefined, InvalidRequest> => {
  if (header === undefined || usable.test(header)) return Result.succeed(header)
  const message = `must be 1 to 255 characters of printable ASCII, got ${show(header)}`
  return Result.fail(InvalidRequest.of([{ path: name, value: header, message }]))
}

/** The same for bodies that differ only in the order of their fields. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!Predicate.isObject(value)) return value
  const entries = Object.entries(value).map(([key, part]) => [key, canonical(part)] as const)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** All that is asked, as one text: the same under both prefixes and in both spellings of a path. */
export const requestText = ({ route, params }: Match, body: unknown): string => {
  const path = route.segments.map((segment) =>
    segment.startsWith(":") ? encodeURIComponent(params.get(segment.slice(1)) ?? "") : segment,
  )
  const text = body === undefined ? "" : JSON.stringify(canonical(body))
  return `${route.method} /${path.join("/")} ${text}`
}

/** The longest answer that is kept whole, in characters of its JSON. */
const longestKept = 65_536

/** What is kept of an answer: all of it, or the id of what it shows, by which that is looked up again. */
export type Kept =
  | { readonly status: number; readonly body: unknown }
  | { readonly status: number; readonly id: string }

const idOf = (body: unknown): unknown =>
  Predicate.hasProperty(body, "data") && Predicate.hasProperty(body.data, "id")
    ? body.data.id
    : undefined

export const kept = (status: number, body: unknown): Kept => {
  const id = idOf(body)
  const isLong = JSON.stringify(body).length > longestKept
  return isLong && typeof id === "string" ? { status, id } : { status, body }
}
