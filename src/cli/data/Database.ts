import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { plural } from "../../orders/Words.js"
import * as FolderStorage from "../../sql/folder/FolderStorage.js"
import * as Migrations from "../../sql/Migrations.js"
import * as ExitCode from "../ExitCode.js"
import type { Session } from "../Session.js"
import type { Folder, Kept, Server } from "./DatabaseOptions.js"

// The client of a command's database.

/** How a folder or a server's database is opened. */
export interface OpenOptions {
  /** Whether to create the folder if it does not exist. */
  readonly create: boolean
  /** Called with a message during slow steps. */
  readonly note: (message: string) => void
  /** How long a transaction on a server may be idle, as "10s"; 60 seconds when absent. */
  readonly silence?: string | undefined
}

/** Time in which open requests are refused with a message before the process ends. */
const endMs = 500

/** The folder can no longer be used: the process ends, and its supervisor may restart it. */
const endFor = ({ message }: FolderStorage.FolderLost): void => {
  writeSync(process.stderr.fd, `apportion: ${message}\n`)
  setTimeout(() => process.exit(ExitCode.unavailable), endMs)
}

const folderLayer = ({ path }: Folder, options: OpenOptions) => {
  const client = FolderStorage.client(path, { ...options, onLost: endFor })
  return Layer.catch(client, ({ _tag, message }) => {
    const Kind = _tag === "FolderInUse" ? ExitCode.Unavailable : ExitCode.UnusableInput
    return Layer.effect(SqlClient, Effect.fail(new Kind({ message })))
  })
}

/** The settings of each connection: no statement waits, and no lock is held, forever. */
const startupParameters = (silence = "60s") => ({
  lock_timeout: "10s",
  idle_in_transaction_session_timeout: silence,
})

/**
 * Whether a server stays unusable until a person changes its configuration, and not only for a
 * while.
 */
const isWrong = (error: SqlError): boolean =>
  ["AuthenticationError", "AuthorizationError"].includes(error.reason._tag) ||
  ["3D000", "28000"].includes(codeOf(error))

const causeOf = ({ reason }: SqlError): unknown => ("cause" in reason ? reason.cause : undefined)

const codeOf = (error: SqlError): string => {
  const cause = causeOf(error)
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : ""
}

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EHOSTUNREACH: "the host can't be reached",
  ETIMEDOUT: "the host does not answer",
}

const tlsAdvice =
  " (connections to other computers are encrypted; where the network between is yours alone, ?sslmode=disable behind the address says that they need not be)"

/** Why a server can't be used, in words that never contain the password. */
export const serverFailure = (shown: string, error: SqlError): ExitCode.Stopped => {
  const cause = causeOf(error)
  const said = cause instanceof Error ? cause.message : error.message
  const reason =
    unreachable[codeOf(error)] ?? said.concat(/\bssl\b|\btls\b/i.test(said) ? tlsAdvice : "")
  const message = `${shown}: the database can't be reached: ${reason}`
  return isWrong(error)
    ? new ExitCode.UnusableInput({ message })
    : new ExitCode.Unavailable({ message })
}

/** A database's error for a command. */
export const sqlFailure = (place: Kept, error: SqlError): ExitCode.Unavailable => {
  const cause = causeOf(error)
  const said = cause instanceof Error ? cause.message : error.message
  return new ExitCode.Unavailable({ message: `${nameOf(place)}: ${said}` })
}

const makeServerClient = ({ url, shown, connections }: Server, silence: string | undefined) =>
  Effect.gen(function* () {
    const PgClient = yield* Effect.promise(() => import("@effect/sql-pg/PgClient"))
    const client = yield* PgClient.make({
      ...{ url, maxConnections: connections, startupParameters: startupParameters(silence) },
      ...{ applicationName: "apportion", keepAlive: "30 seconds" },
    })
    // The client would connect on first use; connecting here reports a failure early.
    yield* client.unsafe("SELECT 1")
    return client
  }).pipe(Effect.mapError((error) => serverFailure(shown, error)))

const serverLayer = (server: Server, silence: string | undefined) =>
  Layer.effect(SqlClient, makeServerClient(server, silence)).pipe(Layer.provide(Reactivity.layer))

/** The client of a database, open until the layer is closed. */
export const layer = (
  place: Kept,
  options: OpenOptions,
): Layer.Layer<SqlClient, ExitCode.Stopped> =>
  place._tag === "Folder" ? folderLayer(place, options) : serverLayer(place, options.silence)

/** The name of a database in messages. */
export const nameOf = (place: Kept): string => (place._tag === "Folder" ? place.path : place.shown)

/** A storage failure as the end of a command, with the name of the database. */
export const failed =
  (place: Kept) =>
  (error: { readonly message: string }): ExitCode.Stopped =>
    ExitCode.isStopped(error)
      ? error
      : new ExitCode.Unavailable({ message: `${nameOf(place)}: ${error.message}` })

/** A failure of work on a database as the end of a command: that of the database, or of what was asked of it. */
export const stopped =
  (place: Kept) =>
  (
    error: ExitCode.Stopped | { readonly _tag: string; readonly message: string },
  ): ExitCode.Stopped => {
    if (ExitCode.isStopped(error)) return error
    return error._tag === "StorageFailure" || error._tag === "Conflict"
      ? failed(place)(error)
      : new ExitCode.UnusableInput({ message: error.message })
  }

/** Why a database's schema can't be used; `orElse`: an alternative for the user. */
export const schemaFailure =
  (place: Kept, orElse = "") =>
  (error: Migrations.MigrationsError): ExitCode.Stopped => {
    const name = nameOf(place)
    if (error instanceof Migrations.SchemaTooOld) {
      const has =
        error.found === 0 ? "no tables of apportion" : `version ${error.found} of the schema`
      const message = `${name}: has ${has}, and version ${error.known} is needed: run \`apportion migrate\` first${orElse}`
      return new ExitCode.UnusableInput({ message })
    }
    const message = `${name}: ${error.message}`
    return error instanceof Migrations.SchemaTooNew
      ? new ExitCode.UnusableInput({ message })
      : new ExitCode.Unavailable({ message })
  }

/** Opens a database, runs work on it, and closes it. */
export const use = <A, E extends ExitCode.Stopped>(
  place: Kept,
  options: OpenOptions,
  work: Effect.Effect<A, E, SqlClient>,
): Promise<A> => Effect.runPromise(Effect.provide(work, layer(place, options)))

/** Runs `apportion migrate`: brings the schema up to date, and returns the exit code. */
export const migrate = async ({ io, note }: Session, place: Kept): Promise<number> => {
  const both = Effect.all([Migrations.run, Migrations.carryOver])
  const [{ from, to }, { carried, left }] = await use(
    place,
    { create: true, note: (message) => note(`apportion: ${message}`) },
    Effect.mapError(both, schemaFailure(place)),
  )
  const name = nameOf(place)
  const entries = (count: number) =>
    `apportion: ${name}: ${count} ${plural(count, "entry", "entries")} of histories of payouts and parts of orders`
  if (carried > 0) note(`${entries(carried)} carried over`)
  if (left > 0) {
    note(
      `${entries(left)} not carried over, changed since they were written: run \`apportion audit\``,
    )
  }
  await io.stdout.write(
    from === to
      ? `${name}: the schema is up to date: version ${to}\n`
      : `${name}: the schema was brought from version ${from} to version ${to}\n`,
  )
  return ExitCode.success
}
