import type * as Effect from "effect/Effect"
import type { Order } from "../orders/Order.js"
import type { Adjustment, AdjustmentReversal } from "../shares/Adjustment.js"
import type { Refund, Reversal } from "../shares/Refund.js"
import type { Split } from "../shares/Split.js"
import type { SplitPolicy } from "../shares/SplitPolicy.js"
import type { TimeRange } from "./PayoutStore.js"
import type { AccountGroup } from "./ProductGroupStore.js"
import type { Slice, Sliced } from "./Slice.js"
import type { SoldSums } from "./SoldSums.js"
import type { StorageError } from "./StorageError.js"

/**
 * Where a recorded share was booked, and what refunds reversed of it since its payout was settled.
 *
 * @since 0.2.0
 * @category models
 */
export interface Posting {
  readonly itemId: string
  readonly groupId: string
  readonly collaboratorId: string
  readonly payoutId: string
  /** The share's item in that payout. */
  readonly payoutItemId: string
  /** The payout's currency. */
  readonly currency: string
  /** The rate at which it was converted; `null`: the order is in the payout's currency. */
  readonly rate: string | null
  /** What was reversed since the payout was settled, in cents of the order's currency. */
  readonly reversed: number
  /** How many payout items have reversed part of it since then. */
  readonly refunds: number
  /**
   * The run of the adjustment that it is of; absent: it is of the share as it was recorded.
   *
   * @since 0.6.0
   */
  readonly runId?: string | undefined
}

/**
 * A refund that was recorded.
 *
 * @since 0.2.0
 * @category models
 */
export interface RecordedRefund {
  /** The host's own id of the refund. */
  readonly id: string
  readonly refund: Refund
  readonly reversal: Reversal
  /**
   * What was reversed of adjustments of the item; absent: it had none.
   *
   * @since 0.6.0
   */
  readonly adjusted?: ReadonlyArray<ReversedAdjustment> | undefined
  /** Unix seconds. */
  readonly recordedAt: number
}

/**
 * What a refund reversed of an adjustment.
 *
 * @since 0.6.0
 * @category models
 */
export interface ReversedAdjustment extends AdjustmentReversal {
  readonly runId: string
}

/**
 * What a re-split changed of a part of an order, with everything the new split was computed from.
 *
 * @since 0.6.0
 * @category models
 */
export interface RecordedAdjustment {
  /** The run of the re-split; a part has one adjustment of a run at most. */
  readonly runId: string
  readonly adjustment: Adjustment
  /** The part's order as it was split again. */
  readonly order: Order
  /** The groups that counted or were outranked then. */
  readonly groups: ReadonlyArray<AccountGroup>
  /** Unix seconds. */
  readonly recordedAt: number
}

/**
 * Shares that move from one payout into another.
 *
 * @since 0.6.0
 * @category models
 */
export interface PostingMove {
  readonly fromPayoutId: string
  readonly toPayoutId: string
  /** The shares' items in the payout, and whose order each is. */
  readonly items: ReadonlyArray<{ readonly orderId: string; readonly payoutItemId: string }>
}

/**
 * A recorded split, with everything it was computed from: the same order, groups and policy give the same cents.
 *
 * An order is recorded in one part; items added to it later form another part, which gets what the earlier parts left
 * of the order-level amounts.
 *
 * @since 0.2.0
 * @category models
 */
export interface RecordedSale {
  readonly orderId: string
  /** 1 for the first part of an order, 2 for the next. */
  readonly part: number
  /** The order as it was split: the items of this part, completed from the catalogue. */
  readonly order: Order
  /** The groups that counted or were outranked. */
  readonly groups: ReadonlyArray<AccountGroup>
  readonly policy: SplitPolicy
  readonly split: Split
  readonly postings: ReadonlyArray<Posting>
  readonly refunds: ReadonlyArray<RecordedRefund>
  /**
   * What re-splits changed of it, in their order; absent: there was none.
   *
   * @since 0.6.0
   */
  readonly adjustments?: ReadonlyArray<RecordedAdjustment> | undefined
  /** Unix seconds. */
  readonly recordedAt: number
  /** 1 on insert, one more with each refund, each adjustment and each move of its postings. */
  readonly version: number
}

/**
 * A part of an order that is to be stored.
 *
 * @since 0.6.0
 * @category models
 */
export type NewSale = Omit<RecordedSale, "version" | "adjustments">

/**
 * Which recorded sales are asked for: those to which all that is given applies.
 *
 * @since 0.6.0
 * @category models
 */
export interface SaleFilter {
  /**
   * Those in which the collaborator has a share, of nothing too, as they were recorded or split again since; with a
   * product, a share of it.
   */
  readonly collaboratorId?: string | undefined
  /** Those of a product with this `id` or `externalId`. */
  readonly productId?: string | undefined
  /** By `recordedAt`. */
  readonly recorded?: TimeRange | undefined
}

/**
 * Where a list of recorded sales begins.
 *
 * @since 0.6.0
 * @category models
 */
export type LedgerOrder = "earliest first" | "latest first"

const isWithin = ({ from = -Infinity, to = Infinity }: TimeRange, at: number): boolean =>
  at >= from && at <= to

