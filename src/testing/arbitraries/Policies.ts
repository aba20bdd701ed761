import fc from "fast-check"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { timeZone } from "./Times.js"

/**
 * Split policies: every value of every option, in any combination.
 *
 * @since 0.2.0
 * @category settings
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const policies = fc.sample(Arbitraries.splitPolicy(), 50)
 * policies.every((policy) => Result.isSuccess(SplitPolicy.parse(policy))) // => true
 * ```
 */
export const splitPolicy = (): fc.Arbitrary<SplitPolicy> =>
  fc.record({
    discount: fc.constantFrom("deduct", "ignore"),
    tax: fc.constantFrom("remove", "keep", "share"),
    cost: fc.constantFrom("ignore", "deduct"),
    gatewayFee: fc.constantFrom("ignore", "deduct"),
    flatScope: fc.constantFrom("unit", "item", "order"),
    shipping: fc.constantFrom("store", "share", "charge", "all"),
    stacking: fc.constantFrom("most-specific", "all"),
    rounding: fc.constantFrom("largest-remainder", "floor"),
    overAllocation: fc.constantFrom("reject", "scale", "rank", "allow"),
  })

/**
 * The settings of an account, every field present: what `makeSettings` of `apportion/service` takes and
 * gives.
 *
 * @since 0.2.0
 * @category settings
 * @example
 * ```ts
 * import { makeSettings } from "apportion/service"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const settings = fc.sample(Arbitraries.settings(), 50)
 * settings.every((each) => Result.isSuccess(makeSettings(each))) // => true
 * ```
 */
export const settings = (): fc.Arbitrary<{
  readonly policy: SplitPolicy
  readonly timeZone: string
  readonly linkBatchSize: number
  readonly linkSweepSeconds: number
  readonly conflictRetries: number
}> =>
  fc.record({
    policy: splitPolicy(),
    timeZone: timeZone(),
    linkBatchSize: fc.oneof(fc.constantFrom(1, 2, 500, 100_000), fc.integer({ min: 1, max: 50 })),
    linkSweepSeconds: fc.constantFrom(1, 30, 86_400),
    conflictRetries: fc.oneof(fc.constantFrom(0, 20, 1_000), fc.integer({ min: 0, max: 50 })),
  })
