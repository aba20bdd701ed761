/**
 * What a server of PostgreSQL does by itself from time to time and PGlite leaves to others: the log is begun
 * anew, so that it does not grow without end and an end without warning is soon made up for; rows that
 * nobody can see any more make room; and what the planner knows of the tables is kept true.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Row, wholeOf } from "../../internal/rows.js"

const interval = "1 minute"
const megabyte = 1 << 20
/** How much has to be written before it is worth it. */
const checkpointBytes = 32 * megabyte
const vacuumBytes = 64 * megabyte

/** Up to where of the log something was done. */
export interface Done {
  readonly checkpoint: number
  readonly vacuum: number
}

/** Does what is due, and gives up to where it is done. */
export const keepUp = (done: Done): Effect.Effect<Done, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql.unsafe<Row>(
      "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS written",
    )
    const written = row === undefined ? 0 : wholeOf(row, "written")
    const isDirty = written - done.vacuum >= vacuumBytes
    if (isDirty) yield* sql.unsafe("VACUUM (ANALYZE)")
    const isLong = isDirty || written - done.checkpoint >= checkpointBytes
    if (isLong) yield* sql.unsafe("CHECKPOINT")
    return {
      checkpoint: isLong ? written : done.checkpoint,
      vacuum: isDirty ? written : done.vacuum,
    }
  })

/** Keeps a database up as long as it is open. What fails is logged, and done the next time. */
export const run: Effect.Effect<never, never, SqlClient> = Effect.gen(function* () {
  // What was done in an earlier run is not known: the first time everything is.
  let done: Done = { checkpoint: -checkpointBytes, vacuum: -vacuumBytes }
  while (true) {
    yield* Effect.sleep(interval)
    done = yield* Effect.catch(keepUp(done), (error) =>
      Effect.as(
        Effect.logWarning("the folder could not be kept up, which is tried again", error),
        done,
      ),
    )
  }
})
