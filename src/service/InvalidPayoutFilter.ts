import * as Schema from "effect/Schema"
import { Problem } from "../Problem.js"

/**
 * A filter that no payout could meet as it is meant: a range that ends before it starts, a time that is
 * none.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidPayoutFilter extends Schema.TaggedError<InvalidPayoutFilter>()(
  "InvalidPayoutFilter",
  { problems: Schema.Array(Problem), message: Schema.String },
) {}
