import { TaggedError } from "../internal/TaggedError.js"

/**
 * A webhook that is not shown to be the rail's own: nothing in it may be believed.
 *
 * @since 0.6.0
 * @category errors
 */
export class InvalidSignature extends TaggedError("InvalidSignature")<{
  /** Whose webhook it should be, as `Stripe`. */
  readonly rail: string
  /**
   * `missing`: there is no signature. `malformed`: it can't be read. `outdated`: it is right, and too old or ahead of
   * the clock. `wrong`: it is of another body or another sender.
   */
  readonly reason: "missing" | "malformed" | "outdated" | "wrong"
  readonly message: string
}> {
  /**
   * The error in the usual words.
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
