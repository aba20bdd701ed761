/** Orders whose ids every storage has room for. */
import * as Result from "effect/Result"
import { summarize } from "../../../internal/problems.js"
import { InvalidOrder, type Order, parse } from "../../../orders/Order.js"
import { isLong, longIds } from "../longIds.js"

function* idsOf({ id, items }: Order): Generator<readonly [string, string]> {
  yield ["id", id]
  for (const [index, item] of items.entries()) yield [`items[${index}].id`, item.id]
}

/** Reads an order that is to be stored. One with an id that is too long would fail on each attempt. */
export const parseOrder = (input: unknown): Result.Result<Order, InvalidOrder> =>
  Result.flatMap(parse(input), (order) => {
    if (!isLong(order.id) && !order.items.some(({ id }) => isLong(id))) return Result.succeed(order)
    const problems = longIds(idsOf(order))
    return Result.fail(
      new InvalidOrder({ orderId: order.id, problems, message: summarize(problems) }),
    )
  })
