import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { CurrentLogAnnotations } from "effect/References"
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
import { countEvents } from "./meters.js"

/** A state that only a bug in the code or in a store explains. It is a defect, not a failure to handle. */
export class Fault extends Schema.TaggedError<Fault>()("apportion/service/Fault", {
  message: Schema.String,
}) {}

/** Dies with a `Fault` of this message. */
export const die = (message: string): Effect.Effect<never> => Effect.die(new Fault({ message }))

const secondsOf = (clock: Clock.Clock): number =>
  Math.floor(clock.currentTimeMillisUnsafe() / 1_000)

/** The time of the clock, in whole Unix seconds. */
export const now: Effect.Effect<number> = Effect.map(Clock.Clock, secondsOf)

// A service's access to the storage. Its transactions use the settings that its layer was built with, wherever its
// methods are called from.

type StorageRun = <A, E, R>(
  accountId: string,
  work: (stores: Stores) => Effect.Effect<A, E, R>,
  /** How long it waits for others, if that began before. */
  patience?: Patience,
) => Effect.Effect<A, E | StorageError, R>

/** Runs work on the stores of an account, in the current transaction or in a new one. */
export interface Transactor {
  /** For work that writes nothing. */
  readonly read: StorageRun
  readonly write: StorageRun
  /**
   * Runs work that must not be in a transaction, because a rollback would not undo it. Within a transaction it dies: that
   * is a bug of the host.
   */
  readonly outside: <A, E, R>(doing: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The transactor of a layer that is being built. */
export const makeTransactor: Effect.Effect<Transactor, never, Storage> = Effect.gen(function* () {
  const storage = yield* Storage
  const settings = yield* Settings
  const runIn =
    (mode: TransactionMode): StorageRun =>
    (accountId, work, patience) =>
      transact(storage, { accountId, mode, settings, patience }, work)
  const outside: Transactor["outside"] = (doing, work) => refuseWithin(storage, doing, work)
  return { read: runIn("read"), write: runIn("write"), outside }
})

// Transactions that calls of services join: the outermost call opens the transaction, retries it after a conflict, and
// runs the deferred actions after the commit.

/** An event, and what its caller annotates its log line with. */
interface NotedEvent {
  readonly event: NewEvent
  readonly annotations: Readonly<Record<string, unknown>>
}

/** An open transaction. */
interface Transaction {
  readonly accountId: string
  readonly mode: TransactionMode
  readonly stores: Stores
  readonly actor: string
  /** Events of it that are not written yet. */
  readonly events: Array<NotedEvent>
  /** Defers an action until the commit. */
  readonly putOff: (action: Effect.Effect<void>) => Effect.Effect<void>
  /** The number of calls that may write and have begun. */
  writes: number
  /** Set when work that may have written failed: its writes must not be committed. */
  broken: boolean
  /** Set when a store reported a conflict: only a new attempt can succeed. */
  conflict: Conflict | undefined
}

/** The scope that code runs in: a transaction, a unit of work within it, or a call of a service. */
interface TransactionScope {
  readonly transaction: Transaction
  /** Calls within a scope run one at a time: none may change what another has read and not yet written. */
  readonly turn: Semaphore.Semaphore
  /** The enclosing scope, in the same transaction or in that of another account. */
  readonly outer: TransactionScope | undefined
  /** Set when the scope has ended, for fibers that outlive it. */
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
  /** The settings with the number of attempts; those of the caller's context when absent. */
  readonly settings?: SettingsService | undefined
  /** When absent, as long as the settings say. */
  readonly patience?: Patience | undefined
}

const isConflict = (error: unknown): error is Conflict => error instanceof Conflict

/** Short, growing, jittered waits, so that two that conflicted do not conflict again. */
const waits = Schedule.jittered(
  Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("250 millis")]),
)

/** Retries after conflicts; all attempts together wait at most `waitSeconds`. */
const retryConflicts = <A, E, R>(
  { accountId, settings, patience: given }: TransactionOptions,
  attempt: (patience: Patience) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const known = yield* (settings ?? (yield* Settings)).of(accountId)
    const { conflictRetries, waitSeconds } = known
    const patience = given ?? (yield* patienceOf(Duration.seconds(waitSeconds)))
    return yield* Effect.retry(attempt(patience), {
      while: (error) =>
        // A part of a larger transaction would meet the same conflict again.
        isConflict(error) && error.partOf === undefined ? isLeft(patience) : Effect.succeed(false),
      times: conflictRetries,
      schedule: waits,
    })
  })

