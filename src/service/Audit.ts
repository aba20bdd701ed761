/**
 * Holding payouts against their histories.
 *
 * @since 0.3.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { historyHash } from "../ports/PayoutHistory.js"
import type { StoredPayout } from "../ports/PayoutStore.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { type AgreementDifference, auditAgreements } from "./internal/agreements/agreementAudit.js"
import {
  type CounterDifference,
  counterDifferences,
  countersAgain,
  countSales,
} from "./internal/counters/counterAudit.js"
import {
  type PayoutDifference,
  PayoutRebuilding,
  type UnhashedHistory,
} from "./internal/payouts/payoutHistory.js"
import { differencesOfSale, type SaleDifference } from "./internal/sales/saleAudit.js"
import { makeTransactor, type Transactor } from "./internal/transactions.js"
import { NotFound } from "./ServiceError.js"

export type { AgreementDifference } from "./internal/agreements/agreementAudit.js"
export type { CounterDifference } from "./internal/counters/counterAudit.js"
export type {
  DifferenceKind,
  PayoutDifference,
  UnhashedHistory,
} from "./internal/payouts/payoutHistory.js"
export type { SaleDifference } from "./internal/sales/saleAudit.js"

/**
 * What an audit found.
 *
 * @since 0.3.0
 * @category models
 */
export interface PayoutAudit {
  /** How many payouts were checked. */
  readonly checked: number
  /** All differences, payout by payout; empty: all is well. */
  readonly differences: ReadonlyArray<PayoutDifference>
  /**
   * The histories with entries that have no hash, because they were written before version 0.6.0: that those are as they
   * were written is not proved. Absent: every entry has its hash. One without a hash after one with a hash is a difference.
   *
   * @since 0.6.0
   */
  readonly unhashed?: ReadonlyArray<UnhashedHistory>
}

/**
 * What an audit of recorded sales found.
 *
 * @since 0.6.0
 * @category models
 */
export interface SaleAudit {
  /** How many parts of orders were checked. */
  readonly checked: number
  /** All differences, in the order of the ledger; empty: all is well. */
  readonly differences: ReadonlyArray<SaleDifference>
  /** The counters that do not stand at what the sales and refunds come to, by key; empty: all is well. */
  readonly counters: ReadonlyArray<CounterDifference>
}

/**
 * What an audit of agreements found.
 *
 * @since 0.6.0
 * @category models
 */
export interface AgreementAudit {
  /** How many agreements were checked. */
  readonly checked: number
  /** All differences; empty: all is well. */
  readonly differences: ReadonlyArray<AgreementDifference>
}

/**
 * Compares payouts with their histories: each payout's items, total, count, status and times are recomputed from its
 * history alone and compared with what is stored. The hashes of the entries prove that none was changed since it was
 * written.
 *
 * @since 0.3.0
 * @category services
 */
export interface AuditService {
  /**
   * Audits every payout of an account, by id, and finds histories whose payouts are gone. It reads some at a time, each transaction with a consistent view, so that
   * the account keeps working and only one payout at a time is in memory, however many there are.
   */
  readonly payouts: (accountId: string) => Effect.Effect<PayoutAudit, StorageError>
  /** Audits one payout. */
  readonly payout: (
    accountId: string,
    payoutId: string,
  ) => Effect.Effect<PayoutAudit, NotFound | StorageError>
  /**
   * Audits every recorded sale of an account: its split, its refunds and the adjustments of re-splits are computed again
   * from what is recorded, and each share is looked for in the payout that it was booked in, with what is left of it.
   * A correction of an order whose deliveries overtook each other has to add up. And the account's counters have to
   * stand at what its sales and refunds have counted.
   *
   * @since 0.6.0
   */
  readonly sales: (accountId: string) => Effect.Effect<SaleAudit, StorageError>
  /**
   * Audits the balances of an account's agreements: each is what the recorded lines add up to, no advance is recouped
   * beyond its amount, and what reserves hold is what they reserved and have neither released nor given back.
   *
   * @since 0.6.0
   */
  readonly agreements: (accountId: string) => Effect.Effect<AgreementAudit, StorageError>
}

