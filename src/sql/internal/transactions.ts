import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { patienceOf, waitFor } from "../../ports/Patience.js"
import type { Patience, StorageService, Stores, TransactionMode } from "../../ports/Storage.js"
import { type StorageError, StorageFailure } from "../../ports/StorageError.js"
import { type Row, textOf } from "./rows.js"
import { type Asking, asking, Session, storageErrorOf } from "./Session.js"

// Which accounts have anything stored, and which have link jobs that run.

/** The tables in which something lies as soon as an account has anything, with what else is in their keys. */
const tables = {
  collaborators: "collaborator_id",
  product_groups: "group_id",
  products: "product_key",
  link_jobs: "group_id",
  payouts: "payout_id",
  sale_parts: "order_id",
  idempotency_keys: "key",
}

// Asked for the first by key, the database looks into the key's index and never through the table.
const hasRows = Object.entries(tables).map(
  ([table, key]) => `(SELECT TRUE FROM apportion.${table} t WHERE t.account_id = a.account_id
      ORDER BY t.account_id, t.${key} LIMIT 1)`,
)

const withRows = `SELECT a.account_id FROM apportion.accounts a
  WHERE coalesce(${hasRows.join(", ")}, FALSE) ORDER BY a.account_id`

// The index has the jobs that run and nothing else: with none, there is nothing to look through.
const withRunningJobs = `SELECT DISTINCT account_id FROM apportion.link_jobs
  WHERE status = 'running' ORDER BY account_id`

type Ids = Effect.Effect<ReadonlyArray<string>, SqlError>

const ids = (sql: SqlClient, statement: string): Ids =>
  Effect.map(sql.unsafe<Row>(statement), (rows) => rows.map((row) => textOf(row, "account_id")))

/** The ids of the accounts, in order. */
export const list = (sql: SqlClient): Ids => ids(sql, withRows)

/** The ids of the accounts in which link jobs run, in order. */
export const linking = (sql: SqlClient): Ids => ids(sql, withRunningJobs)

// Whose turn it is before a connection is taken. Those that write to one account come one after the other, so
// that they hold one connection and not all; and those that write to any leave some connections to those that
// read.

interface Queue {
  readonly turn: Semaphore.Semaphore
  /** How many have their turn or wait for it. */
  length: number
}

/** How many of so many connections may write at the same time: a quarter is for those that read. */
export const writersOf = (connections: number): number =>
  connections === 1 ? 1 : connections - Math.max(1, Math.floor(connections / 4))

/** The turns of one storage. */
export class Turns {
  readonly #lines = new Map<string, Queue>()
  readonly #writers: Semaphore.Semaphore
  readonly #isQueue: boolean

  constructor(options: {
    /** How many may write at the same time, to whatever account. */
    readonly writers: number
    /** Whether those that write to one account come one after the other. */
    readonly isQueue: boolean
  }) {
    this.#writers = Semaphore.makeUnsafe(options.writers)
    this.#isQueue = options.isQueue
  }

  /** Waits until one may write to an account, and has its turn as long as the scope. */
  toWrite(accountId: string): Effect.Effect<void, never, Scope.Scope> {
    const writer = take(this.#writers)
    return this.#isQueue ? Effect.andThen(this.#inLine(accountId), writer) : writer
  }

  #inLine(accountId: string): Effect.Effect<void, never, Scope.Scope> {
    const enter = Effect.sync(() => {
      const line = this.#lines.get(accountId) ?? { turn: Semaphore.makeUnsafe(1), length: 0 }
      line.length += 1
      this.#lines.set(accountId, line)
      return line
    })
    const leave = (line: Queue) =>
      Effect.sync(() => {
        line.length -= 1
        if (line.length === 0) this.#lines.delete(accountId)
      })
    return Effect.flatMap(Effect.acquireRelease(enter, leave), ({ turn }) => take(turn))
  }
}

const take = (turn: Semaphore.Semaphore): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    // Who waits can give up.
    Effect.acquireRelease(turn.take(1), () => turn.release(1), { interruptible: true }),
  )

// Transactions on a connection of their own. Those that write to an account queue up at its row, so that
// each sees what the one before it has kept; or the database lets them run side by side and fails those
// that would not have come out the same one after the other.

/** How transactions that write to the same account get along. */
export type Concurrency = "queue" | "optimistic"

/** What begins a transaction, by how it gets along with others and what it is for. */
const beginnings: Readonly<Record<Concurrency, Readonly<Record<TransactionMode, string>>>> = {
  queue: {
    // Each statement sees what is kept by then; the lock lets nobody keep anything in between.
    write: "BEGIN ISOLATION LEVEL READ COMMITTED",
    read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  },
  optimistic: {
    write: "BEGIN ISOLATION LEVEL SERIALIZABLE",
    read: "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY",
  },
}

const findAccount = "SELECT account_id FROM apportion.accounts WHERE account_id = $1"
/** With that a server lets nobody keep an account waiting who is gone without a word. */
const findAccountForAWhile = `SELECT account_id, set_config('idle_in_transaction_session_timeout', $2, true)
  FROM apportion.accounts WHERE account_id = $1`
