/**
 * Where everything of every account is kept. A host supplies one, or takes the one in memory.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CollaboratorStore } from "./CollaboratorStore.js"
import type { EventStore } from "./EventStore.js"
import type { KeyStore } from "./KeyStore.js"
import type { LinkStore } from "./LinkStore.js"
import type { PaymentStore } from "./PaymentStore.js"
import type { PayoutStore } from "./PayoutStore.js"
import type { ProductGroupStore } from "./ProductGroupStore.js"
import type { ProductStore } from "./ProductStore.js"
import type { SaleStore } from "./SaleStore.js"
import type { StorageError, StorageFailure } from "./StorageError.js"

/**
 * The stores of one account within one transaction. Nothing of another account can be reached through
 * them, and they are of no use when the transaction is over.
 *
 * @since 0.2.0
 * @category models
 */
export interface Stores {
  readonly collaborators: CollaboratorStore
  readonly groups: ProductGroupStore
  readonly products: ProductStore
  readonly links: LinkStore
  readonly payouts: PayoutStore
  /**
   * @since 0.6.0
   */
  readonly payments: PaymentStore
  readonly sales: SaleStore
  readonly keys: KeyStore
  /** @since 0.6.0 */
  readonly events: EventStore
}

/**
 * What a transaction is for. A `read` writes nothing, which lets a store take an easier way.
 *
 * @since 0.2.0
 * @category models
 */
export type TransactionMode = "read" | "write"

/**
 * How a transaction is run.
 *
 * @since 0.3.0
 * @category models
 */
export interface TransactionOptions {
  /** `write` when absent. */
  readonly mode?: TransactionMode | undefined
  /** Who changes something, for the history of payouts; `"unknown"` when absent. */
  readonly actor?: string | undefined
  /**
   * Until when it may wait for others before its work begins. A storage that makes transactions wait should then
   * fail with `StorageFailure.waitedFor`; without it they wait as long as the storage lets them.
   *
   * @since 0.6.0
   */
  readonly patience?: Patience | undefined
}

/**
 * Until when is waited, and since when, in milliseconds of the computer's own clock (`Date.now`), whatever clock the
 * work goes by.
 *
 * @since 0.6.0
 * @category models
 */
export interface Patience {
  readonly since: number
  readonly until: number
}

/**
 * The storage port.
 *
 * @since 0.2.0
 * @category ports
 */
export interface StorageService {
  /**
   * Runs work on the stores of an account as one transaction: when the work succeeds, all of its writes
   * are kept; when it fails, dies or is interrupted, none is. The work sees its own writes, and of others
   * only what was kept. Transactions of one account are serializable: the outcome is as if they had run
   * one after the other; a store that lets them run side by side fails with `Conflict` where that would
   * not hold, at the latest when it commits. The storage never runs the work again by itself.
   *
   * An account that was never written to is empty; it need not be made.
   */
  readonly transaction: <A, E, R>(
    accountId: string,
    work: (stores: Stores) => Effect.Effect<A, E, R>,
    options?: TransactionOptions,
  ) => Effect.Effect<A, E | StorageError, R>
  /**
   * Does something once what the transaction under way did is kept, and never when it is not. For storages whose
   * transactions can be part of a larger one, which ends later than they do. It is called within the work of a
   * transaction. Without it, what a transaction did is kept as soon as `transaction` succeeds.
   *
   * @since 0.6.0
   */
  readonly afterwards?: ((action: Effect.Effect<void>) => Effect.Effect<void>) | undefined
  /** The ids of all accounts that have anything stored, by id (compared by code units). */
  readonly accounts: Effect.Effect<ReadonlyArray<string>, StorageFailure>
  /**
   * The ids of the accounts in which link jobs run, by id. For storages that several processes share: it is
   * asked again and again, so that linking which one process leaves behind is taken up by another, and should
   * be answered without looking into every account. Without it every account is looked into, once, when the
   * services begin.
   */
  readonly accountsLinking?: Effect.Effect<ReadonlyArray<string>, StorageFailure> | undefined
  /**
   * Gives numbers to events of an account that were kept and have none yet, at most so many, the earliest first; gives
   * how many. For storages whose transactions run side by side, where a number that is given when an event is added
   * would make each wait for the others. Without it events have their numbers when they are kept.
   *
   * @since 0.6.0
   */
  readonly numberEvents?:
    | ((accountId: string, limit: number) => Effect.Effect<number, StorageError>)
    | undefined
}

/**
 * The storage port, as a service of Effect.
 *
 * @since 0.2.0
 * @category ports
 */
export class Storage extends Context.Service<Storage, StorageService>()(
  "apportion/ports/Storage",
) {}