// Going through payouts with their histories, to hold the one against the other.

/** How many payouts are looked at in one transaction: few, so that it is short. */
const payoutsAtATime = 20

/** How many entries of a history are read at a time. */
const entriesAtATime = 200

/** Works a payout out from its history, in the transaction in which it is read. */
const rebuild = Effect.fnUntraced(function* (
  { payouts }: Stores,
  payoutId: string,
): Effect.fn.Return<PayoutRebuilding, StorageError> {
  const rebuilding = new PayoutRebuilding(payoutId)
  for (let after = 0; ; ) {
    const limit = entriesAtATime
    const entries = yield* payouts.history({ payoutId, after, limit })
    for (const entry of entries) {
      rebuilding.take(entry)
      rebuilding.prove(entry, yield* Effect.promise(() => historyHash(entry, rebuilding.hash)))
    }
    const last = entries.at(-1)?.version ?? after
    // A store that gives the same ones again must not hold the audit up without end.
    if (entries.length < limit || last <= after) return rebuilding
    after = last
  }
})

/** What one payout or history shows. */
interface AuditedPayout {
  readonly differences: ReadonlyArray<PayoutDifference>
  readonly unhashed: UnhashedHistory | undefined
}

/** What payouts show together. */
const auditOf = (checked: number, findings: ReadonlyArray<AuditedPayout>): PayoutAudit => {
  const differences = findings.flatMap((finding) => finding.differences)
  const unhashed = findings.flatMap((finding) => finding.unhashed ?? [])
  return { checked, differences, ...(unhashed.length === 0 ? {} : { unhashed }) }
}

/** Gives every difference of one payout, in the transaction in which it was read. */
const differencesOf = Effect.fnUntraced(function* (
  stores: Stores,
  payout: StoredPayout,
): Effect.fn.Return<AuditedPayout, StorageError> {
  const { payouts, payments } = stores
  const rebuilding = yield* rebuild(stores, payout.id)
  rebuilding.comparePayments(payout, yield* payments.ofPayout(payout.id))
  const { items, wrongCopies } = yield* payouts.comparedItems(payout.id)
  rebuilding.noteCopies(wrongCopies)
  const differences = rebuilding.compare(payout, items, yield* payouts.lastHash(payout.id))
  return { differences, unhashed: rebuilding.unhashed }
})

/** What a history shows whose payout is gone. */
const differencesWithout = (stores: Stores, payoutId: string) =>
  Effect.map(
    rebuild(stores, payoutId),
    (rebuilding): AuditedPayout => ({
      differences: rebuilding.compareNothing(),
      unhashed: rebuilding.unhashed,
    }),
  )

/** The next payouts by id, and the next histories whose payouts are gone. */
const lookAtNext = Effect.fnUntraced(function* (stores: Stores, after: string | undefined) {
  const options = { after, limit: payoutsAtATime }
  const batch = yield* stores.payouts.batch(options)
  const ids = batch.map(({ id }) => id)
  const historyIds = yield* stores.payouts.historyIds(options)
  // Beyond the end of a full list there may be more of it, which the next look finds.
  const ends = [ids, historyIds].flatMap((list) =>
    list.length < payoutsAtATime ? [] : list.slice(-1),
  )
  const last = ends.sort((one, other) => (one < other ? -1 : 1))[0]
  const isNear = (id: string) => last === undefined || id <= last
  const payouts = batch.filter(({ id }) => isNear(id))
  const alone = historyIds.filter((id) => isNear(id) && !ids.includes(id))
  const found = yield* Effect.forEach(payouts, (payout) => differencesOf(stores, payout))
  const lost = yield* Effect.forEach(alone, (id) => differencesWithout(stores, id))
  return { last, count: payouts.length, found: [...found, ...lost] }
})

