/**
 * Someone who is paid a share of sales: the currency and the schedule, and what they may see.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import { unknownFields } from "../internal/fieldNames.js"
import {
  choice,
  type Field,
  flag,
  id,
  number,
  objectOf,
  optional,
  or,
  orNull,
  read,
  type Shape,
  text,
} from "../internal/fields.js"
import * as problems from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import * as Cents from "../money/Cents.js"
import { cents, currency, nonNegative } from "../money/internal/amounts.js"
import type { Problem } from "../Problem.js"
import {
  dayCountProblem,
  frequencyProblem,
  longestHoldingDays,
  type PayoutMeasurement,
} from "./internal/frequency.js"
import { permissionShape } from "./internal/permissionShape.js"
import * as Permissions from "./Permissions.js"

export type { PayoutMeasurement } from "./internal/frequency.js"

/**
 * The account that receives the money.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account {
  readonly name: string
  readonly paypalEmail: string | null
  /** Whether the store keeps the account for the collaborator. */
  readonly isManaged: boolean
}

/**
 * A valid collaborator, every field present. Made by {@link make}; it is also a valid {@link CollaboratorInput}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Collaborator {
  readonly id: string
  /** ISO 4217 code of the currency in which the collaborator is paid. */
  readonly currency: string
  readonly payoutMeasurement: PayoutMeasurement
  /** For `monthly_date` the day, 1 to 28, or -1 for the month's last; otherwise the number of units between payouts. */
  readonly payoutFrequency: number
  /** The minimum total that is paid out, in cents of the payout's currency. */
  readonly payoutThreshold: number
  /** For how many days a closed payout is held before it is paid; `null`: none. */
  readonly payoutHoldingDays: number | null
  readonly shouldPayAutomatically: boolean
  readonly notes: string | null
  readonly permissions: Permissions.Permissions
  readonly account: Account
}

/**
 * A collaborator as hosts write it. Only `id` and `currency` are needed.
 *
 * @since 0.1.0
 * @category models
 * @example
 * ```ts
 * import type { Collaborator } from "apportion"
 *
 * const ada: Collaborator.CollaboratorInput = {
 *   id: "ada",
 *   currency: "EUR",
 *   payoutMeasurement: "monthly_date",
 *   payoutFrequency: -1,
 *   payoutThreshold: 5_000,
 * }
 * ```
 */
export interface CollaboratorInput {
  readonly id: string
  readonly currency: string
  /** `month` when absent; `month_day` is another name for `monthly_date`. */
  readonly payoutMeasurement?: PayoutMeasurement | "month_day" | undefined
  /** 1 when absent. */
  readonly payoutFrequency?: number | undefined
  /** 0 when absent. */
  readonly payoutThreshold?: number | undefined
  /** No holding when absent. */
  readonly payoutHoldingDays?: number | null | undefined
  /** `true` when absent. */
  readonly shouldPayAutomatically?: boolean | undefined
  readonly notes?: string | null | undefined
  /** Absent permissions are not granted. */
  readonly permissions?: Permissions.PermissionsInput | undefined
  readonly account?:
    | {
        /** The collaborator's id when absent. */
        readonly name?: string | undefined
        readonly paypalEmail?: string | null | undefined
        /** `false` when absent. */
        readonly isManaged?: boolean | undefined
      }
    | undefined
}

/**
 * The measurements a payout date can have.
 *
 * @since 0.1.0
 * @category constants
 */
export const payoutMeasurements: readonly ["month", "monthly_date", "week", "day"] = [
  "month",
  "monthly_date",
  "week",
  "day",
]

const spelt = /* @__PURE__ */ choice([...payoutMeasurements, "month_day"])

const measurementOf = (given: unknown = "month"): PayoutMeasurement | undefined =>
  given === "month_day" ? "monthly_date" : payoutMeasurements.find((each) => each === given)

const measurement: Field<PayoutMeasurement> = (node, key) =>
  spelt(node, key) === undefined ? undefined : measurementOf(node.fields[key])

const accountShape: Shape<Omit<Account, "name"> & { readonly name?: string | undefined }> = {
  name: /* @__PURE__ */ optional(text),
  paypalEmail: /* @__PURE__ */ orNull(text),
  isManaged: /* @__PURE__ */ or(flag, false),
}

const saidAccount = /* @__PURE__ */ or(/* @__PURE__ */ objectOf(accountShape), {
  paypalEmail: null,
  isManaged: false,
})

/** An account without a name is named by the collaborator's id. */
const account: Field<Account> = (node, key) => {
  const said = saidAccount(node, key)
  return said && { ...said, name: said.name ?? String(node.fields.id) }
}

const shape: Shape<Collaborator> = {
  id,
  currency,
  payoutMeasurement: /* @__PURE__ */ or(measurement, "month"),
  payoutFrequency: /* @__PURE__ */ or(cents, 1),
  payoutThreshold: /* @__PURE__ */ or(nonNegative, 0),
  payoutHoldingDays: /* @__PURE__ */ orNull(
    /* @__PURE__ */ number(
      (days) => dayCountProblem(days) === undefined,
      `a whole number from 0 to ${longestHoldingDays}`,
    ),
  ),
  shouldPayAutomatically: /* @__PURE__ */ or(flag, true),
  notes: /* @__PURE__ */ orNull(text),
  permissions: /* @__PURE__ */ or(/* @__PURE__ */ objectOf(permissionShape), Permissions.none),
  account,
}

/**
 * An invalid collaborator, with all its problems.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCollaborator extends TaggedError("InvalidCollaborator")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/** Problems between fields, reported even when other fields are invalid. */
const problemsBetweenFields = (input: unknown): ReadonlyArray<Problem> => {
  if (!problems.isFields(input)) return []
  // A misspelt `payoutThreshold` would pay out from the first cent.
  const isNone = "is no field of a collaborator; the fields here are"
  const found = [
    ...unknownFields(input, Object.keys(shape), { isNone }),
    ...unknownFields(input.account, Object.keys(accountShape), { isNone, place: "account" }),
    ...unknownFields(input.permissions, Permissions.names, { isNone, place: "permissions" }),
  ]
  const { payoutFrequency } = input
  const known = measurementOf(input.payoutMeasurement)
  if (known === undefined || !Cents.isCents(payoutFrequency)) return found
  const message = frequencyProblem(known, payoutFrequency)
  if (message === undefined) return found
  return [...found, { path: "payoutFrequency", value: payoutFrequency, message }]
}

/**
 * Checks a collaborator and fills in the defaults: paid once a month, from the first cent, without holding,
 * automatically, seeing nothing but their own money. All problems are reported at once, each with the path and the
 * value of its field.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Collaborator } from "apportion"
 * import { Result } from "effect"
 *
 * const result = Collaborator.parse({ id: "ada", currency: "euro" })
 * Result.isFailure(result) && result.failure.problems[0]?.path // => "currency"
 * ```
 */
export const parse = (input: unknown): Result.Result<Collaborator, InvalidCollaborator> => {
  const collaborator = read(input, objectOf(shape), problemsBetweenFields)
  return Result.mapError(collaborator, problems.refusal(InvalidCollaborator))
}

/**
 * Makes a collaborator, and throws {@link InvalidCollaborator} when it is invalid. For collaborators from outside the
 * program, {@link parse} returns the error as a value.
 *
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { Collaborator } from "apportion"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "EUR" })
 * ada.payoutMeasurement // => "month"
 * ada.payoutThreshold // => 0
 * ```
 */
export const make = (input: CollaboratorInput): Collaborator => Result.getOrThrow(parse(input))
