/**
 * The ports for hosts without Effect: the same contracts as plain async functions.
 *
 * @since 0.2.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { CollaboratorStore } from "./CollaboratorStore.js"
import type { CounterStore } from "./CounterStore.js"
import type { EndpointStore } from "./EndpointStore.js"
import type { EventStore } from "./EventStore.js"
import type { ExchangeRatesService, RateRequest } from "./ExchangeRates.js"
import type { InboxStore } from "./InboxStore.js"
import { eachPayout, eachSale, type OnePayout, type OneSale } from "./internal/forEach.js"
import {
  leftOutInbox,
  noCounters,
  noEndpoints,
  noEvents,
  noPasses,
  noResplits,
  noRetention,
  noSettings,
} from "./internal/leftOut.js"
import type { Plain } from "./internal/Plain.js"
import { agreementsOf } from "./internal/plainAgreements.js"
import { ask, lift, liftOptional, storageErrorOf } from "./internal/plainCall.js"
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
import type { StorageService, Stores, TransactionOptions } from "./Storage.js"
import { Conflict, type StorageError, StorageFailure } from "./StorageError.js"
import type { StoredToken, TokensService } from "./Tokens.js"

export type { Plain }

/**
 * The stores of one account within one transaction, as plain async functions; the stores describe what each of them
 * does.
 *
 * @since 0.2.0
 * @category models
 */
export type PlainStores = {
  readonly [Name in keyof Omit<Stores, OptionalStore>]: Plain<Stores[Name]>
} & { readonly [Name in OptionalStore]?: Plain<Stores[Name]> | undefined }

/**
 * Stores that a plain storage may leave out. Without them, an account has no events, no webhook endpoints, no
 * deliveries of platforms, no re-splits, no own settings, no retention of old data, no passes, no agreements or no
 * counters: product groups with terms, and `rounding: "carry"`, are then refused.
 */
type OptionalStore =
  | "events"
  | "endpoints"
  | "inbox"
  | "resplits"
  | "settings"
  | "retention"
  | "passes"
  | "counters"
  | "agreements"

/**
 * The storage port as plain async functions.
 *
 * @since 0.2.0
 * @category ports
 */
export interface PlainStorage {
  /**
   * Runs work on the stores of an account as one transaction: when the work's promise is fulfilled, all of its writes
   * are committed before this promise is fulfilled; when it rejects, none is, and this one rejects too. The work sees
   * its own writes, and of others only committed ones. Transactions of one account are serializable: a storage that
   * runs them concurrently rejects with a `Conflict`, at the latest on commit, where one has read or written what
   * another has changed since. It calls the work exactly once.
   *
   * An account that was never written to is empty; it need not be created.
   */
  readonly transaction: <A>(
    accountId: string,
    work: (stores: PlainStores) => Promise<A>,
    options?: TransactionOptions,
  ) => Promise<A>
  /** The ids of all accounts that have anything stored, by id (compared by code units). */
  readonly accounts: () => Promise<ReadonlyArray<string>>
  /** The ids of the accounts with running link jobs; for storages that several processes share. */
  readonly accountsLinking?: () => Promise<ReadonlyArray<string>>
}

/**
 * The port for exchange rates as a plain async function: how many units of `to` one unit of `from` buys, as
 * a decimal text like `"0.92"`; `undefined`: not known, then the sale is refused.
 *
 * @since 0.2.0
 * @category ports
 */
export type PlainExchangeRates = (request: RateRequest) => Promise<string | undefined>

/**
 * The port for access tokens as a plain async function: the token with a hash made by `hashToken`; `undefined` if it
 * does not exist or is no longer valid.
 *
 * @since 0.2.0
 * @category ports
 */
export type PlainTokens = (hash: string) => Promise<StoredToken | undefined>

const linkingOf = (plain: PlainStorage): StorageService["accountsLinking"] => {
  const linking = plain.accountsLinking?.bind(plain)
  return linking && ask("find the accounts that are linking", linking)
}

// The stores of a plain transaction as stores of Effect, method by method.

const collaborators = (plain: Plain<CollaboratorStore>): CollaboratorStore => ({
  get: liftOptional("read a collaborator", (id) => plain.get(id)),
  find: lift("find collaborators", (ids) => plain.find(ids)),
  insert: lift("store a collaborator", (collaborator) => plain.insert(collaborator)),
  update: lift("change a collaborator", (collaborator) => plain.update(collaborator)),
  list: lift("list collaborators", (slice) => plain.list(slice)),
})

