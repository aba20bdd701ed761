import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { unreadable } from "../../internal/reader.js"
import type { LeftOut, NotASale } from "../../internal/sales.js"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { Problem } from "../../Problem.js"
import type { Refund } from "../../shares/Refund.js"
import type * as Split from "../../shares/Split.js"
import * as BulkExport from "../../shopify/BulkExport.js"
import { recognise } from "../../shopify/Document.js"
import type { RefundReading } from "../../shopify/Refund.js"
import * as ShopifySale from "../../shopify/Sale.js"
import * as StripeOrder from "../../stripe/Order.js"
import type { InvalidCounters } from "../../terms/Counters.js"
import type { Unreadable } from "../../Unreadable.js"
import * as WireOrder from "../../wire/Order.js"
import { recognise as recogniseWoo } from "../../woocommerce/Document.js"
import * as WooSale from "../../woocommerce/Sale.js"
import { foreignLook, unknownLook } from "./ForeignFormats.js"
import { type Catalogues, type InCurrency, keyOf } from "./Products.js"
import type { InputEntry, Record } from "./Records.js"
import * as Problems from "./Records.js"
import { Remarks } from "./Remarks.js"
import { SeenIds } from "./SeenIds.js"
import { choicesOf, type SalesChoices, type SalesFlags } from "./Sources.js"
import { findStripe, isStripeSale } from "./StripeDocuments.js"

// Failures of single orders; the other orders are still processed.

/** A line of the orders that is not JSON. */
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

/** An order without a time, where a time is needed. */
export class OrderWithoutTime extends Schema.TaggedError<OrderWithoutTime>()("OrderWithoutTime", {
  message: Schema.String,
}) {}

/** Which order failed, why, and the message as lines. */
export interface OrderFailure {
  readonly _tag: "OrderFailure"
  readonly orderId: string | undefined
  readonly line: number
  readonly error: { readonly _tag: string; readonly message: string }
  readonly lines: ReadonlyArray<string>
}

// Reads a sale from an order in any known format, and completes it from the products.

/** An order with a platform's further data. */
export interface PlatformSale {
  readonly order: Order
  /** Sold lines that are not shared with collaborators. */
  readonly leftOut: ReadonlyArray<LeftOut>
  /** The refunds inside the order, each as far as it can be read. */
  readonly refunds: ReadonlyArray<Result.Result<RefundReading, Unreadable>>
  /** Products of the order that are not in the catalogue; empty without a catalogue. */
  readonly unknown: ReadonlyArray<Product>
}

/** How a sale is read from the JSON of its order. */
export type OrderReader = (value: unknown) => Result.Result<PlatformSale, Unreadable | NotASale>

/** Whether a value is an order in apportion's own format; Shopify's orders have no `items`. */
const hasItems = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "items")

/** The order inside `order`, in which a host may wrap a single order, as Shopify does. */
const unwrapped = (value: unknown): unknown => {
  const inner: unknown =
    typeof value === "object" && value !== null && Object.hasOwn(value, "order")
      ? Reflect.get(value, "order")
      : undefined
  return hasItems(inner) ? inner : value
}

const readOwn: OrderReader = (value) => {
  const look = hasItems(value) ? undefined : (foreignLook(value) ?? unknownLook(value))
  return look === undefined
    ? Result.map(WireOrder.read(value), alone)
    : Result.fail(unreadable("order", [{ path: "", value, message: look }]))
}

const nothing: ReadonlyArray<never> = []

const alone = (order: Order) => ({ order, leftOut: nothing, refunds: nothing, unknown: nothing })

const readerOf =
  (choices: SalesChoices): OrderReader =>
  (input) => {
    const value = unwrapped(input)
    if (hasItems(value)) return readOwn(value)
    if (BulkExport.recognise(value) === "order") {
      const sale = BulkExport.read(value, choices)
      return Result.map(sale, (success) => ({ ...success, unknown: nothing }))
    }
    const stripe = findStripe(value)
    if (stripe !== undefined && isStripeSale(stripe)) {
      return Result.map(StripeOrder.read(stripe.fields, choices), alone)
    }
    const sale =
      recogniseWoo(value) === "order"
        ? WooSale.read(value, choices)
        : recognise(value) === "order"
          ? ShopifySale.read(value, choices)
          : undefined
    return sale === undefined
      ? readOwn(value)
      : Result.map(sale, (success) => ({ ...success, unknown: nothing }))
  }

