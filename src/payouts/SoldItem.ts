/**
 * An order item as it was when it was sold: the part of a payout that describes a sale.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import {
  finite,
  integer,
  listOf,
  nullable,
  objectOf,
  read,
  type Shape,
  text,
} from "../internal/fields.js"
import { cents, nonNegative } from "../money/internal/amounts.js"
import { orderShape } from "../orders/internal/shapes.js"
import type * as Order from "../orders/Order.js"
import type { Product } from "../orders/Product.js"
import { type Unreadable, unreadable } from "../Unreadable.js"

/**
 * The product of a sale as it was then, every field present. All amounts are cents of the order's currency; fields that
 * the order left out are empty or 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface SoldProduct {
  readonly id: string
  readonly externalId: string
  readonly externalVariantId: string
  readonly name: string
  readonly sku: string | null
  readonly vendor: string
  readonly price: number
  readonly cost: number
  readonly tags: ReadonlyArray<string>
  readonly inventoryQuantity: number | null
}

/**
 * The order item of a sale as it was then. All amounts are cents of the order's currency.
 *
 * @since 0.1.0
 * @category models
 */
export interface SoldItem {
  readonly orderId: string
  readonly itemId: string
  /** The product group that earned the share. */
  readonly groupId: string
  readonly amount: number
  readonly discount: number
  readonly quantity: number
  readonly taxPercent: number | null
  readonly taxName: string | null
  readonly taxTotal: number | null
  readonly grams: number
  readonly product: SoldProduct
  /** The item's id in the shop system. */
  readonly externalId: string
  /** When the sale was split, in Unix seconds. */
  readonly splitAt: number
  /** When it was last refunded, wholly or in part, in Unix seconds. */
  readonly refundedAt: number | null
  readonly details?: Order.OrderDetails | undefined
}

const soldProduct: Shape<SoldProduct> = {
  id: text,
  externalId: text,
  externalVariantId: text,
  name: text,
  sku: /* @__PURE__ */ nullable(text),
  vendor: text,
  price: cents,
  cost: cents,
  tags: /* @__PURE__ */ listOf(text),
  inventoryQuantity: /* @__PURE__ */ nullable(cents),
}

const shape: Shape<SoldItem> = {
  orderId: text,
  itemId: text,
  groupId: text,
  amount: cents,
  discount: cents,
  quantity: nonNegative,
  taxPercent: /* @__PURE__ */ nullable(finite),
  taxName: /* @__PURE__ */ nullable(text),
  taxTotal: /* @__PURE__ */ nullable(cents),
  grams: integer,
  product: /* @__PURE__ */ objectOf(soldProduct),
  externalId: text,
  splitAt: cents,
  refundedAt: /* @__PURE__ */ nullable(cents),
  details: orderShape.details,
}

/**
 * Reads an order item as it was when it was sold: every field has to be present and valid. All problems are reported at
 * once.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { SoldItem } from "apportion"
 * import { Result } from "effect"
 *
 * const item = { id: "1", product: { id: "p1", name: "Mug" }, quantity: 2, amount: 3_000 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const sold = SoldItem.of(item, { order, groupId: "g1", splitAt: 1_700_000_000 })
 * Result.isSuccess(SoldItem.parse(sold)) // => true
 * Result.isFailure(SoldItem.parse({ ...sold, amount: 0.5 })) // => true
 * ```
 */
export const parse = (input: unknown): Result.Result<SoldItem, Unreadable> =>
  Result.mapError(read(input, objectOf(shape)), (problems) => unreadable("order item", problems))

/**
 * A snapshot of a product, with every field: unknown ones are empty, 0 or `null`.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { SoldItem } from "apportion"
 *
 * const { externalId, vendor, price, sku } = SoldItem.productOf({ id: "p1", price: 900 })
 * externalId // => "p1"
 * vendor // => ""
 * price // => 900
 * sku // => null
 * ```
 */
export const productOf = (product: Product): SoldProduct => ({
  id: product.id,
  externalId: product.externalId ?? product.id,
  externalVariantId: product.externalVariantId ?? "",
  name: product.name ?? "",
  sku: product.sku ?? null,
  vendor: product.vendor ?? "",
  price: product.price ?? 0,
  cost: product.cost ?? 0,
  tags: product.tags ?? [],
  inventoryQuantity: product.inventoryQuantity ?? null,
})

/**
 * A snapshot of an order item. Later changes of the order or its product don't affect it.
 *
 * @param options.groupId - the product group that earned the share
 * @param options.splitAt - when the sale was split, in Unix seconds
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { SoldItem } from "apportion"
 *
 * const item = { id: "1", product: { id: "p1", name: "Mug" }, quantity: 2, amount: 3_000 }
 * const order = { id: "1001", currency: "USD", items: [item] }
 * const sold = SoldItem.of(item, { order, groupId: "g1", splitAt: 1_700_000_000 })
 * sold.product.name // => "Mug"
 * sold.discount // => 0
 * ```
 */
export const of = (
  item: Order.OrderItem,
  options: { readonly order: Order.Order; readonly groupId: string; readonly splitAt: number },
): SoldItem => {
  const { id: orderId, details } = options.order
  const sold: SoldItem = {
    orderId,
    itemId: item.id,
    groupId: options.groupId,
    amount: item.amount,
    discount: item.discount ?? 0,
    quantity: item.quantity,
    taxPercent: item.taxPercent ?? null,
    taxName: item.taxName ?? null,
    taxTotal: item.taxTotal ?? null,
    grams: item.grams ?? 0,
    product: productOf(item.product),
    externalId: item.id,
    splitAt: options.splitAt,
    refundedAt: null,
  }
  return details === undefined ? sold : { ...sold, details }
}
