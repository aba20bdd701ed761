/**
 * Rows of orders in columns, as Apache Arrow lays them out.
 *
 * @since 0.6.0
 */

import { TaggedError } from "../internal/TaggedError.js"
import type { Order, OrderItem } from "../orders/Order.js"
import {
  type ColumnData,
  flagColumn,
  listColumn,
  numberColumn,
  textColumn,
} from "./internal/ColumnData.js"

export type { ColumnData }

/**
 * Rows in columns, one row for each item of an order: a `RecordBatch` of apache-arrow, or anything of that shape. The rows
 * of an order follow one another, and each of them says the same of it.
 *
 * Needed are `order_id`, `currency`, `item_id`, `product_id` and `amount`. There may be `created_at`, `tags`,
 * `customer_tags`, `discount_codes`, `billing_country`, `referer`, `taxes_included`, `shipping_amount`, `shipping_tax` and
 * `gateway_fee` of the order, `quantity` (1 where it is missing), `discount` and `tax_total` of the item, and
 * `product_external_id`, `product_other_ids`, `product_vendor`, `product_tags` and `product_cost` (of a unit) of its product.
 * Amounts are cents, times Unix seconds; other columns are left alone.
 *
 * @since 0.6.0
 * @category models
 */
export interface ColumnBatch {
  readonly numRows: number
  readonly schema: { readonly fields: ReadonlyArray<{ readonly name: string }> }
  readonly data: { readonly children: ReadonlyArray<ColumnData> }
}

/**
 * A column that is missing, or whose values can't be read as what it should have.
 *
 * @since 0.6.0
 * @category errors
 */
export class UnusableColumn extends TaggedError("UnusableColumn")<{
  readonly column: string
  readonly message: string
}> {}

interface OrderLine {
  readonly order: Order
  readonly item: OrderItem
}

const columnsOf = (lines: ReadonlyArray<OrderLine>): Readonly<Record<string, ColumnData>> => {
  const each = <A>(of: (line: OrderLine) => A): ReadonlyArray<A> => lines.map(of)
  return {
    order_id: textColumn(each(({ order }) => order.id)),
    currency: textColumn(each(({ order }) => order.currency)),
    created_at: numberColumn(each(({ order }) => order.createdAt)),
    tags: listColumn(each(({ order }) => order.tags)),
    customer_tags: listColumn(each(({ order }) => order.customerTags)),
    discount_codes: listColumn(each(({ order }) => order.discountCodes)),
    billing_country: textColumn(each(({ order }) => order.billingCountry)),
    referer: listColumn(each(({ order }) => order.referers)),
    taxes_included: flagColumn(each(({ order }) => order.taxesIncluded)),
    shipping_amount: numberColumn(each(({ order }) => order.shippingAmount)),
    shipping_tax: numberColumn(each(({ order }) => order.shippingTax)),
    gateway_fee: numberColumn(each(({ order }) => order.gatewayFee)),
    item_id: textColumn(each(({ item }) => item.id)),
    quantity: numberColumn(each(({ item }) => item.quantity)),
    amount: numberColumn(each(({ item }) => item.amount)),
    discount: numberColumn(each(({ item }) => item.discount)),
    tax_total: numberColumn(each(({ item }) => item.taxTotal)),
    product_id: textColumn(each(({ item }) => item.product.id)),
    product_external_id: textColumn(each(({ item }) => item.product.externalId)),
    product_other_ids: listColumn(each(({ item }) => item.product.otherIds)),
    product_vendor: textColumn(each(({ item }) => item.product.vendor)),
    product_tags: listColumn(each(({ item }) => item.product.tags)),
    product_cost: numberColumn(each(({ item }) => item.product.cost)),
  }
}

/**
 * Orders as a batch of rows: for tests, and to see which columns there are. Orders that a warehouse holds come as columns
 * already.
 *
 * @since 0.6.0
 * @category constructors
 * @example
 * ```ts
 * import { ColumnBatch } from "apportion/bulk"
 *
 * const item = (id: string) => ({ id, product: { id: "mug" }, quantity: 1, amount: 1_000 })
 * const order = { id: "1001", currency: "USD", items: [item("1"), item("2")] }
 * ColumnBatch.ofOrders([order]).numRows // => 2
 * ```
 */
export const ofOrders = (orders: ReadonlyArray<Order>): ColumnBatch => {
  const lines = orders.flatMap((order) => order.items.map((item) => ({ order, item })))
  const columns = columnsOf(lines)
  return {
    numRows: lines.length,
    schema: { fields: Object.keys(columns).map((name) => ({ name })) },
    data: { children: Object.values(columns) },
  }
}
