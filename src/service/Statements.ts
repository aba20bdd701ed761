/**
 * Statements from what is stored.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AmountOutOfRange } from "../money/Cents.js"
import type { Collaborator } from "../payouts/Collaborator.js"
import * as PastPayout from "../payouts/PastPayout.js"
import * as Statement from "../payouts/Statement.js"
import type { PayoutHistoryEntry, StoredPayout } from "../ports/PayoutStore.js"
import type { Storage, Stores } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import {
  byKindAndId,
  type StatementAgreement,
  standingOf,
  statementAgreements,
} from "./internal/agreements/agreementBalances.js"
import { inForce } from "./internal/chosenSettings.js"
import { type StatementTerm, termStandings } from "./internal/counters/termStandings.js"
import { needCollaborator } from "./internal/lookups.js"
import { makeTransactor, now, type Transactor } from "./internal/transactions.js"
import type { NotFound } from "./ServiceError.js"
import { Settings, type SettingsService } from "./Settings.js"

export type { StatementAgreement, StatementTerm }

/**
 * A statement of a collaborator in one currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface CurrencyStatement extends Statement.AccountStatement {
  /** ISO 4217 code. */
  readonly currency: string
}

/**
 * The statements of a collaborator, one for each currency in which they ever had a payout, by currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface CollaboratorStatement {
  readonly collaborator: Collaborator
  readonly period: Statement.Period
  readonly statements: ReadonlyArray<CurrencyStatement>
  /** The collaborator's own agreements that have balances, as they stand now, whatever the period is. */
  readonly agreements: ReadonlyArray<StatementAgreement>
  /** Where the terms of the collaborator's product groups stand now, by group, whatever the period is. */
  readonly terms: ReadonlyArray<StatementTerm>
}

/**
 * A line of a statement, and the payout whose history it comes from.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayoutLine extends Statement.Line {
  readonly payoutId: string
  /** ISO 4217 code. */
  readonly currency: string
}

/**
 * A place in the lines of a statement.
 *
 * @since 0.6.0
 * @category models
 */
export interface LinePlace {
  readonly payoutId: string
  /** The version of that payout up to which lines were given. */
  readonly version: number
}

/**
 * A batch of the lines of a statement.
 *
 * @since 0.6.0
 * @category models
 */
export interface Lines {
  readonly lines: ReadonlyArray<PayoutLine>
  /** Where the next batch begins; `null`: this is the last one. */
  readonly next: LinePlace | null
}

/**
 * Statements, computed from the histories of payouts: later refunds and payments never change the figures of the past.
 * An entry counts at the time when it was noted.
 *
 * @since 0.6.0
 * @category services
 */
export interface StatementsService {
  /**
   * The statements of a collaborator. Histories are read in parts, so the memory it takes does not grow with what was
   * sold.
   */
  readonly of: (
    accountId: string,
    collaboratorId: string,
    period?: Statement.Period,
  ) => Effect.Effect<CollaboratorStatement, AmountOutOfRange | NotFound | StorageError>
  /**
   * Lines of these statements: by payout, the latest due first (`ListOrder.payouts`), and in each in the order in which
   * they were noted. Lines of one change are never divided, so a batch can have a few more than a thousand. Begin
   * without a place, and continue with `next`.
   */
  readonly lines: (
    accountId: string,
    collaboratorId: string,
    request?: {
      readonly period?: Statement.Period | undefined
      readonly after?: LinePlace | undefined
    },
  ) => Effect.Effect<Lines, NotFound | StorageError>
}

/** How many payouts, or entries of a history, are read at a time. */
const batchSize = 500

const mostLines = 1_000

/** Whether a payout was settled, and its last change noted, before a period begins: then it adds nothing. */
const isOver = Effect.fnUntraced(function* (
  { payouts }: Stores,
  payout: StoredPayout,
  { from }: Statement.Period,
): Effect.fn.Return<boolean, StorageError> {
  const { id: payoutId, version, paidAt } = payout
  if (from === undefined || paidAt === null || paidAt >= from) return false
  if (PastPayout.isPast(payout)) return true
  const [last] = yield* payouts.history({ payoutId, after: version - 1, limit: 1 })
  return last !== undefined && last.at < from
})

/** The payouts of a collaborator that affect a period: those settled before it add nothing. */
const payoutsOf = Effect.fnUntraced(function* (
  stores: Stores,
  collaboratorId: string,
  period: Statement.Period,
): Effect.fn.Return<
  { readonly all: ReadonlyArray<StoredPayout>; readonly stating: ReadonlyArray<StoredPayout> },
  StorageError
> {
  const all: Array<StoredPayout> = []
  const stating: Array<StoredPayout> = []
  for (;;) {
    const slice = { offset: all.length, limit: batchSize }
    const { entries } = yield* stores.payouts.list({ collaboratorId }, slice)
    for (const payout of entries) {
      all.push(payout)
      if (!(yield* isOver(stores, payout, period))) stating.push(payout)
    }
    if (entries.length < batchSize) return { all, stating }
  }
})

/** The next changes of a payout within a period or before it, and whether there are more. */
const stepsAfter = Effect.fnUntraced(function* (
  { payouts }: Stores,
  { payoutId, version }: LinePlace,
  period: Statement.Period,
): Effect.fn.Return<
  { readonly steps: ReadonlyArray<PayoutHistoryEntry>; readonly hasMore: boolean },
  StorageError
> {
  const found = yield* payouts.history({ payoutId, after: version, limit: batchSize })
  const isAfter = (step: PayoutHistoryEntry) =>
    Statement.placeOf(step.at, period) === "after" && !Statement.isOfPast(step)
  const end = found.findIndex(isAfter)
  const steps = end === -1 ? found : found.slice(0, end)
  return { steps, hasMore: end === -1 && found.length === batchSize }
})

