/**
 * Which page of a list is requested.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { reading, show, summarize } from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import type { Problem } from "../Problem.js"

/**
 * A page and how many entries it has.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageRequest {
  /** Counted from 1, at most 9007199254740991. */
  readonly page: number
  /** 1 to 100. */
  readonly perPage: number
}

/**
 * How many entries a page has by default.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultPerPage = 15

/**
 * The most entries a page can have.
 *
 * @since 0.1.0
 * @category constants
 */
export const maximumPerPage = 100

/**
 * The first page, with the usual number of entries.
 *
 * @since 0.1.0
 * @category constants
 */
export const first: PageRequest = /* @__PURE__ */ Object.freeze({
  page: 1,
  perPage: defaultPerPage,
})

/**
 * Parameters that are not whole numbers; all of them are reported.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidPageRequest extends TaggedError("InvalidPageRequest")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const digits = /^[+-]?\d+$/

/** A whole number of any size; beyond the safe range, the nearest number within it. */
const wholeNumber = (value: unknown): number | undefined => {
  const number = typeof value === "string" && digits.test(value) ? Number(value) : value
  if (typeof number !== "number" || Number.isNaN(number)) return undefined
  const isWhole = typeof value === "string" || Number.isInteger(number)
  return isWhole ? clamp(number, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) : undefined
}

const clamp = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most)

/**
 * Reads the parameters `page` and `per_page` as they come from a query, numbers or texts. An absent or `null` parameter
 * has its default; a page below 1 is the first; `per_page` is clamped to 1 to 100. A whole number of any length is
 * accepted: beyond 9007199254740991 it is read as that number. Anything else, including `2.0` and the empty text, is
 * refused, and all problems are reported at once.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { PageRequest } from "apportion"
 * import { Result } from "effect"
 *
 * Result.getOrThrow(PageRequest.parse({ page: "3", per_page: 500 })) // => { page: 3, perPage: 100 }
 * Result.getOrThrow(PageRequest.parse({})) // => { page: 1, perPage: 15 }
 * ```
 */
export const parse = (parameters: {
  readonly page?: unknown
  readonly per_page?: unknown
}): Result.Result<PageRequest, InvalidPageRequest> => {
  if (typeof parameters !== "object" || parameters === null) {
    const message = `must be an object with page and per_page, got ${show(parameters)}`
    const found = [{ path: "", value: parameters, message }]
    return Result.fail(new InvalidPageRequest({ problems: found, message }))
  }
  const found: Array<Problem> = []
  const read = (path: "page" | "per_page", absent: number): number => {
    let number: number | undefined
    const wrong = reading(parameters, () => {
      const value = parameters[path] ?? absent
      number = wholeNumber(value)
      if (number !== undefined) return []
      return [{ path, value, message: `must be a whole number, got ${show(value)}` }]
    })
    found.push(...wrong)
    return number ?? absent
  }
  const page = Math.max(1, read("page", 1))
  const perPage = clamp(read("per_page", defaultPerPage), 1, maximumPerPage)
  return found.length === 0
    ? Result.succeed({ page, perPage })
    : Result.fail(new InvalidPageRequest({ problems: found, message: summarize(found) }))
}