const groups = (plain: Plain<ProductGroupStore>): ProductGroupStore => ({
  get: liftOptional("read a product group", (id) => plain.get(id)),
  find: lift("find product groups", (ids) => plain.find(ids)),
  insert: lift("store a product group", (group) => plain.insert(group)),
  update: lift("change a product group", (group) => plain.update(group)),
  remove: lift("remove a product group", (options) => plain.remove(options)),
  list: lift("list product groups", (collaboratorId, slice) => plain.list(collaboratorId, slice)),
  all: Effect.suspend(lift("read all product groups", () => plain.all())),
  revision: Effect.suspend(lift("read the revision of the groups", () => plain.revision())),
})

// A missing method stays missing, and a missing store fails only when it is used.

const selected = (plain: Plain<ProductStore> | undefined): Pick<ProductStore, "selected"> => {
  const look = plain?.selected?.bind(plain)
  return look === undefined ? {} : { selected: lift("find the products of a link", look) }
}

const products = (plain: Plain<ProductStore>): ProductStore => ({
  put: lift("store products", (products) => plain.put(products)),
  remove: lift("remove products", (keys) => plain.remove(keys)),
  get: lift("read products", (keys) => plain.get(keys)),
  find: lift("find products", (ids) => plain.find(ids)),
  list: lift("list products", (filter, slice) => plain.list(filter, slice)),
  batch: lift("read the next products", (options) => plain.batch(options)),
  ...selected(plain),
})

const links = (plain: Plain<LinkStore>): LinkStore => ({
  add: lift("link products", (groupId, keys) => plain.add(groupId, keys)),
  clear: lift("take links away", (groupId) => plain.clear(groupId)),
  setOfProduct: lift("link a product", (key, groupIds) => plain.setOfProduct(key, groupIds)),
  products: lift("list linked products", (groupId, slice) => plain.products(groupId, slice)),
  counts: lift("count linked products", (groupIds) => plain.counts(groupIds)),
  groupsOf: lift("find the groups of products", (keys) => plain.groupsOf(keys)),
  job: liftOptional("read a link job", (groupId) => plain.job(groupId)),
  saveJob: lift("store a link job", (job) => plain.saveJob(job)),
  removeJob: lift("remove a link job", (groupId) => plain.removeJob(groupId)),
  runningJobs: lift("find link jobs", (limit) => plain.runningJobs(limit)),
})

/** An optional function as a function that returns an effect. */
const liftGiven = <Arguments extends ReadonlyArray<unknown>, A>(
  doing: string,
  run: ((...args: Arguments) => Promise<A>) | undefined,
  otherwise: (...args: Arguments) => Effect.Effect<A, StorageError>,
): ((...args: Arguments) => Effect.Effect<A, StorageError>) =>
  run === undefined ? otherwise : lift(doing, run)

const manyPayouts = (
  plain: Plain<PayoutStore> | undefined,
  singly: OnePayout,
): Omit<PayoutStore, keyof OnePayout> => {
  const { ofOwners, itemsAt, storeAll } = eachPayout(singly)
  return {
    ofOwners: liftGiven("read payouts of owners", plain?.ofOwners?.bind(plain), ofOwners),
    itemsAt: liftGiven("read items of payouts", plain?.itemsAt?.bind(plain), itemsAt),
    storeAll: liftGiven("store payouts", plain?.storeAll?.bind(plain), storeAll),
  }
}

const payouts = (plain: Plain<PayoutStore>): PayoutStore => {
  const singly = onePayout(plain)
  return { ...singly, ...manyPayouts(plain, singly) }
}

const onePayout = (plain: Plain<PayoutStore>): OnePayout => ({
  get: liftOptional("read a payout", (id) => plain.get(id)),
  active: liftOptional("read an active payout", (owner) => plain.active(owner)),
  firstOpenedAt: liftOptional("read when payouts began", (owner) => plain.firstOpenedAt(owner)),
  insert: lift("store a payout", (change) => plain.insert(change)),
  update: lift("change a payout", (change) => plain.update(change)),
  item: liftOptional("read a payout item", (payoutId, id) => plain.item(payoutId, id)),
  items: lift("read payout items", (payoutId) => plain.items(payoutId)),
  someItems: lift("read some payout items", (id, slice) => plain.someItems(id, slice)),
  entries: lift("find entries of a collaborator", (options) => plain.entries(options)),
  list: lift("list payouts", (filter, slice) => plain.list(filter, slice)),
  due: lift("find due payouts", (options) => plain.due(options)),
  payable: lift("find payable payouts", (options) => plain.payable(options)),
  batch: lift("read the next payouts", (options) => plain.batch(options)),
  belowZero: lift("find payouts below zero", (options) => plain.belowZero(options)),
  history: lift("read the history of a payout", (options) => plain.history(options)),
  comparedItems: lift("compare payout items", (id) => plain.comparedItems(id)),
  historyIds: lift("find the next histories", (options) => plain.historyIds(options)),
  lastHash: lift("read the hash of a history", async (id) => (await plain.lastHash(id)) ?? null),
})

