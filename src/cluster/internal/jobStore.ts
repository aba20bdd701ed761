/** Jobs in the database: enqueued by many, noted as ended by who carries them out. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { fromOrdered, toOrdered } from "../../internal/orderedText.js"
import { type Job, JobChanged, type JobName, type JobState, type StoredJob } from "../Job.js"
import { nameOf, print, repeated } from "./jobFormat.js"

/** A statement is not given more at a time. */
const rowsAtATime = 1_000

const isRepeated = `kind IN (${repeated.map((kind) => `'${kind}'`).join(", ")})`

const given =
  "json_to_recordset($1::json) AS given (place int, account_id text, kind text, key text, document text)"

// A job that waits keeps its place; that it was asked for again has whoever is at it now look again afterwards.
const insert = `WITH put AS (
    INSERT INTO apportion_cluster.jobs (account_id, kind, key, document, actor)
    SELECT account_id, kind, key, document, $2 FROM ${given} ORDER BY place
    ON CONFLICT (account_id, kind, key) DO UPDATE SET
      asked = jobs.asked + 1, state = 'waiting', attempts = 0, ended_at = NULL, actor = EXCLUDED.actor,
      due_at = CASE jobs.state WHEN 'waiting' THEN LEAST(jobs.due_at, EXCLUDED.due_at) ELSE EXCLUDED.due_at END
    WHERE jobs.${isRepeated}
    RETURNING 1)
  SELECT count(*)::float8 AS count FROM put`

// Of what was done only the digest is kept. Each is looked up by its name, whatever the database believes of how many there are.
const changed = `SELECT given.account_id, given.kind, given.key FROM ${given} CROSS JOIN LATERAL (
    SELECT document FROM apportion_cluster.jobs WHERE account_id = given.account_id AND kind = given.kind
      AND key = given.key AND NOT ${isRepeated} LIMIT 1) AS known
  WHERE md5(given.document) NOT IN (md5(known.document), known.document) LIMIT 1`

// The row is locked even where it is not changed: who is about to put the lane to sleep sees the new job first.
const wake = `INSERT INTO apportion_cluster.lanes (account_id, kind, wake_at)
  SELECT account_id, kind, clock_timestamp() FROM ${given} GROUP BY account_id, kind ORDER BY account_id, kind
  ON CONFLICT (account_id, kind) DO UPDATE SET wake_at = LEAST(lanes.wake_at, EXCLUDED.wake_at)
  WHERE NOT lanes.is_active`

const changedBy = ({ accountId, kind, key }: Omit<JobName, "kind"> & { readonly kind: string }) => {
  const message = `account ${accountId} has another job ${kind} with the name ${key}, which has other contents`
  return new JobChanged({ accountId, kind, key, message })
}

interface NameRow {
  readonly account_id: string
  readonly kind: string
  readonly key: string
}

const laneOf = ({ account_id, kind }: NameRow) => ({ account_id, kind })

const inOrder = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/**
 * The rows of jobs, each once, in the order of their lanes: two that enqueue for the same accounts then never wait for each
 * other.
 */
const rowsOf = (jobs: ReadonlyArray<Job>) =>
  Effect.gen(function* () {
    const documents = new Map<string, string>()
    const rows = []
    for (const [place, job] of jobs.entries()) {
      const { accountId, kind, key } = nameOf(job)
      const [name, document] = [JSON.stringify([accountId, kind, key]), print(job)]
      const known = documents.get(name)
      if (known === document) continue
      if (known !== undefined) return yield* changedBy({ accountId, kind, key })
      documents.set(name, document)
      rows.push({ place, account_id: toOrdered(accountId), kind, key: toOrdered(key), document })
    }
    rows.sort(
      (left, right) =>
        inOrder(left.account_id, right.account_id) ||
        inOrder(left.kind, right.kind) ||
        left.place - right.place,
    )
    return rows.map((row, place) => ({ ...row, place }))
  })

