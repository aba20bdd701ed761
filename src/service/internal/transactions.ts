import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { type Change, loggedOf, type NewEvent } from "../../events/AccountEvent.js"
import { types } from "../../events/EventType.js"
import { isLeft, patienceOf } from "../../ports/Patience.js"
import {
  type Patience,
  Storage,
  type StorageService,
  type Stores,
  type TransactionMode,
} from "../../ports/Storage.js"
import { Conflict, type StorageError } from "../../ports/StorageError.js"
import { Actor, InvalidActor, isActor } from "../Actor.js"
import { UnitOfWorkBroken } from "../ServiceError.js"
import { Settings, type SettingsService } from "../Settings.js"
import { countEvent } from "./meters.js"

/** Something that can't be unless the code or a store is wrong. It is no failure to act on: work dies of it. */
export class Fault extends Schema.TaggedError<Fault>()("apportion/service/Fault", {
  message: Schema.String,
}) {}

/** Dies of a fault in these words. */
export const die = (message: string): Effect.Effect<never> => Effect.die(new Fault({ message }))

/** The time of the clock, in whole Unix seconds. */
export const now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) =>
  Math.floor(millis / 1_000),
)

// The way of a layer to its storage: the settings that the layer was built with hold for its
// transactions too, wherever its methods are called from.

type StorageRun = <A, E, R>(
  accountId: string,
  work: (stores: Stores) => Effect.Effect<A, E, R>,
) => Effect.Effect<A, E | StorageError, R>

/** Runs work on the stores of an account, in the transaction that is under way or in one of its own. */
export interface Transactor {
  /** For work that writes nothing. */
  readonly read: StorageRun
  readonly write: StorageRun
  /**
   * Runs work that must not be in a transaction, because what it does can't be taken back with it; within one it dies,
   * as a bug of the host.
   */
  readonly outside: <A, E, R>(doing: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The transactor of a layer that is being built. */
export const makeTransactor: Effect.Effect<Transactor, never, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const settings = yield* Settings
  const runIn =
    (mode: TransactionMode): StorageRun =>
    (accountId, work) =>
      transact(storage, { accountId, mode, settings }, work)
  const outside: Transactor["outside"] = (doing, work) => refuseWithin(storage, doing, work)
  return { read: runIn("read"), write: runIn("write"), outside }
})

// Transactions that calls of services join: the outermost one opens it, tries again after a conflict, and
// does what was put off until the changes are kept.

/** A transaction that is under way. */
interface Transaction {
  readonly accountId: string
  readonly mode: TransactionMode
  readonly stores: Stores
  readonly actor: string
  /** What happened in it that is not written yet. */
  readonly events: Array<NewEvent>
  /** Has something done once the changes are kept. */
  readonly putOff: (action: Effect.Effect<void>) => Effect.Effect<void>
  /** How many calls that may write were begun. */
  writes: number
  /** Set when work that may have written failed: what it had written by then must not be kept. */
  broken: boolean
  /** Set when the store refused something as a conflict: then only a new attempt can succeed. */
  conflict: Conflict | undefined
}

/** Where code runs: in a transaction, in a unit of work within it, or in a call of a service. */
interface TransactionScope {
  readonly transaction: Transaction
  /** What is begun here takes turns: what one has read, another must not change before it has written. */
  readonly turn: Semaphore.Semaphore
  /** Around it, in the same transaction or in that of another account. */
  readonly outer: TransactionScope | undefined
  /** Set when it is left, for fibers that stay behind. */
  over: boolean
}

const CurrentPlace = Context.Reference<TransactionScope | undefined>(
  "apportion/service/CurrentPlace",
  {
    defaultValue: () => undefined,
  },
)

/** What a transaction is for. */
export interface TransactionOptions {
  readonly accountId: string
  readonly mode: TransactionMode
  /** Where the number of attempts is looked up; those of the caller's context when absent. */
  readonly settings?: SettingsService | undefined
}

const isConflict = (error: unknown): error is Conflict => error instanceof Conflict

/** Short, growing and uneven waits, so that those who met do not meet again. */
const waits = Schedule.jittered(
  Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("250 millis")]),
)

/** All attempts together wait no longer than is set. */
const retryConflicts = <A, E, R>(
  { accountId, settings }: TransactionOptions,
  attempt: (patience: Patience) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const known = yield* (settings ?? (yield* Settings)).of(accountId)
    const { conflictRetries, waitSeconds } = known
    const patience = yield* patienceOf(Duration.seconds(waitSeconds))
    return yield* Effect.retry(attempt(patience), {
      while: (error) =>
        // Of a larger transaction, a part that runs again meets the same again.
        isConflict(error) && error.partOf === undefined ? isLeft(patience) : Effect.succeed(false),
      times: conflictRetries,
      schedule: waits,
    })
  })