/**
 * Items whose cost the policy deducts, but whose cost in the catalogue is not an amount of the
 * currency.
 */
const problemsOfCosts = (
  order: Order,
  { catalogue, oddCosts }: InCurrency,
  name: string,
): ReadonlyArray<Problem> =>
  order.items.flatMap(({ product }) => {
    const known = Catalogue.find(catalogue, product)
    if (product.cost !== undefined || known === undefined || !oddCosts.has(keyOf(known))) return []
    const message = `the cost of product ${product.id} in ${name} is no amount of ${order.currency}, and the policy deducts costs`
    return [{ path: "", value: product.id, message }]
  })

const unknownOf = ({ items }: Order, { catalogue }: InCurrency): ReadonlyArray<Product> =>
  items.flatMap(({ product }) =>
    Catalogue.find(catalogue, product) === undefined ? [product] : [],
  )

/** Options for reading orders. */
export interface ReaderOptions {
  readonly catalogues: Catalogues | undefined
  /** Whether the policy deducts costs, so that no cost may be missing. */
  readonly deductsCosts: boolean
  /** Which orders and lines count as sales. */
  readonly sales: SalesFlags
}

/** Reads orders in every known format; with products, missing product data is filled in. */
export const of = ({ catalogues, deductsCosts, sales }: ReaderOptions): OrderReader => {
  const readEither = readerOf(choicesOf(sales))
  if (catalogues === undefined) return readEither
  return (value) =>
    Result.flatMap(readEither(value), (sale): ReturnType<OrderReader> => {
      const known = catalogues.completing(sale.order.currency)
      const problems =
        deductsCosts && known.oddCosts.size > 0
          ? problemsOfCosts(sale.order, known, catalogues.name)
          : []
      if (problems.length > 0) return Result.fail(unreadable("products of the order", problems))
      const order = Catalogue.complete(known.catalogue, sale.order)
      return Result.succeed({ ...sale, order, unknown: unknownOf(sale.order, known) })
    })
}

/** Splits orders in their turn. */
export interface OrderSplitter {
  readonly split: (order: Order) => Result.Result<Split.Split, Split.SplitError | InvalidCounters>
  /** Takes the refunds of an order off what is passed on to other orders. */
  readonly takeBack: (split: Split.Split, refunds: ReadonlyArray<Refund>) => void
}

// Reads and splits orders one by one; a failure of one does not affect the others.

/** An order that was read, with its platform's further data, and its location. */
export interface ReadOrder extends PlatformSale {
  readonly _tag: "ReadOrder"
  readonly record: Record
}

/** An order that is not a sale: it is skipped. */
export interface NotSold {
  readonly _tag: "NotSold"
  readonly orderId: string
}

/** An order that was split. */
export interface SplitOrder extends Pick<PlatformSale, "leftOut" | "refunds"> {
  readonly _tag: "SplitOrder"
  readonly order: Order
  readonly split: Split.Split
  readonly record: Record
  /** The name of the orders' input in messages. */
  readonly name: string
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The id of an order, even of one that can't be read. Shopify wraps a single order in `order`. */
export const idOf = (value: unknown): string | undefined => {
  const id = field(value, "id") ?? field(field(value, "order"), "id")
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined
}

/** The name of an order in the shop, such as `#1001`. */
export const nameOf = (value: unknown): unknown =>
  field(value, "name") ?? field(field(value, "order"), "name")

const rememberIds = () => {
  const seen = new SeenIds()
  return (id: string): boolean => !seen.add(id)
}

export class Orders {
  /** The name of the orders' input in messages. */
  readonly name: string
  private readonly splitter: OrderSplitter
  /** Whether an earlier order had this id; from now on one had it. */
  readonly isRepeated: (id: string) => boolean
  private readonly readOrder: OrderReader
  /** Notes on orders and lines that were left out, which are printed at the end. */
  readonly remarks = new Remarks()

