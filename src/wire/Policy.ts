/**
 * A split policy as JSON.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import * as Core from "../shares/SplitPolicy.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * A policy as {@link write} puts it out.
 *
 * @since 0.1.0
 * @category models
 */
export interface PolicyJson {
  readonly discount: Core.SplitPolicy["discount"]
  readonly tax: Core.SplitPolicy["tax"]
  readonly cost: Core.SplitPolicy["cost"]
  readonly gateway_fee: Core.SplitPolicy["gatewayFee"]
  readonly flat_scope: Core.SplitPolicy["flatScope"]
  readonly shipping: Core.SplitPolicy["shipping"]
  readonly stacking: Core.SplitPolicy["stacking"]
  readonly rounding: Core.SplitPolicy["rounding"]
  readonly over_allocation: Core.SplitPolicy["overAllocation"]
  readonly time_zone: string
}

/** The policy's own names by those of the wire. */
const ownNames: ReadonlyMap<string, keyof Core.SplitPolicy> = /* @__PURE__ */ new Map([
  ["discount", "discount"],
  ["tax", "tax"],
  ["cost", "cost"],
  ["gateway_fee", "gatewayFee"],
  ["flat_scope", "flatScope"],
  ["shipping", "shipping"],
  ["stacking", "stacking"],
  ["rounding", "rounding"],
  ["over_allocation", "overAllocation"],
  ["time_zone", "timeZone"],
])

const wireName = (own: string): string => {
  for (const [wire, name] of ownNames) if (name === own) return wire
  return own
}

const noteUnknownOptions = (node: reader.Node): void => {
  const known = [...ownNames.keys()].join(", ")
  for (const key of Object.keys(node.fields)) {
    if (!ownNames.has(key)) reader.note(node, key, `is no option; the options are ${known}`)
  }
}

const readPolicy = (node: reader.Node): Core.SplitPolicy => {
  noteUnknownOptions(node)
  const chosen: Array<readonly [string, unknown]> = []
  for (const [wire, own] of ownNames) {
    const value = reader.field(node, wire)
    if (value !== undefined) chosen.push([own, value])
  }
  const policy = Core.parse(Object.fromEntries(chosen))
  if (Result.isSuccess(policy)) return policy.success
  const inWireNames = (problem: Problem) => ({
    ...problem,
    path: reader.pathOf(node, wireName(problem.path)),
  })
  node.problems.push(...policy.failure.problems.map(inWireNames))
  return Core.defaults
}

/**
 * Reads a policy. What is absent or null has its default; an option that does not exist is refused, for
 * a misspelt one would silently have no effect. Fails with `Unreadable`, which lists every problem with
 * its path.
 *
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Policy } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const policy = Result.getOrThrow(Policy.read({ gateway_fee: "deduct" }))
 * policy.gatewayFee // => "deduct"
 * policy.tax // => "remove"
 * ```
 */
export const read = (input: unknown): Result.Result<Core.SplitPolicy, Unreadable> =>
  reader.read(input, { what: "policy", read: readPolicy })

/**
 * Writes a policy with every option.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 * import { Policy } from "apportion/wire"
 *
 * Policy.write(SplitPolicy.defaults).over_allocation // => "reject"
 * ```
 */
export const write = (policy: Core.SplitPolicy): PolicyJson => ({
  discount: policy.discount,
  tax: policy.tax,
  cost: policy.cost,
  gateway_fee: policy.gatewayFee,
  flat_scope: policy.flatScope,
  shipping: policy.shipping,
  stacking: policy.stacking,
  rounding: policy.rounding,
  over_allocation: policy.overAllocation,
  time_zone: policy.timeZone,
})
