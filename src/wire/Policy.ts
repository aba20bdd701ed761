/**
 * A store's choices as JSON: its split policy, and its time zone.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { policy as carriedPolicy } from "../carry/CarriedPolicy.js"
import { type SnakeCase, snakeCase } from "../internal/names.js"
import * as reader from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import { checkTimeZone } from "../payouts/Schedule.js"
import * as Core from "../shares/SplitPolicy.js"
import type { Unreadable } from "../Unreadable.js"

/**
 * The content of a policy file.
 *
 * @since 0.6.0
 * @category models
 */
export interface PolicyFile {
  /** How sales are split. */
  readonly policy: Core.SplitPolicy
  /** IANA name of the zone in which the store's days begin, and payout dates are computed. */
  readonly timeZone: string
}

/**
 * A policy file as {@link write} writes it.
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

/** Makes the compiler require every option of the core's policy. */
type EveryOption = Readonly<Record<SnakeCase<keyof Core.SplitPolicy> | "time_zone", string>>

/** The options of a policy by their own names. */
const options = /* @__PURE__ */ Object.keys(Core.defaults)

const noteUnknownOptions = (node: reader.Node): void => {
  const known = [...options.map(snakeCase), "time_zone"]
  for (const key of Object.keys(node.fields)) {
    if (known.includes(key)) continue
    reader.note(node, key, `is no option; the options are ${known.join(", ")}`)
  }
}

const readTimeZone = (node: reader.Node): string => {
  const name = reader.text(node, "time_zone")
  if (name === undefined) return "UTC"
  const zone = checkTimeZone(name)
  if (Result.isFailure(zone)) reader.note(node, "time_zone", zone.failure.message)
  return name
}

/** What a policy is read for. */
interface PolicyUse {
  /** Whether the sales are split one after another, so that remainders can be carried; when absent they are not. */
  readonly carries?: boolean | undefined
}

const readPolicy = (node: reader.Node, { carries = false }: PolicyUse): Core.SplitPolicy => {
  const chosen: Array<readonly [string, unknown]> = []
  for (const option of options) {
    const value = reader.field(node, snakeCase(option))
    if (value !== undefined) chosen.push([option, value])
  }
  const { rounding, ...others } = Object.fromEntries(chosen)
  const policy =
    carries && rounding === "carry"
      ? carriedPolicy(others)
      : Core.parse(rounding === undefined ? others : { ...others, rounding })
  if (Result.isSuccess(policy)) return policy.success
  const inWireNames = (problem: Problem) => ({
    ...problem,
    path: reader.pathOf(node, snakeCase(problem.path)),
  })
  node.problems.push(...policy.failure.problems.map(inWireNames))
  return Core.defaults
}

const readFile =
  (use: PolicyUse) =>
  (node: reader.Node): PolicyFile => {
    noteUnknownOptions(node)
    return { policy: readPolicy(node, use), timeZone: readTimeZone(node) }
  }

/**
 * Reads a policy file. Absent and null options have their defaults, the zone UTC; unknown options are refused, because
 * a misspelt one would silently have no effect. Fails with `Unreadable`, which lists every problem with its path.
 *
 * @param use - `carries`: whether `"rounding": "carry"` is possible, because `CarriedSplit` splits the sales; when
 *   absent it is refused
 * @since 0.1.0
 * @category decoding
 * @example
 * ```ts
 * import { Policy } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const { policy, timeZone } = Result.getOrThrow(Policy.read({ gateway_fee: "deduct" }))
 * policy.gatewayFee // => "deduct"
 * policy.tax // => "remove"
 * timeZone // => "UTC"
 * ```
 */
export const read = (
  input: unknown,
  use: { readonly carries?: boolean | undefined } = {},
): Result.Result<PolicyFile, Unreadable> =>
  reader.read(input, { what: "policy", read: readFile(use) })

/**
 * Writes a policy file with every option.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { SplitPolicy } from "apportion"
 * import { Policy } from "apportion/wire"
 *
 * Policy.write({ policy: SplitPolicy.defaults, timeZone: "UTC" }).over_allocation // => "reject"
 * ```
 */
export const write = ({ policy, timeZone }: PolicyFile): PolicyJson =>
  ({
    discount: policy.discount,
    tax: policy.tax,
    cost: policy.cost,
    gateway_fee: policy.gatewayFee,
    flat_scope: policy.flatScope,
    shipping: policy.shipping,
    stacking: policy.stacking,
    rounding: policy.rounding,
    over_allocation: policy.overAllocation,
    time_zone: timeZone,
  }) satisfies EveryOption
