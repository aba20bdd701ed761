/**
 * The storage of all accounts. A host supplies one, or uses the one in memory.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AgreementStore } from "./AgreementStore.js"
import type { CollaboratorStore } from "./CollaboratorStore.js"
import type { CounterStore } from "./CounterStore.js"
import type { EndpointStore } from "./EndpointStore.js"
import type { EventStore } from "./EventStore.js"
import type { InboxStore } from "./InboxStore.js"
import type { KeyStore } from "./KeyStore.js"
import type { LinkStore } from "./LinkStore.js"
import type { PassStore } from "./PassStore.js"
import type { PaymentStore } from "./PaymentStore.js"
import type { PayoutStore } from "./PayoutStore.js"
import type { ProductGroupStore } from "./ProductGroupStore.js"
import type { ProductStore } from "./ProductStore.js"
import type { ResplitStore } from "./ResplitStore.js"
import type { RetentionStore } from "./RetentionStore.js"
import type { SaleStore } from "./SaleStore.js"
import type { SettingsStore } from "./SettingsStore.js"
import type { StorageError, StorageFailure } from "./StorageError.js"

/**
 * The stores of one account within one transaction. They can't reach other accounts, and can't be used after the
 * transaction has ended.
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
  /** @since 0.6.0 */
  readonly endpoints: EndpointStore
  /** @since 0.6.0 */
  readonly inbox: InboxStore
  /** @since 0.6.0 */
  readonly resplits: ResplitStore
  /** @since 0.6.0 */
  readonly settings: SettingsStore
  /** @since 0.6.0 */
  readonly retention: RetentionStore
  /** @since 0.6.0 */
  readonly passes: PassStore
  /** @since 0.6.0 */
  readonly counters: CounterStore
  /** @since 0.6.0 */
  readonly agreements: AgreementStore
}

/**
 * The mode of a transaction. A `read` writes nothing, which lets a store do less.
 *
 * @since 0.2.0
 * @category models
 */
export type TransactionMode = "read" | "write"

/**
 * Options of a transaction.
 *
 * @since 0.3.0
 * @category models
 */
export interface TransactionOptions {
  /** `write` when absent. */
  readonly mode?: TransactionMode | undefined
  /** Who makes the changes, for the history of payouts; `"unknown"` when absent. */
  readonly actor?: string | undefined
  /**
   * How long it may wait for other transactions before its work begins. A storage that makes transactions wait should
   * fail with `StorageFailure.waitedFor` after that; without it they wait as long as the storage allows.
   *
   * @since 0.6.0
   */
  readonly patience?: Patience | undefined
}

/**
 * The start and the end of a wait, in milliseconds of the computer's own clock (`Date.now`), whatever clock the work
 * uses.
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
   * Runs work on the stores of an account as one transaction: when the work succeeds, all of its writes are committed;
   * when it fails, dies or is interrupted, none is. The work sees its own writes, and of others only committed ones.
   * Transactions of one account are serializable: the outcome is as if they had run one after the other; a store that
   * runs them concurrently fails with `Conflict` where that would not hold, at the latest on commit. The storage never
   * runs the work again by itself.
   *
   * An account that was never written to is empty; it need not be created.
   */
  readonly transaction: <A, E, R>(
    accountId: string,
    work: (stores: Stores) => Effect.Effect<A, E, R>,
    options?: TransactionOptions,
  ) => Effect.Effect<A, E | StorageError, R>
  /**
   * Runs an effect once the current transaction is committed, and never if it is not. For storages whose transactions
   * can be part of a larger one, which ends later. It is called within the work of a transaction. Without it, a
   * transaction is committed as soon as `transaction` succeeds.
   *
   * @since 0.6.0
   */
  readonly afterwards?: ((action: Effect.Effect<void>) => Effect.Effect<void>) | undefined
  /**
   * Whether the caller runs inside a transaction that was begun outside of this storage, and could be rolled back with
   * it. For storages whose transactions can be part of a larger one; absent means that it never does.
   *
   * @since 0.6.0
   */
  readonly isWithin?: Effect.Effect<boolean> | undefined
  /** The ids of all accounts that have anything stored, by id (compared by code units). */
  readonly accounts: Effect.Effect<ReadonlyArray<string>, StorageFailure>
  /**
   * The ids of the accounts with running link jobs, by id. For storages that several processes share: it is called
   * regularly, so that another process takes over linking that one leaves unfinished, and should not read every
   * account. Without it the services check every account once, when they start.
   */
  readonly accountsLinking?: Effect.Effect<ReadonlyArray<string>, StorageFailure> | undefined
  /**
   * The ids of the accounts that have active webhook endpoints, by id. It is called repeatedly, so it should be
   * answered without looking into every account. Without it every account is checked.
   *
   * @since 0.6.0
   */
  readonly accountsWithEndpoints?: Effect.Effect<ReadonlyArray<string>, StorageFailure> | undefined
  /**
   * Numbers committed events of an account that have no number yet, at most `limit`, the earliest first; returns how
   * many. For storages whose transactions run concurrently, where numbering an event when it is added would make each
   * transaction wait for the others. Without it events have their numbers when they are committed.
   *
   * @since 0.6.0
   */
  readonly numberEvents?:
    | ((accountId: string, limit: number) => Effect.Effect<number, StorageError>)
    | undefined
}

/**
 * The storage port, as an Effect service.
 *
 * @since 0.2.0
 * @category ports
 */
export class Storage extends Context.Service<Storage, StorageService>()(
  "apportion/ports/Storage",
) {}
