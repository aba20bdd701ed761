/** How much there is to do, and whether it gets done. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/**
 * How much there is to do, and whether it gets done.
 *
 * @since 0.6.0
 * @category models
 */
export interface JobFigures {
  /** Jobs that wait or are being carried out; 100,000 at the most are counted. */
  readonly waiting: number
  /** Those of them that failed at least once, and are tried again. */
  readonly retrying: number
  /** Jobs that a person has to look at. */
  readonly failed: number
  /** For how many seconds the account and kind whose turn is next waits for it. */
  readonly oldestSeconds: number
  /** How many turns are under way: an account and kind of work on a runner. */
  readonly active: number
  /** How many of them stand still for ten seconds or longer: nobody goes on with them. */
  readonly suspended: number
}

const mostCounted = 100_000
const stillSeconds = 10

const statement = `SELECT
  (SELECT count(*) FROM (SELECT 1 FROM apportion_cluster.jobs WHERE state = 'waiting' LIMIT ${mostCounted}) AS counted)::float8
    AS waiting,
  (SELECT count(*) FROM (SELECT 1 FROM apportion_cluster.jobs WHERE state = 'waiting' AND attempts > 0
    LIMIT ${mostCounted}) AS counted)::float8 AS retrying,
  (SELECT count(*) FROM apportion_cluster.jobs WHERE state = 'failed')::float8 AS failed,
  coalesce(extract(epoch FROM clock_timestamp() - (SELECT min(wake_at) FROM apportion_cluster.lanes
    WHERE NOT is_active AND wake_at <= clock_timestamp())), 0)::float8 AS "oldestSeconds",
  (SELECT count(*) FROM apportion_cluster.lanes WHERE is_active)::float8 AS active,
  (SELECT count(*) FROM apportion_cluster.lanes WHERE is_active
    AND moved_at < clock_timestamp() - make_interval(secs => ${stillSeconds}))::float8 AS suspended`

const none: JobFigures = {
  ...{ waiting: 0, retrying: 0, failed: 0, oldestSeconds: 0, active: 0, suspended: 0 },
}

/** The figures as they are now. */
export const figuresOf = (sql: SqlClient): Effect.Effect<JobFigures, SqlError> =>
  Effect.map(sql.unsafe<JobFigures>(statement), ([row]) => ({ ...none, ...row }))

const gauges = {
  waiting: Metric.gauge("apportion_jobs_waiting", {
    description: "Jobs that wait or are being carried out; at most 100000 are counted",
  }),
  retrying: Metric.gauge("apportion_jobs_retrying", {
    description: "Jobs that failed and are tried again",
  }),
  failed: Metric.gauge("apportion_jobs_failed", {
    description: "Jobs that failed for good: a person has to look at them",
  }),
  oldestSeconds: Metric.gauge("apportion_jobs_oldest_seconds", {
    description: "For how long the account and kind whose turn is next waits for it",
  }),
  active: Metric.gauge("apportion_turns_active", {
    description: "Turns of accounts that are under way",
  }),
  suspended: Metric.gauge("apportion_turns_suspended", {
    description: "Turns that stand still: nobody goes on with them",
  }),
}

const names = ["waiting", "retrying", "failed", "oldestSeconds", "active", "suspended"] as const

/** Shows the figures of now as metrics. */
export const meter = (sql: SqlClient): Effect.Effect<void, SqlError> =>
  Effect.flatMap(figuresOf(sql), (figures) =>
    Effect.forEach(names, (name) => Metric.update(gauges[name], figures[name]), { discard: true }),
  )
