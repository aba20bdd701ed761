/**
 * What each runner looks for: lanes whose turn it is, turns that nobody goes on with, what the clock asks for, and what
 * is too old to be kept. Any number of runners do it side by side, and each thing is done by one of them.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import { fromOrdered, toOrdered } from "../../internal/orderedText.js"
import { ConnectedShops } from "../../ports/ConnectedShop.js"
import type { StorageService } from "../../ports/Storage.js"
import type { StorageFailure } from "../../ports/StorageError.js"
import type { Job, JobChanged, JobKind } from "../Job.js"
import { meter } from "./figures.js"
import { type HeldTurns, tell } from "./heldTurns.js"
import * as jobStore from "./jobStore.js"
import * as lanes from "./lanes.js"
import { purge } from "./retention.js"
import type { TurnWorkflow } from "./turn.js"
import { kindsOf } from "./turns.js"

/** What a runner looks for. */
export interface StarterTools {
  readonly sql: SqlClient
  /** The turns of its version. */
  readonly turns: TurnWorkflow
  readonly storage: StorageService
  /** How many turns of each manner are under way in all runners together. */
  readonly mostActive: number
  /** How often what is due is closed, in seconds; `undefined`: only when it is enqueued. */
  readonly closeDueEvery: number | undefined
  /** How often the inboxes of connected shops are swept. */
  readonly sweepInboxesEvery: number | undefined
  /** How often what is old in accounts is removed. */
  readonly purgeEvery: number | undefined
  /** The turns that this runner has. */
  readonly held: HeldTurns
  /** For how long jobs are kept after their end, in seconds. */
  readonly keepSeconds: number
}

const enqueuedAtATime = 1_000

/**
 * After how many seconds another turn takes the place of one of which nobody has told that it is alive. It is longer than
 * the locks of a runner last, so that those who get what it had can go on with its turns.
 */
const stuckSeconds = 15
const aliveEvery = "3 seconds"

/**
 * Gives turns to those who carry them out. Nobody waits for that: a runner that can't reach the database doesn't say that
 * it heard of a turn, and others have to be given theirs meanwhile.
 */
const execute = (
  { turns }: StarterTools,
  begun: ReadonlyArray<lanes.LaneTurn>,
): Effect.Effect<void, never, WorkflowEngine> =>
  Effect.forEach(
    begun,
    (turn) =>
      turns.execute({ ...turn }, { discard: true }).pipe(
        Effect.tapCause((cause) => Effect.logWarning("a turn could not be passed on", cause)),
        Effect.ignoreCause,
        Effect.forkChild,
      ),
    { discard: true },
  )

/** Begins the turns of lanes that wait. */
const startTurns = (tools: StarterTools) =>
  Effect.forEach(
    ["step", "call"] as const,
    (manner) =>
      Effect.flatMap(lanes.begin(tools.sql, kindsOf(manner), tools.mostActive), (begun) =>
        execute(tools, begun),
      ),
    { discard: true },
  )

/** Notes that the time of something has come; one runner alone does. A clock that was set back must not stop it. */
const ring = (sql: SqlClient, name: string, every: number) =>
  sql.unsafe(
    `INSERT INTO apportion_cluster.clocks AS known (name, rang_at, after) VALUES ($1, clock_timestamp(), '')
      ON CONFLICT (name) DO UPDATE SET rang_at = EXCLUDED.rang_at, after = ''
      WHERE known.after IS NULL
        AND abs(extract(epoch FROM clock_timestamp() - known.rang_at)) >= $2::float8`,
    [name, every],
  )

const clockActor = "system"

/** A job that the clock asks for, and the name by which it is in order. */
interface ClockJob {
  readonly name: string
  readonly job: Job
}