  constructor(options: {
    readonly name: string
    readonly splitter: OrderSplitter
    readonly readOrder: OrderReader
    /** Whether an earlier order had this id; when absent, all ids are remembered. */
    readonly isRepeated?: ((id: string) => boolean) | undefined
  }) {
    this.name = options.name
    this.splitter = options.splitter
    this.readOrder = options.readOrder
    this.isRepeated = options.isRepeated ?? rememberIds()
  }

  /** Reads one order and splits it; `isRepeated`: whether an earlier one had its id, where that is known. */
  split(entry: InputEntry, isRepeated?: boolean): SplitOrder | NotSold | OrderFailure {
    const read = this.read(entry, isRepeated)
    return read._tag === "ReadOrder" ? this.splitBy(read, this.splitter) : read
  }

  /** Reads one order. */
  read(entry: InputEntry, isRepeated?: boolean): ReadOrder | NotSold | OrderFailure {
    if (entry._tag === "Record")
      return this.guarded(entry, () => this.readRecord(entry, isRepeated))
    const { line, message } = entry
    const error = new BrokenLine({ message })
    const lines = [`${this.name}:${line}: ${message}`]
    return { _tag: "OrderFailure", orderId: undefined, line, error, lines }
  }

  /** Splits an order that was read. */
  splitBy(read: ReadOrder, splitter: OrderSplitter): SplitOrder | OrderFailure {
    const { order, record, leftOut, refunds } = read
    const { name } = this
    return this.guarded(record, () => {
      const split = splitter.split(order)
      return Result.isSuccess(split)
        ? { _tag: "SplitOrder", order, split: split.success, record, name, leftOut, refunds }
        : this.refuse(record, split.failure)
    })
  }

  /** An order that failed with a one-line reason. */
  failure(
    record: Record,
    error: OrderFailure["error"],
    lines?: ReadonlyArray<string>,
  ): OrderFailure {
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

  private guarded<A>(record: Record, work: () => A): A | OrderFailure {
    try {
      return work()
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      return this.failure(
        record,
        new NestedTooDeeply({ message: "its values are nested too deeply" }),
      )
    }
  }

  private readRecord(record: Record, isRepeated?: boolean): ReadOrder | NotSold | OrderFailure {
    const read = this.readOrder(record.value)
    if (Result.isFailure(read)) {
      return read.failure._tag === "NotASale"
        ? this.leaveOut(record, read.failure)
        : this.refuse(record, read.failure)
    }
    const { order, leftOut, unknown } = read.success
    const repeated = this.repeatedOf(record, order.id, isRepeated)
    if (repeated !== undefined) return repeated
    if (leftOut.length > 0) this.remarks.addLeftOut(order.id, leftOut, order.currency)
    this.remarks.addUnknown(unknown)
    return { _tag: "ReadOrder", ...read.success, record }
  }

  private leaveOut(record: Record, notASale: NotASale): NotSold | OrderFailure {
    const { orderId } = notASale
    const repeated = this.repeatedOf(record, orderId)
    if (repeated !== undefined) return repeated
    this.remarks.addNotASale(notASale)
    return { _tag: "NotSold", orderId }
  }

  private repeatedOf(
    record: Record,
    id: string,
    isRepeated = this.isRepeated(id),
  ): OrderFailure | undefined {
    if (!isRepeated) return undefined
    const message = `there is an earlier order with the id "${id}", and a sale is split once`
    return this.failure(record, new RepeatedOrder({ message }))
  }

  private refuse(
    record: Record,
    error: Unreadable | Split.SplitError | InvalidCounters,
  ): OrderFailure {
    if (error._tag !== "Unreadable") return this.failure(record, error)
    const [first, ...others] = Problems.linesOf(this.name, record, error.problems)
    const lines = first === undefined ? [] : [`${first} ${Problems.readAs(error.what)}`, ...others]
    return this.failure(record, error, lines)
  }
}
