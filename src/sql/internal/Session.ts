import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import type { Connection } from "effect/sql/SqlConnection"
import {
  AuthenticationError,
  AuthorizationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  type SqlErrorReason,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError,
} from "effect/sql/SqlError"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { TransactionMode } from "../../ports/Storage.js"
import { Conflict, type StorageError, StorageFailure } from "../../ports/StorageError.js"
import { type Parameter, type Row, text } from "./rows.js"

// The meaning of PostgreSQL's error codes, for a client that gets only the codes.

interface About {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}

type ReasonMaker = (about: About) => SqlErrorReason

const exactly: Readonly<Record<string, ReasonMaker>> = {
  "40001": (about) => new SerializationError(about),
  "40P01": (about) => new DeadlockError(about),
  "42501": (about) => new AuthorizationError(about),
  "55P03": (about) => new LockTimeoutError(about),
  "57014": (about) => new StatementTimeoutError(about),
}

const byClass: Readonly<Record<string, ReasonMaker>> = {
  "08": (about) => new ConnectionError(about),
  "23": (about) => new ConstraintError(about),
  "28": (about) => new AuthenticationError(about),
  "42": (about) => new SqlSyntaxError(about),
}

const fieldOf = (error: unknown, name: string): string => {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof value === "string" ? value : ""
}

/** The reason of an error that a database threw. */
export const reasonOf = (cause: unknown): SqlErrorReason => {
  const code = fieldOf(cause, "code")
  const about = { cause, message: fieldOf(cause, "message") || String(cause), operation: "query" }
  if (code === "23505") {
    return new UniqueViolation({ ...about, constraint: fieldOf(cause, "constraint") || "unknown" })
  }
  const reason = exactly[code] ?? byClass[code.slice(0, 2)]
  return reason?.(about) ?? new UnknownError(about)
}

// Errors of stores for failures of the database.

/** A conflict with another transaction, or a wait that took too long: run again, the transaction can succeed. */
const conflicts: ReadonlySet<string> = new Set([
  "SerializationError",
  "DeadlockError",
  "LockTimeoutError",
  "UniqueViolation",
])

/** The schema's name of the constraint that all ids of a row fit into its indexes. */
const idsAreShort = "ids_are_short"

/** Whether the database refused an id because it is too long. Another attempt would fail as well. */
const isAboutLongId = ({ reason }: SqlError): boolean =>
  Predicate.hasProperty(reason.cause, "constraint") && reason.cause.constraint === idsAreShort

/** What logs have of an error of the database. */
class DatabaseError extends Data.TaggedError("DatabaseError")<{
  readonly reason: string
  readonly code: string
  readonly table: string
  readonly column: string
  readonly constraint: string
  readonly message: string
}> {}

/** Errors about data quote the value that they are about. */
const ofData = "22"

/**
 * An error of the database without values of rows, which may be of people: its details show whole rows, and its place the
 * parameters of a statement.
 */
const forLogs = ({ reason }: SqlError): DatabaseError => {
  const field = (name: string) => fieldOf(reason.cause, name)
  const [code, told] = [field("code"), field("message") || reason.message]
  return new DatabaseError({
    ...{ reason: reason._tag, code, table: field("table"), column: field("column") },
    constraint: field("constraint"),
    message: code.startsWith(ofData) ? told.replace(/".*"/s, '"…"') : told,
  })
}

/** The error of a store for an error of the database. */
export const storageErrorOf = (doing: string, error: SqlError): StorageError => {
  const cause = forLogs(error)
  if (isAboutLongId(error)) {
    const message = `storage failed: could not ${doing}: an id is longer than the database can hold, which is 500 bytes`
    return new StorageFailure({ doing, cause, isFinal: true, message })
  }
  if (!conflicts.has(error.reason._tag)) return StorageFailure.of(doing, cause)
  const message = `could not ${doing}: somebody else changed the same at the same time`
  return new Conflict({ what: doing, id: "", message })
}

/** The conflict of a statement of the host, where the database asks for the transaction to be run again. */
export const conflictOf = (error: SqlError): Conflict | undefined => {
  const { _tag } = error.reason
  if (_tag !== "SerializationError" && _tag !== "DeadlockError") return undefined
  const doing = "run a statement of the host"
  const message = `could not ${doing}: somebody else changed the same at the same time`
  return new Conflict({ what: doing, id: "", message })
}

// Waiting for a server that may never answer, because the network is gone without a notice. A caller that gives up
// loses the connection, and with it the transaction.

/** The part of a connection that transactions use. */
export type Asking = Pick<Connection, "execute" | "executeUnprepared">

