import * as Result from "effect/Result"
import { isFields } from "../internal/problems.js"
import * as SplitPolicy from "../shares/SplitPolicy.js"

/**
 * Makes a policy with `rounding: "carry"`; the other options are completed and checked as `SplitPolicy.parse` does.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { CarriedSplit } from "apportion"
 * import { Result } from "effect"
 *
 * const policy = Result.getOrThrow(CarriedSplit.policy({ tax: "keep" }))
 * policy.rounding // => "carry"
 * policy.tax // => "keep"
 * ```
 */
export const policy = (
  options: Partial<Omit<SplitPolicy.SplitPolicy, "rounding">> = {},
): Result.Result<SplitPolicy.SplitPolicy, SplitPolicy.InvalidPolicy> => {
  const { rounding } = SplitPolicy.defaults
  // What can't be read is refused as it is.
  const plain = SplitPolicy.parse(isReadable(options) ? { ...options, rounding } : options)
  return Result.map(plain, (made) => ({ ...made, rounding: "carry" }))
}

/** Whether a value is an object whose fields can be looked at. */
export const isReadable = (options: unknown): boolean => {
  try {
    return isFields(options) && Object.values(options).length >= 0
  } catch {
    return false
  }
}
