/** Forgetting what is over: jobs some days after their end, and what Effect keeps of turns, which it never forgets itself. */
import * as Clock from "effect/Clock"
import { make as makeMachineId } from "effect/cluster/MachineId"
import * as Snowflake from "effect/cluster/Snowflake"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isThere, prefix } from "./tables.js"

const messages = `${prefix}_messages`
const replies = `${prefix}_replies`

/** What is of one of our turns, of any version. */
const isTurn = "entity_type LIKE 'Workflow/apportion/Turn/%'"

/** Indexes of Effect's tables by which old turns are found. */
const indexes = {
  [`${messages}_runs`]: "(id) WHERE tag = 'run'",
  [`${messages}_entity`]: "(entity_id, entity_type)",
}

/** Makes the indexes that are missing, once Effect has made its tables. */
export const makeIndexes = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    Object.entries(indexes),
    Effect.fnUntraced(function* ([name, of]) {
      if (yield* isThere(sql, name)) return
      yield* sql.unsafe(`CREATE INDEX IF NOT EXISTS ${name} ON ${messages} ${of}`)
    }),
    { discard: true },
  )

/** For how long what Effect keeps of a turn stays after its begin, in milliseconds. */
const turnMillis = 600_000

/** And of one that nobody has come to, because the last runner of its version ended before. */
const lostMillis = 86_400_000

const turnsAtATime = 1_000
const jobsAtATime = 5_000

// A turn that waits for something has an answer too, which says so.
const isSuspended = `EXISTS (SELECT 1 FROM ${replies} WHERE request_id = run.id
  AND payload LIKE '%"_tag":"Suspended"%')`

const purgeTurns = `WITH ended AS (
    SELECT entity_type, entity_id FROM ${messages} AS run
    WHERE tag = 'run' AND id < $1::bigint AND (processed OR id < $2::bigint) AND ${isTurn}
      AND NOT ${isSuspended}
    ORDER BY id LIMIT ${turnsAtATime}
  ), gone AS (
    DELETE FROM ${messages} AS message USING ended
    WHERE message.entity_id = ended.entity_id AND message.entity_type = ended.entity_type
    RETURNING message.id, message.tag
  ), answers AS (
    DELETE FROM ${replies} AS reply USING gone WHERE reply.request_id = gone.id RETURNING 1
  )
  SELECT count(*)::float8 AS count FROM gone WHERE tag = 'run'`

const purgeJobs = `WITH gone AS (
    DELETE FROM apportion_cluster.jobs WHERE (account_id, kind, key) IN (
      SELECT account_id, kind, key FROM apportion_cluster.jobs
      WHERE state = 'done' AND ended_at < clock_timestamp() - make_interval(secs => $1::float8)
      LIMIT ${jobsAtATime})
    RETURNING 1
  ) SELECT count(*)::float8 AS count FROM gone`

/** What the cluster gives as an id at a time, or later. */
const firstIdOf = (timestamp: number): string =>
  Snowflake.make({ machineId: makeMachineId(0), sequence: 0, timestamp }).toString()

/** Deletes in batches, until there is nothing more. */
const inBatches = (
  sql: SqlClient,
  statement: string,
  { parameters, size }: { readonly parameters: ReadonlyArray<unknown>; readonly size: number },
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    while (true) {
      const [row] = yield* sql.unsafe<{ count: number }>(statement, parameters)
      if ((row?.count ?? 0) < size) return
      yield* Effect.yieldNow
    }
  })

/** Forgets what is over for long enough. What failed stays until a person has looked at it. */
export const purge = (sql: SqlClient, keepSeconds: number): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const parameters = [firstIdOf(now - turnMillis), firstIdOf(now - lostMillis)]
    yield* inBatches(sql, purgeTurns, { parameters, size: turnsAtATime })
    yield* inBatches(sql, purgeJobs, { parameters: [keepSeconds], size: jobsAtATime })
  })
