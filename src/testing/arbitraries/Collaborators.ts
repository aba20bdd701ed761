import fc from "fast-check"
import * as Collaborator from "../../payouts/Collaborator.js"
import * as Permissions from "../../payouts/Permissions.js"
import { orNull } from "./internal/Choice.js"
import { cents, currency } from "./Money.js"
import { id, text } from "./Texts.js"

/**
 * What collaborators are made with.
 *
 * @since 0.2.0
 * @category models
 */
export interface CollaboratorOptions {
  /** Any id when absent. */
  readonly id?: fc.Arbitrary<string> | undefined
  /** Any currency when absent. */
  readonly currency?: fc.Arbitrary<string> | undefined
}

const everyPermission = (value: fc.Arbitrary<boolean>): fc.Arbitrary<Permissions.Permissions> =>
  fc.record({
    seeProductPrice: value,
    seeProductQuantity: value,
    seeProductDiscount: value,
    seeProductTax: value,
    seeCustomerEmail: value,
    seeCustomerName: value,
    seeOrderStatus: value,
    seeOrderPaymentGateway: value,
    seeOrderShippingAddress: value,
    seeOrderBillingAddress: value,
    seeProductCost: value,
    seeProductStock: value,
  })

/**
 * Permissions: none, all, and any of the twelve.
 *
 * @since 0.2.0
 * @category collaborators
 * @example
 * ```ts
 * import { Permissions } from "apportion/schema"
 * import { Arbitraries } from "apportion/testing"
 * import { Schema } from "effect"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.permissions(), 50).every(Schema.is(Permissions)) // => true
 * ```
 */
export const permissions = (): fc.Arbitrary<Permissions.Permissions> =>
  fc.oneof(
    fc.constantFrom(Permissions.none, Permissions.all),
    everyPermission(fc.boolean()),
    // All but a few: mistakes show where one thing alone is hidden.
    everyPermission(fc.integer({ min: 0, max: 9 }).map((n) => n > 0)),
  )

const frequencies = {
  month: [1, 2, 3, 6, 12, 1_000],
  monthly_date: [-1, 1, 2, 15, 27, 28],
  week: [1, 2, 4, 52, 1_000],
  day: [1, 2, 7, 30, 365, 1_000],
} as const

const frequencyOf = (measurement: Collaborator.PayoutMeasurement): fc.Arbitrary<number> =>
  fc.oneof(
    fc.constantFrom<number>(...frequencies[measurement]),
    fc.integer({ min: 1, max: measurement === "monthly_date" ? 28 : 1_000 }),
  )

/**
 * Schedules of every measurement, with every frequency that fits it.
 *
 * @since 0.2.0
 * @category collaborators
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const schedules = fc.sample(Arbitraries.schedule(), 200)
 * new Set(schedules.map(({ payoutMeasurement }) => payoutMeasurement)).size // => 4
 * ```
 */
export const schedule = (): fc.Arbitrary<
  Pick<Collaborator.Collaborator, "payoutMeasurement" | "payoutFrequency">
> =>
  fc.constantFrom(...Collaborator.payoutMeasurements).chain((payoutMeasurement) =>
    frequencyOf(payoutMeasurement).map((payoutFrequency) => ({
      payoutMeasurement,
      payoutFrequency,
    })),
  )

const holdingDays = () => fc.oneof(fc.constantFrom(0, 1, 7, 3_650), fc.integer({ min: 0, max: 60 }))

/**
 * Collaborators with every field: every currency, schedule, threshold, holding and permission.
 *
 * @since 0.2.0
 * @category collaborators
 * @example
 * ```ts
 * import { Collaborator } from "apportion/schema"
 * import { Arbitraries } from "apportion/testing"
 * import { Schema } from "effect"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.collaborator(), 50).every(Schema.is(Collaborator)) // => true
 * ```
 */
export const collaborator = (
  options: CollaboratorOptions = {},
): fc.Arbitrary<Collaborator.Collaborator> =>
  fc
    .tuple(
      fc.record({
        id: options.id ?? id(),
        currency: options.currency ?? currency(),
        payoutThreshold: cents({ min: 0 }),
        payoutHoldingDays: orNull(holdingDays()),
        shouldPayAutomatically: fc.boolean(),
        notes: orNull(text()),
        permissions: permissions(),
        account: fc.record({
          name: text(),
          paypalEmail: orNull(fc.constantFrom("ada@example.com", "sam+art@example.org")),
          isManaged: fc.boolean(),
        }),
      }),
      schedule(),
    )
    .map(([fields, dates]) => ({ ...fields, ...dates }))

/** The fields of a value that hosts may leave out, some of them left out. */
const withSome = <A extends object>(value: A): fc.Arbitrary<Partial<A>> =>
  fc.subarray(Object.keys(value)).map((left) => {
    const copy: Partial<A> = { ...value }
    for (const key in value) if (left.includes(key)) delete copy[key]
    return copy
  })

/**
 * Collaborators as hosts write them: any field but id and currency may be absent, and `month_day` stands
 * for `monthly_date` at times. `Collaborator.make` takes each of them.
 *
 * @since 0.2.0
 * @category collaborators
 * @example
 * ```ts
 * import { Collaborator } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const inputs = fc.sample(Arbitraries.collaboratorInput(), 50)
 * inputs.every((input) => Result.isSuccess(Collaborator.parse(input))) // => true
 * ```
 */
export const collaboratorInput = (
  options: CollaboratorOptions = {},
): fc.Arbitrary<Collaborator.Input> =>
  fc.tuple(collaborator(options), fc.boolean()).chain(([whole, otherName]) => {
    const { id, currency, payoutMeasurement, payoutFrequency, permissions, account, ...rest } =
      whole
    const isMonthlyDate = payoutMeasurement === "monthly_date"
    const measurement = isMonthlyDate && otherName ? ("month_day" as const) : payoutMeasurement
    return fc
      .record({
        rest: withSome(rest),
        dates: fc.constantFrom({}, { payoutMeasurement: measurement, payoutFrequency }),
        permissions: withSome(permissions),
        account: withSome(account),
      })
      .map((some) => ({
        id,
        currency,
        ...some.rest,
        ...some.dates,
        permissions: some.permissions,
        account: some.account,
      }))
  })