const looks: Readonly<Record<"here" | "elsewhere", Readonly<Record<Concurrency, string>>>> = {
  here: { queue: `${findAccount} FOR UPDATE`, optimistic: findAccount },
  elsewhere: { queue: `${findAccountForAWhile} FOR UPDATE`, optimistic: findAccountForAWhile },
}
const addAccount =
  "INSERT INTO apportion.accounts (account_id) VALUES ($1) ON CONFLICT (account_id) DO NOTHING"

/** Waits for the account's turn; the first transaction of an account makes its row. */
const enter = (
  session: Session,
  { concurrency, patience }: Pick<TransactionTools, "concurrency" | "patience">,
): Effect.Effect<void, StorageError> => {
  const doing = "enter an account"
  const statement = looks[patience === undefined ? "here" : "elsewhere"][concurrency]
  const parameters = patience === undefined ? [] : [String(Duration.toMillis(patience))]
  const look = session.write(doing, statement, parameters)
  return Effect.flatMap(look, (rows) =>
    rows.length > 0
      ? Effect.void
      : Effect.andThen(session.write(doing, addAccount), Effect.asVoid(look)),
  )
}

/** A transaction that is under way. */
interface Around {
  readonly sql: SqlClient
  readonly accountId: string
  readonly mode: TransactionMode
  /** Set when it ended, for fibers that stay behind. */
  over: boolean
}

/** The transactions within which code runs. */
const Surroundings = Context.Reference<ReadonlyArray<Around>>("apportion/sql/Surroundings", {
  defaultValue: () => [],
})

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
  { accountId, mode, patience }: SessionOptions,
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

const control = (connection: Asking, doing: string, statement: string) =>
  Effect.asVoid(
    Effect.mapError(connection.executeUnprepared(statement, [], undefined), (error: SqlError) =>
      storageErrorOf(doing, error),
    ),
  )

const wasCancelled = (error: StorageError): boolean =>
  Predicate.hasProperty(error, "cause") &&
  isSqlError(error.cause) &&
  error.cause.reason._tag === "StatementTimeoutError"

/**
 * A connection that can't even roll back is lost, and its transaction with it. But what was to cancel an
 * earlier statement may come late and cancel this one instead: then the connection goes on, and is asked again.
 */
const rollback = (connection: Asking): Effect.Effect<void> =>
  Effect.ignore(
    Effect.retry(control(connection, "roll back a transaction", "ROLLBACK"), {
      while: wasCancelled,
      times: 3,
    }),
  )

/** Keeps what was done when the work succeeded and nothing failed in it, else takes it back. */
const finish = (
  session: Session,
  connection: Asking,
  succeeded: boolean,
): Effect.Effect<void, StorageError> => {
  session.end()
  const { failure } = session
  if (!succeeded) return rollback(connection)
  if (failure !== undefined) return Effect.andThen(rollback(connection), Effect.fail(failure))
  const commit = control(connection, "commit a transaction", "COMMIT")
  return Effect.tapError(commit, () => rollback(connection))
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

interface SessionOptions extends Pick<Around, "accountId" | "mode"> {
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

/** Runs work on a connection that it has for itself. */
const runOn = <A, E, R>(
  { concurrency, storesOf, patience }: TransactionTools,
  connection: Asking,
  options: SessionOptions,
  work: (stores: Stores) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  Effect.suspend(() => {
    const session = new Session(connection, options)
    const { mode } = options
    const begin = control(connection, "begin a transaction", beginnings[concurrency][mode])
    const entered = mode === "write" ? enter(session, { concurrency, patience }) : Effect.void
    const begins = Effect.andThen(begin, entered)
    // A database in this process has nobody else who could have the account.
    const waits = patience === undefined ? undefined : options.patience
    const inside = waitFor(`account ${options.accountId}`, waits, begins).pipe(
      Effect.andThen(Effect.suspend(() => begun(work, storesOf(session)))),
    )
    return Effect.onExit(inside, (exit) => finish(session, connection, Exit.isSuccess(exit)))
  })

/** Runs transactions one after the other for each account, or side by side. */
export const make =
  (tools: TransactionTools): StorageService["transaction"] =>
  (accountId, work, { mode = "write", actor = "unknown", patience: given } = {}) =>
    // The connection has a scope of its own: what the work acquires stays its caller's.
    Effect.scopedWith((scope) =>
      Effect.gen(function* () {
        const { sql } = tools
        const around = (yield* Surroundings).filter((one) => one.sql === sql && !one.over)
        yield* refuseDeadlock(around, { accountId, mode })
        const here: Around = { sql, accountId, mode, over: false }
        const leave = Effect.sync(() => {
          here.over = true
        })
        const patience = yield* patienceFor(tools, around, given)
        const options = { accountId, mode, actor, patience }
        const reserved = yield* Scope.provide(reserve(tools, around, options), scope)
        const running = runOn(tools, asking(reserved, tools.patience), options, work)
        return yield* Effect.ensuring(
          Effect.provideService(running, Surroundings, [...around, here]),
          leave,
        )
      }),
    )
