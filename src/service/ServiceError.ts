import * as Schema from "effect/Schema"
import { shorten, summarize } from "../internal/problems.js"
import { Problem } from "../schema/Problem.js"

/**
 * Something that the account does not have. Another account's data is not found either.
 *
 * @since 0.2.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  /** What was looked for, such as `payout`. */
  what: Schema.String,
  id: Schema.String,
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.2.0
   */
  static of(what: string, id: string): NotFound {
    return new NotFound({ what, id, message: `there is no ${what} with the id ${shorten(id)}` })
  }
}

/**
 * A new record with the id of an existing one.
 *
 * @since 0.2.0
 * @category errors
 */
export class AlreadyExists extends Schema.TaggedError<AlreadyExists>()("AlreadyExists", {
  /** What was to be created, such as `collaborator`. */
  what: Schema.String,
  id: Schema.String,
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.2.0
   */
  static of(what: string, id: string): AlreadyExists {
    return new AlreadyExists({
      what,
      id,
      message: `there is a ${what} with the id ${shorten(id)} already`,
    })
  }
}

/**
 * An agreement that can't be changed any more: something was booked for it, or it is ended. It can be ended, and another
 * one made.
 *
 * @since 0.6.0
 * @category errors
 */
export class AgreementInUse extends Schema.TaggedError<AgreementInUse>()("AgreementInUse", {
  /** `advance`, `reserve`, `guarantee` or `override`. */
  kind: Schema.String,
  id: Schema.String,
  /** The fields that were to be changed, with their new values. */
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * An idempotency key that was used for a different request.
 *
 * @since 0.2.0
 * @category errors
 */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {
  key: Schema.String,
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.2.0
   */
  static of(key: string): KeyReused {
    const message = `the idempotency key ${shorten(key)} was used for another request`
    return new KeyReused({ key, message })
  }
}

/**
 * An account has the maximum number of idempotency keys. Nothing was done; requests with a known key are still
 * answered.
 *
 * @since 0.6.0
 * @category errors
 */
export class TooManyKeys extends Schema.TaggedError<TooManyKeys>()("TooManyKeys", {
  /** The maximum number, the setting `idempotencyKeys`. */
  most: Schema.Number,
  /** After how many seconds the first of them expires. */
  retryAfterSeconds: Schema.Number,
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(most: number, retryAfterSeconds: number): TooManyKeys {
    const message = `there are ${most} idempotency keys already, and no more are kept: the next one can be used in ${retryAfterSeconds} s`
    return new TooManyKeys({ most, retryAfterSeconds, message })
  }
}

/**
 * The paid amount is not the total of the payout. Nothing was noted.
 *
 * @since 0.6.0
 * @category errors
 */
export class TotalChanged extends Schema.TaggedError<TotalChanged>()("TotalChanged", {
  payoutId: Schema.String,
  /** The payout's total, in cents of its currency. */
  total: Schema.Number,
  /** The amount that was reported as paid. */
  paid: Schema.Number,
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(payoutId: string, total: number, paid: number): TotalChanged {
    const message = `the total of payout ${shorten(payoutId)} is ${total}, not ${paid} (in the lowest unit of its currency)`
    return new TotalChanged({ payoutId, total, paid, message })
  }
}

/**
 * An order whose items were recorded with different figures. A recorded split never changes: refund it, and record the
 * sale again under another id.
 *
 * @since 0.2.0
 * @category errors
 */
export class SaleChanged extends Schema.TaggedError<SaleChanged>()("SaleChanged", {
  orderId: Schema.String,
  /** Each figure that differs from what was recorded. */
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(orderId: string, problems: ReadonlyArray<Problem>): SaleChanged {
    const message = `order ${orderId} was recorded differently: ${summarize(problems)}`
    return new SaleChanged({ orderId, problems, message })
  }
}

/**
 * A refund with the id of a different recorded one.
 *
 * @since 0.2.0
 * @category errors
 */
export class RefundChanged extends Schema.TaggedError<RefundChanged>()("RefundChanged", {
  refundId: Schema.String,
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(refundId: string, problems: ReadonlyArray<Problem>): RefundChanged {
    const message = `refund ${refundId} was recorded differently: ${summarize(problems)}`
    return new RefundChanged({ refundId, problems, message })
  }
}

/**
 * A unit of work that can't be committed, because one of its calls failed and the failure was ignored.
 *
 * @since 0.2.0
 * @category errors
 */
export class UnitOfWorkBroken extends Schema.TaggedError<UnitOfWorkBroken>()("UnitOfWorkBroken", {
  accountId: Schema.String,
  message: Schema.String,
}) {}

/**
 * An invalid filter: a range that ends before it starts, or an invalid time.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidPayoutFilter extends Schema.TaggedError<InvalidPayoutFilter>()(
  "InvalidPayoutFilter",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}

/**
 * An invalid filter of sales: a range that ends before it starts, or an invalid time.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidSaleFilter extends Schema.TaggedError<InvalidSaleFilter>()(
  "InvalidSaleFilter",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}

/**
 * A collaborator does not owe the amount to write off or to request. Nothing was booked.
 *
 * @since 0.6.0
 * @category errors
 */
export class NothingOwed extends Schema.TaggedError<NothingOwed>()("NothingOwed", {
  collaboratorId: Schema.String,
  currency: Schema.String,
  /** The balance, in cents of the currency; below 0: what is owed. */
  balance: Schema.Number,
  /** What was asked for; `null`: all that is owed. */
  amount: Schema.NullOr(Schema.Number),
  message: Schema.String,
}) {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(about: {
    readonly collaboratorId: string
    readonly currency: string
    readonly balance: number
    readonly amount: number | null
  }): NothingOwed {
    const { collaboratorId, currency, balance, amount } = about
    const who = `collaborator ${shorten(collaboratorId)}`
    const isNothing = amount === null && balance >= 0
    const owed = balance >= 0 ? `${who} owes nothing` : `${who} owes ${-balance}`
    const meant = amount === null ? "" : `, and not the ${amount} that is meant`
    const unit = isNothing ? ` in ${currency}` : ` (in the lowest unit of ${currency})`
    const message = `${owed}${meant}${unit}`
    return new NothingOwed({ ...about, message })
  }
}

/**
 * A rail's answer names no payment by its key, and not exactly one by its reference. Nothing was noted.
 *
 * @since 0.6.0
 * @category errors
 */
export class PaymentNotMatched extends Schema.TaggedError<PaymentNotMatched>()(
  "PaymentNotMatched",
  {
    /** The rail's reference; `null`: there is neither a key nor a reference. */
    reference: Schema.NullOr(Schema.String),
    /** The ids of payments with that reference, at most two: none, or more than one. */
    paymentIds: Schema.Array(Schema.String),
    message: Schema.String,
  },
) {
  /**
   * The error with its standard message.
   *
   * @since 0.6.0
   */
  static of(reference: string | null, paymentIds: ReadonlyArray<string>): PaymentNotMatched {
    const named = `the reference ${shorten(reference ?? "")}`
    const [first = "", second = ""] = paymentIds.map(shorten)
    const none = `there is no payment with ${named}`
    const several = `more than one payment has ${named}, as ${first} and ${second}: name one by its key`
    const found = paymentIds.length === 0 ? none : several
    const message = reference === null ? "it has neither a key nor a reference" : found
    return new PaymentNotMatched({ reference, paymentIds, message })
  }
}

/**
 * Invalid products, with all their problems; paths begin with the index in the list, such as `[3].price`.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidProducts extends Schema.TaggedError<InvalidProducts>()("InvalidProducts", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * An invalid request to split past sales again.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidResplit extends Schema.TaggedError<InvalidResplit>()("InvalidResplit", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * The changes of a re-split differ from those approved, or were never approved; nothing was booked.
 *
 * @since 0.6.0
 * @category errors
 */
export class ResplitChanged extends Schema.TaggedError<ResplitChanged>()("ResplitChanged", {
  runId: Schema.String,
  /** The orders of some of the sales that changed since. */
  orderIds: Schema.Array(Schema.String),
  message: Schema.String,
}) {}
