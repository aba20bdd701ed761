/**
 * The lines of a payout: what was earned on sales, what refunds took back, expenses and extra income.
 *
 * @since 0.1.0
 */

import * as Result from "effect/Result"
import {
  choice,
  type Field,
  id,
  nested,
  nullable,
  number,
  objectOf,
  optional,
  read,
  type Shape,
  scalar,
  text,
} from "../internal/fields.js"
import { escapeSlash } from "../internal/names.js"
import * as problems from "../internal/problems.js"
import { TaggedError } from "../internal/TaggedError.js"
import * as Cents from "../money/Cents.js"
import type * as Currency from "../money/Currency.js"
import * as ExchangeRate from "../money/ExchangeRate.js"
import { cents, exchangeRate } from "../money/internal/amounts.js"
import * as exact from "../money/internal/exact.js"
import type * as Order from "../orders/Order.js"
import type { Problem } from "../Problem.js"
import type { Share } from "../shares/Share.js"
import { type Unreadable, unreadable } from "../Unreadable.js"
import * as Schedule from "./Schedule.js"
import * as SoldItem from "./SoldItem.js"

interface Money {
  /** Unique within the payout. */
  readonly id: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Cents of the payout's currency; negative for deductions. */
  readonly amount: number
  /** Cents of the original currency. */
  readonly originalAmount: number
  /** ISO 4217 code. */
  readonly originalCurrency: string
  /** How many units of the payout's currency one unit of the original buys; `null`: it is the same currency. */
  readonly currencyExchangeRate: string | null
  /**
   * The other payout that it is about; absent: none.
   *
   * @since 0.6.0
   */
  readonly about?: AboutPayout | undefined
}

/**
 * Why an item of one payout is about another one. `frozen`: it would have changed the other one, which was frozen
 * because a payment of it was under way. `rest`: an amount too little for a step of a rail was moved from one to the
 * other, so each of the two has an item about the other. `fee`: the fee of a rail for paying the other one. `immature`:
 * a share that was in the other one, and was not mature when that was closed. `debt`: the amount by which a closed
 * payout was below zero was moved to the other, so each of the two has an item about the other.
 *
 * @since 0.6.0
 * @category models
 */
export interface AboutPayout {
  readonly payoutId: string
  readonly why: "frozen" | "rest" | "fee" | "immature" | "debt"
}

/**
 * Why a sale is in a payout although it was sold before: a re-split changed the collaborator's share of it. Both
 * amounts are those of the whole share, without refunds, in cents of the order's currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface ShareChange {
  /** The run of the re-split. */
  readonly runId: string
  /** The amount under the split that was in force; 0 without a share. */
  readonly before: number
  /** The amount under the new rules; 0 without a share. */
  readonly after: number
}

/**
 * A share of a sale, or the change of one by a re-split. A refund before the payout is settled lowers its amounts, down
 * to 0; the amount is the original amount at the item's own rate. (When a part was taken back in another payout,
 * because this one was paid or frozen for a while, a refund here takes the difference that it makes to the share as a
 * whole, so that both together are exact.)
 *
 * @since 0.1.0
 * @category models
 */
export interface Sale extends Money {
  readonly kind: "sale"
  readonly orderItem: SoldItem.SoldItem
  /**
   * Absent: it is the share itself.
   *
   * @since 0.6.0
   */
  readonly adjustment?: ShareChange | undefined
}

/**
 * What a refund takes back of a sale whose payout is settled already.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refund extends Money {
  readonly kind: "refund"
  readonly orderItem: SoldItem.SoldItem
}

/**
 * What an entry is for when it is about a balance below zero: `write-off`, it is written off; `request`, the
 * collaborator is asked to pay it back; `repayment`, the collaborator has paid it back.
 *
 * @since 0.6.0
 * @category models
 */
export type EntryPurpose = "write-off" | "request" | "repayment"

