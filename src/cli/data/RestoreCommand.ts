/** `apportion restore`: a backup in a database that has nothing yet. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Migrations from "../../sql/Migrations.js"
import * as ExitCode from "../ExitCode.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import * as BackupFormat from "./BackupFormat.js"
import * as Lines from "./BackupFormat.js"
import * as Database from "./Database.js"
import type { Kept } from "./DatabaseOptions.js"
import * as Restore from "./Restore.js"

/** What the command works on. */
export interface RestoreOptions {
  readonly place: Kept
  readonly from: Source
}

const refuse = (name: string, reason: string) =>
  new ExitCode.UnusableInput({ message: `${name}: ${reason}` })

/** Reads no more than the first line: what can't be restored is refused before anything is opened. */
const open = async (source: Source): Promise<Restore.Input> => {
  const lines = Lines.readLines(source)
  const first = await lines.next()
  const header = first.done === true ? undefined : BackupFormat.readHeader(first.value.text)
  if (first.done === true || header === undefined) {
    throw refuse(
      source.name,
      "is no backup of apportion; a compressed one has to be decompressed first",
    )
  }
  const { format, schema } = header
  if (format !== BackupFormat.formatVersion) {
    throw refuse(source.name, `is a backup in format ${format}, which this apportion does not know`)
  }
  if (schema !== Migrations.latest) {
    throw refuse(
      source.name,
      `holds version ${schema} of the schema, and this apportion works with version ${Migrations.latest}: restore it with the apportion that made it, then migrate`,
    )
  }
  return { name: source.name, lines, header: first.value }
}

const work = (
  place: Kept,
  input: Restore.Input,
): Effect.Effect<number, ExitCode.Stopped, SqlClient> =>
  Effect.gen(function* () {
    yield* Effect.mapError(Migrations.run, Database.schemaFailure(place))
    return yield* Restore.restore(input, Database.nameOf(place))
  }).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(Database.sqlFailure(place, error))))

/** Runs the command, and answers the exit code. */
export const run = async (
  { io, note }: Session,
  { place, from }: RestoreOptions,
): Promise<number> => {
  const input = await open(from)
  const tell = (message: string) => note(`apportion: ${message}`)
  const rows = await Database.use(place, { create: true, note: tell }, work(place, input))
  await io.stdout.write(`${Database.nameOf(place)}: ${rows} rows of ${from.name} were restored\n`)
  return ExitCode.success
}
