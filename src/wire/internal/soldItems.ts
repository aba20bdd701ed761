/** What was sold, as its readers may see it. */
import type { SeenSoldItem } from "../../payouts/Visibility.js"
import type * as Schemas from "../Schemas.js"

type Hidable<A, Names extends keyof A> = Omit<A, Names> & Partial<Pick<A, Names>>

/**
 * The product of an order item; fields that the reader may not see are absent.
 *
 * @since 0.1.0
 * @category models
 */
export type SoldProductView = Hidable<
  typeof Schemas.SoldProduct.Type,
  "price" | "cost" | "inventory_quantity"
>

/**
 * The order item of a payout item. Amounts are cents of the order's currency; fields that the reader may not see are
 * absent.
 *
 * @since 0.1.0
 * @category models
 */
export interface OrderItemView
  extends Hidable<
    Omit<typeof Schemas.OrderItem.Type, "product">,
    "amount" | "discount" | "quantity" | "tax_percent" | "tax_name" | "tax_total"
  > {
  readonly product: SoldProductView
}

/** The present fields: those that a reader may not see are absent, not null. */
export const shown = <A extends object>(
  fields: A,
): { readonly [K in keyof A]?: NonNullable<A[K]> | Extract<A[K], null> } => {
  const copy = { ...fields }
  for (const key in fields) if (fields[key] === undefined) delete copy[key]
  return copy
}

/** The product of an order item. */
export const writeSoldProduct = (product: SeenSoldItem["product"]): SoldProductView => ({
  id: product.id,
  external_id: product.externalId,
  external_variant_id: product.externalVariantId,
  name: product.name,
  sku: product.sku,
  vendor: product.vendor,
  tags: product.tags,
  ...shown({
    price: product.price,
    cost: product.cost,
    inventory_quantity: product.inventoryQuantity,
  }),
})

/** The order item of a payout item. */
export const writeOrderItem = (item: SeenSoldItem): OrderItemView => ({
  ...shown({
    amount: item.amount,
    discount: item.discount,
    quantity: item.quantity,
    tax_percent: item.taxPercent,
    tax_name: item.taxName,
    tax_total: item.taxTotal,
  }),
  grams: item.grams,
  product: writeSoldProduct(item.product),
  external_id: item.externalId,
  split_at: item.splitAt,
  refunded_at: item.refundedAt,
})
