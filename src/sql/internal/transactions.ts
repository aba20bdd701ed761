/**
 * Transactions, begun and ended by the client's own transaction service, so that the host's statements on that client are
 * part of them. Within a transaction of the host, a transaction is a savepoint.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { BeginTransaction, type SqlClient, type TransactionConnection } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError } from "effect/sql/SqlError"
import { left, patienceOf, waitFor } from "../../ports/Patience.js"
import type { Patience, StorageService, Stores, TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"
import { beginnings, type Concurrency, enter, join } from "./Isolation.js"
import { Lease } from "./Lease.js"
import { asking, conflictOf, Session, storageErrorOf } from "./Session.js"
import type { Turns } from "./Turns.js"

/** The client's record of the current transaction or savepoint. */
type Level = TransactionConnection.Service

/** A current transaction. */
interface Around {
  readonly sql: SqlClient
  readonly accountId: string
  readonly mode: TransactionMode
  /** Whether it is part of a transaction of the host. */
  readonly isJoined: boolean
  /** The client's record of it, set when its work begins. */
  level: Level | undefined
  /** Set at its end, for fibers that outlive it. */
  over: boolean
}

/** The transactions within which code runs. */
const Surroundings = Context.Reference<ReadonlyArray<Around>>("apportion/sql/Surroundings", {
  defaultValue: () => [],
})

/** The client's record of the current transaction. */
const levelOf = (sql: SqlClient): Effect.Effect<Level | undefined> =>
  Effect.map(Effect.context<never>(), (context) =>
    Context.getOrUndefined(context, sql.transactionService),
  )

/**
 * Whether the next transaction is part of the current one: of a transaction of the host, or of a savepoint that the host
 * set in a transaction of this storage. A transaction of this storage has one account; another account gets its own.
 */
const isWithinHost = (all: ReadonlyArray<Around>, level: Level | undefined): boolean => {
  if (level === undefined) return false
  const ours = all.findLast((one) => one.level === level)
  return ours === undefined || (ours.isJoined && !ours.over)
}

/** The transactions of a client around this one, including those that have ended. */
const surroundingsOf = (sql: SqlClient): Effect.Effect<ReadonlyArray<Around>> =>
  Effect.map(Surroundings, (all) => all.filter((one) => one.sql === sql))

/** Whether the next transaction would be part of one of the host. */
export const isWithin = (sql: SqlClient): Effect.Effect<boolean> =>
  Effect.zipWith(surroundingsOf(sql), levelOf(sql), isWithinHost)

/** How long a transaction within another one waits for a connection, which may never become free. */
const nestedWaiting = Duration.seconds(10)

const refuse = (why: string): Effect.Effect<never, StorageFailure> =>
  Effect.fail(StorageFailure.of("begin a transaction within another one", why))

/** Refuses what would be a deadlock with itself. */
const refuseDeadlock = (
  around: ReadonlyArray<Around>,
  { accountId, mode }: Pick<Around, "accountId" | "mode">,
): Effect.Effect<void, StorageFailure> => {
  if (around.some(({ sql }) => sql.driver === "pglite")) {
    return refuse("PGlite has one connection, which the other transaction has")
  }
  const isSame = around.some((one) => one.accountId === accountId && one.mode === "write")
  return isSame && mode === "write" ? refuse("the other one has locked the account") : Effect.void
}

/**
 * How long a transaction waits in all before its work begins: for its turn, a connection and the account. It has a limit
 * because a transaction within another may wait for what the outer one holds.
 */
const patienceFor = (
  { waiting }: Pick<TransactionTools, "waiting">,
  around: ReadonlyArray<Around>,
  given: Patience | undefined,
): Effect.Effect<Patience> =>
  Effect.map(
    patienceOf(around.length > 0 ? Duration.min(waiting, nestedWaiting) : waiting),
    (own) => (given === undefined || own.until < given.until ? own : given),
  )

/**
 * A connection, in turn. Within another transaction there are no turns: those that are first in line may be waiting for
 * the connection of the outer one.
 */
