/**
 * The choices a store makes about how its sales are split, as one plain value.
 *
 * @since 0.1.0
 */

import type * as Result from "effect/Result"
import { choice, type Field, look, objectOf, type Shape } from "../internal/fields.js"
import * as problems from "../internal/problems.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import type { Problem } from "../Problem.js"

/**
 * How sales are split. Each field's first value is its default.
 *
 * @since 0.1.0
 * @category models
 */
export interface SplitPolicy {
  /** Whether an item's discount lowers the base of percent shares. */
  readonly discount: "deduct" | "ignore"
  /** Tax inside an amount is removed or kept; `share` also pays collaborators their percent of tax on top. */
  readonly tax: "remove" | "keep" | "share"
  /** Whether the products' cost lowers the base. */
  readonly cost: "ignore" | "deduct"
  /** Whether the item's part of the gateway fee lowers the base. */
  readonly gatewayFee: "ignore" | "deduct"
  /** What a flat amount is paid for: each unit, each item (line), or once per order. */
  readonly flatScope: "unit" | "item" | "order"
  /** Shipping stays with the store, is shared with, charged to, or all given to the collaborators. */
  readonly shipping: "store" | "share" | "charge" | "all"
  /** Whether only a collaborator's most specific group counts for an item, or all of them. */
  readonly stacking: "most-specific" | "all"
  /**
   * Who gets the cents that rounding leaves: the largest remainders, or always the store. `carry` keeps what rounding
   * left for the next sale, so it is only for `CarriedSplit`, and `CarriedSplit.policy` makes such a policy; `make` and
   * `parse` refuse it.
   */
  readonly rounding: "largest-remainder" | "floor" | "carry"
  /** What happens when the claims on an item exceed what it brings in. */
  readonly overAllocation: "reject" | "scale" | "rank" | "allow"
}

/**
 * The policy of a store that chose nothing.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults: SplitPolicy = /* @__PURE__ */ Object.freeze<SplitPolicy>({
  discount: "deduct",
  tax: "remove",
  cost: "ignore",
  gatewayFee: "ignore",
  flatScope: "unit",
  shipping: "store",
  stacking: "most-specific",
  rounding: "largest-remainder",
  overAllocation: "reject",
})

const ofOneSale = /* @__PURE__ */ choice(["largest-remainder", "floor"])

/** A sale that is split by itself has no remainders of earlier ones. */
const rounding: Field<SplitPolicy["rounding"]> = (node, key) => {
  if (node.fields[key] !== "carry") return ofOneSale(node, key)
  problems.note(node, key, '"carry" is only for CarriedSplit and the commands split and statement')
  return undefined
}

const shape: Shape<SplitPolicy> = {
  discount: /* @__PURE__ */ choice(["deduct", "ignore"]),
  tax: /* @__PURE__ */ choice(["remove", "keep", "share"]),
  cost: /* @__PURE__ */ choice(["ignore", "deduct"]),
  gatewayFee: /* @__PURE__ */ choice(["ignore", "deduct"]),
  flatScope: /* @__PURE__ */ choice(["unit", "item", "order"]),
  shipping: /* @__PURE__ */ choice(["store", "share", "charge", "all"]),
  stacking: /* @__PURE__ */ choice(["most-specific", "all"]),
  rounding,
  overAllocation: /* @__PURE__ */ choice(["reject", "scale", "rank", "allow"]),
}

/**
 * A policy with an unknown option or an unknown value of one.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidPolicy extends TaggedError("InvalidPolicy")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const names = Object.keys(shape)

const ownProblems = (input: unknown): ReadonlyArray<Problem> => {
  if (!problems.isFields(input)) {
    return [{ path: "", value: input, message: `must be an object, got ${problems.show(input)}` }]
  }
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(shape, key))
  return unknown.slice(0, problems.mostProblems).map((key) => ({
    path: key,
    value: input[key],
    message: `is no option; the options are ${names.join(", ")}`,
  }))
}

/** The options, with defaults for absent ones. Only known ones are read: a text or a list has any number of others. */
const completed = (options: unknown): object => {
  if (!problems.isFields(options)) return defaults
  const given = names.filter((name) => Object.hasOwn(options, name))
  return { ...defaults, ...Object.fromEntries(given.map((name) => [name, options[name]])) }
}

const made = (options: unknown): SplitPolicy => {
  let all: object = defaults
  const own = problems.reading(options, (input) => {
    all = completed(input)
    return ownProblems(input)
  })
  const policy = look(all, objectOf(shape))
  if (policy.made !== undefined && own.length === 0) return policy.made
  throw problems.refusal(InvalidPolicy)([...own, ...policy.problems])
}

/**
 * Completes a store's options with the defaults, and checks them. An unknown option is refused: a misspelt one would
 * otherwise silently have no effect.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 * import { Result } from "effect"
 *
 * const result = SplitPolicy.parse({ discuont: "ignore" })
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.path) // => ["discuont"]
 * ```
 */
export const parse = (options: unknown = {}): Result.Result<SplitPolicy, InvalidPolicy> =>
  attempt([InvalidPolicy], () => made(options))

/**
 * Completes a store's options with the defaults, and throws {@link InvalidPolicy} when one is invalid. For options from
 * outside the program, {@link parse} returns the error as a value.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 *
 * SplitPolicy.make({ tax: "keep" }).discount // => "deduct"
 * ```
 */
export const make = (options: Partial<SplitPolicy> = {}): SplitPolicy => made(options)

/**
 * Whether two policies are equal in every option.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 *
 * SplitPolicy.isSame(SplitPolicy.defaults, SplitPolicy.make({ tax: "remove" })) // => true
 * SplitPolicy.isSame(SplitPolicy.defaults, SplitPolicy.make({ tax: "keep" })) // => false
 * ```
 */
export const isSame = (one: SplitPolicy, other: SplitPolicy): boolean =>
  one.discount === other.discount &&
  one.tax === other.tax &&
  one.cost === other.cost &&
  one.gatewayFee === other.gatewayFee &&
  one.flatScope === other.flatScope &&
  one.shipping === other.shipping &&
  one.stacking === other.stacking &&
  one.rounding === other.rounding &&
  one.overAllocation === other.overAllocation