const payments = (plain: Plain<PaymentStore>): PaymentStore => ({
  get: liftOptional("read a payment", (id) => plain.get(id)),
  ofPayout: lift("read the payments of a payout", (payoutId) => plain.ofPayout(payoutId)),
  ofReference: lift("read the payments of a reference", (options) => plain.ofReference(options)),
  insert: lift("store a payment", (payment) => plain.insert(payment)),
  update: lift("change a payment", (payment) => plain.update(payment)),
  list: lift("list payments", (slice) => plain.list(slice)),
  stuck: lift("find stuck payments", (slice) => plain.stuck(slice)),
})

const manySales = (
  plain: Plain<SaleStore> | undefined,
  singly: OneSale,
): Omit<SaleStore, keyof OneSale> => {
  const { ofOrders, insertAll, refunds, sold } = eachSale(singly)
  return {
    ofOrders: liftGiven("read sales", plain?.ofOrders?.bind(plain), ofOrders),
    insertAll: liftGiven("store sales", plain?.insertAll?.bind(plain), insertAll),
    refunds: liftGiven("read refunds", plain?.refunds?.bind(plain), refunds),
    sold: liftGiven("read what was sold", plain?.sold?.bind(plain), sold),
  }
}

const sales = (plain: Plain<SaleStore>): SaleStore => {
  const singly = oneSale(plain)
  return { ...singly, ...manySales(plain, singly) }
}

const oneSale = (plain: Plain<SaleStore>): OneSale => ({
  ofOrder: lift("read a sale", (orderId) => plain.ofOrder(orderId)),
  insert: lift("store a sale", (sale) => plain.insert(sale)),
  addRefund: lift("store a refund", (options) => plain.addRefund(options)),
  addAdjustment: lift("store an adjustment", (options) => plain.addAdjustment(options)),
  move: lift("move postings", (moved) => plain.move(moved)),
  refund: liftOptional("read a refund", (refundId) => plain.refund(refundId)),
  list: lift("list sales", (filter, slice, order) => plain.list(filter, slice, order)),
})

const keys = (plain: Plain<KeyStore>): KeyStore => ({
  get: liftOptional("read an idempotency key", (key) => plain.get(key)),
  insert: lift("store an idempotency key", (answer) => plain.insert(answer)),
  kept: lift("count idempotency keys", () => plain.kept()),
  removeBefore: lift("forget idempotency keys", (at) => plain.removeBefore(at)),
})

const events = (plain: Plain<EventStore> | undefined): EventStore =>
  plain === undefined
    ? noEvents
    : {
        append: lift("add events", (added) => plain.append(added)),
        after: lift("read the next events", (options) => plain.after(options)),
        last: lift("read the number of the last event", () => plain.last()),
        removeBefore: lift("forget events", (options) => plain.removeBefore(options)),
      }

const endpoints = (plain: Plain<EndpointStore> | undefined): EndpointStore =>
  plain === undefined
    ? noEndpoints
    : {
        get: liftOptional("read a webhook endpoint", (id) => plain.get(id)),
        list: lift("list webhook endpoints", () => plain.list()),
        insert: lift("store a webhook endpoint", (endpoint) => plain.insert(endpoint)),
        update: lift("change a webhook endpoint", (endpoint) => plain.update(endpoint)),
        remove: lift("remove a webhook endpoint", (id) => plain.remove(id)),
        putDeadLetters: lift("store dead letters", (letters) => plain.putDeadLetters(letters)),
        deadLetters: lift("list dead letters", (options) => plain.deadLetters(options)),
        removeDeadLetter: lift("remove a dead letter", (id, number) =>
          plain.removeDeadLetter(id, number),
        ),
      }

