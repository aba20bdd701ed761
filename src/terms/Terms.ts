/**
 * What a product group pays where that depends on what came before: tiers, and a cap for each period.
 *
 * @since 0.6.0
 */

import type * as Result from "effect/Result"
import { unknownFields } from "../internal/fieldNames.js"
import {
  choice,
  integer,
  listOf,
  look,
  objectOf,
  or,
  orNull,
  type Shape,
} from "../internal/fields.js"
import { isFields, refusal, show } from "../internal/problems.js"
import { attempt, TaggedError } from "../internal/TaggedError.js"
import { nonNegative, percent } from "../money/internal/amounts.js"
import type { Problem } from "../Problem.js"

/**
 * What tiers count: units sold, the base of the percentage in cents, or the goods of the shares that were paid, in
 * cents.
 *
 * @since 0.6.0
 * @category models
 */
export type Counted = "units" | "base" | "share"

/**
 * Whose sales are counted together: those of the group, or those of all groups of its collaborator that count the same
 * for the same period.
 *
 * @since 0.6.0
 * @category models
 */
export type Per = "group" | "collaborator"

/**
 * After what time a counter begins anew.
 *
 * @since 0.6.0
 * @category models
 */
export type CountPeriod = "lifetime" | "year" | "month" | "payout"

/**
 * A band of tiers: from its bound up to that of the next one, its percentage is earned.
 *
 * @since 0.6.0
 * @category models
 */
export interface Band {
  /** Units, or cents. The first band is from 0. */
  readonly from: number
  /** As `"12.50"`. */
  readonly percent: string
}

/**
 * Percentages that change with what was counted. They are marginal: what lies between two bounds earns the percentage
 * of that band, and a sale across a bound is divided there exactly.
 *
 * @since 0.6.0
 * @category models
 */
export interface Tiers {
  readonly counted: Counted
  readonly per: Per
  readonly period: CountPeriod
  /** Rising, the first from 0. */
  readonly bands: ReadonlyArray<Band>
}

/**
 * The most that is paid in a period: the share that crosses it is cut to what is left. Shipping comes on top, as it
 * does with a group's `maxAmount`.
 *
 * @since 0.6.0
 * @category models
 */
export interface Cap {
  /** Cents of the order's currency; each currency is counted by itself. */
  readonly amount: number
  readonly per: Per
  readonly period: CountPeriod
}

/**
 * The terms of a group, every field present.
 *
 * @since 0.6.0
 * @category models
 */
export interface GroupTerms {
  readonly tiers: Tiers | null
  readonly cap: Cap | null
}

/**
 * Terms as hosts write them: absent fields have their default, and a percentage may be a number.
 *
 * @since 0.6.0
 * @category models
 * @example
 * ```ts
 * import type { Terms } from "apportion"
 *
 * // 10 % of the first 1,000 copies, 15 % of those after; never more than 500.00 a month.
 * const author: Terms.TermsInput = {
 *   tiers: {
 *     counted: "units",
 *     bands: [
 *       { from: 0, percent: 10 },
 *       { from: 1_000, percent: 15 },
 *     ],
 *   },
 *   cap: { amount: 50_000, period: "month" },
 * }
 * ```
 */
export interface TermsInput {
  readonly tiers?:
    | {
        readonly counted: Counted
        readonly per?: Per | undefined
        readonly period?: CountPeriod | undefined
        readonly bands: ReadonlyArray<{
          readonly from: number
          readonly percent: string | number
        }>
      }
    | null
    | undefined
  readonly cap?:
    | {
        readonly amount: number
        readonly per?: Per | undefined
        readonly period?: CountPeriod | undefined
      }
    | null
    | undefined
}

/**
 * Invalid terms, with all their problems.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidTerms extends TaggedError("InvalidTerms")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

const per = /* @__PURE__ */ or(/* @__PURE__ */ choice(["group", "collaborator"]), "group")

const period = /* @__PURE__ */ or(
  /* @__PURE__ */ choice(["lifetime", "year", "month", "payout"]),
  "lifetime",
)

const band: Shape<Band> = { from: integer, percent }

const tiers: Shape<Tiers> = {
  counted: /* @__PURE__ */ choice(["units", "base", "share"]),
  per,
  period,
  bands: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(band)),
}

