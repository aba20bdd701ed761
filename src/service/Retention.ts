/**
 * How long what nobody needs is kept.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { show, summarize } from "../internal/problems.js"
import { Storage } from "../ports/Storage.js"
import type { StorageError } from "../ports/StorageError.js"
import { Actor } from "./Actor.js"
import { logged } from "./internal/background.js"
import { type EventTools, lastNumber } from "./internal/events.js"
import {
  countBatches,
  countDocuments,
  forgetAnswers,
  forgetBatches,
  forgetDeliveries,
  forgetDocuments,
  forgetEvents,
  oldEvents,
} from "./internal/past/oldRecords.js"
import { afterwards, makeTransactor, now } from "./internal/transactions.js"
import { InvalidSettings, Settings, type SettingsService } from "./Settings.js"

/**
 * How much of an account is old: what a purge would remove, or has removed.
 *
 * @since 0.6.0
 * @category models
 */
export interface OldHistory {
  /** Events that every active webhook endpoint has received. */
  readonly events: number
  /** Idempotency keys that are over, with their answers. */
  readonly answers: number
  /** Notes that a delivery of a platform came. */
  readonly deliveries: number
  /** Documents of platforms by which refunds were read. What was refunded stays. */
  readonly refundDocuments: number
  /** Batches of re-splits that were booked: the list of what each was to change. What was booked stays. */
  readonly resplitBatches: number
}

/**
 * How old what goes has to be.
 *
 * @since 0.6.0
 * @category models
 */
export interface RetentionOptions {
  /**
   * In whole months, 1 to 1200, in place of the setting `historyMonths`; then nothing younger goes, whatever the other
   * settings say. A month goes as a whole: what happened before the first day, in UTC, of the month so many months ago.
   */
  readonly months?: number | undefined
}

/**
 * Removes what is old and needed by nobody. Whatever refunds, statements, balances, re-splits, audits and the once-only
 * promises rest on stays for ever: recorded sales and refunds, payouts with their items and histories, payments.
 *
 * Events go after `eventDays`, idempotency keys after `idempotencySeconds`; notes of deliveries, documents of refunds and
 * batches of re-splits after `historyMonths`, and never while that is 0.
 *
 * @since 0.6.0
 * @category services
 */
export interface RetentionService {
  /** How much a purge would remove now. Nothing is removed. */
  readonly survey: (
    accountId: string,
    options?: RetentionOptions,
  ) => Effect.Effect<OldHistory, InvalidSettings | StorageError>
  /**
   * Removes it, some thousand rows in each transaction, and gives how much. It can be ended at any time, and goes on where
   * it was when it is called again; others may do the same at the same time, and write.
   */
  readonly purge: (
    accountId: string,
    options?: RetentionOptions,
  ) => Effect.Effect<OldHistory, InvalidSettings | StorageError>
}

const secondsOfDay = 86_400

const shortest = Duration.seconds(1)

/** A year, in seconds: no setting keeps an idempotency key for longer. */
const longestAnswer = 31_536_000

const mostMonths = 1_200

const checkMonths = (value: number): Effect.Effect<void, InvalidSettings> => {
  if (Number.isInteger(value) && value >= 1 && value <= mostMonths) return Effect.void
  const message = `must be a whole number from 1 to ${mostMonths}, got ${show(value)}`
  const problems = [{ path: "months", value, message }]
  return Effect.fail(new InvalidSettings({ problems, message: summarize(problems) }))
}

/** The first second of the month so many months before that of a time, in UTC. */
const monthsBefore = (at: number, months: number): number => {
  const date = new Date(at * 1_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1) / 1_000
}

/** Before which time things are old, in Unix seconds. */
interface Horizon {
  readonly events: number
  readonly answers: number
  /** `undefined`: never. */
  readonly history: number | undefined
}

/**
 * How often old history is purged.
 *
 * @since 0.6.0
 * @category models
 */
export interface RetentionSweepsOptions {
  /** The interval between starts, such as `"1 day"` or in milliseconds; at least a second. */
  readonly every: Duration.Input
}

interface RetentionTools extends EventTools {
  readonly settings: SettingsService
}

/** What a process that is given a number of months does not know is what the host has set: nothing of that goes. */
const horizonOf = Effect.fnUntraced(function* (
  { settings }: RetentionTools,
  accountId: string,
  { months }: RetentionOptions,
): Effect.fn.Return<Horizon, InvalidSettings> {
  const at = yield* now
  const { eventDays, idempotencySeconds, historyMonths } = yield* settings.of(accountId)
  const events = at - eventDays * secondsOfDay
  if (months === undefined) {
    const history = historyMonths === 0 ? undefined : monthsBefore(at, historyMonths)
    return { events, answers: at - idempotencySeconds, history }
  }
  yield* checkMonths(months)
  const history = monthsBefore(at, months)
  const answers = Math.min(history, at - longestAnswer)
  return { events: Math.min(history, events), answers, history }
})

