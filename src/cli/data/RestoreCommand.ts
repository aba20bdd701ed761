/** `apportion restore`: restores a backup into an empty database. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Backup from "../../sql/folder/Backup.js"
import { headerProblem, readLines, schemaOf } from "../../sql/folder/BackupFormat.js"
import * as Migrations from "../../sql/Migrations.js"
import * as ExitCode from "../ExitCode.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import * as Database from "./Database.js"
import type { Kept } from "./DatabaseOptions.js"

/** What the command works on. */
export interface RestoreOptions {
  readonly place: Kept
  readonly from: Source
}

type Restored = Backup.Restored<ExitCode.Stopped>

/** Reads only the first line: an unusable file is refused before anything is opened. */
const open = async (source: Source): Promise<Restored> => {
  const lines = readLines(source.chunks())
  const { value: header } = await lines.next()
  const problem = headerProblem(header?.text ?? "")
  if (header === undefined || problem !== undefined) {
    throw new ExitCode.UnusableInput({ message: `${source.name}: ${problem}` })
  }
  const next = Effect.tryPromise({
    try: async () => (await lines.next()).value,
    catch: ExitCode.stopped,
  })
  return { name: source.name, header, next }
}

const work = (place: Kept, input: Restored): Effect.Effect<number, ExitCode.Stopped, SqlClient> =>
  Effect.gen(function* () {
    const schema = schemaOf(input.header.text)
    const { to } = yield* Effect.mapError(Migrations.runTo(schema), Database.schemaFailure(place))
    if (to !== schema) {
      const message = `${Database.nameOf(place)}: has version ${to} of the schema already, and ${input.name} holds version ${schema}: restore it into a database that has no tables yet`
      return yield* new ExitCode.UnusableInput({ message })
    }
    const rows = yield* Backup.restore(input, Database.nameOf(place))
    yield* Effect.mapError(Migrations.run, Database.schemaFailure(place))
    return rows
  }).pipe(
    Effect.catchTags({
      SqlError: (error) => Effect.fail(Database.sqlFailure(place, error)),
      UnusableBackup: ({ message }) => Effect.fail(new ExitCode.UnusableInput({ message })),
    }),
  )

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