/**
 * What an entry is that was booked for an agreement: which one, and the share of a sale that it is about.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementLine {
  readonly kind: "override" | "reserve" | "release" | "recoupment" | "shortfall"
  /** What it was booked with: a sale, its refund, the release of a reserve, or the end of a guarantee's period. */
  readonly event: "sale" | "refund" | "release" | "close"
  readonly agreementId: string
  /** `null`: it is about no sale. */
  readonly orderId: string | null
  readonly itemId: string | null
  /** `null`: it is about no share of a group. */
  readonly groupId: string | null
}

/**
 * Money deducted (`expense`, a negative amount) or added (`income`) by hand. A request moves no money: its amount is 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry extends Money {
  readonly kind: "expense" | "income"
  readonly name: string
  /**
   * Absent for a plain expense or income.
   *
   * @since 0.6.0
   */
  readonly purpose?: EntryPurpose | undefined
  /**
   * The amount that a request asks for, in cents of the payout's currency, above 0; absent for anything else.
   *
   * @since 0.6.0
   */
  readonly asked?: number | undefined
  /**
   * Absent: it was not booked for an agreement.
   *
   * @since 0.6.0
   */
  readonly agreement?: AgreementLine | undefined
}

/**
 * One line of a payout.
 *
 * @since 0.1.0
 * @category models
 */
export type PayoutItem = Sale | Refund | Entry

/**
 * The key of a share of a sale: the order, the item and the product group; of a change of it by a re-split, its run
 * too.
 *
 * @since 0.1.0
 * @category models
 */
export interface ShareKey {
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string
  /**
   * @since 0.6.0
   */
  readonly runId?: string | undefined
}

const about: Shape<AboutPayout> = {
  payoutId: id,
  why: /* @__PURE__ */ choice(["frozen", "rest", "fee", "immature", "debt"]),
}

const money = {
  id,
  createdAt: cents,
  amount: cents,
  originalAmount: cents,
  originalCurrency: text,
  currencyExchangeRate: /* @__PURE__ */ nullable(exchangeRate),
  about: /* @__PURE__ */ optional(/* @__PURE__ */ objectOf(about)),
}

const sold = { ...money, orderItem: /* @__PURE__ */ nested(SoldItem.parse) }

const adjustment: Shape<ShareChange> = { runId: id, before: cents, after: cents }

const agreement: Shape<AgreementLine> = {
  kind: /* @__PURE__ */ choice(["override", "reserve", "release", "recoupment", "shortfall"]),
  event: /* @__PURE__ */ choice(["sale", "refund", "release", "close"]),
  agreementId: id,
  orderId: /* @__PURE__ */ nullable(id),
  itemId: /* @__PURE__ */ nullable(id),
  groupId: /* @__PURE__ */ nullable(id),
}

const shapes = {
  sale: /* @__PURE__ */ objectOf<Sale>({
    ...sold,
    kind: /* @__PURE__ */ choice(["sale"]),
    adjustment: /* @__PURE__ */ optional(/* @__PURE__ */ objectOf(adjustment)),
  }),
  refund: /* @__PURE__ */ objectOf<Refund>({ ...sold, kind: /* @__PURE__ */ choice(["refund"]) }),
  entry: /* @__PURE__ */ objectOf<Entry>({
    ...money,
    kind: /* @__PURE__ */ choice(["expense", "income"]),
    name: text,
    purpose: /* @__PURE__ */ optional(
      /* @__PURE__ */ choice<EntryPurpose>(["write-off", "request", "repayment"]),
    ),
    asked: /* @__PURE__ */ optional(cents),
    agreement: /* @__PURE__ */ optional(/* @__PURE__ */ objectOf(agreement)),
  }),
}

const kindOf = /* @__PURE__ */ objectOf({
  kind: /* @__PURE__ */ choice(["sale", "refund", "expense", "income"]),
})

const payoutItem: Field<PayoutItem> = (node, key) => {
  const kind = kindOf(node, key)?.kind
  if (kind === undefined) return undefined
  return shapes[kind === "sale" || kind === "refund" ? kind : "entry"](node, key)
}

