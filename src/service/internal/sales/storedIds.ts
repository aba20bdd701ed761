/** Ids that every storage has room for: rows are looked up by them, so they are indexed. */
import * as Result from "effect/Result"
import { summarize } from "../../../internal/problems.js"
import { InvalidOrder, type Order, parse } from "../../../orders/Order.js"
import type { Problem } from "../../../Problem.js"

const mostBytes = 500

const encoder = new TextEncoder()

/** Three bytes a unit are the most that UTF-8 takes, so short ids are not encoded. */
const isLong = (id: string): boolean =>
  id.length * 3 > mostBytes && (id.length > mostBytes || encoder.encode(id).length > mostBytes)

/** Ids that are too long, with their paths. */
export const longIds = (
  ids: Iterable<readonly [path: string, id: string]>,
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  for (const [path, id] of ids) {
    if (!isLong(id)) continue
    problems.push({ path, value: id, message: `must be at most ${mostBytes} bytes long in UTF-8` })
  }
  return problems
}

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
