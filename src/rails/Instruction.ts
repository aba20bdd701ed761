/**
 * The payment that a rail is asked to make, in the same shape for every rail.
 *
 * @since 0.6.0
 */

/**
 * One payment to make. The recipient is separate, in the form of each rail: a bank account, an e-mail address.
 *
 * @since 0.6.0
 * @category models
 */
export interface Instruction {
  /**
   * The id of the payment attempt, the same whenever it is sent again. It identifies the payment in the rail's answers.
   */
  readonly key: string
  /** In the lowest unit of the currency, above 0. */
  readonly amount: number
  /** An ISO 4217 code, as EUR. */
  readonly currency: string
  /** The text that the receiver reads with the payment. */
  readonly reference: string
  readonly collaboratorId: string
}

/**
 * An instruction with its recipient, in the form of one rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface Transfer<Recipient> extends Instruction {
  readonly recipient: Recipient
}
