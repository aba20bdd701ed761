import { TaggedError } from "../internal/TaggedError.js"

/**
 * A webhook without a valid signature of the rail: its content can't be trusted.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidSignature extends TaggedError("InvalidSignature")<{
  /** The expected sender, as `Stripe`. */
  readonly rail: string
  /**
   * `missing`: the webhook has no signature. `malformed`: it can't be read. `outdated`: it is valid, but too old or
   * ahead of the clock. `wrong`: it is for another body or from another sender.
   */
  readonly reason: "missing" | "malformed" | "outdated" | "wrong"
  readonly message: string
}> {
  /**
   * Makes the error with its message.
   *
   * @since 0.6.0
   */
  static of(rail: string, reason: InvalidSignature["reason"], words: string): InvalidSignature {
    return new InvalidSignature({
      rail,
      reason,
      message: `the webhook is not shown to be ${rail}'s: ${words}`,
    })
  }
}
