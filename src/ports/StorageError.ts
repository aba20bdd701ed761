import * as Schema from "effect/Schema"

/**
 * A concurrent change came first: the entry that a transaction was about to write exists already, was removed, or has
 * changed since it was read. Nothing of the transaction is committed; a retry can succeed.
 *
 * @since 0.2.0
 * @category errors
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  /** The kind of entry, such as `payout`. */
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
   * Makes the error with its message.
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
   * @param whole - the name of the larger one, as `the host's transaction`
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
  /** The failed operation, such as `save a payout`. */
  doing: Schema.String,
  /** The store's error; for logs, not for users. */
  cause: Schema.Defect(),
  /**
   * Present when waiting for a resource that others held took too long: the resource, and the seconds waited. Nothing
   * was done, and a later attempt can succeed.
   *
   * @since 0.6.0
   */
  waited: Schema.optionalKey(Schema.Struct({ for: Schema.String, seconds: Schema.Number })),
  /**
   * Present when a later attempt fails as well, because the store can't hold the entry, such as one with an id that is
   * too long. Nothing was done.
   *
   * @since 0.6.0
   */
  isFinal: Schema.optionalKey(Schema.Literal(true)),
  message: Schema.String,
}) {
  /**
   * Makes the error after waiting too long for a resource.
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
   * Makes the error with its cause and message.
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

/**
 * Whether an error is one of the store after which another attempt may succeed. After any other the next attempt is
 * refused as well.
 *
 * @since 0.6.0
 * @category errors
 * @example
 * ```ts
 * import { Conflict, isPassing, StorageFailure } from "apportion/ports"
 *
 * const broken = StorageFailure.of("save a payout", "the connection was closed")
 * isPassing(broken) // => true
 * isPassing(Conflict.of("payout", "p1")) // => true
 * const { doing, cause, message } = broken
 * isPassing(new StorageFailure({ doing, cause, message, isFinal: true })) // => false
 * ```
 */
export const isPassing = (error: unknown): error is StorageError =>
  error instanceof Conflict || (error instanceof StorageFailure && error.isFinal === undefined)