const reserve = (
  { sql, turns }: Pick<TransactionTools, "sql" | "turns">,
  around: ReadonlyArray<Around>,
  { accountId, mode, patience }: OneTransaction,
): Effect.Effect<Connection, StorageError, Scope.Scope> => {
  const reserved = Effect.mapError(sql.reserve, (error) =>
    storageErrorOf("get a connection", error),
  )
  if (around.length > 0) {
    return waitFor("a connection beside that of the transaction around it", patience, reserved)
  }
  const turn = mode === "write" ? turns.toWrite(accountId) : Effect.void
  return Effect.andThen(
    waitFor(`the turn of account ${accountId}`, patience, turn),
    waitFor("a connection", patience, reserved),
  )
}

/** What transactions are run with. */
export interface TransactionTools {
  readonly sql: SqlClient
  readonly concurrency: Concurrency
  readonly storesOf: (session: Session) => Stores
  /** The time limit of an answer; `undefined`: none, because the database is in this process. */
  readonly patience: Duration.Duration | undefined
  readonly turns: Turns
  /** The time limit of everything before the work begins. */
  readonly waiting: Duration.Duration
}

interface OneTransaction extends Pick<Around, "accountId" | "mode"> {
  readonly actor: string
  readonly patience: Patience
}

/** Runs the work with the stores. If it returns no effect, the failure must not leave the transaction open. */
const begun = <A, E, R>(
  work: (stores: Stores) => Effect.Effect<A, E, R>,
  stores: Stores,
): Effect.Effect<A, E, R> => {
  const given = work(stores)
  if (Effect.isEffect(given)) return given
  return Effect.die(new TypeError("the work of a transaction has to give an effect"))
}

/** The work of a transaction, and what happens before and after it. */
interface Course<A, E, R> {
  readonly options: OneTransaction
  readonly around: ReadonlyArray<Around>
  readonly here: Around
  readonly connection: Connection
  /** Waits for the lock of the account. */
  readonly enters: (session: Session) => Effect.Effect<void, StorageError>
  readonly work: (stores: Stores) => Effect.Effect<A, E, R>
  /** Called at the end of the work, with whether it will be committed. */
  readonly end: (isKept: boolean) => void
}

