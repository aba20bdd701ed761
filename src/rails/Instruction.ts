/**
 * The payment that a rail is asked to make, in the same shape for every rail.
 *
 * @since 0.6.0
 */

/**
 * One payment that is to be made. Where the money goes is the rail's own recipient beside it: a bank account, an
 * e-mail address.
 *
 * @since 0.6.0
 * @category models
 */
export interface Instruction {
  /** The id of the payment attempt, the same whenever it is sent again. A rail's answer is known by it. */
  readonly key: string
  /** In the lowest unit of the currency, above 0. */
  readonly amount: number
  /** An ISO 4217 code, as EUR. */
  readonly currency: string
  /** What the receiver reads beside the money. */
  readonly reference: string
  readonly collaboratorId: string
}

/**
 * An instruction with whom it pays, in the terms of one rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface Transfer<Recipient> extends Instruction {
  readonly recipient: Recipient
}
