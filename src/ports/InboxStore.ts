import type * as Effect from "effect/Effect"
import type { Order } from "../orders/Order.js"
import type { Product } from "../orders/Product.js"
import type { Occurrence, SoldOrder } from "./Platform.js"
import type { StorageError } from "./StorageError.js"

/**
 * Part of a delivery that could not be carried out yet. It holds no body, only what is needed to carry it out.
 *
 * @since 0.6.0
 * @category models
 */
export interface InboxEntry {
  /** What it is about, such as `shopify/refund/509`; a newer delivery about the same takes its place. */
  readonly key: string
  readonly platform: string
  readonly topic: string
  readonly deliveryId: string
  /** `waiting`: it is tried again by itself. `refused`: a person has to look at it. */
  readonly state: "waiting" | "refused"
  /** The key of the note that it waits for; `null`: none in particular. */
  readonly waitsFor: string | null
  /** Why it could not be carried out, in words. */
  readonly reason: string
  readonly occurrences: ReadonlyArray<Occurrence>
  /** Unix seconds. */
  readonly receivedAt: number
  readonly attempts: number
  /** When it is tried again, whether or not what it waits for came; in Unix seconds. */
  readonly nextAttemptAt: number
}

/**
 * A state of an order that came after a newer one was recorded.
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
 * What a product was from a time on.
 *
 * @since 0.6.0
 * @category models
 */
export interface ProductState {
  /** Unix seconds. */
  readonly updatedAt: number
  readonly products: ReadonlyArray<Product>
  /** Whether variants told the rest of themselves. */
  readonly namesVariants?: boolean | undefined
  /** Later times at which it was told to be the same, the earliest first; never when absent. */
  readonly again?: ReadonlyArray<number> | undefined
}

/**
 * What is known of an order, a product or a delivery of a platform besides what the ledger and the catalogue hold, so
 * that deliveries can come late, repeatedly and in any order.
 *
 * @since 0.6.0
 * @category models
 */
export type InboxNote = {
  /** Such as `shopify/order/450789469`. */
  readonly key: string
  /** When it was noted, in Unix seconds. */
  readonly at: number
} & (
  | { readonly kind: "delivery"; readonly topic: string }
  | {
      readonly kind: "order"
      /** Whether the first that the platform tells of it has come. */
      readonly isBegun: boolean
      /** `open`: not a sale yet. */
      readonly state: "open" | "recorded" | "cancelled" | "passed over"
      /** The newest state that was carried out, in Unix seconds; `null`: none that says so. */
      readonly updatedAt: number | null
      readonly leftOut: SoldOrder["leftOut"]
      /** The platform's status of its payment. */
      readonly status: string | null
      /** Money of its refunds that was not of any line, in the lowest unit of its currency; none when absent. */
      readonly moneyBack?: number | undefined
      /** When the platform changed it to each of the states from which its parts were recorded, in Unix seconds. */
      readonly states?: ReadonlyArray<number | null> | undefined
      /** States that came after a newer one was recorded, and that would have been parts of their own. */
      readonly late?: ReadonlyArray<LateState> | undefined
    }
  | {
      readonly kind: "product"
      /** Unix seconds. */
      readonly updatedAt: number | null
      readonly isRemoved: boolean
      /** What it was when it was removed, for orders that come later; empty while it is in the catalogue. */
      readonly products: ReadonlyArray<Product>
      /** What it was before and is now as far as rules look at it, the oldest first; none when it never changed. */
      readonly states?: ReadonlyArray<ProductState> | undefined
    }
  | {
      readonly kind: "refund"
      readonly orderId: string
      /** Whether it took anything back; it did when absent. */
      readonly counts?: boolean | undefined
      /** The platform's JSON, by which it was read. */
      readonly document?: unknown
    }
  /** The order that is known by this id too. */
  | { readonly kind: "name"; readonly orderId: string }
  /** The platform that an order was recorded from: another platform's order with the same id is another order. */
  | { readonly kind: "owner"; readonly platform: string }
  | { readonly kind: "app"; readonly uninstalledAt: number }
)

/**
 * What came from platforms and waits, and what is noted of what came, of one account.
 *
 * @since 0.6.0
 * @category stores
 */
export interface InboxStore {
  /** The notes with these keys, each once, in any order. */
  readonly notes: (
    keys: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<InboxNote>, StorageError>
  /** Stores notes; one with the key of another takes its place. */
  readonly putNotes: (notes: ReadonlyArray<InboxNote>) => Effect.Effect<void, StorageError>
  /** Removes notes of a kind that were made before a time, at most so many, and gives how many. */
  readonly forgetNotes: (options: {
    readonly kind: InboxNote["kind"]
    readonly before: number
    readonly limit: number
  }) => Effect.Effect<number, StorageError>
  /** The entry with a key; `undefined`: there is none. */
  readonly get: (key: string) => Effect.Effect<InboxEntry | undefined, StorageError>
  /** Stores an entry; one with the key of another takes its place. */
  readonly put: (entry: InboxEntry) => Effect.Effect<void, StorageError>
  /** Removes an entry, if it is there. */
  readonly remove: (key: string) => Effect.Effect<void, StorageError>
  /** The next entries by key (compared by code units): those after `after`, from the first when it is `undefined`. */
  readonly list: (options: {
    readonly after?: string | undefined
    readonly limit: number
    /** Only those that wait for this. */
    readonly waitsFor?: string | undefined
    /** Only those that are `waiting` and to be tried again at this time or before. */
    readonly dueBy?: number | undefined
  }) => Effect.Effect<ReadonlyArray<InboxEntry>, StorageError>
  /** How many entries there are. */
  readonly count: () => Effect.Effect<number, StorageError>
}
