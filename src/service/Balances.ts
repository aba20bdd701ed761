/**
 * What collaborators are owed, and what they owe.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { PageRequest } from "../pagination/PageRequest.js"
import * as Balance from "../payouts/Balance.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import type { StoredPayout } from "../ports/PayoutStore.js"
import type { Sliced } from "../ports/Slice.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { needCollaborator, ownerOf, sliceOf } from "./internal/lookups.js"
import { type BalanceOwner, totalOf, unsettledOf } from "./internal/payouts/balances.js"
import { makeTransactor, now, type Transactor } from "./internal/transactions.js"
import type { NotFound } from "./ServiceError.js"

/**
 * A balance below zero.
 *
 * @since 0.6.0
 * @category models
 */
export interface Debt {
  readonly collaborator: Collaborator
  /** ISO 4217 code. */
  readonly currency: string
  /** Below 0, in cents of the currency. */
  readonly balance: number
  /** Since when it is below zero without a break, in Unix seconds. */
  readonly since: number
  /** How long that is by now, in whole days. */
  readonly days: number
}

/**
 * What a collaborator is owed or owes, and was paid, in each currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface CollaboratorBalances {
  readonly collaborator: Collaborator
  /** By currency; empty: they never had a payout. */
  readonly balances: ReadonlyArray<Balance.Balance>
}

/**
 * Reading balances.
 *
 * @since 0.6.0
 * @category services
 */
export interface BalancesService {
  /** A page of all collaborators by id (compared by code units), each with their balances as {@link of} gives them. */
  readonly list: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<CollaboratorBalances>, AmountOutOfRange | StorageError>
  /** The balances of a collaborator, one for each currency in which they ever had a payout, by currency. */
  readonly of: (
    accountId: string,
    collaboratorId: string,
  ) => Effect.Effect<ReadonlyArray<Balance.Balance>, AmountOutOfRange | NotFound | StorageError>
  /**
   * A page of the balances that are below zero, by the ids of the collaborators (compared by code units), then by
   * currency. It reads every unpaid payout that is below zero.
   */
  readonly belowZero: (
    accountId: string,
    page: PageRequest,
  ) => Effect.Effect<Sliced<Debt>, AmountOutOfRange | StorageError>
}

/** How many payouts, or entries of a history, are read at a time. */
const batchSize = 1_000

const allOf = Effect.fnUntraced(function* (
  { payouts }: Stores,
  collaboratorId: string,
): Effect.fn.Return<ReadonlyArray<StoredPayout>, StorageError> {
  const all: Array<StoredPayout> = []
  for (;;) {
    const slice = { offset: all.length, limit: batchSize }
    const { entries } = yield* payouts.list({ collaboratorId }, slice)
    all.push(...entries)
    if (entries.length < batchSize) return all
  }
})

/** `Balances.of` */
const balancesOf = ({ read }: Transactor): BalancesService["of"] =>
  Effect.fn("Balances.of")(function* (accountId: string, collaboratorId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        yield* needCollaborator(stores, collaboratorId)
        const payouts = yield* allOf(stores, collaboratorId)
        return yield* Effect.fromResult(Balance.ofPayouts(payouts))
      }),
    )
  })

/** `Balances.list` */
const listed = ({ read }: Transactor): BalancesService["list"] =>
  Effect.fn("Balances.list")(function* (accountId: string, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId, page: page.page, perPage: page.perPage })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { entries, total } = yield* stores.collaborators.list(sliceOf(page))
        const found = yield* Effect.forEach(entries, ({ collaborator }) =>
          Effect.gen(function* () {
            const payouts = yield* allOf(stores, collaborator.id)
            return { collaborator, balances: yield* Effect.fromResult(Balance.ofPayouts(payouts)) }
          }),
        )
        return { entries: found, total }
      }),
    )
  })