const brokenOf = (accountId: string): UnitOfWorkBroken => {
  const message = `a call within the unit of work of account ${accountId} failed, so nothing of it was kept`
  return new UnitOfWorkBroken({ accountId, message })
}

/** Runs work in a new place. It is left when what has its turn there, begun by another fiber, is done. */
const within = <A, E, R>(
  { transaction, outer }: Pick<TransactionScope, "transaction" | "outer">,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const place: TransactionScope = {
      transaction,
      outer,
      turn: Semaphore.makeUnsafe(1),
      over: false,
    }
    const leave = Effect.sync(() => {
      place.over = true
    })
    return Effect.ensuring(
      Effect.provideService(work, CurrentPlace, place),
      place.turn.withPermit(leave),
    )
  })

/** The changes are kept whatever becomes of this, so a defect in it is logged and nobody else's. */
const guarded = (action: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(action, (cause) =>
    Effect.logError("a follow-up of a transaction failed", cause),
  )

/** What is put off: by the storage, which knows when the changes are kept, or until its transaction is over. */
const makePutOff = ({ afterwards }: StorageService) => {
  const actions: Array<Effect.Effect<void>> = []
  const later = (action: Effect.Effect<void>) =>
    Effect.sync(() => {
      actions.push(guarded(action))
    })
  return {
    putOff:
      afterwards === undefined
        ? later
        : (action: Effect.Effect<void>) => afterwards(guarded(action)),
    done: Effect.suspend(() => Effect.forEach(actions, (action) => action, { discard: true })),
  }
}

/** Lets work be kept only when nothing in it failed. After a conflict its own failure tells nothing. */
const judged = <A, E, R, Broken>(
  transaction: Transaction,
  work: Effect.Effect<A, E, R>,
  broken: Effect.Effect<never, Broken>,
): Effect.Effect<A, E | Broken | Conflict, R> => {
  const conflicting = Effect.suspend(() =>
    transaction.conflict === undefined ? Effect.void : Effect.fail(transaction.conflict),
  )
  return work.pipe(
    Effect.tapError(() => conflicting),
    Effect.tap(() => conflicting),
    Effect.tap(() => (transaction.broken ? broken : Effect.void)),
  )
}

/** Writes what happened beside the changes themselves, and the lines of the log once all is kept. */
const append = ({
  accountId,
  stores,
  events,
  putOff,
}: Transaction): Effect.Effect<void, StorageError> =>
  Effect.suspend(() => {
    const happened = events.splice(0)
    if (happened.length === 0) return Effect.void
    const log = (event: NewEvent) =>
      Effect.andThen(
        countEvent(event.type),
        Effect.annotateLogs(Effect.logInfo(types[event.type].message), {
          accountId,
          ...loggedOf(event),
        }),
      )
    return Effect.andThen(
      Effect.forEach(happened, (event) => putOff(log(event)), { discard: true }),
      stores.events.append(happened),
    )
  })

/** Who acts where this runs; nothing is done in the name of somebody who can't be told of. */
const currentActor: Effect.Effect<string> = Effect.flatMap(Actor, (actor) =>
  isActor(actor) ? Effect.succeed(actor) : Effect.die(InvalidActor.of(actor)),
)

/** Runs work in a transaction of its own, again after each conflict. */
const open = <A, E, R, Broken>(
  storage: StorageService,
  options: TransactionOptions & { readonly outer: TransactionScope | undefined },
  work: (stores: Stores) => Effect.Effect<A, E, R>,
  broken: Effect.Effect<never, Broken>,
): Effect.Effect<A, E | Broken | StorageError, R> => {
  const { accountId, mode, outer } = options
  const attempt = (
    putOff: Transaction["putOff"],
    given: { readonly actor: string; readonly patience: Patience },
  ) =>
    storage.transaction(
      accountId,
      (stores) => {
        const state = { events: [], writes: 0, broken: false, conflict: undefined }
        const { actor } = given
        const transaction: Transaction = { accountId, mode, stores, actor, putOff, ...state }
        const worked = judged(transaction, within({ transaction, outer }, work(stores)), broken)
        return Effect.tap(worked, () => append(transaction))
      },
      { mode, ...given },
    )
  const attemptAndFollowUp = (actor: string) => (patience: Patience) =>
    Effect.uninterruptibleMask((restore) => {
      const { putOff, done } = makePutOff(storage)
      return Effect.tap(restore(attempt(putOff, { actor, patience })), () => done)
    })
  return Effect.flatMap(currentActor, (actor) => retryConflicts(options, attemptAndFollowUp(actor)))
}

const findPlace = (
  here: TransactionScope | undefined,
  accountId: string,
): TransactionScope | undefined => {
  for (let place = here; place !== undefined; place = place.outer) {
    if (place.transaction.accountId === accountId && !place.over) return place
  }
  return undefined
}

/** Notes a failure of work after whose beginning something may have been written. */
const noting = <A, E, R>(
  transaction: Transaction,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const writesBefore = transaction.writes
    return work.pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (isConflict(error)) transaction.conflict = error
        }),
      ),
      Effect.onError(() =>
        Effect.sync(() => {
          transaction.broken ||= transaction.writes !== writesBefore
        }),
      ),
    )
  })

