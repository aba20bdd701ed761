/** The tables of jobs, in a schema of their own: they hold work, not what an account is owed. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** What Effect's own tables begin with. */
export const prefix = "apportion_cluster"

const statements: ReadonlyArray<string> = [
  "CREATE SCHEMA IF NOT EXISTS apportion_cluster",
  `CREATE TABLE IF NOT EXISTS apportion_cluster.jobs (
    account_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    document text NOT NULL,
    actor text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
    asked bigint NOT NULL DEFAULT 1,
    attempts integer NOT NULL DEFAULT 0,
    enqueued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    outcome text,
    PRIMARY KEY (account_id, kind, key)
  )`,
  `CREATE INDEX IF NOT EXISTS jobs_waiting ON apportion_cluster.jobs (account_id, kind, due_at, seq)
    WHERE state = 'waiting'`,
  `CREATE INDEX IF NOT EXISTS jobs_retrying ON apportion_cluster.jobs (due_at)
    WHERE state = 'waiting' AND attempts > 0`,
  "CREATE INDEX IF NOT EXISTS jobs_done ON apportion_cluster.jobs (ended_at) WHERE state = 'done'",
  "CREATE INDEX IF NOT EXISTS jobs_failed ON apportion_cluster.jobs (ended_at) WHERE state = 'failed'",
  // A lane is what an account has to do of one kind: its jobs go one after the other, in turns of limited length.
  `CREATE TABLE IF NOT EXISTS apportion_cluster.lanes (
    account_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    turn bigint NOT NULL DEFAULT 0,
    step bigint NOT NULL DEFAULT 0,
    losses integer NOT NULL DEFAULT 0,
    is_active boolean NOT NULL DEFAULT false,
    wake_at timestamptz,
    began_at timestamptz,
    moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, kind)
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX IF NOT EXISTS lanes_waiting ON apportion_cluster.lanes (kind, wake_at)
    WHERE NOT is_active AND wake_at IS NOT NULL`,
  "CREATE INDEX IF NOT EXISTS lanes_active ON apportion_cluster.lanes (moved_at) WHERE is_active",
  // When what the clock asks for was last enqueued, so that a runner that takes over does not do it again, and after what
  // it goes on: everything is enqueued where that is null.
  `CREATE TABLE IF NOT EXISTS apportion_cluster.clocks (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    rang_at timestamptz NOT NULL,
    after text COLLATE "C"
  )`,
]

/** Keeps processes that start together from making the tables at the same time. */
const lock = "SELECT pg_advisory_xact_lock(7092051883)"

/**
 * Whether a table or index is there. Making what is there already would do no harm, but would wait for everybody who
 * writes, with everybody else behind it, and needs rights that whoever works need not have.
 */
export const isThere = (sql: SqlClient, name: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe<{ is_there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS is_there", [name]),
    ([row]) => row?.is_there === true,
  )

/** Makes the tables where they are missing, all of them in one transaction. */
export const makeTables = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    if (yield* isThere(sql, "apportion_cluster.clocks")) return
    yield* sql.withTransaction(
      Effect.forEach([lock, ...statements], (statement) => sql.unsafe(statement), {
        discard: true,
      }),
    )
  })