/** The owners of payouts below zero, once for each currency: only they can have a balance below zero. */
const suspects = Effect.fnUntraced(function* ({
  payouts,
}: Stores): Effect.fn.Return<ReadonlyArray<StoredPayout>, StorageError> {
  const owners = new Map<string, StoredPayout>()
  for (let after: string | undefined; ; ) {
    const found = yield* payouts.belowZero({ after, limit: batchSize })
    for (const payout of found) {
      owners.set(JSON.stringify([payout.collaboratorId, payout.currency]), payout)
    }
    if (found.length < batchSize) return [...owners.values()]
    after = found.at(-1)?.id
  }
})

const byOwner = (one: BalanceOwner, other: BalanceOwner): number => {
  if (one.collaboratorId === other.collaboratorId) return one.currency < other.currency ? -1 : 1
  return one.collaboratorId < other.collaboratorId ? -1 : 1
}

/** How each change of a payout changed the balance. */
const changesOf = Effect.fnUntraced(function* (
  { payouts }: Stores,
  payoutId: string,
): Effect.fn.Return<ReadonlyArray<Balance.BalanceChange>, StorageError> {
  const changes: Array<Balance.BalanceChange> = []
  for (let after = 0; ; ) {
    const entries = yield* payouts.history({ payoutId, after, limit: batchSize })
    for (const entry of entries) {
      changes.push({ at: entry.at, before: entry.before, after: entry.after })
    }
    if (entries.length < batchSize) return changes
    after = entries.at(-1)?.version ?? after
  }
})

/** Since when a balance is below zero, computed from the histories of all its payouts. */
const sinceOf = Effect.fnUntraced(function* (
  stores: Stores,
  { collaboratorId, currency }: BalanceOwner,
): Effect.fn.Return<number | null, StorageError> {
  const changes: Array<Balance.BalanceChange> = []
  for (const payout of yield* allOf(stores, collaboratorId)) {
    if (payout.currency === currency) changes.push(...(yield* changesOf(stores, payout.id)))
  }
  return Balance.belowZeroSince(changes)
})

const day = 86_400

/** `Balances.belowZero` */
const debts = ({ read }: Transactor): BalancesService["belowZero"] =>
  Effect.fn("Balances.belowZero")(function* (accountId: string, page: PageRequest) {
    yield* Effect.annotateCurrentSpan({ accountId, page: page.page, perPage: page.perPage })
    const at = yield* now
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const found: Array<{ readonly payout: StoredPayout; readonly balance: number }> = []
        for (const payout of yield* suspects(stores)) {
          const balance = yield* totalOf(payout, yield* unsettledOf(stores, payout))
          if (balance < 0) found.push({ payout, balance })
        }
        found.sort((one, other) => byOwner(one.payout, other.payout))
        const { offset, limit } = sliceOf(page)
        const part = offset >= found.length ? [] : found.slice(offset, offset + limit)
        const entries = yield* Effect.forEach(part, ({ payout, balance }) =>
          Effect.gen(function* () {
            const { currency, openedAt } = payout
            const since = (yield* sinceOf(stores, payout)) ?? openedAt
            const days = Math.floor(Math.max(0, at - since) / day)
            const collaborator = yield* ownerOf(stores, payout)
            return { collaborator, currency, balance, since, days }
          }),
        )
        return { entries, total: found.length }
      }),
    )
  })

/**
 * Reading balances, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Balances, Collaborators, Entries, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const entries = yield* Entries
 *   yield* entries.addExpense("shop", "ada", { id: "e1", amount: 1_500, name: "Samples" })
 *   return yield* (yield* Balances).belowZero("shop", { page: 1, perPage: 15 })
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { entries, total } = await Effect.runPromise(Effect.provide(program, layer))
 * total // => 1
 * entries.map(({ balance, days }) => [balance, days]) // => [[-1500, 0]]
 * ```
 */
export class Balances extends Context.Service<Balances, BalancesService>()(
  "apportion/service/Balances",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Balances, never, Storage> = Layer.effect(
    Balances,
    Effect.map(makeTransactor, (transactor) => ({
      list: listed(transactor),
      of: balancesOf(transactor),
      belowZero: debts(transactor),
    })),
  )
}
