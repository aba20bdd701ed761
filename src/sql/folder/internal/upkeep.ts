/**
 * Maintenance that a PostgreSQL server does in the background and PGlite does not: checkpoints, so that the log stays
 * small and recovery after a crash is quick; vacuum, so that dead rows free their space; and statistics for the planner.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Row, wholeOf } from "../../internal/rows.js"

const interval = "1 minute"
const megabyte = 1 << 20
/** How many bytes of log must be written before it is worth it. */
const checkpointBytes = 32 * megabyte
const vacuumBytes = 64 * megabyte

/** The positions in the log at which maintenance was last done, in bytes. */
export interface Done {
  readonly checkpoint: number
  readonly vacuum: number
}

/** Does the maintenance that is due, and gives the positions at which it was done. */
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

/** Maintains a database as long as it is open. A failure is logged, and the work is tried again the next time. */
export const run: Effect.Effect<never, never, SqlClient> = Effect.gen(function* () {
  // Earlier runs are not recorded, so everything is due the first time.
  let done: Done = { checkpoint: -checkpointBytes, vacuum: -vacuumBytes }
  while (true) {
    yield* Effect.sleep(interval)
    done = yield* Effect.catch(keepUp(done), (error) =>
      Effect.as(
        Effect.logWarning("maintenance of the folder failed and is tried again", error),
        done,
      ),
    )
  }
})
