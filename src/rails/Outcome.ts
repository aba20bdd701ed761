/**
 * What a rail reports about a payment, in the same shape for every rail.
 *
 * @since 0.6.0
 */

/**
 * How far a payment is. `accepted`: the rail has it, and its end comes later. `confirmed`: the money has moved.
 * `rejected`: it has not moved and will not. `returned`: it has come back after it had moved. `unknown`: the rail does
 * not say whether it has moved.
 *
 * @since 0.6.0
 * @category models
 */
export type OutcomeType = "accepted" | "confirmed" | "rejected" | "returned" | "unknown"

/**
 * What a rail says of one payment. What it does not say is `null`, never guessed.
 *
 * @since 0.6.0
 * @category models
 */
export interface Outcome {
  /** The key of the instruction; `null` when the rail does not tell it, and a person or `railReference` has to. */
  readonly key: string | null
  /** What the rail itself calls the payment. */
  readonly railReference: string | null
  readonly type: OutcomeType
  /** When it came to that, in Unix seconds. */
  readonly at: number | null
  /** In the lowest unit of the currency. */
  readonly amount: number | null
  /** An ISO 4217 code, as EUR. */
  readonly currency: string | null
  /** What the rail took for itself, in the lowest unit of the currency. */
  readonly fee: number | null
  /** Why, in the rail's own code and words. */
  readonly reason: string | null
}
