import * as Schema from "effect/Schema"
import { Problem } from "../schema/Problem.js"

/**
 * An unexpected failure: a bug in this library, or in something that the host supplied.
 *
 * @since 0.2.0
 * @category errors
 */
export class Defect extends Schema.TaggedError<Defect>()("Defect", {
  /** The thrown value. */
  cause: Schema.Defect(),
  message: Schema.String,
}) {
  /**
   * Makes the error with its message.
   *
   * @since 0.2.0
   */
  static of(cause: unknown): Defect {
    const text = cause instanceof Error ? cause.message : String(cause)
    return new Defect({ cause, message: `something unexpected was thrown: ${text}` })
  }
}

/**
 * An argument of the wrong kind, such as a number instead of an id, with all problems.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidArgument extends Schema.TaggedError<InvalidArgument>()("InvalidArgument", {
  /** Paths begin with the argument's name. */
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}

/**
 * A call after `close`.
 *
 * @since 0.2.0
 * @category errors
 */
export class Closed extends Schema.TaggedError<Closed>()("Closed", {
  message: Schema.String,
}) {
  /**
   * Makes the error with its message.
   *
   * @since 0.2.0
   */
  static of(): Closed {
    return new Closed({ message: "apportion was closed, so it does nothing any more" })
  }
}

/**
 * A call with the services of a unit of work that has ended: it would no longer be part of the unit.
 *
 * @since 0.2.0
 * @category errors
 */
export class UnitOfWorkEnded extends Schema.TaggedError<UnitOfWorkEnded>()("UnitOfWorkEnded", {
  accountId: Schema.String,
  message: Schema.String,
}) {
  /**
   * Makes the error with its message.
   *
   * @since 0.2.0
   */
  static of(accountId: string): UnitOfWorkEnded {
    const message = `the unit of work of account ${accountId} is over, so its services do nothing any more`
    return new UnitOfWorkEnded({ accountId, message })
  }
}