/**
 * Whether a filter lets a recorded sale through. It looks at nothing that refunds change.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { RuleSet, Split, SplitPolicy } from "apportion"
 * import { isSaleOf } from "apportion/ports"
 *
 * const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }]
 * const order = { id: "1001", currency: "USD", items }
 * const link = { type: "products.all" } as const
 * const rules = RuleSet.make([{ id: "g1", collaboratorId: "ada", link, percent: 10 }])
 * const sale = { order, split: Split.order(rules, order), recordedAt: 1_700_000_000 }
 * isSaleOf({ collaboratorId: "ada", productId: "p1" }, sale) // => true
 * isSaleOf({ recorded: { from: 1_700_000_001 } }, sale) // => false
 * ```
 */
export const isSaleOf = (
  { collaboratorId, productId, recorded = {} }: SaleFilter,
  {
    order: recordedOrder,
    split: recordedSplit,
    adjustments = [],
    recordedAt,
  }: Pick<RecordedSale, "order" | "split" | "adjustments" | "recordedAt">,
): boolean => {
  if (!isWithin(recorded, recordedAt)) return false
  if (collaboratorId === undefined && productId === undefined) return true
  const isOf = ({ product }: Order["items"][number]) =>
    productId === undefined || product.id === productId || product.externalId === productId
  const isFoundBy = (order: Order, { shares }: Split) => {
    const itemIds = new Set(order.items.filter(isOf).map(({ id }) => id))
    if (collaboratorId === undefined) return itemIds.size > 0
    return shares.some(
      (share) => share.collaboratorId === collaboratorId && itemIds.has(share.itemId),
    )
  }
  return (
    isFoundBy(recordedOrder, recordedSplit) ||
    adjustments.some(({ order, adjustment }) => isFoundBy(order, adjustment.split))
  )
}

/**
 * The ledger of recorded splits of one account. Recorded splits never change; only refunds and adjustments are added, and
 * postings follow the items that they are about.
 *
 * @since 0.2.0
 * @category stores
 */
export interface SaleStore {
  /** The parts of an order, in order; empty: the order was never recorded. */
  readonly ofOrder: (orderId: string) => Effect.Effect<ReadonlyArray<RecordedSale>, StorageError>
  /**
   * The parts of many orders, those of one in order, and the orders in any.
   *
   * @since 0.6.0
   */
  readonly ofOrders: (
    orderIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<RecordedSale>, StorageError>
  /**
   * Stores a part of an order as version 1. `Conflict`: the order already has that part, or one of the items in another
   * part.
   */
  readonly insert: (sale: NewSale) => Effect.Effect<RecordedSale, StorageError>
  /**
   * Stores many, as {@link insert} would one after the other, and gives them in their order.
   *
   * @since 0.6.0
   */
  readonly insertAll: (
    sales: ReadonlyArray<NewSale>,
  ) => Effect.Effect<ReadonlyArray<RecordedSale>, StorageError>
  /**
   * Adds a refund to a part and replaces its postings, as the next version. `Conflict`: no part has that version, or
   * the account already has a refund with that id.
   */
  readonly addRefund: (options: {
    readonly orderId: string
    readonly part: number
    readonly version: number
    readonly refund: RecordedRefund
    readonly postings: ReadonlyArray<Posting>
  }) => Effect.Effect<RecordedSale, StorageError>
  /**
   * Adds an adjustment to a part and replaces its postings, as the next version. `Conflict`: no part has that version, or
   * it already has an adjustment of that run.
   *
   * @since 0.6.0
   */
  readonly addAdjustment: (options: {
    readonly orderId: string
    readonly part: number
    readonly version: number
    readonly adjustment: RecordedAdjustment
    readonly postings: ReadonlyArray<Posting>
  }) => Effect.Effect<RecordedSale, StorageError>
  /**
   * Lets the postings of items name the payout in which these are now. Each part that has such a posting becomes its
   * next version, and keeps all else. An item without a posting in that payout is passed over.
   *
   * @since 0.6.0
   */
  readonly move: (moved: PostingMove) => Effect.Effect<void, StorageError>
  /** The refund with an id, of any order; `undefined`: there is none. */
  readonly refund: (refundId: string) => Effect.Effect<RecordedRefund | undefined, StorageError>
  /**
   * Those of the refunds that there are, each once, in any order.
   *
   * @since 0.6.0
   */
  readonly refunds: (
    refundIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<RecordedRefund>, StorageError>
  /**
   * A part of the ledger, of those parts of orders that {@link isSaleOf} a filter: by `recordedAt`, the earliest first,
   * then by order id, then by part. With `"latest first"` (since 0.6.0) it is the same list read from its end.
   */
  readonly list: (
    filter: SaleFilter,
    slice: Slice,
    order?: LedgerOrder,
  ) => Effect.Effect<Sliced<RecordedSale>, StorageError>
  /**
   * What was sold in each period between two of the times, which are given in their order: from one on, and before the
   * next one; by `recordedAt`. `soldOneByOne` says what it is.
   *
   * @since 0.6.0
   */
  readonly sold: (times: ReadonlyArray<number>) => Effect.Effect<SoldSums, StorageError>
}