/**
 * Reads one line of a payout: every field of its kind has to be present and valid. All problems are reported at once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const bonus = { id: "i1", amount: 5_000, name: "Bonus", at: 1_700_000_000 }
 * const income = Result.getOrThrow(PayoutItem.income(bonus, { currency: "USD" }))
 * Result.isSuccess(PayoutItem.parse(income)) // => true
 * Result.isFailure(PayoutItem.parse({ ...income, kind: "gift" })) // => true
 * ```
 */
export const parse = (input: unknown): Result.Result<PayoutItem, Unreadable> =>
  Result.mapError(read(input, payoutItem), (found) => unreadable("payout item", found))

/**
 * A share of an item that the order does not have.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownOrderItem extends TaggedError("UnknownOrderItem")<{
  readonly orderId: string
  readonly itemId: string
  readonly message: string
}> {}

/**
 * A share in a currency other than its payout's, without a rate to convert it.
 *
 * @since 0.1.0
 * @category errors
 */
export class MissingExchangeRate extends TaggedError("MissingExchangeRate")<{
  readonly from: string
  readonly to: string
  /** When the rate was needed, in Unix seconds. */
  readonly at: number
  readonly message: string
}> {
  /**
   * @since 0.1.0
   */
  static of(from: string, to: string, at: number): MissingExchangeRate {
    const when = Schedule.showTime(at)
    const message = `there is no exchange rate from ${from} to ${to} at ${when}`
    return new MissingExchangeRate({ from, to, at, message })
  }
}

/**
 * An invalid expense or income, with all its problems.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidEntry extends TaggedError("InvalidEntry")<{
  readonly problems: ReadonlyArray<Problem>
  readonly message: string
}> {}

/**
 * A refund that reverses more of a share than is left of it, or has the wrong sign.
 *
 * @since 0.1.0
 * @category errors
 */
export class RefundBeyondShare extends TaggedError("RefundBeyondShare")<{
  readonly orderId: string
  readonly itemId: string
  readonly groupId: string
  /** What is left of the share, in cents of the order's currency. */
  readonly left: number
  readonly amount: number
  readonly message: string
}> {}

/**
 * Why an amount could not be converted.
 *
 * @since 0.1.0
 * @category errors
 */
export type ConversionError =
  | Cents.AmountOutOfRange
  | Currency.UnknownCurrency
  | ExchangeRate.InvalidExchangeRate

const { show } = problems

/**
 * The key of a share as one text, `order/item/group`, and of a change of it by a re-split,
 * `order/item/group/adjustment/run`; a slash within an id is written `%2F`.
 *
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 *
 * PayoutItem.keyOf({ orderId: "1001", itemId: "1", groupId: "ada" }) // => "1001/1/ada"
 * ```
 */
export const keyOf = ({ orderId, itemId, groupId, runId }: ShareKey): string => {
  const key = `${escapeSlash(orderId)}/${escapeSlash(itemId)}/${escapeSlash(groupId)}`
  return runId === undefined ? key : `${key}/adjustment/${escapeSlash(runId)}`
}

const unknownItem = (orderId: string, itemId: string): UnknownOrderItem =>
  new UnknownOrderItem({
    orderId,
    itemId,
    message: `order ${show(orderId)} has no item ${show(itemId)}`,
  })

/** Cents of the original currency in the payout's: unchanged when there is no rate. */
const convert = (
  amount: number,
  options: { readonly from: string; readonly to: string; readonly rate: string | null },
): Result.Result<number, ConversionError> => {
  if (!Cents.isCents(amount)) return Result.fail(Cents.AmountOutOfRange.of("the share", amount))
  return options.rate === null
    ? Result.succeed(amount)
    : ExchangeRate.convert(amount, { ...options, rate: options.rate })
}

