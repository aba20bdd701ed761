/**
 * A line of an order that was sold and is shared with nobody.
 *
 * @since 0.6.0
 * @category models
 */
export interface LeftOut {
  readonly itemId: string
  /** A gift card is money that is owed to whoever has it, until something is bought with it. */
  readonly what: "gift card" | "tip" | "fee"
  /** What was paid for it, in cents. */
  readonly amount: number
}
