/** Reads a sale from whatever shape its order has, and completes it from the products. */
import * as Result from "effect/Result"
import type { LeftOut } from "../LeftOut.js"
import * as Catalogue from "../matching/Catalogue.js"
import type { Order } from "../matching/Order.js"
import type { NotASale } from "../NotASale.js"
import { recognise } from "../shopify/Document.js"
import type { RefundReading } from "../shopify/Refund.js"
import * as ShopifySale from "../shopify/Sale.js"
import type { Unreadable } from "../Unreadable.js"
import * as WireOrder from "../wire/Order.js"
import { recognise as recogniseWoo } from "../woocommerce/Document.js"
import * as WooSale from "../woocommerce/Sale.js"
import type { Catalogues } from "./Products.js"

/** An order with what a platform says beside it. */
export interface Sale {
  readonly order: Order
  /** Lines that were sold and are shared with nobody. */
  readonly leftOut: ReadonlyArray<LeftOut>
  /** The refunds inside the order, each as far as it can be read. */
  readonly refunds: ReadonlyArray<Result.Result<RefundReading, Unreadable>>
}

/** How a sale is read from the JSON of its order. */
export type OrderReader = (value: unknown) => Result.Result<Sale, Unreadable | NotASale>

/** Whether a value is an order in the host's format; Shopify's have no such list. */
export const hasItems = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "items")

/** A host may wrap a single order in `order`, as Shopify does. */
const unwrapped = (value: unknown): unknown => {
  const inner: unknown =
    typeof value === "object" && value !== null && Object.hasOwn(value, "order")
      ? Reflect.get(value, "order")
      : undefined
  return hasItems(inner) ? inner : value
}

const nothing: ReadonlyArray<never> = []

const alone = (order: Order): Sale => ({ order, leftOut: nothing, refunds: nothing })

const readEither: OrderReader = (input) => {
  const value = unwrapped(input)
  if (hasItems(value)) return Result.map(WireOrder.read(value), alone)
  if (recogniseWoo(value) === "order") return WooSale.read(value)
  return recognise(value) === "order"
    ? ShopifySale.read(value)
    : Result.map(WireOrder.read(value), alone)
}

/** Reads orders of every shape; with products, what an order leaves out of them is filled in. */
export const of = (catalogues: Catalogues | undefined): OrderReader => {
  if (catalogues === undefined) return readEither
  return (value) =>
    Result.flatMap(readEither(value), (sale) =>
      Result.map(catalogues.in(sale.order.currency), (catalogue) => ({
        ...sale,
        order: Catalogue.complete(catalogue, sale.order),
      })),
    )
}
