/**
 * All errors that a call can reject with, in one place: to import, to recognise, and to handle one by one.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { InvalidAgreements } from "../agreements/Agreements.js"
import { AmountOutOfRange } from "../money/Cents.js"
import { UnknownCurrency } from "../money/Currency.js"
import { InvalidExchangeRate } from "../money/ExchangeRate.js"
import { InvalidPageRequest } from "../pagination/PageRequest.js"
import { InvalidCollaborator } from "../payouts/Collaborator.js"
import {
  InvalidPaymentTransition,
  PaymentContradicted,
  PaymentUnderWay,
} from "../payouts/Payment.js"
import { BelowMinimum, CurrencyNotPaid } from "../payouts/PaymentTerms.js"
import { DuplicateItem, PayoutAlreadyPaid, UnknownItem } from "../payouts/Payout.js"
import {
  InvalidEntry,
  MissingExchangeRate,
  RefundBeyondShare,
  UnknownOrderItem,
} from "../payouts/PayoutItem.js"
import {
  InvalidTransition,
  PayoutBelowThreshold,
  PayoutNotDue,
  PayoutOnHold,
  PayoutTotalNegative,
} from "../payouts/PayoutStatus.js"
import { InvalidTime, UnknownTimeZone } from "../payouts/Schedule.js"
import { UnknownTopic } from "../ports/Platform.js"
import { Conflict, StorageFailure } from "../ports/StorageError.js"
import { InvalidProductGroup } from "../rules/ProductGroup.js"
import { InvalidRuleSet } from "../rules/RuleSet.js"
import { InboxFull, InvalidSignature } from "../service/Deliveries.js"
import { InvalidPass, PassRefused } from "../service/Passes.js"
import {
  AgreementInUse,
  AlreadyExists,
  InvalidPayoutFilter,
  InvalidProducts,
  InvalidResplit,
  InvalidSaleFilter,
  KeyReused,
  NotFound,
  NothingOwed,
  PaymentNotMatched,
  RefundChanged,
  ResplitChanged,
  SaleChanged,
  TooManyKeys,
  TotalChanged,
  UnitOfWorkBroken,
} from "../service/ServiceError.js"
import { InvalidSettings } from "../service/Settings.js"
import { InvalidEndpoint } from "../service/Webhooks.js"
import { InvalidRefund, RefundExceedsItem, RefundOfUnknownItem } from "../shares/Refund.js"
import { InvalidOrder, OverAllocated } from "../shares/Split.js"
import { InvalidPolicy } from "../shares/SplitPolicy.js"
import { Unreadable } from "../Unreadable.js"
import type { PromiseCall } from "./PromiseCall.js"
import { Closed, Defect, InvalidArgument, UnitOfWorkEnded } from "./PromiseError.js"

/** Each class is exported from here too. */
const classes = [
  ...[InboxFull, InvalidResplit, InvalidSignature, ResplitChanged, UnknownTopic, Unreadable],
  ...[BelowMinimum, CurrencyNotPaid, InvalidPaymentTransition, PaymentContradicted],
  ...[AgreementInUse, InvalidAgreements],
  ...[InvalidPass, PassRefused, PaymentUnderWay, TotalChanged],
  ...[AlreadyExists, AmountOutOfRange, Closed, Conflict, Defect, DuplicateItem, InvalidArgument],
  ...[
    InvalidCollaborator,
    InvalidEndpoint,
    InvalidEntry,
    InvalidExchangeRate,
    InvalidOrder,
    InvalidPageRequest,
  ],
  ...[InvalidPayoutFilter, InvalidPolicy, InvalidProductGroup, InvalidProducts, InvalidRefund],
  ...[
    InvalidRuleSet,
    InvalidSaleFilter,
    InvalidSettings,
    InvalidTime,
    InvalidTransition,
    KeyReused,
  ],
  ...[
    MissingExchangeRate,
    NotFound,
    NothingOwed,
    PaymentNotMatched,
    OverAllocated,
    PayoutAlreadyPaid,
    PayoutBelowThreshold,
  ],
  ...[PayoutNotDue, PayoutOnHold, PayoutTotalNegative, RefundBeyondShare, RefundChanged],
  ...[RefundExceedsItem, RefundOfUnknownItem, SaleChanged, StorageFailure, TooManyKeys],
  ...[
    UnitOfWorkBroken,
    UnitOfWorkEnded,
    UnknownCurrency,
    UnknownItem,
    UnknownOrderItem,
    UnknownTimeZone,
  ],
] as const

