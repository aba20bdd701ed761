/**
 * Someone who is paid a share of sales: in which currency, how often, and what they may see.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { unknownFields } from "../internal/misspelling.js"
import * as problems from "../internal/problems.js"
import * as Cents from "../money/Cents.js"
import * as Currency from "../money/Currency.js"
import { Problem } from "../Problem.js"
import {
  frequencyProblem,
  longestHoldingDays,
  type PayoutMeasurement,
} from "./internal/frequency.js"
import * as Permissions from "./Permissions.js"

export type { PayoutMeasurement } from "./internal/frequency.js"

/**
 * Whom the money goes to.
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
 * A valid collaborator, every field present. Made by {@link make}; it is also a valid {@link Input}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Collaborator {
  readonly id: string
  /** ISO 4217 code: what the collaborator is paid in. */
  readonly currency: string
  readonly payoutMeasurement: PayoutMeasurement
  /** For `monthly_date` the day, 1 to 28, or -1 for the month's last; else every how many units. */
  readonly payoutFrequency: number
  /** Least total that is paid out, in cents of the payout's currency. */
  readonly payoutThreshold: number
  /** How many days a closed payout is held before it is paid; `null`: none. */
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
 * const ada: Collaborator.Input = {
 *   id: "ada",
 *   currency: "EUR",
 *   payoutMeasurement: "monthly_date",
 *   payoutFrequency: -1,
 *   payoutThreshold: 5_000,
 * }
 * ```
 */
export interface Input {
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
  /** What is absent is not allowed. */
  readonly permissions?: Permissions.Input | undefined
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

const HoldingDays = Cents.NonNegative.check(
  Schema.makeFilter((days: number) => days <= longestHoldingDays, {
    expected: `a whole number from 0 to ${longestHoldingDays}`,
  }),
)

const nullableText = Schema.optional(Schema.NullOr(Schema.String))

const accountFields = {
  name: Schema.optional(Schema.String),
  paypalEmail: nullableText,
  isManaged: Schema.optional(Schema.Boolean),
}

const Measurement = Schema.optional(Schema.Literals([...payoutMeasurements, "month_day"]))

const fields = {
  id: Schema.NonEmptyString,
  currency: Currency.Currency,
  payoutMeasurement: Measurement,
  payoutFrequency: Schema.optional(Cents.Cents),
  payoutThreshold: Schema.optional(Cents.NonNegative),
  payoutHoldingDays: Schema.optional(Schema.NullOr(HoldingDays)),
  shouldPayAutomatically: Schema.optional(Schema.Boolean),
  notes: nullableText,
  permissions: Schema.optional(Permissions.Input),
  account: Schema.optional(Schema.Struct(accountFields)),
}

/**
 * Schema of {@link Input}. It sees each field alone; {@link make} also checks the frequency against
 * the measurement.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Input: Schema.Codec<Input> = Schema.Struct(fields)

/**
 * Schema of {@link (Collaborator:interface)}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Collaborator: Schema.Codec<Collaborator> = Schema.Struct({
  id: Schema.NonEmptyString,
  currency: Currency.Currency,
  payoutMeasurement: Schema.Literals(payoutMeasurements),
  payoutFrequency: Cents.Cents,
  payoutThreshold: Cents.NonNegative,
  payoutHoldingDays: Schema.NullOr(HoldingDays),
  shouldPayAutomatically: Schema.Boolean,
  notes: Schema.NullOr(Schema.String),
  permissions: Permissions.Permissions,
  account: Schema.Struct({
    name: Schema.String,
    paypalEmail: Schema.NullOr(Schema.String),
    isManaged: Schema.Boolean,
  }),
}).check(
  Schema.makeFilter((collaborator: Collaborator) => {
    const message = frequencyProblem(collaborator.payoutMeasurement, collaborator.payoutFrequency)
    return message === undefined ? undefined : { path: ["payoutFrequency"], issue: message }
  }),
)

/**
 * A collaborator that can't be used, with everything that is wrong with it.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCollaborator extends Schema.TaggedError<InvalidCollaborator>()(
  "InvalidCollaborator",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}

const measurementOf = (given: Input["payoutMeasurement"] = "month"): PayoutMeasurement =>
  given === "month_day" ? "monthly_date" : given

const isMeasurement = Schema.is(Measurement)

/** A misspelt `payoutThreshold` would pay out from the first cent. */
const allUnknownFields = (input: unknown): ReadonlyArray<Problem> => {
  const part = (name: string): unknown =>
    typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined
  const isNone = "is no field of a collaborator; the fields here are"
  return [
    ...unknownFields(input, Object.keys(fields), { isNone }),
    ...unknownFields(part("account"), Object.keys(accountFields), { isNone, place: "account" }),
    ...unknownFields(part("permissions"), Permissions.names, { isNone, place: "permissions" }),
  ]
}

/** Whether the frequency fits the measurement, told even when other fields are wrong. */
const problemsBetweenFields = (input: unknown): ReadonlyArray<Problem> => {
  if (typeof input !== "object" || input === null) return []
  const measurement: unknown = Reflect.get(input, "payoutMeasurement")
  const frequency: unknown = Reflect.get(input, "payoutFrequency")
  if (!isMeasurement(measurement) || !Cents.isCents(frequency)) return []
  const message = frequencyProblem(measurementOf(measurement), frequency)
  return message === undefined ? [] : [{ path: "payoutFrequency", value: frequency, message }]
}

const complete = (input: Input): Collaborator => ({
  id: input.id,
  currency: input.currency,
  payoutMeasurement: measurementOf(input.payoutMeasurement),
  payoutFrequency: input.payoutFrequency ?? 1,
  payoutThreshold: input.payoutThreshold ?? 0,
  payoutHoldingDays: input.payoutHoldingDays ?? null,
  shouldPayAutomatically: input.shouldPayAutomatically ?? true,
  notes: input.notes ?? null,
  permissions: Permissions.make(input.permissions),
  account: {
    name: input.account?.name ?? input.id,
    paypalEmail: input.account?.paypalEmail ?? null,
    isManaged: input.account?.isManaged ?? false,
  },
})

/**
 * Checks a collaborator and fills in what is absent: paid once a month, from the first cent, without
 * holding, automatically, seeing nothing but their own money. All problems are reported at once, each with
 * the path and the value of its field.
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
  const decoded = problems.decode(Input, input)
  const between = problems.reading(input, () => [
    ...allUnknownFields(input),
    ...problemsBetweenFields(input),
  ])
  if (Result.isSuccess(decoded) && between.length === 0) {
    return Result.succeed(complete(decoded.success))
  }
  const all = [...(Result.isFailure(decoded) ? decoded.failure : []), ...between]
  return Result.fail(new InvalidCollaborator({ problems: all, message: problems.summarize(all) }))
}

/**
 * Makes a collaborator, and throws the {@link InvalidCollaborator} when it is no good. For collaborators
 * that come from outside the program, {@link parse} has the same answer as a value.
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
export const make = (input: Input): Collaborator => Result.getOrThrow(parse(input))
