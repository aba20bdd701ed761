import * as Schema from "effect/Schema"

/**
 * Somebody else was first: what a transaction was about to write is there already, is gone, or was
 * changed since it was read. Nothing of the transaction is kept; run again, it can succeed.
 *
 * @since 0.2.0
 * @category errors
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  /** What was to be written, as `payout`. */
  what: Schema.String,
  /** Which one. */
  id: Schema.String,
  /**
   * There when the transaction is part of a larger one, as of one that the host began: what that is. The services don't
   * run the part again, because only the whole can succeed.
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
   * The same conflict in a transaction that is part of a larger one, which is what has to run again.
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
 * The store itself failed: no connection, a full disk, a bug in an adapter. Nothing of the transaction
 * is kept, unless the failure came while it was being committed; then it is not known.
 *
 * @since 0.2.0
 * @category errors
 */
export class StorageFailure extends Schema.TaggedError<StorageFailure>()("StorageFailure", {
  /** What was being done, as `save a payout`. */
  doing: Schema.String,
  /** What the store said; for logs, not for the eyes of a user. */
  cause: Schema.Defect(),
  /**
   * There when others had what was waited for until the time was over: what that was, and for how many seconds.
   * Nothing was done, and asked again later it can succeed.
   *
   * @since 0.6.0
   */
  waited: Schema.optionalKey(Schema.Struct({ for: Schema.String, seconds: Schema.Number })),
  message: Schema.String,
}) {
  /**
   * A failure because something was waited for too long, in the usual words.
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
 * Why a store could not do what it was asked.
 *
 * @since 0.2.0
 * @category errors
 */
export type StorageError = Conflict | StorageFailure