export {
  AgreementInUse,
  AlreadyExists,
  AmountOutOfRange,
  BelowMinimum,
  Conflict,
  CurrencyNotPaid,
  DuplicateItem,
  InboxFull,
  InvalidAgreements,
  InvalidCollaborator,
  InvalidEndpoint,
  InvalidEntry,
  InvalidExchangeRate,
  InvalidOrder,
  InvalidPageRequest,
  InvalidPass,
  InvalidPaymentTransition,
  InvalidPayoutFilter,
  InvalidPolicy,
  InvalidProductGroup,
  InvalidProducts,
  InvalidRefund,
  InvalidResplit,
  InvalidRuleSet,
  InvalidSaleFilter,
  InvalidSettings,
  InvalidSignature,
  InvalidTime,
  InvalidTransition,
  KeyReused,
  MissingExchangeRate,
  NotFound,
  NothingOwed,
  OverAllocated,
  PassRefused,
  PaymentContradicted,
  PaymentNotMatched,
  PaymentUnderWay,
  PayoutAlreadyPaid,
  PayoutBelowThreshold,
  PayoutNotDue,
  PayoutOnHold,
  PayoutTotalNegative,
  RefundBeyondShare,
  RefundChanged,
  RefundExceedsItem,
  RefundOfUnknownItem,
  ResplitChanged,
  SaleChanged,
  StorageFailure,
  TooManyKeys,
  TotalChanged,
  UnitOfWorkBroken,
  UnknownCurrency,
  UnknownItem,
  UnknownOrderItem,
  UnknownTimeZone,
  UnknownTopic,
  Unreadable,
}

/**
 * Any error of the library that a call of `apportion/promise` rejects with. Each has a `_tag` that identifies it.
 *
 * @since 0.6.0
 * @category errors
 */
export type ApportionError = InstanceType<(typeof classes)[number]>

/**
 * What a method rejects with: `RejectionOf<Sales["record"]>`, or `RejectionOf<typeof sales.record>`.
 *
 * @since 0.6.0
 * @category errors
 */
export type RejectionOf<Method> = Method extends (...given: never) => PromiseCall<unknown, infer E>
  ? E
  : never

/**
 * Whether a caught value is an error of this library: then its `_tag` says which one, and the compiler knows its
 * fields.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { isApportionError, makeApportion } from "apportion/promise"
 *
 * const { payouts } = await makeApportion()
 * let answer = "found"
 * try {
 *   await payouts.get("my-shop", "p1")
 * } catch (error) {
 *   if (!isApportionError(error)) throw error
 *   answer = error._tag === "NotFound" ? `no ${error.what} ${error.id}` : error.message
 * }
 * answer // => "no payout p1"
 * isApportionError(new Error("other")) // => false
 * ```
 */
export const isApportionError = (error: unknown): error is ApportionError =>
  classes.some((each) => error instanceof each)

/** A call rejects with its own errors: anything else thrown in it becomes a `Defect`. */
const isRejection = <E>(error: unknown): error is E => isApportionError(error)

/**
 * A call's answer or error as a value, so that nothing has to be caught: the compiler knows each error that the call
 * can reject with, and reports a `switch` over their tags that leaves one out. Anything but an error of this library is
 * rethrown.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { makeApportion, resultOf } from "apportion/promise"
 * import { Result } from "effect"
 *
 * const { payouts } = await makeApportion()
 * const result = await resultOf(payouts.get("my-shop", "p1"))
 * Result.isFailure(result) && result.failure._tag // => "NotFound"
 * ```
 */
export const resultOf = async <A, E>(call: PromiseCall<A, E>): Promise<Result.Result<A, E>> => {
  try {
    return Result.succeed(await call)
  } catch (error) {
    if (isRejection<E>(error)) return Result.fail(error)
    throw error
  }
}
