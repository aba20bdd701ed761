/**
 * The outcome of a payment that a rail reports, in the same shape for every rail.
 *
 * @since 0.6.0
 */

/**
 * The state of a payment. `accepted`: the rail has it, and reports the final state later. `confirmed`: the money has
 * moved. `rejected`: it has not moved and will not. `returned`: it has moved and come back. `unknown`: the rail does
 * not say whether it has moved.
 *
 * @since 0.6.0
 * @category models
 */
export type OutcomeType = "accepted" | "confirmed" | "rejected" | "returned" | "unknown"

/**
 * A rail's report on one payment. Fields that the rail does not report are `null`, never guessed.
 *
 * @since 0.6.0
 * @category models
 */
export interface Outcome {
  /**
   * The key of the instruction; `null` when the rail does not report it, and a person or `railReference` identifies the
   * payment.
   */
  readonly key: string | null
  /** The rail's own id of the payment. */
  readonly railReference: string | null
  readonly type: OutcomeType
  /** When the payment reached this state, in Unix seconds. */
  readonly at: number | null
  /** In the lowest unit of the currency. */
  readonly amount: number | null
  /** An ISO 4217 code, as EUR. */
  readonly currency: string | null
  /** The rail's fee, in the lowest unit of the currency. */
  readonly fee: number | null
  /** The reason, in the rail's own code and words. */
  readonly reason: string | null
}