const brokenOf = (accountId: string): UnitOfWorkBroken => {
  const message = `a call within the unit of work of account ${accountId} failed, so nothing of it was kept`
  return new UnitOfWorkBroken({ accountId, message })
}

/** Runs work in a new scope. The scope ends after a call that another fiber has begun in it is done. */
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

/** The changes are committed by now, so a defect in a deferred action is logged and fails nothing else. */
const guarded = (action: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(action, (cause) =>
    Effect.logError("a follow-up of a transaction failed", cause),
  )

/** Defers actions: in the storage, if it knows when an outer transaction commits, else until the transaction has ended. */
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

/** Lets work be committed only if nothing in it failed. A conflict replaces the failure that followed from it. */
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

/** Logs an event. */
const log = (accountId: string, { event, annotations }: NotedEvent): Effect.Effect<void> =>
  Effect.provideService(Effect.logInfo(types[event.type].message), CurrentLogAnnotations, {
    ...annotations,
    accountId,
    ...loggedOf(event),
  })

/** Writes the events in the transaction of the changes; after the commit they are counted and logged. */
const append = ({
  accountId,
  stores,
  events,
  putOff,
}: Transaction): Effect.Effect<void, StorageError> =>
  Effect.suspend(() => {
    const noted = events.splice(0)
    if (noted.length === 0) return Effect.void
    const all = noted.map(({ event }) => event)
    const logged = Effect.forEach(noted, (one) => guarded(log(accountId, one)), { discard: true })
    // One action for all of them: a client keeps the services of its caller beside each action.
    const told = Effect.andThen(countEvents(all), logged)
    return Effect.andThen(putOff(told), stores.events.append(all))
  })

/** The current actor; dies when its name is not valid, so that no change has an actor that can't be stored. */
const currentActor: Effect.Effect<string> = Effect.flatMap(Actor, (actor) =>
  isActor(actor) ? Effect.succeed(actor) : Effect.die(InvalidActor.of(actor)),
)

/** Runs work in a new transaction, and again after each conflict. */
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

/** Records whether work failed after a write, or with a conflict. */
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

/** Counts a call that may write; dies in a transaction that only reads, which is a bug of a service. */
const beginWriting = (transaction: Transaction): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { accountId, mode } = transaction
    const message = `a transaction of account ${accountId} that only reads can't write`
    if (mode === "read") return die(message)
    transaction.writes += 1
    return Effect.void
  })

/** Runs work in a scope when its turn comes, or `elsewhere` when the scope has ended by then. */
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

/** Runs work on the stores of an account: in the current transaction, or in a new one. */
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
        // Written with the call, so that a rollback of the call (a savepoint of the host) removes its events too.
        const withEvents = Effect.tap(work(transaction.stores), () => append(transaction))
        return Effect.andThen(beginWriting(transaction), withEvents)
      },
      transact(storage, options, work),
    )
  })

/** Runs work whose calls of services all belong to one transaction. */
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

/** The current transaction in words, of a service or of the host; `undefined` when there is none. */
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

/** Runs an action after the commit, or at once outside a transaction. */
export const afterwards = (action: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(CurrentPlace, (here) =>
    here === undefined || here.over ? action : here.transaction.putOff(action),
  )

/**
 * Reports a change that is made in the current transaction: its event is written with it, and logged after the commit.
 * Every change of an account is reported here, so that none is without its event.
 */
export const emit = (change: Change): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const here = fiber.getRef(CurrentPlace)
    if (here === undefined || here.over) {
      return die(`there is no transaction in which ${change.type} could be reported`)
    }
    const { actor, events } = here.transaction
    const event = { ...change, at: secondsOf(fiber.getRef(Clock.Clock)), actor }
    events.push({ event, annotations: fiber.getRef(CurrentLogAnnotations) })
    return Effect.void
  })

/** What forgets all events that the current transaction reports from now on. */
export const eventsSoFar: Effect.Effect<() => void> = Effect.withFiber((fiber) => {
  const events = fiber.getRef(CurrentPlace)?.transaction.events ?? []
  const { length } = events
  return Effect.succeed(() => {
    events.length = length
  })
})
