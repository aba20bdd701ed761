import * as Schema from "effect/Schema"
import { shorten } from "../internal/problems.js"
import { Problem } from "../schema/Problem.js"

/**
 * Something that the account does not have. What another account has is not found either.
 *
 * @since 0.2.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  /** What was looked for, as `payout`. */
  what: Schema.String,
  id: Schema.String,
  message: Schema.String,
}) {
  /**
   * The error in the usual words.
   *
   * @since 0.2.0
   */
  static of(what: string, id: string): NotFound {
    return new NotFound({ what, id, message: `there is no ${what} with the id ${shorten(id)}` })
  }
}

/**
 * A new thing with the id of one that is there.
 *
 * @since 0.2.0
 * @category errors
 */
export class AlreadyExists extends Schema.TaggedError<AlreadyExists>()("AlreadyExists", {
  /** What was to be made, as `collaborator`. */
  what: Schema.String,
  id: Schema.String,
  message: Schema.String,
}) {
  /**
   * The error in the usual words.
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
 * An idempotency key that was used for another request.
 *
 * @since 0.2.0
 * @category errors
 */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {
  key: Schema.String,
  message: Schema.String,
}) {
  /**
   * The error in the usual words.
   *
   * @since 0.2.0
   */
  static of(key: string): KeyReused {
    const message = `the idempotency key ${shorten(key)} was used for another request`
    return new KeyReused({ key, message })
  }
}

/**
 * An account has as many idempotency keys as are kept. Nothing was done; what was asked under a key that is known
 * is answered all the same.
 *
 * @since 0.6.0
 * @category errors
 */
export class TooManyKeys extends Schema.TaggedError<TooManyKeys>()("TooManyKeys", {
  /** How many are kept, the setting `idempotencyKeys`. */
  most: Schema.Number,
  /** In how many seconds the first of them is forgotten. */
  retryAfterSeconds: Schema.Number,
  message: Schema.String,
}) {
  /**
   * The error in the usual words.
   *
   * @since 0.6.0
   */
  static of(most: number, retryAfterSeconds: number): TooManyKeys {
    const message = `there are ${most} idempotency keys already, and no more are kept: the next one can be used in ${retryAfterSeconds} s`
    return new TooManyKeys({ most, retryAfterSeconds, message })
  }
}

/**
 * An order whose items were recorded with other figures. A recorded split never changes: take it back with
 * a refund, and record the sale anew under another id.
 *
 * @since 0.2.0
 * @category errors
 */
export class SaleChanged extends Schema.TaggedError<SaleChanged>()("SaleChanged", {
  orderId: Schema.String,
  /** Each figure that is not as it was recorded. */
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * A refund with the id of another one that was recorded.
 *
 * @since 0.2.0
 * @category errors
 */
export class RefundChanged extends Schema.TaggedError<RefundChanged>()("RefundChanged", {
  refundId: Schema.String,
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * A unit of work that can't be kept, because one of its steps failed and the failure was passed over.
 *
 * @since 0.2.0
 * @category errors
 */
export class UnitOfWorkBroken extends Schema.TaggedError<UnitOfWorkBroken>()("UnitOfWorkBroken", {
  accountId: Schema.String,
  message: Schema.String,
}) {}

/**
 * A filter that no payout could meet as it is meant: a range that ends before it starts, a time that is
 * none.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidPayoutFilter extends Schema.TaggedError<InvalidPayoutFilter>()(
  "InvalidPayoutFilter",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}

/**
 * A filter that no sale could meet as it is meant: a range that ends before it starts, a time that is none.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidSaleFilter extends Schema.TaggedError<InvalidSaleFilter>()(
  "InvalidSaleFilter",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}

/**
 * A collaborator does not owe what was to be given up or asked back. Nothing was booked.
 *
 * @since 0.6.0
 * @category errors
 */
export class NothingOwed extends Schema.TaggedError<NothingOwed>()("NothingOwed", {
  collaboratorId: Schema.String,
  currency: Schema.String,
  /** What there is to get, in cents of the currency; below 0: what is owed. */
  balance: Schema.Number,
  /** What was asked for; `null`: all that is owed. */
  amount: Schema.NullOr(Schema.Number),
  message: Schema.String,
}) {
  /**
   * The error in the usual words.
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
    const unit = `in the lowest unit of ${currency}`
    const owed = balance >= 0 ? `${who} owes nothing` : `${who} owes ${-balance}`
    const message =
      amount === null
        ? `${owed} (${unit})`
        : `${owed}, and not the ${amount} that is meant (${unit})`
    return new NothingOwed({ ...about, message })
  }
}

/**
 * Products that can't be used, with everything that is wrong with them; paths begin with the place in the
 * list, as `[3].price`.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidProducts extends Schema.TaggedError<InvalidProducts>()("InvalidProducts", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}
