import type * as Effect from "effect/Effect"
import type { PayoutItem } from "../payouts/PayoutItem.js"
import type { PayoutStatus, Standing } from "../payouts/PayoutStatus.js"
import type { Slice, Sliced } from "./Slice.js"
import type { StorageError } from "./StorageError.js"

/**
 * A stored payout, without its items.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoredPayout extends Standing {
  readonly collaboratorId: string
  /** The sum of the items' amounts, in cents of the payout's currency. */
  readonly total: number
  readonly itemsCount: number
  /**
   * The open attempt to pay it, which freezes its items; `null`: none.
   *
   * @since 0.6.0
   */
  readonly paymentId: string | null
  /** 1 when inserted, one more with each change. */
  readonly version: number
}

/**
 * A range of Unix seconds, including both ends; an absent end is open.
 *
 * @since 0.2.0
 * @category models
 */
export interface TimeRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Which payouts to list: those that match all given fields.
 *
 * @since 0.2.0
 * @category models
 */
export interface PayoutFilter {
  readonly collaboratorId?: string | undefined
  readonly status?: PayoutStatus | undefined
  /** By `paidAt`; a payout that was never paid is in no range. */
  readonly paid?: TimeRange | undefined
  /** By `toBePaidAt`. */
  readonly expected?: TimeRange | undefined
}

/**
 * One change of a payout and its items.
 *
 * @since 0.2.0
 * @category models
 */
export interface PayoutChange {
  /** The new payout, including its total and count of items; `version` is the one that was read. */
  readonly payout: StoredPayout
  /** Items to append, or to replace those with the same ids. */
  readonly put?: ReadonlyArray<PayoutItem> | undefined
  /** Ids of items to remove. */
  readonly remove?: ReadonlyArray<string> | undefined
}

/**
 * One change of a payout. Entries are only ever added, one for each version of a payout; its items, its total and its
 * status can be recomputed from them.
 *
 * @since 0.3.0
 * @category models
 */
export interface PayoutHistoryEntry {
  readonly payoutId: string
  /** The payout's version after the change. */
  readonly version: number
  /** When it was written, in Unix seconds. */
  readonly at: number
  /** Who made the change: the transaction's actor, or `"unknown"` without one. */
  readonly actor: string
  /** The payout before the change; `null` when it was inserted. */
  readonly before: StoredPayout | null
  readonly after: StoredPayout
  /** Items that were added, or replaced those with the same ids. */
  readonly put: ReadonlyArray<PayoutItem>
  /** Ids of items that were removed. */
  readonly removed: ReadonlyArray<string>
  /**
   * The hash of the entry and of the one before it, as `historyHash` makes it; `null`: it was written before
   * entries had hashes.
   *
   * @since 0.6.0
   */
  readonly hash: string | null
}

/**
 * An item by its id, and the payout that it is in.
 *
 * @since 0.6.0
 * @category models
 */
export interface ItemPlace {
  readonly payoutId: string
  readonly itemId: string
}

/**
 * An item, and the payout that it is in.
 *
 * @since 0.6.0
 * @category models
 */
export interface PlacedItem {
  readonly payoutId: string
  readonly item: PayoutItem
}

/**
 * A collaborator and a currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutOwner {
  readonly collaboratorId: string
  readonly currency: string
}

/**
 * The payouts of an owner.
 *
 * @since 0.6.0
 * @category models
 */
export interface OwnedPayouts {
  /** `undefined`: none is active. */
  readonly active: StoredPayout | undefined
  /** When the first payout was opened; `undefined` without payouts. */
  readonly firstOpenedAt: number | undefined
}

/**
 * A copy of an item's data, such as a column of an index, that differs from the item.
 *
 * @since 0.6.0
 * @category models
 */
export interface WrongCopy {
  /** The id in the item itself. */
  readonly itemId: string
  /** Where the storage keeps it, as `column amount`. */
  readonly place: string
  readonly copy: unknown
  readonly original: unknown
}

/**
 * The items of a payout, compared with the copies of their data in the storage.
 *
 * @since 0.6.0
 * @category models
 */
export interface ComparedItems {
  /** In the order in which they were added, as `items` returns them. */
  readonly items: ReadonlyArray<PayoutItem>
  /** Empty if all copies are right, and for storages without copies. */
  readonly wrongCopies: ReadonlyArray<WrongCopy>
}

/**
 * The payouts of one account, with their items.
 *
 * @since 0.2.0
 * @category stores
 */
