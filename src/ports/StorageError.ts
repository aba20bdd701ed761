import * as Schema from "effect/Schema"

/**
 * A concurrent change came first: what a transaction was about to write exists already, is gone, or has changed since
 * it was read. Nothing of the transaction is committed; a retry can succeed.
 *
 * @since 0.2.0
 * @category errors
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  /** What was to be written, such as `payout`. */
  what: Schema.String,
  /** Its id. */
  id: Schema.String,
  /**
   * Present when the transaction is part of a larger one, such as one that the host began: names that one. The services
   * don't retry the part, because only the whole can succeed.
   *
   * @since 0.6.0
   */
  partOf: Schema.optionalKey(Schema.String),
  message: Schema.String,
}) {
  /**
   * A conflict about one thing, in the usual words.
   *
   * @since 0.2.0
   */
  static of(what: string, id: string): Conflict {
    const message = `${what} ${id} was changed by someone else at the same time`
    return new Conflict({ what, id, message })
  }

  /**
   * The same conflict in a transaction that is part of a larger one, which has to be retried.
   *
   * @param whole - what the larger one is, as `the host's transaction`
   * @since 0.6.0
   */
  asPartOf(whole: string): Conflict {
    const message = `${this.message}; ${whole} has to run again as a whole`
    return new Conflict({ what: this.what, id: this.id, partOf: whole, message })
  }
}

/**
 * The store itself failed: no connection, a full disk, a bug in an adapter. Nothing of the transaction is committed,
 * unless it failed during the commit; then the outcome is unknown.
 *
 * @since 0.2.0
 * @category errors
 */
export class StorageFailure extends Schema.TaggedError<StorageFailure>()("StorageFailure", {
  /** What was being done, such as `save a payout`. */
  doing: Schema.String,
  /** The store's error; for logs, not for users. */
  cause: Schema.Defect(),
  /**
   * Present when waiting for something that others held took too long: what that was, and for how many seconds. Nothing
   * was done, and a later attempt can succeed.
   *
   * @since 0.6.0
   */
  waited: Schema.optionalKey(Schema.Struct({ for: Schema.String, seconds: Schema.Number })),
  message: Schema.String,
}) {
  /**
   * A failure after waiting too long for something, in the usual words.
   *
   * @since 0.6.0
   */
  static waitedFor(what: string, seconds: number): StorageFailure {
    const doing = "begin a transaction"
    const cause = `${what} was waited for too long`
    const message = `storage failed: could not ${doing}: ${what} was waited for ${seconds} s, and others have it`
    return new StorageFailure({ doing, cause, waited: { for: what, seconds }, message })
  }

  /**
   * A failure with its cause, in the usual words.
   *
   * @since 0.2.0
   */
  static of(doing: string, cause: unknown): StorageFailure {
    return new StorageFailure({ doing, cause, message: `storage failed: could not ${doing}` })
  }
}

/**
 * Why a store failed.
 *
 * @since 0.2.0
 * @category errors
 */
export type StorageError = Conflict | StorageFailure
