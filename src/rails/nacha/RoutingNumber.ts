/**
 * The numbers of banks in the United States.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"

const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/**
 * The first two digits are the district of the Federal Reserve, with 20 or 60 added for other banks; 80 is for cheques.
 */
const districts = /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])/

const isRight = (digits: string): boolean => {
  const sum = weights.reduce(
    (total, weight, place) => total + weight * Number(digits.charAt(place)),
    0,
  )
  return sum % 10 === 0 && districts.test(digits)
}

/**
 * Reads a routing number: nine digits, the last of which checks the others. It does not check that the bank exists.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { RoutingNumber } from "apportion/rails/nacha"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(RoutingNumber.parse("091000019")) // => "091000019"
 * Result.isFailure(RoutingNumber.parse("091000018")) // => true
 * ```
 */
export const parse = (value: unknown): Result.Result<string, Problem> => {
  const digits = typeof value === "string" ? value.trim() : ""
  if (/^\d{9}$/.test(digits) && isRight(digits)) return Result.succeed(digits)
  const message = `must be a routing number of nine digits with the right check digit, got ${show(value)}`
  return Result.fail({ path: "routing", value, message })
}
