import type * as Effect from "effect/Effect"
import type { Order } from "../orders/Order.js"
import type { Product } from "../orders/Product.js"
import type { Occurrence, SoldOrder } from "./Platform.js"
import type { StorageError } from "./StorageError.js"

/**
 * Part of a delivery that could not be carried out yet. It contains only the data that carrying it out needs, not the
 * body.
 *
 * @since 0.6.0
 * @category models
 */
export interface InboxEntry {
  /** Its subject, such as `shopify/refund/509`; a newer delivery about the same subject replaces it. */
  readonly key: string
  readonly platform: string
  readonly topic: string
  readonly deliveryId: string
  /** `waiting`: it is retried automatically. `refused`: a person has to check it. */
  readonly state: "waiting" | "refused"
  /** The key of the note that it waits for; `null`: no particular one. */
  readonly waitsFor: string | null
  /** Why it could not be carried out, in words. */
  readonly reason: string
  readonly occurrences: ReadonlyArray<Occurrence>
  /** Unix seconds. */
  readonly receivedAt: number
  readonly attempts: number
  /** When it is retried in any case, in Unix seconds. */
  readonly nextAttemptAt: number
}

/**
 * A state of an order that arrived after a newer state was recorded.
 *
 * @since 0.6.0
 * @category models
 */
export interface LateState {
  /** When the platform changed the order to it, in Unix seconds. */
  readonly updatedAt: number
  readonly order: Order
}

/**
 * The attributes of a product from a time on.
 *
 * @since 0.6.0
 * @category models
 */
export interface ProductState {
  /** Unix seconds. */
  readonly updatedAt: number
  readonly products: ReadonlyArray<Product>
  /** Whether the variants had data of their own. */
  readonly namesVariants?: boolean | undefined
  /** Later times at which the platform reported the same state, the earliest first; none when absent. */
  readonly again?: ReadonlyArray<number> | undefined
}

/**
 * Data about an order, a product or a delivery of a platform that is not in the ledger or the catalogue. With it,
 * deliveries can arrive late, repeatedly and in any order.
 *
 * @since 0.6.0
 * @category models
 */
export type InboxNote = {
  /** The subject, such as `shopify/order/450789469`. */
  readonly key: string
  /** When the note was stored, in Unix seconds. */
  readonly at: number
} & (
  | { readonly kind: "delivery"; readonly topic: string }
  | {
      readonly kind: "order"
      /** Whether the platform's first delivery about the order has arrived. */
      readonly isBegun: boolean
      /** `open`: not a sale yet. */
      readonly state: "open" | "recorded" | "cancelled" | "passed over"
      /** The time of the newest state that was carried out, in Unix seconds; `null`: none with a time. */
      readonly updatedAt: number | null
      readonly leftOut: SoldOrder["leftOut"]
      /** The payment status on the platform. */
      readonly status: string | null
      /** The amount of its refunds that belongs to no line, in the lowest unit of its currency; 0 when absent. */
      readonly moneyBack?: number | undefined
      /** When the platform changed it to each of the states from which its parts were recorded, in Unix seconds. */
      readonly states?: ReadonlyArray<number | null> | undefined
      /** States that arrived after a newer one was recorded, and that would have been separate parts. */
      readonly late?: ReadonlyArray<LateState> | undefined
    }
  | {
      readonly kind: "product"
      /** Unix seconds. */
      readonly updatedAt: number | null
      readonly isRemoved: boolean
      /** The removed product, for later orders; empty while it is in the catalogue. */
      readonly products: ReadonlyArray<Product>
      /**
       * Its past and present states with the attributes that rules match, the oldest first; empty if it never changed.
       */
      readonly states?: ReadonlyArray<ProductState> | undefined
    }
  | {
      readonly kind: "refund"
      readonly orderId: string
      /** Whether it reversed anything; `true` when absent. */
      readonly counts?: boolean | undefined
      /** The platform's JSON. */
      readonly document?: unknown
    }
  /** The order of which this id is another name. */
  | { readonly kind: "name"; readonly orderId: string }
  /** The platform that an order was recorded from: another platform's order with the same id is another order. */
  | { readonly kind: "owner"; readonly platform: string }
  | { readonly kind: "app"; readonly uninstalledAt: number }
)

/**
 * The waiting deliveries of platforms, and the notes on earlier deliveries, of one account.
 *
 * @since 0.6.0
 * @category stores
 */
export interface InboxStore {
  /** The notes with these keys, each once, in any order. */
  readonly notes: (
    keys: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<InboxNote>, StorageError>
  /** Stores notes; a note replaces an earlier one with the same key. */
  readonly putNotes: (notes: ReadonlyArray<InboxNote>) => Effect.Effect<void, StorageError>
  /** Removes notes of a kind that were stored before a time, at most `limit`; returns how many. */
  readonly forgetNotes: (options: {
    readonly kind: InboxNote["kind"]
    readonly before: number
    readonly limit: number
  }) => Effect.Effect<number, StorageError>
  /** The entry with a key; `undefined` if it does not exist. */
  readonly get: (key: string) => Effect.Effect<InboxEntry | undefined, StorageError>
  /** Stores an entry; it replaces an earlier one with the same key. */
  readonly put: (entry: InboxEntry) => Effect.Effect<void, StorageError>
  /** Removes an entry, if it exists. */
  readonly remove: (key: string) => Effect.Effect<void, StorageError>
  /** The next entries by key (compared by code units): those after `after`, from the first when it is `undefined`. */
  readonly list: (options: {
    readonly after?: string | undefined
    readonly limit: number
    /** Only entries that wait for this key. */
    readonly waitsFor?: string | undefined
    /** Only `waiting` entries with `nextAttemptAt` at or before this time. */
    readonly dueBy?: number | undefined
  }) => Effect.Effect<ReadonlyArray<InboxEntry>, StorageError>
  /** The number of entries. */
  readonly count: () => Effect.Effect<number, StorageError>
}
