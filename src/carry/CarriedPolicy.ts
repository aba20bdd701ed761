import * as Result from "effect/Result"
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
): Result.Result<SplitPolicy.SplitPolicy, SplitPolicy.InvalidPolicy> =>
  Result.map(
    SplitPolicy.parse({ ...options, rounding: SplitPolicy.defaults.rounding }),
    (made) => ({
      ...made,
      rounding: "carry",
    }),
  )