const cap: Shape<Cap> = { amount: nonNegative, per, period }

const shape: Shape<GroupTerms> = {
  tiers: /* @__PURE__ */ orNull(/* @__PURE__ */ objectOf(tiers)),
  cap: /* @__PURE__ */ orNull(/* @__PURE__ */ objectOf(cap)),
}

/** Each band is from a higher bound than the one before it, the first from 0. */
const problemsOfBands = (bands: ReadonlyArray<unknown>): ReadonlyArray<Problem> => {
  if (bands.length === 0) {
    return [{ path: "tiers.bands", value: bands, message: "needs a band from 0" }]
  }
  const bounds = bands.map((each: unknown): unknown => (isFields(each) ? each["from"] : undefined))
  return bounds.flatMap((from, place) => {
    if (typeof from !== "number") return []
    const before = bounds[place - 1]
    const path = `tiers.bands[${place}].from`
    if (place === 0) {
      const message = `must be 0 in the first band, got ${show(from)}`
      return from === 0 ? [] : [{ path, value: from, message }]
    }
    if (typeof before !== "number" || from > before) return []
    const message = `must be above the bound of the band before it (${before}), got ${show(from)}`
    return [{ path, value: from, message }]
  })
}

/** Whether a list has no holes. Going through one that has could take for ever; reading it says where they are. */
const isWhole = (list: unknown): list is ReadonlyArray<unknown> =>
  Array.isArray(list) && Object.keys(list).length === list.length

const problemsIn = (input: unknown): ReadonlyArray<Problem> => {
  if (!isFields(input)) return []
  const unknown = (value: unknown, names: object, place: string, what: string) =>
    unknownFields(value, Object.keys(names), {
      isNone: `is no field of ${what}; the fields are`,
      place,
    })
  const found = [
    ...unknown(input, shape, "", "terms"),
    ...unknown(input["tiers"], tiers, "tiers", "tiers"),
    ...unknown(input["cap"], cap, "cap", "a cap"),
  ]
  const bands = isFields(input["tiers"]) ? input["tiers"]["bands"] : undefined
  if (isWhole(bands)) {
    bands.forEach((each, place) => {
      found.push(...unknown(each, band, `tiers.bands[${place}]`, "a band"))
    })
    found.push(...problemsOfBands(bands))
  }
  if (input["tiers"] == null && input["cap"] == null) {
    found.push({ path: "", value: input, message: "terms are tiers, a cap or both" })
  }
  return found
}

/** Terms that were checked and are frozen. */
const checked = /* @__PURE__ */ new WeakSet<object>()

const freeze = (terms: GroupTerms): GroupTerms => {
  const bands = terms.tiers?.bands ?? []
  for (const part of [...bands, bands, terms.tiers, terms.cap, terms]) Object.freeze(part)
  checked.add(terms)
  return terms
}

const isMade = (value: unknown): value is GroupTerms =>
  typeof value === "object" && value !== null && checked.has(value)

const made = (input: unknown): GroupTerms => {
  if (isMade(input)) return input
  const { made, problems } = look(input, objectOf(shape), problemsIn)
  if (made === undefined) throw refusal(InvalidTerms)(problems)
  return freeze(made)
}

/**
 * Checks terms and fills in the defaults. All problems are reported at once, each with the path and the value of its
 * field.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Terms } from "apportion"
 * import { Result } from "effect"
 *
 * const bands = [{ from: 0, percent: 10 }, { from: 0, percent: 15 }]
 * const result = Terms.parse({ tiers: { counted: "units", bands } })
 * Result.isFailure(result) && result.failure.problems.map((problem) => problem.path) // => ["tiers.bands[1].from"]
 * ```
 */
export const parse = (input: unknown): Result.Result<GroupTerms, InvalidTerms> =>
  attempt([InvalidTerms], () => made(input))

/**
 * Makes terms, and throws {@link InvalidTerms} when they are invalid.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { Terms } from "apportion"
 *
 * Terms.make({ cap: { amount: 50_000, period: "month" } }).cap // => { amount: 50000, per: "group", period: "month" }
 * ```
 */
export const make: (input: TermsInput) => GroupTerms = made
