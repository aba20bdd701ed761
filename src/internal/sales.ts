/** An order of a platform that may be no sale. */
import * as Result from "effect/Result"
import type { LeftOut } from "../LeftOut.js"
import { NotASale, type Reason } from "../NotASale.js"
import type { Order } from "../orders/Order.js"
import type { Unreadable } from "../Unreadable.js"
import * as reader from "./reader.js"

/** An order, and the lines of it that are shared with nobody. */
export interface Reading {
  readonly order: Order
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** Why an order is no sale, and how that is said of it. */
export type Unsold = readonly [reason: Reason, words: string]

/** How the orders of a platform are read. */
export interface SaleReader {
  /** What is read, for messages. */
  readonly what: string
  readonly path: string | undefined
  readonly include: ReadonlyArray<Reason> | undefined
  readonly unsold: (node: reader.Node) => Unsold | undefined
  readonly read: (node: reader.Node) => Reading
}

const nothingToShare = ({ order, leftOut }: Reading): Unsold | undefined => {
  if (order.items.length > 0 || leftOut.length === 0) return undefined
  const kinds = [...new Set(leftOut.map(({ what }) => `${what}s`))]
  return ["nothing to share", `has only ${kinds.join(" and ")}`]
}

/** Reads one order; what is no sale is told as such, unless it can't be read at all. */
export const readSale = (
  input: unknown,
  { what, path, include, unsold, read }: SaleReader,
): Result.Result<Reading, Unreadable | NotASale> => {
  const both = (node: reader.Node) => ({ reading: read(node), said: unsold(node) })
  return Result.flatMap(reader.read(input, { what, path, read: both }), ({ reading, said }) => {
    const [reason, words] = said ?? nothingToShare(reading) ?? []
    if (reason === undefined || include?.includes(reason)) return Result.succeed(reading)
    const orderId = reading.order.id
    return Result.fail(new NotASale({ orderId, reason, message: `order ${orderId} ${words}` }))
  })
}
