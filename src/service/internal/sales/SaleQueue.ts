/**
 * Calls that record one sale each and arrive at the same time: while a transaction of theirs is under way, the next
 * calls gather, and are recorded together when it ends. A call that finds no transaction under way does not wait.
 */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { CurrentLogAnnotations } from "effect/References"
import type { Order } from "../../../orders/Order.js"
import { patienceOf, waitFor } from "../../../ports/Patience.js"
import type { StorageService } from "../../../ports/Storage.js"
import type { StorageError } from "../../../ports/StorageError.js"
import { Actor } from "../../Actor.js"
import { Fault, whatIsAround } from "../transactions.js"
import type { Recording } from "./newSale.js"
import {
  type Attempt,
  type AttemptExit,
  askFor,
  attemptAlone,
  attemptTogether,
  callOf,
  type GivenOrder,
  type RecordingTools,
  type SaleError,
} from "./saleAttempts.js"

/** An attempt that waits for its turn, or for the transaction that it is in. */
interface Gathered extends GivenOrder {
  readonly done: Deferred.Deferred<Attempt, SaleError | StorageError>
  isUnderWay: boolean
}

/** How many are recorded in one transaction, so that those of other accounts and their own callers don't wait long. */
const mostGathered = 100

/** The outcomes of the calls of a transaction. */
type GatheredExit = Exit.Exit<ReadonlyArray<AttemptExit>>

const exitAt = (exit: GatheredExit, index: number): AttemptExit => {
  if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
  return exit.value[index] ?? Exit.die(new Fault({ message: "a recorded order has no outcome" }))
}

const complete = (gathered: ReadonlyArray<Gathered>, exit: GatheredExit): Effect.Effect<void> =>
  Effect.forEach(gathered, ({ done }, index) => Deferred.done(done, exitAt(exit, index)), {
    discard: true,
  })

/**
 * Waits for the outcome of a call. A call that is interrupted or runs out of time before its turn is not recorded;
 * after that, it waits for the end of the transaction, which has a time limit of its own.
 */
const waitInLine = (
  line: Set<Gathered>,
  gathered: Gathered,
  restore: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
  what: string,
): Effect.Effect<Attempt, SaleError | StorageError> => {
  const ends = Deferred.await(gathered.done)
  const inTime = Effect.catch(waitFor(what, gathered.patience, ends), (error) =>
    gathered.isUnderWay ? ends : Effect.fail(error),
  )
  const leave = Effect.suspend(() => {
    line.delete(gathered)
    return gathered.isUnderWay ? Effect.exit(ends) : Effect.void
  })
  return Effect.onError(restore(inTime), () => leave)
}

/** The waiting calls of all accounts. */
export class SaleQueue {
  readonly #tools: RecordingTools
  readonly #storage: StorageService
  /**
   * The waiting calls, of accounts with a transaction under way. Calls by different actors are in different lines,
   * because all changes of a transaction have one actor in the history.
   */
  readonly #lines = new Map<string, Set<Gathered>>()

  constructor(tools: RecordingTools, storage: StorageService) {
    this.#tools = tools
    this.#storage = storage
  }

  /**
   * Records an order. A transaction around the call is not shared with other calls. Only calls that lack rates wait for
   * them.
   */
  record(accountId: string, order: Order): Effect.Effect<Recording, SaleError | StorageError> {
    return Effect.gen({ self: this }, function* () {
      const given = { order, call: yield* callOf(this.#tools, accountId) }
      const alone = attemptAlone(this.#tools, accountId, given)
      const isWithin = (yield* whatIsAround(this.#storage)) !== undefined
      const attempt = isWithin ? alone : this.#inLine(accountId, given, alone)
      while (true) {
        const done = yield* attempt
        if ("recording" in done) return done.recording
        yield* askFor(given, done.missing)
      }
    })
  }

  #inLine(
    accountId: string,
    given: GivenOrder,
    alone: Effect.Effect<Attempt, SaleError | StorageError>,
  ): Effect.Effect<Attempt, SaleError | StorageError> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function* () {
        const key = JSON.stringify([accountId, yield* Actor])
        const annotations = yield* CurrentLogAnnotations
        const gathered: Gathered = {
          ...given,
          patience: yield* patienceOf(Duration.seconds(given.call.settings.waitSeconds)),
          around: (work) => Effect.provideService(work, CurrentLogAnnotations, annotations),
          done: Deferred.makeUnsafe(),
          isUnderWay: false,
        }
        // Nothing may run in between: an empty line is removed.
        const line = this.#lines.get(key)
        if (line === undefined) {
          this.#lines.set(key, new Set())
          return yield* Effect.ensuring(restore(alone), this.#handOver(accountId, key))
        }
        line.add(gathered)
        return yield* waitInLine(line, gathered, restore, `the turn of account ${accountId}`)
      }),
    )
  }

  /**
   * Starts the next transaction with the calls that have gathered. None of them may interrupt it, so its fiber is
   * detached.
   */
  #handOver(accountId: string, key: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const line = this.#lines.get(key) ?? new Set()
      if (line.size > 0) {
        const next = this.#together(accountId, line)
        return Effect.asVoid(
          Effect.forkDetach(Effect.ensuring(next, this.#handOver(accountId, key))),
        )
      }
      this.#lines.delete(key)
      return Effect.void
    })
  }

  #together(accountId: string, line: Set<Gathered>): Effect.Effect<unknown> {
    return Effect.suspend(() => {
      const next: Array<Gathered> = []
      for (const gathered of line) {
        if (next.length === mostGathered) break
        line.delete(gathered)
        gathered.isUnderWay = true
        next.push(gathered)
      }
      const together = attemptTogether(this.#tools, accountId, next, { isInOrder: false })
      return Effect.onExit(together, (exit) => complete(next, exit))
    })
  }
}
