/**
 * The services as plain async functions.
 *
 * @since 0.2.0
 */

import type { AmountOutOfRange } from "../money/Cents.js"
import type { InvalidPageRequest } from "../pagination/PageRequest.js"
import type { StorageError } from "../ports/StorageError.js"
import type { InvalidProductGroup } from "../rules/ProductGroup.js"
import type { AccountCountersService } from "../service/AccountCounters.js"
import type { AccountSettingsService } from "../service/AccountSettings.js"
import type { AgreementsService } from "../service/Agreements.js"
import type { AuditService } from "../service/Audit.js"
import type { BalancesService } from "../service/Balances.js"
import type { CollaboratorsService } from "../service/Collaborators.js"
import type { DeliveriesService } from "../service/Deliveries.js"
import type { EntriesService } from "../service/Entries.js"
import type { EventsService } from "../service/Events.js"
import type { PassesService } from "../service/Passes.js"
import type { PastSalesService } from "../service/PastSales.js"
import type { PaymentsService } from "../service/Payments.js"
import type { MoveError, OutsidePayment, PayoutsService, ViewedPayout } from "../service/Payouts.js"
import type { ProductGroupsService, ViewedGroup } from "../service/ProductGroups.js"
import type { ProductsService } from "../service/Products.js"
import type { ResplitsService } from "../service/Resplits.js"
import type { RetentionService } from "../service/Retention.js"
import type { SalesService } from "../service/Sales.js"
import type { KeyReused, NotFound, TooManyKeys, TotalChanged } from "../service/ServiceError.js"
import type { StatementsService } from "../service/Statements.js"
import type { WebhooksService } from "../service/Webhooks.js"
import type { CountedGroupInput } from "../terms/CountedRules.js"
import type {
  CallError,
  ChangeOptions,
  PageInput,
  PromiseCall,
  PromisedService,
} from "./PromiseCall.js"

/**
 * Creates, changes and reads the collaborators of an account.
 *
 * @since 0.2.0
 * @category services
 */
export interface Collaborators extends PromisedService<CollaboratorsService, "create" | "update"> {}

/**
 * The fields of a group that can be changed; absent ones stay as they are.
 *
 * @since 0.2.0
 * @category models
 */
export type GroupChanges = Partial<Omit<CountedGroupInput, "id" | "collaboratorId" | "createdAt">>

/** The errors of reading a group with a page of its products. */
type ReadingError = NotFound | InvalidPageRequest | StorageError | CallError

/**
 * Creates, changes, reads and removes product groups. Products are linked in the background.
 *
 * @since 0.2.0
 * @category services
 */
export interface ProductGroups
  extends Omit<PromisedService<ProductGroupsService, "create" | "remove">, "update" | "get"> {
  /**
   * Changes a group; the result is checked as a whole. Its products are linked again, unless its link stays the same.
   */
  readonly update: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
    changes: GroupChanges,
    options?: ChangeOptions & { readonly page?: PageInput | undefined },
  ) => PromiseCall<ViewedGroup, InvalidProductGroup | KeyReused | TooManyKeys | ReadingError>
  /** A group with its collaborator and a page of its products. */
  readonly get: (
    accountId: string,
    collaboratorId: string,
    groupId: string,
    page?: PageInput,
  ) => PromiseCall<ViewedGroup, ReadingError>
}

/**
 * The product catalogue of an account. Without a query, `list` returns a page of all products.
 *
 * @since 0.2.0
 * @category services
 */
export interface Products extends PromisedService<ProductsService, "put" | "remove"> {}

/**
 * Records sales and refunds. Orders and refunds are identified by their ids, so they need no idempotency keys. Without
 * a filter, `list` gives a page of all sales.
 *
 * @since 0.2.0
 * @category services
 */
export interface Sales extends PromisedService<SalesService> {}

/**
 * Imports sales and refunds of the past, which were paid before. They are identified by their ids, so they need no
 * idempotency keys.
 *
 * @since 0.6.0
 * @category services
 */
export interface PastSales extends PromisedService<PastSalesService> {}

/**
 * Splits past sales again by other rules: previews the changes, and books them after approval. Runs are
 * identified by their ids, so they need no idempotency keys.
 *
 * @since 0.6.0
 * @category services
 */
export interface Resplits extends PromisedService<ResplitsService> {}

/**
 * Reads payouts and changes them. Every change is one atomic step. Without a filter, `list` returns a page of all
 * payouts.
 *
 * @since 0.2.0
 * @category services
 */
export interface Payouts
  extends PromisedService<
    Omit<PayoutsService, "pay">,
    | "addExpense"
    | "addIncome"
    | "removeEntry"
    | "setPaid"
    | "closeDue"
    | "fail"
    | "retry"
    | "return"
  > {
  /**
   * Notes that a payout was paid; one that is due is closed first. If the total of the payout is no longer the paid
   * amount, it rejects with `TotalChanged`, and nothing is noted.
   */
  readonly pay: (
    accountId: string,
    payoutId: string,
    options?: ChangeOptions & Partial<OutsidePayment>,
  ) => PromiseCall<
    ViewedPayout,
    MoveError | TotalChanged | AmountOutOfRange | KeyReused | TooManyKeys | CallError
  >
}

