import * as Result from "effect/Result"
import fc from "fast-check"
import * as Cents from "../../money/Cents.js"
import * as Collaborator from "../../payouts/Collaborator.js"
import * as Payout from "../../payouts/Payout.js"
import * as PayoutItem from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import * as Permissions from "../../payouts/Permissions.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import { orNull } from "./internal/Choice.js"
import { collaboratorId } from "./internal/pools.js"
import { order } from "./Orders.js"
import { cents, currency, entryName, exchangeRate, id, text, usualTime } from "./Scalars.js"

/**
 * Options for collaborators.
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
    // All but a few: mistakes show when a single field is hidden.
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
 * Schedules of every measurement, with every valid frequency.
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

/** A value with some of its optional fields left out. */
const withSome = <A extends object>(value: A): fc.Arbitrary<Partial<A>> =>
  fc.subarray(Object.keys(value)).map((left) => {
    const copy: Partial<A> = { ...value }
    for (const key in value) if (left.includes(key)) delete copy[key]
    return copy
  })

/**
 * Collaborators as hosts write them: any field except id and currency may be absent, and `month_day` sometimes replaces
 * `monthly_date`. `Collaborator.make` takes each of them.
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
): fc.Arbitrary<Collaborator.CollaboratorInput> =>
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

/**
 * Options for payout items.
 *
 * @since 0.2.0
 * @category models
 */
export interface PayoutItemOptions {
  /** The payout's currency; any when absent. */
  readonly currency?: string | undefined
  /** Any kind when absent. */
  readonly kind?: PayoutItem.PayoutItem["kind"] | undefined
}

/** Makes a payout's items once its currency is known. */
type ItemIn<Item extends PayoutItem.PayoutItem = PayoutItem.PayoutItem> = (
  payoutCurrency: string,
) => Item

/** A share of a sale: of any size in the payout's currency, else of a usual size. */
const saleItem = (): fc.Arbitrary<ItemIn<PayoutItem.Sale>> =>
  fc
    .record({
      order: order({ minItems: 1 }),
      isForeign: fc.boolean(),
      index: fc.nat(),
      groupId: id(),
      amount: cents(),
      usualAmount: cents({ min: -1_000_000_000, max: 1_000_000_000 }),
      rate: exchangeRate({ extreme: false }),
      at: usualTime(),
    })
    .map(({ order: sold, isForeign, index, groupId, rate, at, ...amounts }) => (code) => {
      const original = isForeign ? sold.currency : code
      const amount = original === code ? amounts.amount : amounts.usualAmount
      const itemId = sold.items[index % sold.items.length]?.id ?? ""
      const from = { ...sold, currency: original }
      const options = { order: from, currency: code, rate, at }
      return Result.getOrThrow(PayoutItem.fromShare({ itemId, groupId, amount }, options))
    })

/** All of a share, or a part of it. */
const refunding = () => fc.record({ part: fc.integer({ min: 1, max: 3 }), at: usualTime() })

/** The reversed part of a share. */
const refunded = (
  sold: PayoutItem.Sale,
  currencyCode: string,
  { part, at }: { readonly part: number; readonly at: number },
) => {
  const amount = Math.trunc(sold.originalAmount / part) + 0
  return { currency: currencyCode, amount, at: Math.max(at, sold.createdAt) }
}

const reducedItem = (): fc.Arbitrary<ItemIn<PayoutItem.Sale>> =>
  fc.tuple(saleItem(), refunding()).map(([make, how]) => (code) => {
    const sold = make(code)
    return Result.getOrThrow(PayoutItem.reduce(sold, refunded(sold, code, how)))
  })

const refundItem = (): fc.Arbitrary<ItemIn<PayoutItem.Refund>> =>
  fc.tuple(saleItem(), refunding()).map(([make, how]) => (code) => {
    const sold = make(code)
    const options = { ...refunded(sold, code, how), id: `${sold.id}/refund/1`, alreadyRefunded: 0 }
    return Result.getOrThrow(PayoutItem.takeBack(sold, options))
  })

const entryItem = (kind: "expense" | "income"): fc.Arbitrary<ItemIn<PayoutItem.Entry>> =>
  fc
    .record({ id: id(), amount: cents({ min: 1 }), name: entryName(), at: usualTime() })
    .map((entry) => (code) => {
      const make = kind === "expense" ? PayoutItem.expense : PayoutItem.income
      return Result.getOrThrow(make(entry, { currency: code }))
    })

const itemOf = (kind: PayoutItem.PayoutItem["kind"] | undefined): fc.Arbitrary<ItemIn> => {
  switch (kind) {
    case "sale":
      return fc.oneof({ weight: 2, arbitrary: saleItem() }, { weight: 1, arbitrary: reducedItem() })
    case "refund":
      return refundItem()
    case "expense":
    case "income":
      return entryItem(kind)
    case undefined:
      return fc.oneof(itemOf("sale"), itemOf("refund"), itemOf("expense"), itemOf("income"))
  }
}

/**
 * Payout items of each kind: shares of sales, unreduced, reduced and in other currencies; refunds; expenses and
 * incomes.
 *
 * @since 0.2.0
 * @category payouts
 * @example
 * ```ts
 * import { PayoutItem } from "apportion/schema"
 * import { Arbitraries } from "apportion/testing"
 * import { Schema } from "effect"
 * import fc from "fast-check"
 *
 * fc.sample(Arbitraries.payoutItem(), 50).every(Schema.is(PayoutItem)) // => true
 * ```
 */