const noAnswer = new SqlError({
  reason: new ConnectionError({
    cause: "no answer came in time",
    message: "no answer came in time, and nobody knows whether the statement had an effect",
    operation: "query",
  }),
})

/** Time limits of the network use the real clock, whatever clock the work uses. */
const realTime = Clock.Clock.defaultValue()

/** Fails when something is not done in time; `undefined`: there is no network in between, so there is no limit. */
export const within = <A, E, R>(
  asked: Effect.Effect<A, E, R>,
  patience: Duration.Duration | undefined,
): Effect.Effect<A, E | SqlError, R> =>
  patience === undefined
    ? asked
    : Effect.provideService(
        Effect.timeoutOrElse(asked, { duration: patience, orElse: () => Effect.fail(noAnswer) }),
        Clock.Clock,
        realTime,
      )

/** A connection with a time limit for each answer. */
export const asking = (
  connection: Connection,
  patience: Duration.Duration | undefined,
): Asking => ({
  execute: (statement, parameters, transform) =>
    within(connection.execute(statement, parameters, transform), patience),
  executeUnprepared: (statement, parameters, transform) =>
    within(connection.executeUnprepared(statement, parameters, transform), patience),
})

/** A statement. One that is kept has the same plan whatever it is given and whatever the tables are taken to have. */
export type SqlText = string | { readonly kept: string }

/**
 * Whether a statement is planned anew, with what it is given. A plan that is kept knows nothing of that, and may be
 * from when the tables were empty: then every row is compared with every entry of a list.
 */
const isLarge = (parameter: Parameter): boolean => Array.isArray(parameter) && parameter.length > 50

/** Items that a transaction has seen that payouts do not have: nobody else changes the account until it is over. */
class AbsentItems {
  readonly #byPayout = new Map<string, Set<string>>()

  note(payoutId: string, itemId: string): void {
    const known = this.#byPayout.get(payoutId)
    if (known === undefined) this.#byPayout.set(payoutId, new Set([itemId]))
    else known.add(itemId)
  }

  has(payoutId: string, itemId: string): boolean {
    return this.#byPayout.get(payoutId)?.has(itemId) ?? false
  }

  /** Forgets one that is there from now on; tells whether it was noted. */
  forget(payoutId: string, itemId: string): boolean {
    return this.#byPayout.get(payoutId)?.delete(itemId) ?? false
  }
}

/** A statement that was sent, and what is made of its answer. */
interface Sent {
  readonly doing: string
  readonly answer: Fiber.Fiber<ReadonlyArray<Row>, StorageError>
  readonly look: (rows: ReadonlyArray<Row>) => Effect.Effect<unknown, StorageError>
}

/** Who changes what. */
export interface SessionOptions {
  readonly accountId: string
  readonly mode: TransactionMode
  readonly actor: string
}

/** One transaction as its stores see it: every statement goes through it. */
export class Session {
  readonly accountId: string
  readonly actor: string
  readonly #connection: Asking
  readonly #mode: TransactionMode
  #isOver = false
  #failure: StorageError | undefined
  #aborted: StorageError | undefined
  readonly #account: string
  /** Those of which the answer was not looked at yet, in their order. */
  readonly #sent: Array<Sent> = []

  constructor(connection: Asking, { accountId, mode, actor }: SessionOptions) {
    this.#connection = connection
    this.#mode = mode
    this.#account = text(accountId)
    this.accountId = accountId
    this.actor = actor
  }

  /** The account's row as this transaction entered it, when nothing of it has changed since. */
  entered: Row | undefined

  /** The numbers of payouts that this transaction came across, by their ids. */
  readonly payoutNumbers = new Map<string, number>()

  /** Payouts as this transaction has read or stored them last, by their ids. */
  readonly seenPayouts = new Map<string, StoredPayout>()

  readonly absentItems = new AbsentItems()

  /** The first failure: even if the work handles it, nothing may be committed. */
  get failure(): StorageError | undefined {
    return this.#failure
  }