/** Enqueues the next of the jobs, in one transaction with the note how far that is; gives whether there are more. */
const enqueueNext = (
  sql: SqlClient,
  name: string,
  ordered: ReadonlyArray<ClockJob>,
): Effect.Effect<boolean, JobChanged | SqlError> =>
  Effect.gen(function* () {
    const [clock] = yield* sql.unsafe<{ after: string }>(
      `SELECT after FROM apportion_cluster.clocks WHERE name = $1 AND after IS NOT NULL
        FOR UPDATE SKIP LOCKED`,
      [name],
    )
    if (clock === undefined) return false
    const after = fromOrdered(clock.after)
    const left = ordered.filter((one) => one.name > after)
    const next = left.slice(0, enqueuedAtATime)
    const jobs = next.map(({ job }) => job)
    if (jobs.length > 0) yield* jobStore.enqueue(sql, jobs, clockActor)
    const last = left.length > next.length ? next.at(-1)?.name : undefined
    yield* sql.unsafe("UPDATE apportion_cluster.clocks SET after = $2 WHERE name = $1", [
      name,
      last === undefined ? null : toOrdered(last),
    ])
    return last !== undefined
  }).pipe(sql.withTransaction)

interface Ringing {
  readonly name: string
  /** In seconds; `undefined`: never. */
  readonly every: number | undefined
}

/**
 * Enqueues what the clock asks for, a part after the other: each is enqueued for all accounts though a runner ends in
 * between, and none holds up those who enqueue or work for long.
 */
const enqueueEach = (
  sql: SqlClient,
  { name, every }: Ringing,
  jobs: Effect.Effect<ReadonlyArray<ClockJob>, StorageFailure>,
): Effect.Effect<void, JobChanged | SqlError | StorageFailure> =>
  Effect.gen(function* () {
    if (every === undefined) return
    yield* ring(sql, name, every)
    const [clock] = yield* sql.unsafe(
      "SELECT name FROM apportion_cluster.clocks WHERE name = $1 AND after IS NOT NULL",
      [name],
    )
    if (clock === undefined) return
    const ordered = [...(yield* jobs)].sort((left, right) => (left.name < right.name ? -1 : 1))
    while (yield* enqueueNext(sql, name, ordered));
  })

/** Enqueues what the clock asks for. */
const byTheClock = ({ sql, storage, ...often }: StarterTools) => {
  const ofAccounts = (kind: "close-due" | "purge") =>
    Effect.map(storage.accounts, (ids) =>
      ids.map((accountId): ClockJob => ({ name: accountId, job: { kind, accountId } })),
    )
  const ofShops = Effect.flatMap(ConnectedShops, (shops) =>
    Effect.map(shops.all, (all) =>
      all.map(
        ({ key, accountId }): ClockJob => ({
          name: key,
          job: { kind: "sweep-inbox", accountId, shop: key },
        }),
      ),
    ),
  )
  const enqueue = (name: JobKind, every: number | undefined, jobs: typeof ofShops) =>
    enqueueEach(sql, { name, every }, jobs)
  return Effect.all(
    [
      enqueue("close-due", often.closeDueEvery, ofAccounts("close-due")),
      enqueue("sweep-inbox", often.sweepInboxesEvery, ofShops),
      enqueue("purge", often.purgeEvery, ofAccounts("purge")),
    ],
    { discard: true },
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
  const { sql, held, keepSeconds } = tools
  const stuck = Effect.flatMap(lanes.replaceStuck(sql, stuckSeconds), (begun) =>
    execute(tools, begun),
  )
  return Effect.all(
    [
      repeatedly(startTurns(tools), { every: "100 millis", doing: "beginning turns" }),
      repeatedly(tell(sql, held), { every: aliveEvery, doing: "telling that turns are alive" }),
      repeatedly(stuck, { every: "2 seconds", doing: "replacing turns that stand still" }),
      repeatedly(byTheClock(tools), { every: "1 second", doing: "enqueuing by the clock" }),
      repeatedly(meter(sql), { every: "15 seconds", doing: "counting jobs" }),
      repeatedly(purge(sql, keepSeconds), { every: "1 minute", doing: "forgetting old jobs" }),
    ],
    { concurrency: "unbounded", discard: true },
  )
}