const inbox = (plain: Plain<InboxStore> | undefined): InboxStore =>
  plain === undefined
    ? leftOutInbox
    : {
        notes: lift("read notes of the inbox", (keys) => plain.notes(keys)),
        putNotes: lift("put notes of the inbox", (notes) => plain.putNotes(notes)),
        forgetNotes: lift("forget notes of the inbox", (options) => plain.forgetNotes(options)),
        get: liftOptional("read an entry of the inbox", (key) => plain.get(key)),
        put: lift("put an entry into the inbox", (entry) => plain.put(entry)),
        remove: lift("remove an entry of the inbox", (key) => plain.remove(key)),
        list: lift("list the inbox", (options) => plain.list(options)),
        count: lift("count the inbox", () => plain.count()),
      }

const resplits = (plain: Plain<ResplitStore> | undefined): ResplitStore =>
  plain === undefined
    ? noResplits
    : {
        get: liftOptional("read a re-split", (runId) => plain.get(runId)),
        insert: lift("store a re-split", (run, batches) => plain.insert(run, batches)),
        update: lift("change a re-split", (run) => plain.update(run)),
        batch: liftOptional("read a batch of a re-split", (runId, number) =>
          plain.batch(runId, number),
        ),
        list: lift("list re-splits", (slice) => plain.list(slice)),
      }

const settings = (plain: Plain<SettingsStore> | undefined): SettingsStore =>
  plain === undefined
    ? noSettings
    : {
        current: Effect.suspend(liftOptional("read the settings", () => plain.current())),
        append: lift("change the settings", (change) => plain.append(change)),
        list: lift("list the changes of the settings", (slice) => plain.list(slice)),
      }

const retention = (plain: Plain<RetentionStore> | undefined): RetentionStore =>
  plain === undefined
    ? noRetention
    : {
        count: lift("count what is old", (old) => plain.count(old)),
        remove: lift("remove what is old", (old, limit) => plain.remove(old, limit)),
        refundDocuments: lift("find old documents", (options) => plain.refundDocuments(options)),
      }

const passes = (plain: Plain<PassStore> | undefined): PassStore =>
  plain === undefined
    ? noPasses
    : {
        get: liftOptional("read a pass", (id) => plain.get(id)),
        ofCollaborator: lift("list passes", (id) => plain.ofCollaborator(id)),
        insert: lift("insert a pass", (pass) => plain.insert(pass)),
        update: lift("update a pass", (pass) => plain.update(pass)),
        remove: lift("remove a pass", (id) => plain.remove(id)),
      }

const counters = (plain: Plain<CounterStore> | undefined): CounterStore =>
  plain === undefined
    ? noCounters
    : {
        find: lift("read counters", (keys) => plain.find(keys)),
        put: lift("store counters", (all) => plain.put(all)),
        list: lift("list counters", (slice) => plain.list(slice)),
      }

/** The stores of a plain transaction, as stores of Effect. */
const storesOf = (plain: PlainStores): Stores => ({
  collaborators: collaborators(plain.collaborators),
  groups: groups(plain.groups),
  products: products(plain.products),
  links: links(plain.links),
  payouts: payouts(plain.payouts),
  payments: payments(plain.payments),
  sales: sales(plain.sales),
  keys: keys(plain.keys),
  events: events(plain.events),
  endpoints: endpoints(plain.endpoints),
  inbox: inbox(plain.inbox),
  resplits: resplits(plain.resplits),
  settings: settings(plain.settings),
  retention: retention(plain.retention),
  passes: passes(plain.passes),
  counters: counters(plain.counters),
  agreements: agreementsOf(plain.agreements),
})

// One transaction of a plain storage, with work of Effect in it.

/** Runs the work until it ends or the signal is aborted; never rejects. */
type PlainRun<A, E> = (stores: Stores, signal: AbortSignal) => Promise<Exit.Exit<A, E>>

/** The state of the work when the host ends the transaction. */
interface PlainProgress<A, E> {
  starts: number
  exit: Exit.Exit<A, E> | undefined
  running: Promise<unknown> | undefined
}

/**
 * The work as the host calls it: rejects when the work fails, so that the host rolls back. Some libraries repeat it
 * themselves after a conflict; only the caller of the transaction may do that.
 */
const callbackOf =
  <A, E>(progress: PlainProgress<A, E>, run: PlainRun<A, E>, signal: AbortSignal) =>
  async (stores: PlainStores): Promise<void> => {
    progress.starts += 1
    if (progress.starts > 1) throw Conflict.of("transaction", "")
    if (signal.aborted) throw StorageFailure.of("start a transaction", "it was given up")
    const running = run(storesOf(stores), signal)
    progress.running = running
    const exit = await running
    progress.exit = exit
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  }