/**
 * The payout item of a share of an order, with a snapshot of the order item. Later changes of the order or its product
 * don't affect it.
 *
 * @param options.id - of the new item; {@link keyOf} the share when absent
 * @param options.currency - the payout's currency
 * @param options.rate - needed when the order's currency is another, ignored when it is the same
 * @param options.at - when the sale was split, in Unix seconds
 * @param options.adjustment - when a re-split changed the share by the amount; the run is part of the id then
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { type Order, PayoutItem, RuleSet, Split } from "apportion"
 * import { Result } from "effect"
 *
 * const rules = RuleSet.make([
 *   { id: "g1", collaboratorId: "ada", link: { type: "products.all" }, percent: "10.00" },
 * ])
 * const order: Order.Order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * }
 * const items = Split.order(rules, order).shares.map((share) =>
 *   PayoutItem.fromShare(share, { order, currency: "EUR", rate: "0.92", at: 1_700_000_000 }),
 * )
 * items.map((item) => Result.getOrThrow(item).amount) // => [920]
 * ```
 */
export const fromShare = (
  share: Pick<Share, "itemId" | "groupId" | "amount">,
  options: {
    readonly id?: string | undefined
    readonly order: Order.Order
    readonly currency: string
    readonly rate?: string | null | undefined
    readonly at: number
    readonly adjustment?: ShareChange | undefined
  },
): Result.Result<Sale, UnknownOrderItem | MissingExchangeRate | ConversionError> => {
  const { order, currency, at, adjustment } = options
  const item = order.items.find(({ id }) => id === share.itemId)
  if (item === undefined) return Result.fail(unknownItem(order.id, share.itemId))
  const rate = order.currency === currency ? null : (options.rate ?? undefined)
  if (rate === undefined) {
    return Result.fail(MissingExchangeRate.of(order.currency, currency, at))
  }
  const { itemId, groupId } = share
  const key = { orderId: order.id, itemId, groupId, runId: adjustment?.runId }
  const converted = convert(share.amount, { from: order.currency, to: currency, rate })
  return Result.map(converted, (amount): Sale => {
    const sale: Sale = {
      kind: "sale",
      id: options.id ?? keyOf(key),
      createdAt: at,
      amount,
      originalAmount: share.amount,
      originalCurrency: order.currency,
      currencyExchangeRate: rate,
      orderItem: SoldItem.of(item, { order, groupId: share.groupId, splitAt: at }),
    }
    return adjustment === undefined ? sale : { ...sale, adjustment }
  })
}

/**
 * An expense or income as hosts write it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EntryInput {
  readonly id: string
  /** Cents above 0, for an expense too. */
  readonly amount: number
  /** 1 to 200 characters, not counting leading and trailing spaces. */
  readonly name: string
  /** Unix seconds. */
  readonly at: number
}

/**
 * The longest name of an expense or income, in characters.
 *
 * @since 0.1.0
 * @category constants
 */
export const longestName = 200

const hasNameLength = (name: string): boolean => {
  const { length } = [...name.trim()]
  return length >= 1 && length <= longestName
}

const entryShape: Shape<EntryInput> = {
  id,
  amount: /* @__PURE__ */ number(
    (amount) => Cents.isCents(amount) && amount > 0,
    "a whole number of cents above 0",
  ),
  name: /* @__PURE__ */ scalar(
    "string",
    (name): name is string => typeof name === "string" && hasNameLength(name),
    `a name of 1 to ${longestName} characters`,
  ),
  at: cents,
}

const entry = (
  kind: Entry["kind"],
  input: EntryInput,
  options: { readonly currency: string },
): Result.Result<Entry, InvalidEntry> => {
  const known = read(input, objectOf(entryShape))
  if (Result.isFailure(known)) return Result.fail(problems.refusal(InvalidEntry)(known.failure))
  const { id, amount, name, at } = known.success
  const signed = kind === "expense" ? -amount : amount
  return Result.succeed({
    kind,
    id,
    createdAt: at,
    name: name.trim(),
    amount: signed,
    originalAmount: signed,
    originalCurrency: options.currency,
    currencyExchangeRate: null,
  })
}

/**
 * An expense: its amount, given above 0, is taken off the payout. All problems are reported at once.
 *
 * @param options.currency - the payout's currency
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const samples = PayoutItem.expense(
 *   { id: "e1", amount: 1_500, name: "Samples", at: 1_700_000_000 },
 *   { currency: "USD" },
 * )
 * Result.getOrThrow(samples).amount // => -1500
 * ```
 */