export const payoutItem = (
  options: PayoutItemOptions = {},
): fc.Arbitrary<PayoutItem.PayoutItem> => {
  const code = options.currency === undefined ? currency() : fc.constant(options.currency)
  return fc.tuple(itemOf(options.kind), code).map(([make, given]) => make(given))
}

/**
 * Options for payouts.
 *
 * @since 0.2.0
 * @category models
 */
export interface PayoutOptions {
  /** Any id when absent. */
  readonly id?: fc.Arbitrary<string> | undefined
  /** One of three collaborators when absent: `ada`, `ben` and `cam`. */
  readonly collaboratorId?: fc.Arbitrary<string> | undefined
  /** Any currency when absent. */
  readonly currency?: fc.Arbitrary<string> | undefined
  /** Any status when absent. */
  readonly status?: PayoutStatus.PayoutStatus | undefined
  /** The maximum number of items tried; 6 when absent. */
  readonly maxItems?: number | undefined
}

const day = 86_400

/** How long a payout took for each step of its life cycle. */
const way = () => {
  const wait = fc.oneof(fc.constantFrom(0, day, 30 * day), fc.integer({ min: 0, max: 90 * day }))
  return fc.record({
    openedAt: usualTime(),
    due: wait.map((seconds) => seconds + 1),
    held: wait,
    paid: wait,
    wasClosed: fc.boolean(),
    reason: fc.constantFrom("account closed", "", "no such account"),
  })
}

type Way = ReturnType<typeof way> extends fc.Arbitrary<infer A> ? A : never

/** The times of a payout in a status, in chronological order. */
const timesOf = (status: PayoutStatus.PayoutStatus, gone: Way) => {
  const toBePaidAt = gone.openedAt + gone.due
  // A payout set as paid by hand need not have been closed before.
  const isClosed = status === "manually paid" ? gone.wasClosed : status !== "active"
  const payableAt = isClosed ? toBePaidAt + gone.held : null
  const isSettled = PayoutStatus.isSettled(status)
  return {
    openedAt: gone.openedAt,
    toBePaidAt,
    closedAt: isClosed ? toBePaidAt : null,
    payableAt,
    paidAt: isSettled ? (payableAt ?? gone.openedAt) + gone.paid : null,
    failureReason: status === "failed" ? gone.reason : null,
  }
}

/** The items with different ids whose running total stays exact. */
const fitting = (
  items: ReadonlyArray<PayoutItem.PayoutItem>,
): ReadonlyArray<PayoutItem.PayoutItem> => {
  const fit = new Map<string, PayoutItem.PayoutItem>()
  let total = 0
  for (const item of items) {
    const sum = total + item.amount
    if (fit.has(item.id) || !Cents.isCents(sum)) continue
    fit.set(item.id, item)
    total = sum
  }
  return [...fit.values()]
}

/** A paid total is not below 0. */
const withPayableTotal = (payout: Payout.Payout): Payout.Payout => {
  if (payout.status !== "paid") return payout
  const total = Result.getOrThrow(Payout.total(payout))
  if (total >= 0) return payout
  const income = { id: "what was missing", amount: -total, name: "Balance", at: payout.openedAt }
  return {
    ...payout,
    items: [...payout.items, Result.getOrThrow(PayoutItem.income(income, payout))],
  }
}

/**
 * Payouts in each status, with consistent times, and items of each kind whose total is exact.
 *
 * @since 0.2.0
 * @category payouts
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Arbitraries } from "apportion/testing"
 * import { Result } from "effect"
 * import fc from "fast-check"
 *
 * const payouts = fc.sample(Arbitraries.payout(), 50)
 * payouts.every((payout) => Result.isSuccess(Payout.total(payout))) // => true
 * const paid = fc.sample(Arbitraries.payout({ status: "paid" }), 50)
 * paid.every(({ paidAt }) => paidAt !== null) // => true
 * ```
 */
export const payout = (options: PayoutOptions = {}): fc.Arbitrary<Payout.Payout> => {
  const statuses = options.status === undefined ? PayoutStatus.statuses : [options.status]
  return fc
    .record({
      id: options.id ?? id(),
      collaboratorId: options.collaboratorId ?? collaboratorId(),
      currency: options.currency ?? currency(),
      status: fc.constantFrom(...statuses),
      gone: way(),
      makers: fc.array(itemOf(undefined), { maxLength: options.maxItems ?? 6 }),
    })
    .map(({ gone, makers, ...own }) => {
      const items = fitting(makers.map((make) => make(own.currency)))
      return withPayableTotal({ ...own, ...timesOf(own.status, gone), items })
    })
}

/**
 * Stored payouts of each status, with their items; total and count are those of the items.
 *
 * @since 0.2.0
 * @category payouts
 * @example
 * ```ts
 * import { Arbitraries } from "apportion/testing"
 * import fc from "fast-check"
 *
 * const stored = fc.sample(Arbitraries.storedPayout(), 50)
 * stored.every(({ payout, items }) => payout.itemsCount === items.length) // => true
 * ```
 */
export const storedPayout = (
  options: PayoutOptions = {},
): fc.Arbitrary<{
  readonly payout: StoredPayout
  readonly items: ReadonlyArray<PayoutItem.PayoutItem>
}> =>
  fc.tuple(payout(options), fc.integer({ min: 1, max: 20 })).map(([whole, version]) => {
    const { items, ...head } = whole
    const total = Result.getOrThrow(Payout.total(whole))
    return { payout: { ...head, total, itemsCount: items.length, paymentId: null, version }, items }
  })