const survey = (tools: RetentionTools): RetentionService["survey"] =>
  Effect.fn("Retention.survey")(function* (accountId: string, options: RetentionOptions = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { transactor } = tools
    const { events, answers, history } = yield* horizonOf(tools, accountId, options)
    yield* lastNumber(tools, accountId)
    const counts = yield* transactor.read(
      accountId,
      Effect.fnUntraced(function* (stores) {
        const { count } = stores.retention
        return {
          events: yield* count(yield* oldEvents(stores, events)),
          answers: yield* count({ kind: "answers", before: answers }),
          deliveries:
            history === undefined ? 0 : yield* count({ kind: "deliveries", before: history }),
        }
      }),
    )
    if (history === undefined) return { ...counts, refundDocuments: 0, resplitBatches: 0 }
    return {
      ...counts,
      refundDocuments: yield* countDocuments(transactor, accountId, history),
      resplitBatches: yield* countBatches(transactor, accountId, history),
    }
  })

const purge = (tools: RetentionTools): RetentionService["purge"] =>
  Effect.fn("Retention.purge")(function* (accountId: string, options: RetentionOptions = {}) {
    yield* Effect.annotateCurrentSpan({ accountId })
    const { transactor } = tools
    const { events, answers, history } = yield* horizonOf(tools, accountId, options)
    yield* lastNumber(tools, accountId)
    const always = {
      events: yield* forgetEvents(transactor, accountId, events),
      answers: yield* forgetAnswers(transactor, accountId, answers),
    }
    const gone: OldHistory =
      history === undefined
        ? { ...always, deliveries: 0, refundDocuments: 0, resplitBatches: 0 }
        : {
            ...always,
            deliveries: yield* forgetDeliveries(transactor, accountId, history),
            refundDocuments: yield* forgetDocuments(transactor, accountId, history),
            resplitBatches: yield* forgetBatches(transactor, accountId, history),
          }
    const isAny = Object.values(gone).some((count) => count > 0)
    const log = Effect.logInfo("old history removed")
    // Nothing that a host has stored is another one with that, so it is no event.
    if (isAny) yield* afterwards(Effect.annotateLogs(log, { accountId, ...gone }))
    return gone
  })

/**
 * Removes what is old and needed by nobody, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates } from "apportion/ports"
 * import { Collaborators, Retention, servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   yield* (yield* Collaborators).create("shop", { id: "ada", currency: "EUR" })
 *   const retention = yield* Retention
 *   return yield* retention.survey("shop", { months: 24 })
 * })
 * const layer = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * await Effect.runPromise(Effect.provide(program, layer))
 * // => { events: 0, answers: 0, deliveries: 0, refundDocuments: 0, resplitBatches: 0 }
 * ```
 */
export class Retention extends Context.Service<Retention, RetentionService>()(
  "apportion/service/Retention",
) {
  /**
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Retention, never, Storage> = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const tools: RetentionTools = {
        storage: yield* Storage,
        transactor: yield* makeTransactor,
        settings: yield* Settings,
      }
      return { survey: survey(tools), purge: purge(tools) }
    }),
  )

  /**
   * Purges all accounts as their settings say, as soon as the layer is built and repeatedly as long as it lives. Any
   * number of processes may do it over the same storage. Failures are logged as warnings, and the other accounts are
   * still purged.
   *
   * @since 0.6.0
   */
  static readonly sweeps = ({
    every,
  }: RetentionSweepsOptions): Layer.Layer<never, never, Storage | Retention> =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const [storage, retention] = [yield* Storage, yield* Retention]
        const purgeOne = (accountId: string) =>
          Effect.annotateLogs(
            logged(retention.purge(accountId), "old history could not be removed"),
            { accountId },
          )
        const purgeAll = Effect.flatMap(storage.accounts, (ids) =>
          Effect.forEach(ids, purgeOne, { discard: true }),
        ).pipe(Effect.provideService(Actor, "system"), Effect.withSpan("Retention.purgeAll"))
        const interval = Duration.max(Duration.fromInputUnsafe(every), shortest)
        const once = logged(purgeAll, "the accounts with old history could not be read")
        yield* Effect.forkScoped(Effect.repeat(once, Schedule.fixed(interval)))
      }),
    )
}