export const expense = (
  input: EntryInput,
  options: { readonly currency: string },
): Result.Result<Entry, InvalidEntry> => entry("expense", input, options)

/**
 * Extra income: its amount, above 0, is added to the payout. All problems are reported at once.
 *
 * @param options.currency - the payout's currency
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const bonus = PayoutItem.income(
 *   { id: "i1", amount: 5_000, name: " Bonus ", at: 1_700_000_000 },
 *   { currency: "USD" },
 * )
 * Result.getOrThrow(bonus).name // => "Bonus"
 * ```
 */
export const income = (
  input: EntryInput,
  options: { readonly currency: string },
): Result.Result<Entry, InvalidEntry> => entry("income", input, options)

/**
 * A write-off of what a collaborator owes: an income of that amount. All problems are reported at once.
 *
 * @param options.currency - the payout's currency
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const given = { id: "w1", amount: 1_250, name: "Not worth a letter", at: 1_700_000_000 }
 * const item = Result.getOrThrow(PayoutItem.writeOff(given, { currency: "USD" }))
 * item.purpose // => "write-off"
 * item.amount // => 1250
 * ```
 */
export const writeOff = (
  input: EntryInput,
  options: { readonly currency: string },
): Result.Result<Entry, InvalidEntry> =>
  Result.map(income(input, options), (item) => ({ ...item, purpose: "write-off" }))

/**
 * A repayment by a collaborator: an income of that amount. All problems are reported at once.
 *
 * @param options.currency - the payout's currency
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const given = { id: "b1", amount: 1_250, name: "By bank transfer", at: 1_700_000_000 }
 * const item = Result.getOrThrow(PayoutItem.repayment(given, { currency: "USD" }))
 * item.amount // => 1250
 * ```
 */
export const repayment = (
  input: EntryInput,
  options: { readonly currency: string },
): Result.Result<Entry, InvalidEntry> =>
  Result.map(income(input, options), (item) => ({ ...item, purpose: "repayment" }))

/**
 * A request to pay back what a collaborator owes: a line that moves no money. A payment that follows is
 * a {@link repayment}. All problems are reported at once.
 *
 * @param input.amount - the amount to pay back
 * @param options.currency - the payout's currency
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const asked = { id: "q1", amount: 1_250, name: "Letter of 14 November", at: 1_700_000_000 }
 * const item = Result.getOrThrow(PayoutItem.request(asked, { currency: "USD" }))
 * item.asked // => 1250
 * item.amount // => 0
 * ```
 */
export const request = (
  input: EntryInput,
  options: { readonly currency: string },
): Result.Result<Entry, InvalidEntry> =>
  Result.map(expense(input, options), (item) => ({
    ...item,
    purpose: "request",
    asked: -item.amount,
    amount: 0,
    originalAmount: 0,
  }))

/** What is left of a share after a refund; it is between nothing and what was left before. */
const leftAfter = (
  sale: Sale,
  options: { readonly amount: number; readonly alreadyRefunded: number },
): Result.Result<{ readonly before: number; readonly after: number }, RefundBeyondShare> => {
  const before = sale.originalAmount - options.alreadyRefunded
  const after = before - options.amount
  const isWithin = after >= Math.min(before, 0) && after <= Math.max(before, 0)
  if (isWithin) return Result.succeed({ before, after })
  const { orderId, itemId, groupId } = sale.orderItem
  const message = `refund of share ${keyOf(sale.orderItem)}: ${before} is left of it (in the lowest unit of ${sale.originalCurrency}), and ${options.amount} was to be taken back`
  return Result.fail(
    new RefundBeyondShare({
      orderId,
      itemId,
      groupId,
      left: before,
      amount: options.amount,
      message,
    }),
  )
}

