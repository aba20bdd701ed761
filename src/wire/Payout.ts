/**
 * A payout as JSON: the entry of a list, and the view with its items.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Cents from "../money/Cents.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type * as Core from "../payouts/Payout.js"
import type { PayoutStatus } from "../payouts/PayoutStatus.js"
import type { SeenItem, SeenPayout, SeenSoldItem } from "../payouts/Visibility.js"
import { type PayoutCollaboratorView, writeForPayout } from "./Collaborator.js"
import type { ProductView } from "./Product.js"

/**
 * A payout in a list. Times are Unix seconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutEntry {
  readonly id: string
  readonly currency: string
  readonly collaborator: PayoutCollaboratorView
  readonly status: PayoutStatus
  readonly to_be_paid_at: number
  readonly paid_at: number | null
}

type Hidden = "price" | "cost" | "inventory_quantity"

/**
 * The product of an order item; what its reader may not see is absent.
 *
 * @since 0.1.0
 * @category models
 */
export type SoldProductView = Omit<ProductView, Hidden> & Partial<Pick<ProductView, Hidden>>

/**
 * The order item of a payout item. Amounts are cents of the order's currency; what its reader may not
 * see is absent.
 *
 * @since 0.1.0
 * @category models
 */
export interface OrderItemView {
  readonly amount?: number
  readonly discount?: number
  readonly quantity?: number
  readonly tax_percent?: number | null
  readonly tax_name?: string | null
  readonly tax_total?: number | null
  readonly grams: number
  readonly product: SoldProductView
  readonly external_id: string
  readonly split_at: number
  readonly refunded_at: number | null
}

/**
 * One item of a payout. `amount` is cents of the payout's currency, negative for expenses.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutItemView {
  readonly amount: number
  readonly original_amount: number
  readonly original_currency: string
  readonly currency_exchange_rate: string | null
  readonly is_expenses: boolean
  /** The name of an expense or an extra income. */
  readonly expense_name: string | null
  readonly orderItem: OrderItemView | null
}

/**
 * A payout with its items and their sum, in cents.
 *
 * @since 0.1.0
 * @category models
 */
export interface PayoutView extends PayoutEntry {
  readonly total: number
  readonly items: ReadonlyArray<PayoutItemView>
}

/**
 * Writes a payout as the entry of a list: without its items and its total.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, Payout as CorePayout } from "apportion"
 * import { Payout } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const payout = CorePayout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const entry = Payout.writeEntry(payout, ada)
 * entry.status // => "active"
 * "total" in entry // => false
 * ```
 */
export const writeEntry = (
  payout: Omit<Core.Payout, "items">,
  collaborator: Collaborator,
): PayoutEntry => ({
  id: payout.id,
  currency: payout.currency,
  collaborator: writeForPayout(collaborator),
  status: payout.status,
  to_be_paid_at: payout.toBePaidAt,
  paid_at: payout.paidAt,
})

/** The fields that are there: what a reader may not see is absent, not null. */
const shown = <A extends object>(
  fields: A,
): { readonly [K in keyof A]?: NonNullable<A[K]> | Extract<A[K], null> } => {
  const copy = { ...fields }
  for (const key in fields) if (fields[key] === undefined) delete copy[key]
  return copy
}

const writeSoldProduct = (product: SeenSoldItem["product"]): SoldProductView => ({
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

const writeOrderItem = (item: SeenSoldItem): OrderItemView => ({
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

const writeItem = (item: SeenItem): PayoutItemView => ({
  amount: item.amount,
  original_amount: item.originalAmount,
  original_currency: item.originalCurrency,
  currency_exchange_rate: item.currencyExchangeRate,
  is_expenses: item.kind === "expense",
  expense_name: "name" in item ? item.name : null,
  orderItem: "orderItem" in item ? writeOrderItem(item.orderItem) : null,
})

/**
 * Writes a payout with its items and its total. A payout made with `Visibility.asSeenBy` is written
 * without what is hidden: a hidden field is absent, not null. Fails with `AmountOutOfRange` when the
 * total is no safe integer.
 *
 * @since 0.1.0
 * @category encoding
 * @example
 * ```ts
 * import { Collaborator, Payout as CorePayout } from "apportion"
 * import { Payout } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const ada = Collaborator.make({ id: "ada", currency: "USD" })
 * const empty = CorePayout.open({
 *   id: "p1",
 *   collaboratorId: "ada",
 *   currency: "USD",
 *   openedAt: 1_700_000_000,
 *   toBePaidAt: 1_702_598_400,
 * })
 * const samples = { id: "e1", amount: 1_500, name: "Samples", at: 1_700_000_000 }
 * const payout = Result.getOrThrow(CorePayout.addExpense(empty, samples))
 * const view = Result.getOrThrow(Payout.writeView(payout, ada))
 * view.total // => -1500
 * view.items[0]?.is_expenses // => true
 * ```
 */
export const writeView = (
  payout: SeenPayout,
  collaborator: Collaborator,
): Result.Result<PayoutView, Cents.AmountOutOfRange> =>
  Result.map(
    Cents.sum(
      payout.items.map((item) => item.amount),
      { what: `the total of payout ${payout.id}` },
    ),
    (total) => ({
      ...writeEntry(payout, collaborator),
      total,
      items: payout.items.map(writeItem),
    }),
  )