/** Enqueues jobs, in the transaction that is under way, or all of them in one. */
export const enqueue = (
  sql: SqlClient,
  jobs: ReadonlyArray<Job>,
  actor: string,
): Effect.Effect<void, JobChanged | SqlError> =>
  Effect.gen(function* () {
    const rows = yield* rowsOf(jobs)
    for (let from = 0; from < rows.length; from += rowsAtATime) {
      const part = rows.slice(from, from + rowsAtATime)
      const text = JSON.stringify(part)
      const [put] = yield* sql.unsafe<{ count: number }>(insert, [text, actor])
      if (put?.count === part.length) continue
      const [other] = yield* sql.unsafe<NameRow>(changed, [text]).unprepared
      if (other === undefined) continue
      const [accountId, key] = [fromOrdered(other.account_id), fromOrdered(other.key)]
      return yield* changedBy({ accountId, kind: other.kind, key })
    }
    const lanes = new Map(rows.map((row) => [JSON.stringify([row.account_id, row.kind]), row]))
    yield* sql.unsafe(wake, [JSON.stringify([...lanes.values()].map(laneOf))])
  }).pipe(sql.withTransaction)

// Reading them.

interface JobRow {
  readonly account_id: string
  readonly kind: JobName["kind"]
  readonly key: string
  readonly state: JobState
  readonly attempts: number
  readonly enqueued_at: number
  readonly due_at: number
  readonly ended_at: number | null
  readonly outcome: string | null
}

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::float8 AS ${column}`

const columns = `account_id, kind, key, state, attempts, outcome,
  ${["enqueued_at", "due_at", "ended_at"].map(seconds).join(", ")}`

const ofRow = ({ account_id, key, enqueued_at, due_at, ended_at, ...row }: JobRow): StoredJob => ({
  ...row,
  accountId: fromOrdered(account_id),
  key: fromOrdered(key),
  enqueuedAt: enqueued_at,
  dueAt: due_at,
  endedAt: ended_at,
})

const inColumns = ({ accountId, kind, key }: JobName) => [
  toOrdered(accountId),
  kind,
  toOrdered(key),
]

/** A job by its name. */
export const find = (
  sql: SqlClient,
  { accountId, kind, key }: JobName,
): Effect.Effect<StoredJob | undefined, SqlError> =>
  Effect.map(
    sql.unsafe<JobRow>(
      `SELECT ${columns} FROM apportion_cluster.jobs WHERE account_id = $1 AND kind = $2 AND key = $3`,
      inColumns({ accountId, kind, key }),
    ),
    ([row]) => row && ofRow(row),
  )

/** The jobs that failed, the latest first. */
export const failed = (
  sql: SqlClient,
  limit: number,
): Effect.Effect<ReadonlyArray<StoredJob>, SqlError> =>
  Effect.map(
    sql.unsafe<JobRow>(
      `SELECT ${columns} FROM apportion_cluster.jobs WHERE state = 'failed' ORDER BY jobs.ended_at DESC, seq LIMIT $1`,
      [limit],
    ),
    (rows) => rows.map(ofRow),
  )

/** Has a job that failed carried out again; gives whether there is one. */
export const retry = (
  sql: SqlClient,
  { accountId, kind, key }: JobName,
): Effect.Effect<boolean, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* sql.unsafe(
      `UPDATE apportion_cluster.jobs
        SET state = 'waiting', attempts = 0, due_at = clock_timestamp(), ended_at = NULL
        WHERE account_id = $1 AND kind = $2 AND key = $3 AND state = 'failed' RETURNING key`,
      inColumns({ accountId, kind, key }),
    )
    if (rows.length === 0) return false
    yield* sql.unsafe(wake, [JSON.stringify([{ account_id: toOrdered(accountId), kind }])])
    return true
  }).pipe(sql.withTransaction)

/** Deletes a job that failed; gives whether there was one. */
export const dismiss = (
  sql: SqlClient,
  { accountId, kind, key }: JobName,
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe(
      `DELETE FROM apportion_cluster.jobs
        WHERE account_id = $1 AND kind = $2 AND key = $3 AND state = 'failed' RETURNING key`,
      inColumns({ accountId, kind, key }),
    ),
    (rows) => rows.length > 0,
  )

// Carrying them out.

/** A job that is carried out now. */
export interface DueJob extends JobName {
  readonly document: string
  readonly actor: string
  /** How often it was asked for: once it was asked for again, it is carried out again. */
  readonly asked: string
  readonly attempts: number
}

/** Jobs that are carried out now, at least one. */
export type DueJobs = readonly [DueJob, ...ReadonlyArray<DueJob>]

/** So many bytes of jobs are read at a time, and the one that goes beyond. */
const bytesAtATime = 65_536

/** The next jobs of a lane that are due, at most so many. */
export const due = (
  sql: SqlClient,
  { accountId, kind }: Omit<JobName, "key">,
  limit: number,
): Effect.Effect<ReadonlyArray<DueJob>, SqlError> =>
  Effect.map(
    sql.unsafe<Omit<DueJob, "accountId" | "kind">>(
      `SELECT key, document, actor, asked::text AS asked, attempts FROM (
          SELECT *, sum(size) OVER (ORDER BY due_at, seq) - size AS before FROM (
            SELECT *, octet_length(document) AS size FROM apportion_cluster.jobs
            WHERE account_id = $1 AND kind = $2 AND state = 'waiting' AND due_at <= clock_timestamp()
            ORDER BY due_at, seq LIMIT $3) AS next) AS sized
        WHERE before < ${bytesAtATime} ORDER BY due_at, seq`,
      [toOrdered(accountId), kind, limit],
    ),
    (rows) => rows.map(({ key, ...row }) => ({ accountId, kind, key: fromOrdered(key), ...row })),
  )

const longestOutcome = 4_000

/** What came of a job as it can be kept: words may quote what was given, which may hold anything. */
const shown = (outcome: string): string =>
  outcome.slice(0, longestOutcome).replaceAll("\0", "\uFFFD").toWellFormed()

/** A job that has ended, and what came of it. */
export interface EndedJob extends JobName, Pick<DueJob, "asked"> {
  readonly state: "done" | "failed"
  readonly outcome: string
}

// Not by their state: a database that does not know yet how many jobs an account has may look for one among all that wait.
const isOpen = "ended_at IS NULL"

/**
 * Notes that jobs have ended, but for those that were asked for again in the meantime. It is planned each time, for as many
 * as are given: a plan of when there were few jobs, or for more of them, reads all there are.
 */
export const end = (
  sql: SqlClient,
  jobs: ReadonlyArray<EndedJob>,
): Effect.Effect<void, SqlError> => {
  const rows = jobs.map(({ accountId, kind, key, asked, state, outcome }) => ({
    ...{ account_id: toOrdered(accountId), kind, key: toOrdered(key) },
    ...{ asked, state, outcome: shown(outcome) },
  }))
  return Effect.asVoid(
    sql.unsafe(
      `UPDATE apportion_cluster.jobs SET state = given.state, outcome = given.outcome, ended_at = clock_timestamp(),
        document = CASE WHEN given.state = 'failed' OR jobs.${isRepeated} THEN document ELSE md5(document) END
        FROM (SELECT * FROM json_to_recordset($1::json)
          AS all_given (account_id text, kind text, key text, asked bigint, state text, outcome text) LIMIT $2) AS given
        WHERE jobs.account_id = given.account_id AND jobs.kind = given.kind AND jobs.key = given.key
          AND jobs.asked = given.asked AND ${isOpen}`,
      [JSON.stringify(rows), rows.length],
    ).unprepared,
  )
}

/** Notes that a job could not be carried out now, and is tried again in some seconds; at once if it was asked for again. */
export const putOff = (
  sql: SqlClient,
  { accountId, kind, key, asked }: DueJob,
  { seconds: wait, reason }: { readonly seconds: number; readonly reason: string },
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql.unsafe(
      `UPDATE apportion_cluster.jobs
        SET attempts = attempts + 1, outcome = $5, due_at = clock_timestamp() + make_interval(secs => $4::float8)
        WHERE account_id = $1 AND kind = $2 AND key = $3 AND asked = $6::bigint AND ${isOpen}`,
      [...inColumns({ accountId, kind, key }), wait, shown(reason), asked],
    ),
  )
