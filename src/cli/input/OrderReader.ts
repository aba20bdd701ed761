/** Reads a sale from whatever shape its order has, and completes it from the products. */
import * as Result from "effect/Result"
import { unreadable } from "../../internal/reader.js"
import type { LeftOut } from "../../LeftOut.js"
import type { NotASale } from "../../NotASale.js"
import * as Catalogue from "../../orders/Catalogue.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { Problem } from "../../Problem.js"
import { recognise } from "../../shopify/Document.js"
import type { RefundReading } from "../../shopify/Refund.js"
import * as ShopifySale from "../../shopify/Sale.js"
import type { Unreadable } from "../../Unreadable.js"
import * as WireOrder from "../../wire/Order.js"
import { recognise as recogniseWoo } from "../../woocommerce/Document.js"
import * as WooSale from "../../woocommerce/Sale.js"
import { choicesOf, type SalesChoices, type SalesFlags } from "./OrderInputs.js"
import { type Catalogues, type InCurrency, keyOf } from "./Products.js"
import { foreignLook } from "./Wrapper.js"

/** An order with what a platform says beside it. */
export interface PlatformSale {
  readonly order: Order
  /** Lines that were sold and are shared with nobody. */
  readonly leftOut: ReadonlyArray<LeftOut>
  /** The refunds inside the order, each as far as it can be read. */
  readonly refunds: ReadonlyArray<Result.Result<RefundReading, Unreadable>>
  /** Products of it that the catalogue does not know; none without a catalogue. */
  readonly unknown: ReadonlyArray<Product>
}

/** How a sale is read from the JSON of its order. */
export type OrderReader = (value: unknown) => Result.Result<PlatformSale, Unreadable | NotASale>

/** Whether a value is an order in the host's format; Shopify's have no such list. */
const hasItems = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, "items")

/** A host may wrap a single order in `order`, as Shopify does. */
const unwrapped = (value: unknown): unknown => {
  const inner: unknown =
    typeof value === "object" && value !== null && Object.hasOwn(value, "order")
      ? Reflect.get(value, "order")
      : undefined
  return hasItems(inner) ? inner : value
}

const readOwn: OrderReader = (value) => {
  const look = hasItems(value) ? undefined : foreignLook(value)
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

/** Items whose cost the policy deducts, and of which the catalogue has one that is no amount of the currency. */
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

/** What reading orders needs beside them. */
export interface ReaderOptions {
  readonly catalogues: Catalogues | undefined
  /** Whether a policy deducts costs, so that none may be missing. */
  readonly deductsCosts: boolean
  /** What counts as a sale. */
  readonly sales: SalesFlags
}

/** Reads orders of every shape; with products, what an order leaves out of them is filled in. */
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
