/** What a book keeps: persistent maps, so that recording a fact costs what the fact changes. */
import type { Collaborator } from "../Collaborator.js"
import type * as Lifecycle from "../Lifecycle.js"
import type { BookItems } from "./bookItems.js"
import * as PersistentMap from "./PersistentMap.js"

/** A payout of a book. */
export interface BookedPayout {
  readonly head: Lifecycle.PayoutHead
  readonly items: BookItems
}

/** Where an item is, and for a sale what was taken back of it in other payouts. */
export interface RecordedItem extends Omit<Lifecycle.PostedSale, "sale"> {
  readonly payoutId: string
}

/** The contents of a book. */
export interface BookContents {
  readonly collaborators: PersistentMap.PersistentMap<Collaborator>
  /** By collaborator and currency. No one depends on another, so each advances only when something happens to it. */
  readonly heads: PersistentMap.PersistentMap<Lifecycle.Head>
  readonly payouts: PersistentMap.PersistentMap<BookedPayout>
  /** By the ids of items. */
  readonly recorded: PersistentMap.PersistentMap<RecordedItem>
  readonly refundIds: PersistentMap.PersistentMap<true>
}

/** The contents of a book in which nothing happened. */
export const nothing: BookContents = {
  collaborators: PersistentMap.empty,
  heads: PersistentMap.empty,
  payouts: PersistentMap.empty,
  recorded: PersistentMap.empty,
  refundIds: PersistentMap.empty,
}