export interface PayoutStore {
  /** The payout with an id; `undefined` if it does not exist. */
  readonly get: (payoutId: string) => Effect.Effect<StoredPayout | undefined, StorageError>
  /** The active payout of a collaborator in a currency; `undefined`: none is active. */
  readonly active: (owner: PayoutOwner) => Effect.Effect<StoredPayout | undefined, StorageError>
  /** When the first payout of a collaborator in a currency was opened; `undefined` without payouts. */
  readonly firstOpenedAt: (owner: PayoutOwner) => Effect.Effect<number | undefined, StorageError>
  /**
   * The payouts of each of many owners, in their order.
   *
   * @since 0.6.0
   */
  readonly ofOwners: (
    owners: ReadonlyArray<PayoutOwner>,
  ) => Effect.Effect<ReadonlyArray<OwnedPayouts>, StorageError>
  /**
   * Stores a new payout as version 1, with its items. `Conflict`: its id exists, or it is active and its collaborator
   * already has an active payout in that currency.
   */
  readonly insert: (change: {
    readonly payout: Omit<StoredPayout, "version">
    readonly put?: ReadonlyArray<PayoutItem> | undefined
  }) => Effect.Effect<StoredPayout, StorageError>
  /**
   * Changes a payout and its items, as the next version. `Conflict`: none has that id and version, or it becomes active
   * while another one is.
   */
  readonly update: (change: PayoutChange) => Effect.Effect<StoredPayout, StorageError>
  /**
   * Stores many changes, as {@link insert} and {@link update} in sequence, each with its entry in the history; returns
   * the stored payouts. A payout whose version is 0 is new. A payout may be changed several times, with consecutive
   * versions.
   *
   * @since 0.6.0
   */
  readonly storeAll: (
    changes: ReadonlyArray<PayoutChange>,
  ) => Effect.Effect<ReadonlyArray<StoredPayout>, StorageError>
  /** One item of a payout; `undefined`: it has none with that id. */
  readonly item: (
    payoutId: string,
    itemId: string,
  ) => Effect.Effect<PayoutItem | undefined, StorageError>
  /**
   * The existing ones of many items, each once, in any order.
   *
   * @since 0.6.0
   */
  readonly itemsAt: (
    places: ReadonlyArray<ItemPlace>,
  ) => Effect.Effect<ReadonlyArray<PlacedItem>, StorageError>
  /** The items of a payout, in the order in which they were added. */
  readonly items: (payoutId: string) => Effect.Effect<ReadonlyArray<PayoutItem>, StorageError>
  /**
   * A slice of the items of a payout, in the order in which they were added. The payout's `itemsCount` is their total
   * number.
   *
   * @since 0.6.0
   */
  readonly someItems: (
    payoutId: string,
    slice: Slice,
  ) => Effect.Effect<ReadonlyArray<PayoutItem>, StorageError>
  /**
   * The expenses and incomes with an id in all payouts of a collaborator, whatever their status and currency, by the
   * payouts' ids; shares of sales and refunds are not entries. An id is unique within a payout only, so several entries
   * can have it.
   *
   * @since 0.6.0
   */
  readonly entries: (options: {
    readonly collaboratorId: string
    readonly itemId: string
  }) => Effect.Effect<ReadonlyArray<PlacedItem>, StorageError>
  /**
   * A slice of the list of payouts: by `toBePaidAt`, the latest first, then by id, smaller first (`ListOrder.payouts`).
   */
  readonly list: (
    filter: PayoutFilter,
    slice: Slice,
  ) => Effect.Effect<Sliced<StoredPayout>, StorageError>
  /** The first active payouts with `toBePaidAt` at or before a time: by `toBePaidAt`, then by id. */
  readonly due: (options: {
    readonly at: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<StoredPayout>, StorageError>
  /** The first pending payouts with `payableAt` at or before a time: by `payableAt`, then by id. */
  readonly payable: (options: {
    readonly at: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<StoredPayout>, StorageError>
  /**
   * The next payouts by id (compared by code units): those after `after`, from the first when it is
   * `undefined`. Fewer than `limit`: there are no more.
   */
  readonly batch: (options: {
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<StoredPayout>, StorageError>
  /**
   * The next payouts that are not settled and have a total below 0, by id (compared by code units): those after
   * `after`, from the first when it is `undefined`. Fewer than `limit`: there are no more.
   *
   * @since 0.6.0
   */
  readonly belowZero: (options: {
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<StoredPayout>, StorageError>
  /**
   * The next entries of a payout's history: those of versions above `after`, the earliest first. Empty for an unknown
   * payout.
   */
  readonly history: (options: {
    readonly payoutId: string
    /** 0: from the beginning. */
    readonly after: number
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<PayoutHistoryEntry>, StorageError>
  /**
   * The items of a payout and the wrong copies of their data, read together.
   *
   * @since 0.6.0
   */
  readonly comparedItems: (payoutId: string) => Effect.Effect<ComparedItems, StorageError>
  /**
   * The next ids with a history (compared by code units), even if the payout does not exist: those after `after`, from
   * the first when it is `undefined`. Fewer than `limit`: there are no more.
   *
   * @since 0.6.0
   */
  readonly historyIds: (options: {
    readonly after: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<string>, StorageError>
  /**
   * The hash of the last entry of a payout's history, as stored with the payout and not with the entry; `null` if it
   * has none or the payout does not exist.
   *
   * @since 0.6.0
   */
  readonly lastHash: (payoutId: string) => Effect.Effect<string | null, StorageError>
}
