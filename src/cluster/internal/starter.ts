/**
 * What each runner looks for: lanes whose turn it is, turns that nobody goes on with, what the clock asks for, and what
 * is too old to be kept. Any number of runners do it side by side, and each thing is done by one of them.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import { ConnectedShops } from "../../ports/ConnectedShop.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageFailure } from "../../ports/StorageError.js"
import type { Job, JobChanged } from "../Job.js"
import { meter } from "./figures.js"
import * as jobStore from "./jobStore.js"
import * as lanes from "./lanes.js"
import { purge } from "./retention.js"
import { kindsOf, Turn } from "./turns.js"

/** What a runner looks for. */
export interface StarterTools {
  readonly sql: SqlClient
  readonly storage: StorageService
  /** How many turns of each manner are under way in all runners together. */
  readonly mostActive: number
  /** How often what is due is closed, in seconds; `undefined`: only when it is enqueued. */
  readonly closeDueEvery: number | undefined
  /** How often the inboxes of connected shops are swept. */
  readonly sweepInboxesEvery: number | undefined
  /** For how long jobs are kept after their end, in seconds. */
  readonly keepSeconds: number
}

const executedAtATime = 16
const enqueuedAtATime = 1_000

/** How long a turn may stand still before another one takes its place. */
const stuckSeconds = 45

const execute = (
  turns: ReadonlyArray<lanes.LaneTurn>,
): Effect.Effect<void, never, WorkflowEngine> =>
  Effect.forEach(turns, (turn) => Turn.execute({ ...turn }, { discard: true }), {
    concurrency: executedAtATime,
    discard: true,
  })

/** Begins the turns of lanes that wait. */
const startTurns = ({ sql, mostActive }: StarterTools) =>
  Effect.forEach(
    ["step", "call"] as const,
    (manner) => Effect.flatMap(lanes.begin(sql, kindsOf(manner), mostActive), execute),
    { discard: true },
  )

/** Whether the time of something has come, which one runner alone is told. */
const rings = (sql: SqlClient, name: string, every: number): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe(
      `INSERT INTO apportion_cluster.clocks AS known (name, rang_at) VALUES ($1, clock_timestamp())
        ON CONFLICT (name) DO UPDATE SET rang_at = EXCLUDED.rang_at
        WHERE known.rang_at <= clock_timestamp() - make_interval(secs => $2::float8) RETURNING name`,
      [name, every],
    ),
    (rows) => rows.length > 0,
  )

const clockActor = "system"

type Enqueued = Effect.Effect<void, JobChanged | SqlError | StorageFailure>

/** Enqueues a job of each account, or of each shop. */
const enqueueEach = (
  sql: SqlClient,
  jobs: Effect.Effect<ReadonlyArray<Job>, StorageFailure>,
): Enqueued =>
  Effect.gen(function* () {
    const all = yield* jobs
    for (let place = 0; place < all.length; place += enqueuedAtATime) {
      yield* jobStore.enqueue(sql, all.slice(place, place + enqueuedAtATime), clockActor)
    }
  })

/** Enqueues what the clock asks for; with the note that it rang, so that it is not forgotten when a runner ends. */
const byTheClock = ({ sql, storage, closeDueEvery, sweepInboxesEvery }: StarterTools) => {
  const when = (name: string, every: number | undefined, work: Enqueued) =>
    every === undefined
      ? Effect.void
      : sql.withTransaction(
          Effect.flatMap(rings(sql, name, every), (isTime) => (isTime ? work : Effect.void)),
        )
  const ofAccounts = Effect.map(storage.accounts, (ids) =>
    ids.map((accountId): Job => ({ kind: "close-due", accountId })),
  )
  const ofShops = Effect.flatMap(ConnectedShops, (shops) =>
    Effect.map(shops.all, (all) =>
      all.map(({ key, accountId }): Job => ({ kind: "sweep-inbox", accountId, shop: key })),
    ),
  )
  return Effect.andThen(
    when("close-due", closeDueEvery, enqueueEach(sql, ofAccounts)),
    when("sweep-inbox", sweepInboxesEvery, enqueueEach(sql, ofShops)),
  )
}

/** Does it again and again; what fails is logged and done the next time. */
const repeatedly = <E, R>(
  work: Effect.Effect<void, E, R>,
  { every, doing }: { readonly every: Duration.Input; readonly doing: string },
): Effect.Effect<void, never, R> =>
  work.pipe(
    Effect.tapCause((cause) => Effect.logWarning(`${doing} failed and is done again`, cause)),
    Effect.ignoreCause,
    Effect.repeat(Schedule.spaced(every)),
    Effect.asVoid,
  )

/** All that a runner looks for, as long as it runs. */
export const run = (tools: StarterTools): Effect.Effect<void, never, WorkflowEngine> => {
  const { sql, keepSeconds } = tools
  const stuck = Effect.flatMap(lanes.replaceStuck(sql, stuckSeconds), execute)
  // Who began them may have ended before they were passed on.
  const begun = Effect.flatMap(lanes.underWay(sql), execute)
  return Effect.andThen(
    repeatedly(begun, { every: Duration.infinity, doing: "going on with turns" }).pipe(
      Effect.forkChild,
    ),
    Effect.all(
      [
        repeatedly(startTurns(tools), { every: "100 millis", doing: "beginning turns" }),
        repeatedly(stuck, { every: "10 seconds", doing: "replacing turns that stand still" }),
        repeatedly(byTheClock(tools), { every: "1 second", doing: "enqueuing by the clock" }),
        repeatedly(meter(sql), { every: "15 seconds", doing: "counting jobs" }),
        repeatedly(purge(sql, keepSeconds), { every: "1 minute", doing: "forgetting old jobs" }),
      ],
      { concurrency: "unbounded", discard: true },
    ),
  )
}
