/** `apportion backup`: everything of a database in one file. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Backup from "../../sql/folder/Backup.js"
import { syncPath } from "../../sql/folder/SyncedFolder.js"
import * as Migrations from "../../sql/Migrations.js"
import * as ExitCode from "../ExitCode.js"
import type { Session } from "../Session.js"
import * as Database from "./Database.js"
import type { Kept } from "./DatabaseOptions.js"

/** What the command works on. */
export interface BackupOptions {
  readonly place: Kept
  readonly to: string
}

/** Writes text, and resolves when it is written. */
type Write = (text: string) => Promise<void>

const reasons: Readonly<Record<string, string>> = {
  EEXIST: "is there already: a backup is never written over",
  ENOENT: "can't be written: there is no such folder",
  ENOTDIR: "can't be written: there is no such folder",
  EACCES: "may not be written (permission denied)",
  EROFS: "is on a disk that can only be read",
  ENOSPC: "could not be written: the disk is full",
}

const failureOf = (path: string, cause: unknown): unknown => {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  if (ExitCode.isStopped(cause) || typeof code !== "string") return cause
  const reason = reasons[code] ?? `could not be written (${code})`
  return new ExitCode.UnusableInput({ message: `${path}: ${reason}` })
}

/**
 * Writes a file that gets its name only when it is complete and on the disk. Nobody else may read
 * it.
 */
const intoFile = async (path: string, work: (write: Write) => Promise<number>): Promise<number> => {
  if (existsSync(path)) throw Object.assign(new Error(), { code: "EEXIST" })
  const unfinished = `${path}.unfinished`
  const file = openSync(unfinished, "wx", 0o600)
  try {
    const rows = await work(async (text) => void writeSync(file, text))
    fsyncSync(file)
    linkSync(unfinished, path)
    syncPath(dirname(path))
    return rows
  } finally {
    closeSync(file)
    rmSync(unfinished)
  }
}

const work = (place: Kept, write: Write): Effect.Effect<number, ExitCode.Stopped, SqlClient> =>
  Effect.gen(function* () {
    const refuse = Database.schemaFailure(place)
    const schema = yield* Effect.mapError(Migrations.version, refuse)
    if (schema === 0 || schema > Migrations.latest) yield* Effect.mapError(Migrations.check, refuse)
    return yield* Backup.write({ schema, madeAt: new Date() }, (text) =>
      Effect.tryPromise({ try: () => write(text), catch: ExitCode.stopped }),
    )
  }).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(Database.sqlFailure(place, error))))

/** Runs the command, and answers the exit code. */
export const run = async ({ io, note }: Session, { place, to }: BackupOptions): Promise<number> => {
  const tell = (message: string) => note(`apportion: ${message}`)
  const write = (into: Write) =>
    Database.use(place, { create: false, note: tell }, work(place, into))
  try {
    const rows =
      to === "-" ? await write((text) => io.stdout.write(text)) : await intoFile(to, write)
    if (to !== "-") tell(`${Database.nameOf(place)}: ${rows} rows are in ${to}`)
    return ExitCode.success
  } catch (cause) {
    throw failureOf(to, cause)
  }
}