/** Counts a call that may write; that it can is for the services to see to. */
const beginWriting = (transaction: Transaction): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { accountId, mode } = transaction
    const message = `a transaction of account ${accountId} that only reads can't write`
    if (mode === "read") return die(message)
    transaction.writes += 1
    return Effect.void
  })

/** Runs something in a place when its turn comes there; elsewhere when the place was left by then. */
const join = <A, E, R>(
  {
    here,
    found,
  }: { readonly here: TransactionScope | undefined; readonly found: TransactionScope },
  work: (transaction: Transaction) => Effect.Effect<A, E, R>,
  elsewhere: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const { transaction, turn } = found
  return turn.withPermit(
    Effect.suspend(() =>
      found.over
        ? elsewhere
        : noting(transaction, within({ transaction, outer: here }, work(transaction))),
    ),
  )
}

/** Runs work on the stores of an account: in the transaction that is under way, or in one of its own. */
export const transact = <A, E, R>(
  storage: StorageService,
  options: TransactionOptions,
  work: (stores: Stores) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.flatMap(CurrentPlace, (here): Effect.Effect<A, E | StorageError, R> => {
    const { accountId, mode } = options
    const found = findPlace(here, accountId)
    if (found === undefined) {
      const broken = Effect.suspend(() => Effect.die(brokenOf(accountId)))
      return open(storage, { ...options, outer: here }, work, broken)
    }
    return join(
      { here, found },
      (transaction) => {
        if (mode === "read") return work(transaction.stores)
        // Written with the call, so that what takes the call back, as a savepoint of the host, takes them back too.
        const told = Effect.tap(work(transaction.stores), () => append(transaction))
        return Effect.andThen(beginWriting(transaction), told)
      },
      transact(storage, options, work),
    )
  })

/** Runs work of which every call of a service belongs to one transaction. */
export const run = <A, E, R>(
  storage: StorageService,
  options: Omit<TransactionOptions, "mode">,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | UnitOfWorkBroken | StorageError, R> =>
  Effect.flatMap(CurrentPlace, (here): Effect.Effect<A, E | UnitOfWorkBroken | StorageError, R> => {
    const broken = Effect.suspend(() => Effect.fail(brokenOf(options.accountId)))
    const found = findPlace(here, options.accountId)
    if (found === undefined) {
      return open(storage, { ...options, mode: "write", outer: here }, () => work, broken)
    }
    return join(
      { here, found },
      (transaction) => Effect.tap(work, () => (transaction.broken ? broken : Effect.void)),
      run(storage, options, work),
    )
  })

/** The transaction that is under way here, be it of a service or of the host. */
export const whatIsAround = ({
  isWithin = Effect.succeed(false),
}: StorageService): Effect.Effect<string | undefined> =>
  Effect.flatMap(CurrentPlace, (here) =>
    here === undefined || here.over
      ? Effect.map(isWithin, (isHosts) => (isHosts ? "a transaction of the host" : undefined))
      : Effect.succeed("a unit of work"),
  )

/** `Transactor.outside` */
const refuseWithin = <A, E, R>(
  storage: StorageService,
  doing: string,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(whatIsAround(storage), (around) =>
    around === undefined
      ? work
      : die(
          `${around} can't ${doing}: changes outside the transaction can't be rolled back with it`,
        ),
  )

/** Does something once the changes are kept: at once when no transaction is under way. */
export const afterwards = (action: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(CurrentPlace, (here) =>
    here === undefined || here.over ? action : here.transaction.putOff(action),
  )

/**
 * Tells of a change that is made in the transaction that is under way: an event is written with it, and a line is
 * logged once it is kept. Every change of an account is told here, so that none is without its event.
 */
export const emit = (change: Change): Effect.Effect<void> =>
  Effect.flatMap(CurrentPlace, (here) =>
    here === undefined || here.over
      ? die(`there is no transaction in which ${change.type} could be told`)
      : Effect.map(now, (at) => {
          const { actor, events } = here.transaction
          events.push({ ...change, at, actor })
        }),
  )