/**
 * The sale after a refund, for a payout that is not settled: it stays, its amounts are reduced, and
 * `refundedAt` is set. A full refund, in however many parts, leaves exactly 0, together with what was taken back of
 * the share in other payouts.
 *
 * @param options.currency - the payout's currency
 * @param options.amount - what is taken back, in cents of the order's currency; its sign is the share's
 * @param options.alreadyRefunded - what was taken back of the share in other payouts, while this one was settled or frozen; 0 when absent
 * @param options.at - when it was refunded, in Unix seconds
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * }
 * const sale = PayoutItem.fromShare(
 *   { itemId: "1", groupId: "g1", amount: 1_000 },
 *   { order, currency: "USD", at: 1_700_000_000 },
 * )
 * const refunded = Result.flatMap(sale, (sold) =>
 *   PayoutItem.reduce(sold, { currency: "USD", amount: 400, at: 1_700_086_400 }),
 * )
 * Result.getOrThrow(refunded).amount // => 600
 * ```
 */
export const reduce = (
  sale: Sale,
  options: {
    readonly currency: string
    readonly amount: number
    readonly alreadyRefunded?: number | undefined
    readonly at: number
  },
): Result.Result<Sale, RefundBeyondShare | ConversionError> =>
  Result.gen(function* () {
    const { amount, alreadyRefunded = 0 } = options
    const { before, after } = yield* leftAfter(sale, { amount, alreadyRefunded })
    const { originalCurrency: from, currencyExchangeRate: rate } = sale
    const conversion = { from, to: options.currency, rate }
    const left = yield* convert(after, conversion)
    // Together with the items in other payouts, the item equals what is left of the share.
    const elsewhere = alreadyRefunded === 0 ? 0 : sale.amount - (yield* convert(before, conversion))
    return {
      ...sale,
      amount: exact.withoutNegativeZero(left + elsewhere),
      originalAmount: exact.withoutNegativeZero(sale.originalAmount - amount),
      orderItem: { ...sale.orderItem, refundedAt: options.at },
    }
  })

/**
 * What a refund takes back of a sale whose payout is settled, as an item for another payout of the same currency. It is
 * computed from what is left of the share before and after, so that the refunds of a whole share add up to exactly
 * minus its amount, whatever the rate.
 *
 * @param sale - the item in the settled payout
 * @param options.id - of the new item
 * @param options.currency - the payout's currency
 * @param options.amount - what is taken back, in cents of the order's currency; its sign is the share's
 * @param options.alreadyRefunded - what was taken back of the share since its payout was settled
 * @param options.at - when it was refunded, in Unix seconds
 * @since 0.1.0
 * @category operations
 * @example
 * ```ts
 * import { PayoutItem } from "apportion"
 * import { Result } from "effect"
 *
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }],
 * }
 * const sale = PayoutItem.fromShare(
 *   { itemId: "1", groupId: "g1", amount: 1_000 },
 *   { order, currency: "USD", at: 1_700_000_000 },
 * )
 * const reversed = Result.flatMap(sale, (sold) =>
 *   PayoutItem.takeBack(sold, {
 *     id: "r1",
 *     currency: "USD",
 *     amount: 400,
 *     alreadyRefunded: 0,
 *     at: 1_700_086_400,
 *   }),
 * )
 * Result.getOrThrow(reversed).amount // => -400
 * ```
 */
export const takeBack = (
  sale: Sale,
  options: {
    readonly id: string
    readonly currency: string
    readonly amount: number
    readonly alreadyRefunded: number
    readonly at: number
  },
): Result.Result<Refund, RefundBeyondShare | ConversionError> =>
  Result.gen(function* () {
    const { before, after } = yield* leftAfter(sale, options)
    const { originalCurrency: from, currencyExchangeRate: rate } = sale
    const conversion = { from, to: options.currency, rate }
    const difference = (yield* convert(after, conversion)) - (yield* convert(before, conversion))
    return {
      kind: "refund",
      id: options.id,
      createdAt: options.at,
      amount: exact.withoutNegativeZero(difference),
      originalAmount: exact.withoutNegativeZero(-options.amount),
      originalCurrency: from,
      currencyExchangeRate: rate,
      orderItem: { ...sale.orderItem, refundedAt: options.at },
    }
  })