/** `Audit.payouts` */
const auditPayouts = ({ read }: Transactor): AuditService["payouts"] =>
  Effect.fn("Audit.payouts")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const findings: Array<AuditedPayout> = []
    let checked = 0
    for (let after: string | undefined; ; ) {
      const from = after
      const looked = yield* read(accountId, (stores) => lookAtNext(stores, from))
      checked += looked.count
      for (const finding of looked.found) {
        const isClean = finding.differences.length === 0 && finding.unhashed === undefined
        if (!isClean) findings.push(finding)
      }
      if (looked.last === undefined) return auditOf(checked, findings)
      after = looked.last
    }
  })

const differencesOfId = Effect.fnUntraced(function* (stores: Stores, payoutId: string) {
  const payout = yield* stores.payouts.get(payoutId)
  if (payout !== undefined) return yield* differencesOf(stores, payout)
  const entries = yield* stores.payouts.history({ payoutId, after: 0, limit: 1 })
  if (entries.length === 0) return yield* NotFound.of("payout", payoutId)
  return yield* differencesWithout(stores, payoutId)
})

/** `Audit.payout` */
const auditPayout = ({ read }: Transactor): AuditService["payout"] =>
  Effect.fn("Audit.payout")(function* (accountId: string, payoutId: string) {
    yield* Effect.annotateCurrentSpan({ accountId, payoutId })
    const finding = yield* read(accountId, (stores) => differencesOfId(stores, payoutId))
    return auditOf(1, [finding])
  })

/** How many parts of orders are looked at in one transaction. */
const salesAtATime = 50

/** `Audit.sales` */
const auditSales = ({ read }: Transactor): AuditService["sales"] =>
  Effect.fn("Audit.sales")(function* (accountId: string) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const differences: Array<SaleDifference> = []
    const counted = new Map<string, bigint>()
    // Others may be recorded between two looks at the list.
    const seen = new Set<string>()
    for (let offset = 0, passed = salesAtATime; passed > 0; offset += passed) {
      const slice = { offset, limit: salesAtATime }
      passed = yield* read(
        accountId,
        Effect.fnUntraced(function* (stores) {
          const { entries } = yield* stores.sales.list({}, slice)
          for (const sale of entries) {
            const key = JSON.stringify([sale.orderId, sale.part])
            if (seen.has(key)) continue
            seen.add(key)
            differences.push(...(yield* differencesOfSale(stores, sale)))
            countSales(counted, [sale])
          }
          return entries.length
        }),
      )
    }
    const found = yield* read(accountId, (stores) => counterDifferences(stores, counted))
    // Sales and refunds may have been recorded in between.
    const counters = found.length === 0 ? [] : yield* read(accountId, countersAgain)
    return { checked: seen.size, differences, counters }
  })

/**
 * Compares payouts with their histories, as an Effect service.
 *
 * @since 0.3.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Audit, Collaborators, ProductGroups, Sales, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const item = { id: "1", product: { id: "p1" }, quantity: 1, amount: 10_000 }
 * const audited = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const group = { link: { type: "products.all" }, percent: "10" } as const
 *   yield* (yield* ProductGroups).create("shop", "ada", group)
 *   yield* (yield* Sales).record("shop", { id: "o1", currency: "EUR", items: [item] })
 *   return yield* (yield* Audit).payouts("shop")
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(audited, layer)) // => { checked: 1, differences: [] }
 * ```
 */
export class Audit extends Context.Service<Audit, AuditService>()("apportion/service/Audit") {
  /**
   * @since 0.3.0
   */
  static readonly layer: Layer.Layer<Audit, never, Storage> = Layer.effect(
    Audit,
    Effect.map(makeTransactor, (transactor) => ({
      payouts: auditPayouts(transactor),
      payout: auditPayout(transactor),
      sales: auditSales(transactor),
      agreements: Effect.fn("Audit.agreements")((accountId) =>
        transactor.read(accountId, auditAgreements),
      ),
    })),
  )
}
