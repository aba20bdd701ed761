/** Reads an order from either of its two shapes, and completes it from the products. */
import * as Result from "effect/Result"
import * as Catalogue from "../matching/Catalogue.js"
import type { Order } from "../matching/Order.js"
import { recognise } from "../shopify/Document.js"
import * as ShopifyOrder from "../shopify/Order.js"
import type { Unreadable } from "../Unreadable.js"
import * as WireOrder from "../wire/Order.js"
import type { Catalogues } from "./Products.js"

/** How an order is read from its JSON. */
export type OrderReader = (value: unknown) => Result.Result<Order, Unreadable>

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

const readEither: OrderReader = (input) => {
  const value = unwrapped(input)
  return !hasItems(value) && recognise(value) === "order"
    ? ShopifyOrder.read(value)
    : WireOrder.read(value)
}

/** Reads orders of both shapes; with products, what an order leaves out of them is filled in. */
export const of = (catalogues: Catalogues | undefined): OrderReader => {
  if (catalogues === undefined) return readEither
  return (value) =>
    Result.flatMap(readEither(value), (order) =>
      Result.map(catalogues.in(order.currency), (catalogue) =>
        Catalogue.complete(catalogue, order),
      ),
    )
}
