/** Ids that every storage has room for: rows are looked up by them, so they are indexed. */
import * as Result from "effect/Result"
import { summarize } from "../../../internal/problems.js"
import { InvalidOrder, type Order, parse } from "../../../orders/Order.js"
import type { Problem } from "../../../Problem.js"

const mostBytes = 500

/** How many bytes a code unit takes in PostgreSQL, which escapes what it can't hold or would sort otherwise. */
const bytesOfUnit = (unit: number): number => {
  if (unit < 0x80) return unit <= 1 ? 2 : 1
  if (unit < 0x800) return 2
  if (unit >= 0xd800 && unit < 0xe000) return 6
  return unit === 0xd7ff || unit === 0xfefe || unit === 0xfeff ? 4 : 3
}

const bytesOf = (id: string): number => {
  let bytes = 0
  for (let index = 0; index < id.length; index += 1) bytes += bytesOfUnit(id.charCodeAt(index))
  return bytes
}

/** Six bytes a unit are the most, so those of short ids are not counted. */
const isLong = (id: string): boolean =>
  id.length * 6 > mostBytes && (id.length > mostBytes || bytesOf(id) > mostBytes)

const expected = `must be at most ${mostBytes} bytes long in UTF-8, where a character beyond U+FFFF counts as 12`

/** Ids that are too long, with their paths. */
export const longIds = (
  ids: Iterable<readonly [path: string, id: string]>,
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  for (const [path, id] of ids) {
    if (!isLong(id)) continue
    problems.push({ path, value: id, message: expected })
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
