/**
 * Transactions, which the client's own transaction service begins and ends: whatever else runs on that client meanwhile
 * is part of them. Within a transaction that the host began, ours is a part of it.
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
import { patienceOf, waitFor } from "../../ports/Patience.js"
import type { Patience, StorageService, Stores, TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"
import { beginnings, type Concurrency, enter, join } from "./Isolation.js"
import { Lease } from "./Lease.js"
import { asking, conflictOf, Session, storageErrorOf } from "./Session.js"
import type { Turns } from "./Turns.js"

/** What the client's transaction service says of the transaction, or of the savepoint in it, that is under way. */
type Level = TransactionConnection.Service

/** A transaction that is under way. */
interface Around {
  readonly sql: SqlClient
  readonly accountId: string
  readonly mode: TransactionMode
  /** Whether it is part of a transaction of the host. */
  readonly isJoined: boolean
  /** What the client says of it, as soon as its work begins. */
  level: Level | undefined
  /** Set when it ended, for fibers that stay behind. */
  over: boolean
}

/** The transactions within which code runs. */
const Surroundings = Context.Reference<ReadonlyArray<Around>>("apportion/sql/Surroundings", {
  defaultValue: () => [],
})

/** What the client says of the transaction that is under way here. */
const levelOf = (sql: SqlClient): Effect.Effect<Level | undefined> =>
  Effect.map(Effect.context<never>(), (context) =>
    Context.getOrUndefined(context, sql.transactionService),
  )

/**
 * Whether what comes now is part of what is under way: of a transaction that the host began, or of a savepoint that
 * it set in one of ours. A transaction of ours has one account; another one's is a transaction of its own.
 */
const isWithinHost = (all: ReadonlyArray<Around>, level: Level | undefined): boolean => {
  if (level === undefined) return false
  const ours = all.findLast((one) => one.level === level)
  return ours === undefined || (ours.isJoined && !ours.over)
}

/** The transactions of a client within which this runs, those that are over too. */
const surroundingsOf = (sql: SqlClient): Effect.Effect<ReadonlyArray<Around>> =>
  Effect.map(Surroundings, (all) => all.filter((one) => one.sql === sql))

/** Whether what comes now would be part of a transaction of the host. */
export const isWithin = (sql: SqlClient): Effect.Effect<boolean> =>
  Effect.zipWith(surroundingsOf(sql), levelOf(sql), isWithinHost)

/** How long a transaction within another one waits for a connection, which may never become free. */
const nestedWaiting = Duration.seconds(10)

const refuse = (why: string): Effect.Effect<never, StorageFailure> =>
  Effect.fail(StorageFailure.of("begin a transaction within another one", why))

/** What would wait for itself without end is refused at once. */
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
 * How long a transaction waits in all before its work begins: for its turn, a connection and the account. It is never
 * longer than the storage lets it, and what is within another transaction may wait for what that one has.
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
 * A connection when it is one's turn to have one. Within another transaction there are no turns: the outer one has a
 * connection that those before it may be waiting for.
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
  /** How long an answer is waited for; `undefined`: the database is in this process, so one always comes. */
  readonly patience: Duration.Duration | undefined
  readonly turns: Turns
  /** How long is waited in all before work begins. */
  readonly waiting: Duration.Duration
}

interface OneTransaction extends Pick<Around, "accountId" | "mode"> {
  readonly actor: string
  readonly patience: Patience
}

/** What work does with the stores. What is no effect would end its fiber with the transaction left open. */
const begun = <A, E, R>(
  work: (stores: Stores) => Effect.Effect<A, E, R>,
  stores: Stores,
): Effect.Effect<A, E, R> => {
  const given = work(stores)
  if (Effect.isEffect(given)) return given
  return Effect.die(new TypeError("the work of a transaction has to give an effect"))
}

/** What is done in a transaction, and what is noted of it. */
interface Course<A, E, R> {
  readonly options: OneTransaction
  readonly around: ReadonlyArray<Around>
  readonly here: Around
  readonly connection: Connection
  /** Waits until the account may be worked on. */
  readonly enters: (session: Session) => Effect.Effect<void, StorageError>
  readonly work: (stores: Stores) => Effect.Effect<A, E, R>
  /** Told when the work is done, and whether it is to be kept. */
  readonly end: (isKept: boolean) => void
}

/** Work with the stores, which fails when anything failed in it, whatever it made of that. */
const worked = <A, E, R>(
  { sql, storesOf, patience }: TransactionTools,
  { options, around, here, connection, enters, work, end }: Course<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.suspend(() => {
    const session = new Session(asking(connection, patience), options)
    // A database in this process has nobody else who could have the account.
    const waits = patience === undefined ? undefined : options.patience
    const entered = waitFor(`account ${options.accountId}`, waits, enters(session))
    const noted = Effect.map(levelOf(sql), (level) => {
      here.level = level
    })
    return Effect.andThen(noted, entered).pipe(
      Effect.andThen(Effect.suspend(() => begun(work, storesOf(session)))),
      Effect.flatMap((value) =>
        session.failure === undefined ? Effect.succeed(value) : Effect.fail(session.failure),
      ),
      // A statement of the host's own, which met another transaction as one of ours could have.
      Effect.mapError((error) => (isSqlError(error) ? (conflictOf(error) ?? error) : error)),
      Effect.onExit((exit) =>
        Effect.sync(() => {
          session.end()
          here.over = true
          end(Exit.isSuccess(exit))
        }),
      ),
      Effect.provideService(Surroundings, [...around, here]),
    )
  })

/** Has the client begin and end a transaction. What fails in beginning or ending it fails as a store does. */
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
        // Taking it back may fail too, on a connection that is lost; what was to be taken back is lost with it.
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
      // The connection has a scope of its own: what the work acquires stays its caller's.
      const real = yield* Scope.provide(reserve(tools, around, options), scope)
      const giveBack = Scope.close(scope, Exit.void)
      const lease = new Lease(real, { patience, onBegin: forget(sql), giveBack })
      const enters = (session: Session) =>
        mode === "write" ? enter(session, { concurrency, patience, isJoined: false }) : Effect.void
      const here = { sql, accountId, mode, isJoined: false, level: undefined, over: false }
      const end = (isKept: boolean) => lease.end(isKept)
      const inside = worked(tools, { ...course, here, connection: real, enters, end })
      // What the work begins elsewhere begins as it would without us.
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

/** A part of the host's transaction, which alone can be run again. */
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

/** Runs transactions one after the other for each account, or side by side. */
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
