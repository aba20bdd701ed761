import * as Data from "effect/Data"

/**
 * An order that could be read and is no sale, so that nobody is paid for it: a test, a draft, one that was
 * cancelled or voided, one that is not paid yet, or one of nothing but gift cards and tips.
 *
 * @since 0.6.0
 * @category errors
 */
export class NotASale extends Data.TaggedError("NotASale")<{
  readonly orderId: string
  readonly reason: "test" | "draft" | "cancelled" | "voided" | "unpaid" | "nothing to share"
  readonly message: string
}> {}

/**
 * Why an order is no sale.
 *
 * @since 0.6.0
 * @category models
 */
export type Reason = NotASale["reason"]
