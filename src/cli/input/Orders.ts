/** Orders as they come in, each read and split; what goes wrong with one harms no other. */
import * as Result from "effect/Result"
import type { NotASale } from "../../NotASale.js"
import type { Order } from "../../orders/Order.js"
import type { RuleSet } from "../../rules/RuleSet.js"
import * as Split from "../../shares/Split.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import type { Unreadable } from "../../Unreadable.js"
import * as OrderFailure from "../output/OrderFailure.js"
import * as Problems from "../output/Problems.js"
import type { OrderReader, PlatformSale } from "./OrderReader.js"
import type { InputEntry, Record } from "./Records.js"
import { Remarks } from "./Remarks.js"
import { SeenIds } from "./SeenIds.js"

/** An order that was read, with what its platform says beside it, and where. */
export interface ReadOrder extends PlatformSale {
  readonly _tag: "ReadOrder"
  readonly record: Record
}

/** An order that is no sale: nothing is to be done about it. */
export interface NotSold {
  readonly _tag: "NotSold"
  readonly orderId: string
}

/** The rules that orders are split by. */
export interface Side {
  readonly rules: RuleSet
  readonly policy: SplitPolicy
}

/** An order that was split. */
export interface SplitOrder extends Pick<PlatformSale, "leftOut" | "refunds"> {
  readonly _tag: "SplitOrder"
  readonly order: Order
  readonly split: Split.Split
  readonly record: Record
  /** How the orders' input is called in messages. */
  readonly name: string
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The id of an order, even of one that can't be read. Shopify wraps a single order in `order`. */
export const idOf = (value: unknown): string | undefined => {
  const id = field(value, "id") ?? field(field(value, "order"), "id")
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined
}

/** What the shop calls an order, as `#1001`. */
export const nameOf = (value: unknown): unknown =>
  field(value, "name") ?? field(field(value, "order"), "name")

const rememberIds = () => {
  const seen = new SeenIds()
  return (id: string): boolean => !seen.add(id)
}

export class Orders {
  private readonly name: string
  private readonly side: Side
  private readonly isRepeated: (id: string) => boolean
  private readonly readOrder: OrderReader
  /** What was left out, for the end. */
  readonly remarks = new Remarks()

  constructor(options: {
    readonly name: string
    readonly rules: RuleSet
    readonly policy: SplitPolicy
    readonly readOrder: OrderReader
    /** Whether an earlier order had this id; found by remembering all ids when it is left out. */
    readonly isRepeated?: ((id: string) => boolean) | undefined
  }) {
    this.name = options.name
    this.side = { rules: options.rules, policy: options.policy }
    this.readOrder = options.readOrder
    this.isRepeated = options.isRepeated ?? rememberIds()
  }

  /** Reads one order and splits it. */
  split(entry: InputEntry): SplitOrder | NotSold | OrderFailure.OrderFailure {
    const read = this.read(entry)
    return read._tag === "ReadOrder" ? this.splitBy(read, this.side) : read
  }

  /** Reads one order. */
  read(entry: InputEntry): ReadOrder | NotSold | OrderFailure.OrderFailure {
    if (entry._tag === "Record") return this.guarded(entry, () => this.readRecord(entry))
    const { line, message } = entry
    const error = new OrderFailure.BrokenLine({ message })
    const lines = [`${this.name}:${line}: ${message}`]
    return { _tag: "OrderFailure", orderId: undefined, line, error, lines }
  }

  /** Splits an order that was read. */
  splitBy(read: ReadOrder, { rules, policy }: Side): SplitOrder | OrderFailure.OrderFailure {
    const { order, record, leftOut, refunds } = read
    const { name } = this
    return this.guarded(record, () => {
      const split = Split.orderResult(rules, order, policy)
      return Result.isSuccess(split)
        ? { _tag: "SplitOrder", order, split: split.success, record, name, leftOut, refunds }
        : this.refuse(record, split.failure)
    })
  }

  /** An order that failed for a reason that one line tells. */
  failure(
    record: Record,
    error: OrderFailure.OrderFailure["error"],
    lines?: ReadonlyArray<string>,
  ): OrderFailure.OrderFailure {
    const orderId = idOf(record.value)
    const said = orderId === undefined ? error.message : `order ${orderId}: ${error.message}`
    return {
      _tag: "OrderFailure",
      orderId,
      line: record.line,
      error,
      lines: lines ?? [Problems.lineOf(this.name, record, { path: "", message: said })],
    }
  }

  /** A problem of an order's field, with the line. */
  lineOf(record: Record, path: string, message: string): string {
    return Problems.lineOf(this.name, record, { path, message })
  }

  private guarded<A>(record: Record, work: () => A): A | OrderFailure.OrderFailure {
    try {
      return work()
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      return this.failure(
        record,
        new OrderFailure.NestedTooDeeply({ message: "its values are nested too deeply" }),
      )
    }
  }

  private readRecord(record: Record): ReadOrder | NotSold | OrderFailure.OrderFailure {
    const read = this.readOrder(record.value)
    if (Result.isFailure(read)) {
      return read.failure._tag === "NotASale"
        ? this.leaveOut(record, read.failure)
        : this.refuse(record, read.failure)
    }
    const { order, leftOut, unknown } = read.success
    const repeated = this.repeatedOf(record, order.id)
    if (repeated !== undefined) return repeated
    if (leftOut.length > 0) this.remarks.addLeftOut(order.id, leftOut, order.currency)
    this.remarks.addUnknown(unknown)
    return { _tag: "ReadOrder", ...read.success, record }
  }

  private leaveOut(record: Record, notASale: NotASale): NotSold | OrderFailure.OrderFailure {
    const { orderId } = notASale
    const repeated = this.repeatedOf(record, orderId)
    if (repeated !== undefined) return repeated
    this.remarks.addNotASale(notASale)
    return { _tag: "NotSold", orderId }
  }

  private repeatedOf(record: Record, id: string): OrderFailure.OrderFailure | undefined {
    if (!this.isRepeated(id)) return undefined
    const message = `there is an earlier order with the id "${id}", and a sale is split once`
    return this.failure(record, new OrderFailure.RepeatedOrder({ message }))
  }

  private refuse(record: Record, error: Unreadable | Split.SplitError): OrderFailure.OrderFailure {
    if (error._tag !== "Unreadable") return this.failure(record, error)
    const [first, ...others] = Problems.linesOf(this.name, record, error.problems)
    const lines = first === undefined ? [] : [`${first} ${Problems.readAs(error.what)}`, ...others]
    return this.failure(record, error, lines)
  }
}
