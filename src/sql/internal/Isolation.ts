/**
 * How transactions of one account are kept apart: what begins one of ours, how it enters the account, and what a
 * transaction of the host has to be like so that a call can be part of it.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { TransactionMode } from "../../ports/Storage.js"
import { type StorageError, StorageFailure } from "../../ports/StorageError.js"
import { type Row, textOf } from "./rows.js"
import type { Session } from "./Session.js"

/** How transactions that write to the same account get along. */
export type Concurrency = "queue" | "optimistic"

/** What begins a transaction, by how it gets along with others and what it is for. */
export const beginnings: Readonly<Record<Concurrency, Readonly<Record<TransactionMode, string>>>> =
  {
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

const addAccount =
  "INSERT INTO apportion.accounts (account_id) VALUES ($1) ON CONFLICT (account_id) DO NOTHING"

const idle = "idle_in_transaction_session_timeout"

/** For how long the database waits for the next statement of a transaction before it gives it up. */
const waits = {
  /** A database in this process has nobody to wait for. */
  here: "",
  /** Nobody keeps an account waiting who is gone without a word. */
  elsewhere: `, set_config('${idle}', $2, true)`,
  /** Where nobody is first in line, rows are waited for by the statements that change them. */
  aside: `, set_config('${idle}', $2, true), set_config('lock_timeout', $3, true)`,
  /** What the host has set holds. */
  joined: `, set_config('${idle}', CASE current_setting('${idle}') WHEN '0' THEN $2
    ELSE current_setting('${idle}') END, true)`,
} as const

/**
 * The plan of a statement is kept for its connection. One that was made when tables were as good as empty, and were
 * analyzed then, would read all of a table from then on, until somebody analyzes it again. There is an index for all.
 */
const byIndex = ", set_config('enable_seqscan', 'off', true)"

/** How the account of a transaction is entered. */
export interface Entrance {
  readonly concurrency: Concurrency
  /** How long an answer is waited for; `undefined`: the database is in this process, so one always comes. */
  readonly patience: Duration.Duration | undefined
  /** How many milliseconds there are left to wait for others, in a transaction of its own; else the host says. */
  readonly lockMillis?: Effect.Effect<number> | undefined
  /** Whether the transaction is the host's. */
  readonly isJoined: boolean
}

/** Whether a transaction may wait for rows that others have locked, and for how long is ours to say. */
const isAside = ({ concurrency, patience, isJoined }: Entrance): boolean =>
  concurrency === "optimistic" && patience !== undefined && !isJoined

const waitingOf = (entrance: Entrance): keyof typeof waits => {
  if (entrance.patience === undefined) return "here"
  if (entrance.isJoined) return "joined"
  return isAside(entrance) ? "aside" : "elsewhere"
}

const lookOf = (entrance: Entrance): string => {
  const { concurrency, isJoined } = entrance
  const lock = concurrency === "queue" ? " FOR UPDATE" : ""
  // How the host's own statements are planned is not ours to say.
  const planned = isJoined ? "" : byIndex
  return `SELECT account_id, groups_revision, agreements_revision, settings::text AS settings${waits[waitingOf(entrance)]}${planned} FROM apportion.accounts WHERE account_id = $1${lock}`
}

/** Waits for the account's turn; the first transaction of an account makes its row. */
export const enter = (session: Session, entrance: Entrance): Effect.Effect<void, StorageError> => {
  const doing = "enter an account"
  const { patience, lockMillis = Effect.succeed(0) } = entrance
  const look = Effect.flatMap(lockMillis, (millis) => {
    const idleMillis = patience === undefined ? [] : [String(Duration.toMillis(patience))]
    const parameters = isAside(entrance) ? [...idleMillis, String(millis)] : idleMillis
    return session.write(doing, lookOf(entrance), parameters)
  })
  const note = ([row]: ReadonlyArray<Row>) =>
    Effect.sync(() => {
      session.entered = row
    })
  return Effect.flatMap(look, (rows) =>
    rows.length > 0
      ? note(rows)
      : Effect.andThen(session.write(doing, addAccount), Effect.flatMap(look, note)),
  )
}

/** What a transaction of the host is like. */
interface HostTransaction {
  readonly isolation: string
  readonly isReadOnly: boolean
}

// The parameter is there because the account's id is the first one of every statement.
const askLikeness = `SELECT current_setting('transaction_isolation') AS isolation,
  current_setting('transaction_read_only') AS read_only, $1::text AS account_id`

/** Whether each statement sees what others have kept by then, and not what they had when it began. */
const seesOthers = (isolation: string): boolean =>
  isolation === "read committed" || isolation === "read uncommitted"

const refusal = (
  { isolation, isReadOnly }: HostTransaction,
  needed: string,
): Effect.Effect<never, StorageFailure> => {
  const doing = "join the host's transaction"
  const is = `${isolation}${isReadOnly ? ", read only" : ""}`
  const cause = `it is "${is}", and has to be ${needed}`
  const message = `storage failed: could not ${doing}: ${cause}`
  return Effect.fail(new StorageFailure({ doing, cause, message }))
}

/** Whether the account has to be locked, or why the transaction is of no use. */
const judge = (
  host: HostTransaction,
  concurrency: Concurrency,
  mode: TransactionMode,
): Effect.Effect<boolean, StorageFailure> => {
  const { isolation, isReadOnly } = host
  const canWrite = mode === "read" || !isReadOnly
  if (concurrency === "optimistic") {
    const isFit = isolation === "serializable" && canWrite
    return isFit ? Effect.succeed(mode === "write") : refusal(host, '"serializable"')
  }
  if (seesOthers(isolation)) {
    // Several statements have to see the same: nobody keeps anything in between.
    return isReadOnly ? refusal(host, '"repeatable read, read only"') : Effect.succeed(true)
  }
  return mode === "read" ? Effect.succeed(false) : refusal(host, '"read committed"')
}

/** Enters an account within a transaction of the host, if that keeps others away from it as our own would. */
export const join = (
  session: Session,
  { mode, ...entrance }: Omit<Entrance, "isJoined"> & { readonly mode: TransactionMode },
): Effect.Effect<void, StorageError> =>
  Effect.gen(function* () {
    const [row] = yield* session.read("look at the host's transaction", askLikeness)
    const host = {
      isolation: row === undefined ? "" : textOf(row, "isolation"),
      isReadOnly: row !== undefined && textOf(row, "read_only") === "on",
    }
    const needsEntering = yield* judge(host, entrance.concurrency, mode)
    if (needsEntering) yield* enter(session, { ...entrance, isJoined: true })
  })