/**
 * Pays payouts over the rails that are passed to `makeApportion`. `send`, `resolve` and `run` call a rail, so they
 * can't be part of a unit of work, and need no idempotency key: however often they are called, a payment is made once.
 *
 * @since 0.6.0
 * @category services
 */
export interface Payments extends PromisedService<PaymentsService, "claim"> {}

/**
 * Compares payouts with their histories.
 *
 * @since 0.3.0
 * @category services
 */
export interface Audit extends PromisedService<AuditService> {}

/**
 * Expenses and incomes that are booked for a collaborator, not for a payout. Every change is one atomic step.
 *
 * @since 0.6.0
 * @category services
 */
export interface Entries
  extends PromisedService<
    EntriesService,
    "addExpense" | "addIncome" | "writeOff" | "request" | "repay"
  > {}

/**
 * Advances, reserves, guarantees and overrides. Agreements are identified by their kinds and ids, so they need no
 * idempotency keys. Without a filter, `list` gives all that are in force.
 *
 * @since 0.6.0
 * @category services
 */
export interface Agreements extends PromisedService<AgreementsService> {}

/**
 * The balances of collaborators: the amounts that they are owed or owe.
 *
 * @since 0.6.0
 * @category services
 */
export interface Balances extends PromisedService<BalancesService> {}

/**
 * Statements of stored data.
 *
 * @since 0.6.0
 * @category services
 */
export interface Statements extends PromisedService<StatementsService> {}

/**
 * The events of an account. `follow` yields events as they occur, for `for await`, until the loop is left or `close` is
 * called.
 *
 * @since 0.6.0
 * @category services
 */
export interface Events extends PromisedService<EventsService> {}

/**
 * The webhook endpoints to which the events of an account are sent.
 *
 * @since 0.6.0
 * @category services
 */
export interface Webhooks extends PromisedService<WebhooksService> {}

/**
 * Links with which collaborators read what they may see.
 *
 * @since 0.6.0
 * @category services
 */
export interface Passes extends PromisedService<PassesService> {}

/**
 * Receives the deliveries of platforms. A module such as `apportion/shopify` makes a platform.
 *
 * @since 0.6.0
 * @category services
 */
export interface Deliveries extends PromisedService<DeliveriesService> {}

/**
 * Views and changes the settings of an account. The same change again has no effect, so it needs no idempotency key.
 *
 * @since 0.6.0
 * @category services
 */
export interface AccountSettings extends PromisedService<AccountSettingsService> {}

/**
 * The counters of an account: how far the terms of its product groups have counted, and what rounding carries on.
 *
 * @since 0.6.0
 * @category services
 */
export interface AccountCounters extends PromisedService<AccountCountersService> {}

/**
 * Removes what is old and needed by nobody. Called again it goes on where it was, so it needs no idempotency key.
 *
 * @since 0.6.0
 * @category services
 */
export interface Retention extends PromisedService<RetentionService> {}

/**
 * All services.
 *
 * @since 0.2.0
 * @category services
 */
export interface Services {
  readonly collaborators: Collaborators
  readonly groups: ProductGroups
  readonly products: Products
  readonly sales: Sales
  /**
   * @since 0.6.0
   */
  readonly pastSales: PastSales
  /**
   * @since 0.6.0
   */
  readonly resplits: Resplits
  /**
   * @since 0.6.0
   */
  readonly settings: AccountSettings
  readonly payouts: Payouts
  /**
   * @since 0.6.0
   */
  readonly payments: Payments
  /**
   * @since 0.3.0
   */
  readonly audit: Audit
  /**
   * @since 0.6.0
   */
  readonly entries: Entries
  /**
   * @since 0.6.0
   */
  readonly balances: Balances
  /**
   * @since 0.6.0
   */
  readonly statements: Statements
  /**
   * @since 0.6.0
   */
  readonly events: Events
  /**
   * @since 0.6.0
   */
  readonly webhooks: Webhooks
  /**
   * @since 0.6.0
   */
  readonly passes: Passes
  /**
   * @since 0.6.0
   */
  readonly counters: AccountCounters
  /**
   * @since 0.6.0
   */
  readonly agreements: Agreements
  /**
   * @since 0.6.0
   */
  readonly deliveries: Deliveries
  /**
   * @since 0.6.0
   */
  readonly retention: Retention
}

/**
 * The services within one unit of work. Linking continues after the commit, so it can't be watched; and no rail is
 * called, because its payments can't be rolled back.
 *
 * @since 0.2.0
 * @category services
 */
export interface UnitServices
  extends Omit<Services, "groups" | "payments" | "events" | "deliveries" | "retention"> {
  /**
   * @since 0.6.0
   */
  readonly payments: Omit<Payments, "send" | "resolve" | "run">
  readonly groups: Omit<ProductGroups, "watch">
  /**
   * @since 0.6.0
   */
  readonly events: Omit<Events, "follow">
}
