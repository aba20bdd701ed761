/**
 * The ports for hosts that know nothing of Effect: the same contracts as plain async functions.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import type { ExchangeRatesService, RateRequest } from "./ExchangeRates.js"
import { ask, runPlain } from "./internal/plainStorage.js"
import type { StorageService, Stores, TransactionOptions } from "./Storage.js"
import type { StoredToken, TokensService } from "./Tokens.js"

/**
 * A store as plain async functions: each method takes the same arguments and answers with a promise, and
 * what is a constant effect, as `all` of the product groups, is a function without arguments.
 *
 * Where the contract says `Conflict`, the function rejects with one: the class of this module, or any
 * object with `_tag: "Conflict"`. Whatever else it rejects with counts as a failure of the storage. Where
 * the contract says `undefined`, `null` is taken too. A method that a store may leave out may be left out.
 *
 * @since 0.2.0
 * @category models
 */
export type Plain<Store> = {
  readonly [Name in keyof Store]: Exclude<Store[Name], undefined> extends (
    ...args: infer Arguments
  ) => Effect.Effect<infer A, infer _E, infer _R>
    ? (...args: Arguments) => Promise<A>
    : Exclude<Store[Name], undefined> extends Effect.Effect<infer A, infer _E, infer _R>
      ? () => Promise<A>
      : never
}

/**
 * The stores of one account within one transaction, as plain async functions; what each of them does is
 * said where the store is described.
 *
 * @since 0.2.0
 * @category models
 */
export type PlainStores = { readonly [Name in keyof Stores]: Plain<Stores[Name]> }

/**
 * The storage port as plain async functions.
 *
 * @since 0.2.0
 * @category ports
 */
export interface PlainStorage {
  /**
   * Runs work on the stores of an account as one transaction: when the work's promise is fulfilled, all of
   * its writes are kept before this one is; when it rejects, none is, and this one rejects too. The work
   * sees its own writes, and of others only what was kept. Transactions of one account are serializable: a
   * storage that lets them run side by side rejects with a `Conflict` where one has read or written what
   * another has changed since, at the latest when it commits. It calls the work once, never again.
   *
   * An account that was never written to is empty; it need not be made.
   */
  readonly transaction: <A>(
    accountId: string,
    work: (stores: PlainStores) => Promise<A>,
    options?: TransactionOptions,
  ) => Promise<A>
  /** The ids of all accounts that have anything stored, by id (compared by code units). */
  readonly accounts: () => Promise<ReadonlyArray<string>>
  /** The ids of the accounts in which link jobs run; for storages that several processes share. */
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
 * The port for access tokens as a plain async function: the token with a hash, as `hashToken` makes it;
 * `undefined`: there is none, or it is no longer good.
 *
 * @since 0.2.0
 * @category ports
 */
export type PlainTokens = (hash: string) => Promise<StoredToken | undefined>

const linkingOf = (plain: PlainStorage): StorageService["accountsLinking"] => {
  const linking = plain.accountsLinking?.bind(plain)
  return linking && ask("find the accounts that are linking", linking)
}

/**
 * A storage written as plain async functions, as the storage that services use.
 *
 * A failure of the work comes out as it is, whatever the host makes of it. A service that is interrupted
 * makes the work reject, and goes on when the host has rolled back.
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
 * Exchange rates that a plain async function knows, as the port that services use.
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
 * Access tokens that a plain async function finds, as the port that services use.
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
