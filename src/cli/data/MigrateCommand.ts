/** `apportion migrate`: brings the schema of a database up to date. */
import * as Effect from "effect/Effect"
import * as Migrations from "../../sql/Migrations.js"
import * as ExitCode from "../ExitCode.js"
import type { Session } from "../Session.js"
import * as Database from "./Database.js"
import type { Kept } from "./DatabaseOptions.js"

/** Runs the command, and answers the exit code. */
export const run = async ({ io, note }: Session, place: Kept): Promise<number> => {
  const { from, to } = await Database.use(
    place,
    { create: true, note: (message) => note(`apportion: ${message}`) },
    Effect.mapError(Migrations.run, Database.schemaFailure(place)),
  )
  const name = Database.nameOf(place)
  await io.stdout.write(
    from === to
      ? `${name}: the schema is up to date: version ${to}\n`
      : `${name}: the schema was brought from version ${from} to version ${to}\n`,
  )
  return ExitCode.success
}
