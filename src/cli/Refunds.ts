/** Refunds of many orders, in memory, and what they take back of each split. */
import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import * as Refund from "../shares/Refund.js"
import type { Split } from "../shares/Split.js"
import { recognise } from "../shopify/Document.js"
import * as ShopifyRefund from "../shopify/Refund.js"
import type { Unreadable } from "../Unreadable.js"
import * as WireRefund from "../wire/Refund.js"
import * as Input from "./Input.js"
import * as Problems from "./Problems.js"
import type { Record } from "./Records.js"
import { readEach } from "./Rules.js"
import type { Source } from "./Sources.js"

/** A refund, and where it was read. */
export interface LocatedRefund {
  readonly refund: Refund.Refund
  readonly record: Record
}

/** What the refunds of an order come to: those that were made, and a line for each that could not be. */
export interface Reversed {
  readonly reversals: ReadonlyArray<Refund.Reversal>
  readonly failures: ReadonlyArray<string>
}

const before = (refundedAt: number, soldAt: number): Refund.InvalidRefund => {
  const message = `must not be before the order's created_at (${soldAt}), got ${refundedAt}`
  const problems = [{ path: "refunded_at", value: refundedAt, message }]
  return new Refund.InvalidRefund({ problems, message })
}

const reverse = (split: Split, refund: Refund.Refund, earlier: ReadonlyArray<Refund.Refund>) =>
  split.createdAt !== null && refund.refundedAt < split.createdAt
    ? Result.fail(before(refund.refundedAt, split.createdAt))
    : Refund.reverse(split, refund, { earlier })

export class Refunds {
  private readonly name: string
  private readonly byOrder = new Map<string, Array<LocatedRefund>>()
  private used = new Set<string>()

  constructor(name: string, refunds: ReadonlyArray<LocatedRefund>) {
    this.name = name
    for (const located of refunds) {
      const { orderId } = located.refund
      const others = this.byOrder.get(orderId)
      if (others === undefined) this.byOrder.set(orderId, [located])
      else others.push(located)
    }
    for (const others of this.byOrder.values()) {
      others.sort((one, other) => one.refund.refundedAt - other.refund.refundedAt)
    }
  }

  /** The refunds of an order, earliest first. */
  of(orderId: string): ReadonlyArray<LocatedRefund> {
    const refunds = this.byOrder.get(orderId)
    if (refunds !== undefined) this.used.add(orderId)
    return refunds ?? []
  }

  /**
   * What the refunds of an order before a time take back of its split, one after another. One that can't
   * be made is left out: the sale, and the other refunds, are as true as before.
   */
  reversals(split: Split, until = Number.POSITIVE_INFINITY): Reversed {
    const earlier: Array<Refund.Refund> = []
    const reversals: Array<Refund.Reversal> = []
    const failures: Array<string> = []
    for (const located of this.of(split.orderId)) {
      if (located.refund.refundedAt >= until) break
      const reversal = reverse(split, located.refund, earlier)
      if (Result.isFailure(reversal)) failures.push(this.failure(located, reversal.failure))
      else {
        reversals.push(reversal.success)
        earlier.push(located.refund)
      }
    }
    return { reversals, failures }
  }

  /** Where a refund that could not be made was read, and why it could not be. */
  private failure({ record }: LocatedRefund, error: Refund.RefundError): string {
    const path =
      error._tag === "RefundOfUnknownItem"
        ? "item_id"
        : error._tag === "InvalidRefund"
          ? (error.problems[0]?.path ?? "amount")
          : ""
    return Problems.lineOf(this.name, record, { path, message: error.message })
  }

  /** The orders with refunds that were asked for since this was last asked. */
  takeUsed(): ReadonlySet<string> {
    const { used } = this
    this.used = new Set()
    return used
  }

  /** Counts orders as asked for. */
  use(orderIds: Iterable<string>): void {
    for (const orderId of orderIds) this.used.add(orderId)
  }

  /** One line for each refund whose order was not among the orders. */
  leftOver(): ReadonlyArray<string> {
    return [...this.byOrder]
      .filter(([orderId]) => !this.used.has(orderId))
      .flatMap(([, refunds]) => refunds)
      .map(({ refund, record }) =>
        Problems.lineOf(this.name, record, {
          path: "order_id",
          message: `there is no order ${show(refund.orderId)} among the orders`,
        }),
      )
  }
}

/** How many refunds could not be made, in words. */
export const failed = (count: number): string =>
  count === 1 ? "1 refund could not be made" : `${count} refunds could not be made`

/** Shopify's refunds hold several lines, and money that belongs to none. */
const readEither = (value: unknown): Result.Result<ShopifyRefund.RefundReading, Unreadable> => {
  const kind = recognise(value)
  return kind === "refund" || kind === "refunds"
    ? ShopifyRefund.read(value)
    : Result.map(WireRefund.read(value), (refund) => ({ refunds: [refund], notRead: [] }))
}

/** Reads refunds; without a file there are none. */
export const read = async (source: Source | undefined, note: Input.Note): Promise<Refunds> => {
  if (source === undefined) return new Refunds("", [])
  const records = await Input.readAll(source, { kind: Input.refunds, note })
  const readings = readEach(source.name, records, readEither)
  const located = readings.flatMap(({ refunds, notRead }, index) => {
    const record = records[index]
    if (record === undefined) return []
    for (const problem of notRead) {
      note(`note: ${Problems.lineOf(source.name, record, problem)} (left out)`)
    }
    return refunds.map((refund) => ({ refund, record }))
  })
  return new Refunds(source.name, located)
}
