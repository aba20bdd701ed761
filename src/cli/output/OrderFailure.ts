/** An order that failed: the others go on. */
import * as Schema from "effect/Schema"

/** A line of the orders that holds no JSON. */
export class BrokenLine extends Schema.TaggedError<BrokenLine>()("BrokenLine", {
  message: Schema.String,
}) {}

/** An order with the id of an earlier one: a sale is split once. */
export class RepeatedOrder extends Schema.TaggedError<RepeatedOrder>()("RepeatedOrder", {
  message: Schema.String,
}) {}

/** An order whose values are nested too deeply to be read. */
export class NestedTooDeeply extends Schema.TaggedError<NestedTooDeeply>()("NestedTooDeeply", {
  message: Schema.String,
}) {}

/** An order without a time, where one is needed. */
export class OrderWithoutTime extends Schema.TaggedError<OrderWithoutTime>()("OrderWithoutTime", {
  message: Schema.String,
}) {}

/** Which order failed, why, and the lines that tell it to a person. */
export interface OrderFailure {
  readonly _tag: "OrderFailure"
  readonly orderId: string | undefined
  readonly line: number
  readonly error: { readonly _tag: string; readonly message: string }
  readonly lines: ReadonlyArray<string>
}