const figuresOf = Effect.fnUntraced(function* (
  stores: Stores,
  payouts: ReadonlyArray<StoredPayout>,
  period: Statement.Period,
): Effect.fn.Return<Statement.StatementSums, StorageError> {
  let figures = Statement.none
  for (const { id: payoutId } of payouts) {
    for (let version = 0, hasMore = true; hasMore; ) {
      const next = yield* stepsAfter(stores, { payoutId, version }, period)
      for (const step of next.steps) figures = Statement.add(figures, step, period)
      version = next.steps.at(-1)?.version ?? version
      hasMore = next.hasMore
    }
  }
  return figures
})

/** The agreements of a collaborator that have balances. */
const agreementsOf = Effect.fnUntraced(function* (
  { agreements }: Stores,
  collaboratorId: string,
): Effect.fn.Return<ReadonlyArray<StatementAgreement>, StorageError> {
  if ((yield* agreements.revision) === 0) return []
  const own = (yield* agreements.all)
    .filter(({ agreement }) => agreement.collaboratorId === collaboratorId)
    .toSorted(byKindAndId)
  if (own.length === 0) return []
  const keys = own.map(({ kind, agreement: { id } }) => ({ kind, id }))
  const totals = yield* agreements.totals(keys)
  const held = yield* agreements.held(collaboratorId)
  return statementAgreements(own.map((one) => standingOf(one, totals, held)))
})

/** `Statements.of` */
const statementOf = ({ read }: Transactor, settings: SettingsService): StatementsService["of"] =>
  Effect.fn("Statements.of")(function* (
    accountId: string,
    collaboratorId: string,
    period: Statement.Period = {},
  ) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    const host = yield* settings.of(accountId)
    const at = yield* now
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { collaborator } = yield* needCollaborator(stores, collaboratorId)
        const { all, stating } = yield* payoutsOf(stores, collaboratorId, period)
        const currencies = [...new Set(all.map(({ currency }) => currency))].sort()
        const statements = yield* Effect.forEach(currencies, (currency) =>
          Effect.gen(function* () {
            const payouts = stating.filter((payout) => payout.currency === currency)
            const figures = yield* figuresOf(stores, payouts, period)
            return { currency, ...(yield* Effect.fromResult(Statement.of(figures))) }
          }),
        )
        const agreements = yield* agreementsOf(stores, collaboratorId)
        const { timeZone, maturityDays } = yield* inForce(stores, host)
        const passing = { at, timeZone, maturityDays }
        const terms = yield* termStandings(stores, collaboratorId, passing)
        return { collaborator, period, statements, agreements, terms }
      }),
    )
  })

/** The lines of a change within a period. A payout of the past was paid as a whole, however it was imported. */
const linesIn = (
  { total, version }: StoredPayout,
  step: PayoutHistoryEntry,
  period: Statement.Period,
): ReadonlyArray<Statement.Line> => {
  const isLast = step.version === version
  const lines = Statement.linesOf(step).filter(({ at }) => Statement.placeOf(at, period) === "in")
  if (!Statement.isOfPast(step)) return lines
  const items = lines.filter(({ kind }) => kind !== "payment")
  const at = step.after.paidAt ?? step.at
  const isPaidIn = isLast && total !== 0 && Statement.placeOf(at, period) === "in"
  return isPaidIn ? [...items, { at, kind: "payment", amount: 0 - total }] : items
}

/** `Statements.lines` */
const linesOf = ({ read }: Transactor): StatementsService["lines"] =>
  Effect.fn("Statements.lines")(function* (accountId, collaboratorId, { period = {}, after } = {}) {
    yield* Effect.annotateCurrentSpan({ accountId, collaboratorId })
    return yield* read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        yield* needCollaborator(stores, collaboratorId)
        const { stating } = yield* payoutsOf(stores, collaboratorId, period)
        const first = after === undefined ? 0 : stating.findIndex(({ id }) => id === after.payoutId)
        const lines: Array<PayoutLine> = []
        if (first === -1) return { lines, next: null }
        for (const payout of stating.slice(first)) {
          const { id: payoutId, currency } = payout
          let version = payoutId === after?.payoutId ? after.version : 0
          for (let hasMore = true; hasMore; ) {
            const next = yield* stepsAfter(stores, { payoutId, version }, period)
            for (const step of next.steps) {
              if (lines.length >= mostLines) return { lines, next: { payoutId, version } }
              version = step.version
              for (const line of linesIn(payout, step, period))
                lines.push({ ...line, payoutId, currency })
            }
            hasMore = next.hasMore
          }
        }
        return { lines, next: null }
      }),
    )
  })

/**
 * Statements from what is stored, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, Entries, servicesLayer, Statements } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const entries = yield* Entries
 *   yield* entries.addIncome("shop", "ada", { id: "i1", amount: 5_000, name: "Bonus" })
 *   yield* entries.addExpense("shop", "ada", { id: "e1", amount: 1_500, name: "Samples" })
 *   return yield* (yield* Statements).of("shop", "ada")
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const { statements } = await Effect.runPromise(Effect.provide(program, layer))
 * statements.map(({ incomes, expenses, closing }) => [incomes, expenses, closing])
 * // => [[5000, -1500, 3500]]
 * ```
 */
export class Statements extends Context.Service<Statements, StatementsService>()(
  "apportion/service/Statements",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Statements, never, Storage> = Layer.effect(
    Statements,
    Effect.gen(function* () {
      const transactor = yield* makeTransactor
      return { of: statementOf(transactor, yield* Settings), lines: linesOf(transactor) }
    }),
  )
}