/** The outcome: a failure of the work takes precedence over the host's rejection. */
const outcomeOf = <A, E>(
  progress: PlainProgress<A, E>,
  rejection: { readonly error: unknown } | undefined,
): Exit.Exit<A, E | StorageError> => {
  const { exit, starts } = progress
  if (exit !== undefined && Exit.isFailure(exit)) return exit
  if (starts > 1) return Exit.fail(Conflict.of("transaction", ""))
  const doing = exit === undefined ? "run a transaction" : "commit a transaction"
  if (rejection !== undefined) return Exit.fail(storageErrorOf(doing, rejection.error))
  return exit ?? Exit.fail(StorageFailure.of(doing, "it ended before its work did"))
}

/** Runs work in a transaction of a plain storage. When interrupted, it ends after the host has rolled back. */
const runPlain = <A, E>(
  plain: PlainStorage,
  options: TransactionOptions & { readonly accountId: string },
  run: PlainRun<A, E>,
): Effect.Effect<A, E | StorageError> =>
  Effect.callback<A, E | StorageError>((resume) => {
    const { accountId, mode, actor } = options
    const stop = new AbortController()
    const progress: PlainProgress<A, E> = { starts: 0, exit: undefined, running: undefined }
    const end = async (rejection?: { readonly error: unknown }) => {
      const outcome = outcomeOf(progress, rejection)
      // A host may end the transaction, as after a timeout, while the work is still running.
      stop.abort()
      await progress.running
      resume(outcome)
    }
    const begin = async () =>
      plain.transaction(accountId, callbackOf(progress, run, stop.signal), { mode, actor })
    const ended = begin().then(
      () => end(),
      (error) => end({ error }),
    )
    return Effect.promise(() => {
      stop.abort()
      return ended
    })
  })

/**
 * Makes a storage for the services from plain async functions.
 *
 * A failure of the work is passed on unchanged, whatever the host rejects with. When a service is interrupted, the work
 * rejects, and the service waits until the host has rolled back.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { fromPlain, type PlainStorage, StorageFailure } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const unplugged: PlainStorage = {
 *   transaction: async () => {
 *     throw new Error("no connection")
 *   },
 *   accounts: async () => ["my-shop"],
 * }
 * const storage = fromPlain(unplugged)
 *
 * await Effect.runPromise(storage.accounts) // => ["my-shop"]
 * const read = storage.transaction("my-shop", ({ payouts }) => payouts.get("p1"))
 * const failure = await Effect.runPromise(Effect.flip(read))
 * failure instanceof StorageFailure // => true
 * ```
 */
export const fromPlain = (plain: PlainStorage): StorageService => ({
  transaction: <A, E, R>(
    accountId: string,
    work: (stores: Stores) => Effect.Effect<A, E, R>,
    options?: TransactionOptions,
  ) =>
    Effect.flatMap(Effect.context<R>(), (context) => {
      const run = Effect.runPromiseExitWith(context)
      return runPlain<A, E>(plain, { ...options, accountId }, (stores, signal) =>
        run(
          Effect.suspend(() => work(stores)),
          { signal },
        ),
      )
    }),
  accounts: ask("list the accounts", () => plain.accounts()),
  accountsLinking: linkingOf(plain),
})

/**
 * Makes the port for exchange rates from a plain async function.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { fromPlainExchangeRates } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const rates = fromPlainExchangeRates(async ({ from }) => (from === "EUR" ? "1.08" : undefined))
 * const request = { accountId: "my-shop", from: "EUR", to: "USD", at: 1_767_225_600 }
 * await Effect.runPromise(rates.rate(request)) // => "1.08"
 * ```
 */
export const fromPlainExchangeRates = (plain: PlainExchangeRates): ExchangeRatesService => ({
  rate: (request) =>
    Effect.map(
      ask("ask for an exchange rate", () => plain(request)),
      (rate) => rate ?? undefined,
    ),
})

/**
 * Makes the port for access tokens from a plain async function.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { fromPlainTokens, hashToken } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const hash = await Effect.runPromise(hashToken("secret"))
 * const tokens = fromPlainTokens(async (asked) =>
 *   asked === hash ? { hash, accountId: "my-shop" } : undefined,
 * )
 * const token = await Effect.runPromise(tokens.find(hash))
 * token?.accountId // => "my-shop"
 * ```
 */
export const fromPlainTokens = (plain: PlainTokens): TokensService => ({
  find: (hash) =>
    Effect.map(
      ask("look for an access token", () => plain(hash)),
      (token) => token ?? undefined,
    ),
})
