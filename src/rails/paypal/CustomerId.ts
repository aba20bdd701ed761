/**
 * The customer id in PayPal's file: the key of the payment in at most 30 characters.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"
import * as Fields from "../Fields.js"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The 128 bits of a UUID in digits of five bits: the first is below 8. */
const short = /^[0-7][0-9a-v]{25}$/

const longOf = (id: string): string => {
  const bits = [...id].reduce((sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)), 0n)
  const text = bits.toString(16).padStart(32, "0")
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/**
 * The customer id of a key. A UUID, which has 36 characters, is written in 26 letters and digits; any other key stays
 * as it is, and is refused where it is too long, has blanks, begins like a formula, or would be read as another key.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { CustomerId } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const id = CustomerId.ofKey("0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f")
 * Result.getOrThrow(id) // => "01i2ic4uoufj1phh6s1g60eecf"
 * ```
 */
export const ofKey = (key: string): Result.Result<string, Problem> => {
  if (uuid.test(key)) {
    return Result.succeed(
      BigInt(`0x${key.replaceAll("-", "")}`)
        .toString(32)
        .padStart(26, "0"),
    )
  }
  if (!short.test(key)) return Fields.fit(key, Fields.paypal.fileKey)
  const message = `must not be 26 digits and letters up to v, which stand for a UUID: ${show(key)}`
  return Result.fail({ path: "key", value: key, message })
}

/**
 * The key of a customer id: the reverse of {@link ofKey}.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { CustomerId } from "apportion/rails/paypal"
 *
 * CustomerId.toKey("01i2ic4uoufj1phh6s1g60eecf") // => "0190a4c2-7b1e-7cc3-98c4-dc0c0c07398f"
 * CustomerId.toKey("at-1") // => "at-1"
 * ```
 */
export const toKey = (id: string): string => {
  const small = id.toLowerCase()
  return short.test(small) ? longOf(small) : id
}