  /** Ends the session: no store can be used any more, and nothing of it is under way. */
  end(isInterrupted: boolean): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#isOver = true
      const answers = this.#sent.splice(0).map(({ answer }) => answer)
      return isInterrupted ? Fiber.interruptAll(answers) : Effect.asVoid(Fiber.awaitAll(answers))
    })
  }

  /** Runs a statement that only reads. The first parameter is the account's id. */
  read(
    doing: string,
    statement: SqlText,
    parameters: ReadonlyArray<Parameter> = [],
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    return this.#run({ doing, mode: "read" }, statement, parameters)
  }

  /** Runs a statement that writes. The first parameter is the account's id. */
  write(
    doing: string,
    statement: SqlText,
    parameters: ReadonlyArray<Parameter> = [],
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    return this.#run({ doing, mode: "write" }, statement, parameters)
  }

  /**
   * Sends a statement that writes, as `write`, and lets the work go on while the database is at it. Its answer is looked at
   * before the next statement that is waited for, and before the transaction ends: what fails of it fails then.
   */
  send(
    doing: string,
    statement: SqlText,
    parameters: ReadonlyArray<Parameter>,
    look: Sent["look"],
  ): Effect.Effect<void, StorageError> {
    const asked = Effect.suspend(() => this.#asked(doing, statement, parameters))
    const noted = Effect.map(Effect.forkDetach(asked, { startImmediately: true }), (answer) => {
      this.#sent.push({ doing, answer, look })
    })
    return Effect.andThen(this.#allowed(doing, "write"), Effect.uninterruptible(noted))
  }

  /** Waits for the answers to all that was sent, and looks at them. */
  readonly answered: Effect.Effect<void, StorageError> = Effect.suspend(() => {
    const [next] = this.#sent
    if (next === undefined) return Effect.void
    // An answer that was taken is looked at, or nothing is kept: it may tell of a conflict.
    const looked = Effect.uninterruptibleMask((restore) => {
      const joined = Effect.mapError(restore(Fiber.join(next.answer)), (error) =>
        this.#abort(error),
      )
      return Effect.flatMap(joined, (rows) => {
        if (this.#sent[0] !== next) return Effect.void
        this.#sent.shift()
        return this.#orAborts(next.doing, restore(next.look(rows)))
      })
    })
    return Effect.andThen(looked, this.answered)
  })

  /** The account's row: as it was entered, or as a statement reads it once something of it may have changed. */
  account(doing: string, statement: string): Effect.Effect<Row | undefined, StorageError> {
    return Effect.suspend(() => {
      const { entered } = this
      return entered === undefined
        ? Effect.map(this.read(doing, statement), ([row]) => row)
        : Effect.as(this.#allowed(doing, "read"), entered)
    })
  }

  /** Fails with a conflict, after which nothing of the transaction can be committed. */
  conflict(what: string, id: string): Effect.Effect<never, Conflict> {
    return Effect.suspend(() => {
      const conflict = Conflict.of(what, id)
      this.#failure ??= conflict
      return Effect.fail(conflict)
    })
  }

  #run(
    { doing, mode }: { readonly doing: string; readonly mode: TransactionMode },
    statement: SqlText,
    parameters: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    const allowed = this.#allowed(doing, mode)
    const asked = Effect.suspend(() => this.#asked(doing, statement, parameters)).pipe(
      Effect.mapError((error) => this.#abort(error)),
    )
    return Effect.andThen(
      Effect.andThen(allowed, this.answered),
      Effect.andThen(allowed, this.#orAborts(doing, asked)),
    )
  }

  #asked(
    doing: string,
    statement: SqlText,
    parameters: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> {
    const all = [this.#account, ...parameters]
    const [given, isKept] =
      typeof statement === "string" ? [statement, false] : [statement.kept, true]
    const asked =
      !isKept && parameters.some(isLarge)
        ? this.#connection.executeUnprepared(given, all, undefined)
        : this.#connection.execute(given, all, undefined)
    return Effect.mapError(asked, (error) => storageErrorOf(doing, error))
  }

  /** Lets nothing be kept after an interruption: how far it came is unknown, and the work may continue without it. */
  #orAborts<A>(
    doing: string,
    work: Effect.Effect<A, StorageError>,
  ): Effect.Effect<A, StorageError> {
    return Effect.onInterrupt(work, () =>
      Effect.sync(() => this.#abort(StorageFailure.of(doing, "it was interrupted"))),
    )
  }

  #allowed(doing: string, mode: TransactionMode): Effect.Effect<void, StorageError> {
    return Effect.suspend(() => {
      const refusal = this.#refusal(doing, mode)
      return refusal === undefined ? Effect.void : Effect.fail(refusal)
    })
  }

  #abort(error: StorageError): StorageError {
    this.#aborted ??= error
    this.#failure ??= error
    return error
  }

  #refusal(doing: string, mode: TransactionMode): StorageError | undefined {
    if (this.#isOver) return StorageFailure.of(doing, "the transaction is over")
    if (mode === "write" && this.#mode === "read") {
      return StorageFailure.of(doing, "the transaction only reads")
    }
    // After a failed statement, the database refuses all others of the transaction.
    return this.#aborted
  }
}
