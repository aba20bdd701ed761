/**
 * Enqueuing jobs, and looking at what became of them. It needs the database alone: who enqueues need not be a runner.
 *
 * @since 0.6.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Actor } from "../service/Actor.js"
import { figuresOf, type JobFigures } from "./internal/figures.js"
import { checked } from "./internal/jobFormat.js"
import * as jobStore from "./internal/jobStore.js"
import { makeTables } from "./internal/tables.js"
import {
  type InvalidJob,
  type Job,
  type JobChanged,
  type JobName,
  JobsUnavailable,
  type StoredJob,
} from "./Job.js"

export type { JobFigures } from "./internal/figures.js"

/**
 * Enqueues jobs, and says what became of them.
 *
 * @since 0.6.0
 * @category services
 */
export interface JobsService {
  /**
   * Enqueues jobs: all of them or none. Within a transaction of the same client they are enqueued when it commits, and
   * not if it is rolled back; they belong at its end, because whoever works for the accounts waits for it from then on.
   * The actor is kept, and is the one in whose name they are carried out.
   *
   * A `close-due`, `pay`, `sweep-inbox` or `purge` that waits already stays one job, and is carried out once more after the time
   * it may be at. A `record-sales` or `book-resplit` is carried out once: enqueued again it changes nothing, and with
   * other contents it is refused with `JobChanged`.
   */
  readonly enqueue: (
    jobs: ReadonlyArray<Job>,
  ) => Effect.Effect<void, InvalidJob | JobChanged | JobsUnavailable>
  /** A job; `undefined`: there is none, or it was done so long ago that it is forgotten. */
  readonly get: (name: JobName) => Effect.Effect<StoredJob | undefined, JobsUnavailable>
  /** The jobs that failed, the latest first; 100 when no limit is given, 1000 at the most. */
  readonly failed: (limit?: number) => Effect.Effect<ReadonlyArray<StoredJob>, JobsUnavailable>
  /** Has a job that failed carried out again; gives whether there is one. */
  readonly retry: (name: JobName) => Effect.Effect<boolean, JobsUnavailable>
  /** Deletes a job that failed, with all that it contains; gives whether there was one. */
  readonly dismiss: (name: JobName) => Effect.Effect<boolean, JobsUnavailable>
  /** How much there is to do, and whether it gets done. */
  readonly figures: Effect.Effect<JobFigures, JobsUnavailable>
}

const usualLimit = 100
const mostListed = 1_000

const unavailable = (error: SqlError) =>
  new JobsUnavailable({ cause: error, message: `the jobs can't be reached: ${error.message}` })

const orUnavailable = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.mapError(effect, unavailable)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* orUnavailable(makeTables(sql))
  const service: JobsService = {
    enqueue: Effect.fn("Jobs.enqueue")(function* (jobs) {
      const valid = yield* Effect.forEach(jobs, checked)
      if (valid.length === 0) return
      yield* Effect.catchTag(jobStore.enqueue(sql, valid, yield* Actor), "SqlError", (error) =>
        Effect.fail(unavailable(error)),
      )
    }),
    get: (name) => orUnavailable(jobStore.find(sql, name)),
    failed: (limit = usualLimit) =>
      orUnavailable(jobStore.failed(sql, Math.max(0, Math.min(Math.trunc(limit), mostListed)))),
    retry: (name) => orUnavailable(jobStore.retry(sql, name)),
    dismiss: (name) => orUnavailable(jobStore.dismiss(sql, name)),
    figures: orUnavailable(figuresOf(sql)),
  }
  return service
})

/**
 * Enqueuing jobs, as an Effect service.
 *
 * @since 0.6.0
 * @category services
 * @example
 * ```ts
 * import { PGlite } from "@electric-sql/pglite"
 * import { Jobs } from "apportion/cluster"
 * import { PgliteClient } from "apportion/sql"
 * import { Effect, Layer } from "effect"
 *
 * const database = await PGlite.create()
 * const program = Effect.gen(function* () {
 *   const jobs = yield* Jobs
 *   yield* jobs.enqueue([{ kind: "close-due", accountId: "my-store" }])
 *   const job = yield* jobs.get({ kind: "close-due", accountId: "my-store", key: "" })
 *   return job?.state
 * })
 * const layer = Layer.provide(Jobs.layer, PgliteClient.layer(Effect.succeed(database)))
 * await Effect.runPromise(Effect.provide(program, layer)) // => "waiting"
 * await database.close()
 * ```
 */
export class Jobs extends Context.Service<Jobs, JobsService>()("apportion/cluster/Jobs") {
  /**
   * Makes the tables of jobs where they are missing, in the schema `apportion_cluster`.
   *
   * @since 0.6.0
   */
  static readonly layer: Layer.Layer<Jobs, JobsUnavailable, SqlClient> = Layer.effect(Jobs, make)
}