/** Work with the stores, which fails if any statement failed, even if the work handled that. */
const worked = <A, E, R>(
  { sql, storesOf, patience }: TransactionTools,
  { options, around, here, connection, enters, work, end }: Course<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.suspend(() => {
    const session = new Session(asking(connection, patience), options)
    // With a database in this process, nobody else can hold the account's lock.
    const waits = patience === undefined ? undefined : options.patience
    const entered = waitFor(`account ${options.accountId}`, waits, enters(session))
    const noted = Effect.map(levelOf(sql), (level) => {
      here.level = level
    })
    return Effect.andThen(noted, entered).pipe(
      Effect.andThen(Effect.suspend(() => begun(work, storesOf(session)))),
      Effect.exit,
      // What the work fails with may follow from a failure that it was not told of yet, as in a statement of the host.
      Effect.flatMap((exit) =>
        session.failure === undefined && !Exit.hasInterrupts(exit)
          ? Effect.andThen(session.answered, exit)
          : exit,
      ),
      Effect.flatMap((value) =>
        session.failure === undefined ? Effect.succeed(value) : Effect.fail(session.failure),
      ),
      // A statement of the host, which conflicted with another transaction as one of this storage could have.
      Effect.mapError((error) => (isSqlError(error) ? (conflictOf(error) ?? error) : error)),
      Effect.onExit((exit) =>
        Effect.map(session.end(Exit.hasInterrupts(exit)), () => {
          here.over = true
          end(Exit.isSuccess(exit))
        }),
      ),
      Effect.provideService(Surroundings, [...around, here]),
    )
  })

/** Lets the client begin and end a transaction. Failures of that are failures of the storage. */
const transacted = <A, E, R>(
  sql: SqlClient,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.suspend(() => {
    let outcome: Exit.Exit<A, E> | undefined
    const noted = Effect.onExit(work, (exit) =>
      Effect.sync(() => {
        outcome = exit
      }),
    )
    return Effect.catchCause(
      sql.withTransaction(noted),
      (cause): Effect.Effect<never, E | StorageError> => {
        // The rollback can fail too, on a lost connection; the database then rolls back by itself.
        if (outcome !== undefined && Exit.isFailure(outcome)) return Effect.failCause(outcome.cause)
        const doing = outcome === undefined ? "begin a transaction" : "commit a transaction"
        const error: unknown = Cause.squash(cause)
        if (isSqlError(error)) return Effect.fail(storageErrorOf(doing, error))
        return Effect.failCause(Cause.map(cause, () => StorageFailure.of(doing, error)))
      },
    )
  })

/**
 * Lets what the client does when the transaction is over run outside of it: its connection was lent to the client
 * by the context, in which it must not be found any more.
 */
const forget = (sql: SqlClient): Effect.Effect<void> =>
  Effect.withFiberSucceed((fiber) => {
    fiber.setContext(Context.omit(sql.transactionService)(fiber.context))
  })

/** A transaction of its own. */
const runOwn = <A, E, R>(
  tools: TransactionTools,
  course: Pick<Course<A, E, R>, "options" | "around" | "work">,
): Effect.Effect<A, E | StorageError, R> => {
  const { sql, concurrency, patience } = tools
  const { options, around } = course
  const { accountId, mode } = options
  const run = (scope: Scope.Closeable) =>
    Effect.gen(function* () {
      yield* refuseDeadlock(around, { accountId, mode })
      // The connection has its own scope: what the work acquires belongs to the caller's.
      const real = yield* Scope.provide(reserve(tools, around, options), scope)
      const giveBack = Scope.close(scope, Exit.void)
      const lease = new Lease(real, { patience, onBegin: forget(sql), giveBack })
      const lockMillis = Effect.map(left(options.patience), (millis) => Math.max(1, millis))
      const entrance = { concurrency, patience, isJoined: false, lockMillis }
      const enters = (session: Session) =>
        mode === "write" ? enter(session, entrance) : Effect.void
      const here = { sql, accountId, mode, isJoined: false, level: undefined, over: false }
      const end = (isKept: boolean) => lease.end(isKept)
      const inside = worked(tools, { ...course, here, connection: real, enters, end })
      // Transactions of other clients in the work are not affected.
      const others = Effect.provideService(inside, BeginTransaction, yield* BeginTransaction)
      // One level above the outermost, so that the client begins a transaction, on this connection.
      const outside: Level = [lease.connection, -1]
      return yield* transacted(sql, others).pipe(
        Effect.provideService(BeginTransaction, beginnings[concurrency][mode]),
        Effect.provideService(sql.transactionService, outside),
      )
    })
  return Effect.acquireUseRelease(Scope.make(), run, (scope, exit) => Scope.close(scope, exit))
}

/** A part of the host's transaction; only the host can retry the whole. */
const runJoined = <A, E, R>(
  tools: TransactionTools,
  course: Pick<Course<A, E, R>, "options" | "around" | "work">,
): Effect.Effect<A, E | StorageError, R> => {
  const { sql, concurrency, patience } = tools
  const { accountId, mode } = course.options
  const inside = Effect.flatMap(levelOf(sql), (level) => {
    if (level === undefined) return Effect.die(new TypeError("the client began no transaction"))
    const [connection] = level
    const doorkeeper = new Session(asking(connection, patience), {
      ...course.options,
      mode: "write",
    })
    const enters = () => join(doorkeeper, { concurrency, patience, mode })
    const here = { sql, accountId, mode, isJoined: true, level: undefined, over: false }
    return worked(tools, { ...course, here, connection, enters, end: () => {} })
  })
  return Effect.mapError(transacted(sql, inside), (error) =>
    error instanceof Conflict ? error.asPartOf("the host's transaction") : error,
  )
}

/** Runs transactions, those of one account in turn or concurrently. */
export const make =
  (tools: TransactionTools): StorageService["transaction"] =>
  (accountId, work, { mode = "write", actor = "unknown", patience: given } = {}) =>
    Effect.gen(function* () {
      const { sql } = tools
      const around = (yield* surroundingsOf(sql)).filter(({ over }) => !over)
      const isJoined = yield* isWithin(sql)
      const patience = yield* patienceFor(tools, around, given)
      const course = { options: { accountId, mode, actor, patience }, around, work }
      return yield* isJoined ? runJoined(tools, course) : runOwn(tools, course)
    })
