import * as Schema from "effect/Schema"

/**
 * An order that could be read and is no sale, so that nobody is paid for it: a test, a draft, one that was
 * cancelled or voided, one that is not paid yet, or one of nothing but gift cards and tips.
 *
 * @since 0.6.0
 * @category errors
 */
export class NotASale extends Schema.TaggedError<NotASale>()("NotASale", {
  orderId: Schema.String,
  reason: Schema.Literals(["test", "draft", "cancelled", "voided", "unpaid", "nothing to share"]),
  message: Schema.String,
}) {}

/**
 * Why an order is no sale.
 *
 * @since 0.6.0
 * @category models
 */
export type Reason = NotASale["reason"]
