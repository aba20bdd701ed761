/**
 * What a collaborator reads of their own payouts, as JSON: what they may not see is absent.
 *
 * @since 0.6.0
 */
import type * as Schema from "effect/Schema"
import type { Payout } from "../payouts/Payout.js"
import type { Line } from "../payouts/Statement.js"
import type { SeenEntry, SeenItem, SeenSoldItem } from "../payouts/Visibility.js"
import { shown, writeOrderItem } from "./internal/soldItems.js"
import type * as Schemas from "./PassSchemas.js"

/**
 * An item of a payout as its collaborator sees it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenItemView extends Schema.Schema.Type<typeof Schemas.SeenItemView> {}

/**
 * A line of a statement as its collaborator sees it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenLineView extends Schema.Schema.Type<typeof Schemas.SeenLineView> {}

/**
 * A payout in a list, as its collaborator sees it.
 *
 * @since 0.6.0
 * @category models
 */
export interface SeenPayoutEntry extends Schema.Schema.Type<typeof Schemas.SeenPayoutEntry> {}

const writeAgreement = ({
  kind,
  event,
  agreementId,
  orderId,
}: NonNullable<SeenEntry["agreement"]>): NonNullable<SeenItemView["agreement"]> => ({
  ...{ kind, event, agreement_id: agreementId, order_id: orderId },
})

const writeSold = (item: SeenSoldItem): NonNullable<SeenItemView["order_item"]> => {
  const { orderId, itemId, groupId, details = {} } = item
  return {
    ...{ order_id: orderId, item_id: itemId, group_id: groupId },
    ...writeOrderItem(item),
    ...shown({
      order_name: details.orderName,
      order_status: details.status,
      payment_gateway: details.paymentGateway,
      customer_name: details.customerName,
      customer_email: details.customerEmail,
      shipping_address: details.shippingAddress,
      billing_address: details.billingAddress,
    }),
  }
}

/**
 * Writes an item of a payout as its collaborator sees it.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { PayoutItem, Permissions, Visibility } from "apportion"
 * import { Seen } from "apportion/wire"
 * import { Result } from "effect"
 *
 * const order = {
 *   id: "1001",
 *   currency: "USD",
 *   items: [{ id: "1", product: { id: "p1" }, quantity: 3, amount: 10_000 }],
 * }
 * const share = { itemId: "1", groupId: "g1", amount: 1_000 }
 * const sale = PayoutItem.fromShare(share, { order, currency: "USD", at: 1_700_000_000 })
 * const seen = Visibility.itemAsSeenBy(Result.getOrThrow(sale), Permissions.none)
 * const view = Seen.writeItem(seen)
 * view.amount // => 1000
 * view.order_item !== null && "quantity" in view.order_item // => false
 * ```
 */
export const writeItem = (item: SeenItem): SeenItemView => ({
  id: item.id,
  kind: item.kind,
  created_at: item.createdAt,
  amount: item.amount,
  original_amount: item.originalAmount,
  original_currency: item.originalCurrency,
  currency_exchange_rate: item.currencyExchangeRate,
  name: "name" in item ? item.name : null,
  agreement: "agreement" in item && item.agreement ? writeAgreement(item.agreement) : null,
  asked: "asked" in item ? (item.asked ?? null) : null,
  is_adjustment: "adjustment" in item && item.adjustment !== undefined,
  order_item: "orderItem" in item ? writeSold(item.orderItem) : null,
})

/**
 * Writes a line of a statement, with its item as its collaborator sees it.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Seen } from "apportion/wire"
 *
 * const paid = { payoutId: "p1", currency: "EUR", at: 1_700_000_000, kind: "payment", amount: -500 } as const
 * Seen.writeLine({ ...paid, item: undefined }).item // => null
 * ```
 */
export const writeLine = (
  line: Omit<Line, "item"> & {
    readonly payoutId: string
    readonly currency: string
    readonly item: SeenItem | undefined
  },
): SeenLineView => ({
  payout_id: line.payoutId,
  ...{ currency: line.currency, at: line.at, kind: line.kind, amount: line.amount },
  item: line.item === undefined ? null : writeItem(line.item),
})

/**
 * Writes a payout for a list, as its collaborator sees it: without why a payment failed.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { Payout } from "apportion"
 * import { Seen } from "apportion/wire"
 *
 * const times = { openedAt: 1_700_000_000, toBePaidAt: 1_702_598_400 }
 * const payout = Payout.open({ id: "p1", collaboratorId: "ada", currency: "USD", ...times })
 * Seen.writePayout(payout, { total: 500, itemsCount: 2 }).total // => 500
 * ```
 */
export const writePayout = (
  payout: Pick<Payout, "id" | "currency" | "status" | "openedAt" | "toBePaidAt" | "paidAt">,
  { total, itemsCount }: { readonly total: number; readonly itemsCount: number },
): SeenPayoutEntry => ({
  ...{ id: payout.id, currency: payout.currency, status: payout.status },
  ...{ opened_at: payout.openedAt, to_be_paid_at: payout.toBePaidAt, paid_at: payout.paidAt },
  ...{ total, items_count: itemsCount },
})
