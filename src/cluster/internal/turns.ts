/** A turn of a lane as a workflow, whichever runner carries it out. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Activity from "effect/workflow/Activity"
import * as Workflow from "effect/workflow/Workflow"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import type { StorageError } from "../../ports/StorageError.js"
import { Actor } from "../../service/Actor.js"
import type { InvalidJob, JobKind } from "../Job.js"
import { mannerOf, parse } from "./jobFormat.js"
import * as jobStore from "./jobStore.js"
import * as lanes from "./lanes.js"
import { carryOut, type JobProgress, type JobServices } from "./work.js"

/**
 * One turn. The number at the end of the name is that of what a turn does: one that does it otherwise gets the next, so
 * that runners of both versions go side by side, and each carries out the turns of its own.
 */
export const Turn = Workflow.make("apportion/Turn/1", {
  payload: { accountId: Schema.String, kind: Schema.String, turn: Schema.Number },
  idempotencyKey: ({ accountId, kind, turn }) => JSON.stringify([accountId, kind, turn]),
  // What a database could not do is tried again, and not kept as what came of it.
}).annotate(Workflow.CaptureDefects, false)

/** What turns are carried out with. */
export interface TurnTools {
  readonly sql: SqlClient
  /** How many turns of steps a runner carries out at a time. */
  readonly steps: number
  /** How many turns of calls. */
  readonly calls: number
  /** How long a turn may take, in milliseconds, when others wait. */
  readonly sliceMillis: number
}

/** How long a step takes jobs, and how many. */
const stepMillis = 100
const jobsInStep = 100

/** A workflow with more activities takes long to go through again. */
const mostSteps = 200

const mostAttempts = 12
const longestWaitSeconds = 600

/** How long a lane waits whose kind this version does not know. */
const strangeSeconds = 5

const kinds: ReadonlyArray<JobKind> = [
  "close-due",
  "record-sales",
  "book-resplit",
  "pay",
  "sweep-inbox",
]

/** The kinds that are carried out in a manner. */
export const kindsOf = (manner: ReturnType<typeof mannerOf>): ReadonlyArray<JobKind> =>
  kinds.filter((kind) => mannerOf(kind) === manner)

type Tried = Effect.Effect<JobProgress, StorageError | InvalidJob | SqlError, JobServices>

/** A part of a job; what fails of it is taken back as a whole. */
const work = ({ document, actor }: jobStore.DueJob): Tried =>
  Effect.provideService(Effect.flatMap(parse(document), carryOut), Actor, actor)

const failure = (job: jobStore.DueJob, cause: Cause.Cause<unknown>) =>
  Effect.annotateLogs(Effect.logWarning("a job failed and is tried again", cause), {
    accountId: job.accountId,
    kind: job.kind,
    key: job.key,
  })

/** Notes what became of a job. */
const note = (
  { sql }: TurnTools,
  job: jobStore.DueJob,
  exit: Exit.Exit<JobProgress, unknown>,
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    if (Exit.isSuccess(exit)) {
      const { type, outcome } = exit.value
      return type === "more" ? undefined : yield* jobStore.end(sql, job, { state: type, outcome })
    }
    yield* failure(job, exit.cause)
    const error = Cause.squash(exit.cause)
    const reason = error instanceof Error ? error.message : String(error)
    if (job.attempts + 1 >= mostAttempts) {
      return yield* jobStore.end(sql, job, { state: "failed", outcome: reason })
    }
    const seconds = Math.min(2 ** job.attempts, longestWaitSeconds)
    return yield* jobStore.putOff(sql, job, { seconds, reason })
  })

/** The end of an effect, unless it was interrupted. */
const ended = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      ? Effect.interrupt
      : Effect.succeed(exit),
  )

/** The step of a turn was noted by another runner: the transaction is taken back. */
class Superseded extends Schema.TaggedError<Superseded>()("Superseded", {}) {}

interface StepOf extends lanes.LaneTurn {
  readonly kind: JobKind
  readonly number: number
}

type Stepped = Effect.Effect<lanes.AfterStep, SqlError, JobServices>

/** Work of a step in one transaction with the note that it is done: either both are kept, or none. */
const noting = <R>(
  { sql, sliceMillis }: TurnTools,
  { number, ...turn }: StepOf,
  effect: Effect.Effect<void, SqlError, R>,
): Effect.Effect<lanes.AfterStep, SqlError, R> =>
  Effect.gen(function* () {
    yield* effect
    const after = yield* lanes.advance(sql, turn, { step: number, sliceMillis })
    return after ?? (yield* new Superseded())
  }).pipe(
    sql.withTransaction,
    Effect.catchTag("Superseded", () =>
      Effect.map(lanes.noted(sql, turn, number), (after) => after ?? "over"),
    ),
  )

/** The next jobs of a lane, for a moment. */
const step = (tools: TurnTools, of: StepOf): Stepped =>
  noting(
    tools,
    of,
    Effect.gen(function* () {
      const { sql } = tools
      const began = yield* Clock.currentTimeMillis
      for (const job of yield* jobStore.due(sql, of, jobsInStep)) {
        const exit = yield* ended(sql.withTransaction(work(job)))
        yield* note(tools, job, exit)
        if (Exit.isSuccess(exit) && exit.value.type === "more") break
        if ((yield* Clock.currentTimeMillis) - began >= stepMillis) break
      }
    }),
  )

const aliveEvery = "5 seconds"

/** Ends once a turn is not the one that is under way any more. */
const untilSuperseded = ({ sql }: TurnTools, turn: lanes.LaneTurn) =>
  Effect.repeat(
    // What the database can't say now does not end a call.
    Effect.orElseSucceed(lanes.isAlive(sql, turn), () => true),
    { while: (isAlive) => isAlive, schedule: Schedule.spaced(aliveEvery) },
  ).pipe(Effect.as("superseded" as const))

/** The next job of a lane, which has transactions of its own. */
const call = (tools: TurnTools, of: StepOf): Stepped =>
  Effect.gen(function* () {
    const { sql } = tools
    const [job] = yield* jobStore.due(sql, of, 1)
    if (job === undefined) return yield* noting(tools, of, Effect.void)
    const exit = yield* Effect.raceFirst(ended(work(job)), untilSuperseded(tools, of))
    return exit === "superseded" ? "over" : yield* noting(tools, of, note(tools, job, exit))
  })

const AfterStep = Schema.Literals(["more", "over"])

/** An activity of a turn: whoever carries it out again finds what came of it. */
const activityOf = (tools: TurnTools, of: StepOf) => {
  const name = `step ${of.number}`
  const isCall = mannerOf(of.kind) === "call"
  const execute = Effect.gen(function* () {
    const after = yield* lanes.noted(tools.sql, of, of.number)
    return after ?? (yield* isCall ? call(tools, of) : step(tools, of))
  }).pipe(Effect.orDie)
  const activity = Activity.make({ name, success: AfterStep, execute })
  // That it was carried out is kept in the transaction of what it did.
  return isCall ? activity : activity.annotate(ClusterSchema.WithTransaction, true)
}

const leaving = ({ sql }: TurnTools, turn: lanes.LaneTurn, seconds: number) =>
  Activity.make({ name: "leave", execute: Effect.orDie(lanes.leave(sql, turn, seconds)) })

const takeTurn = Effect.fnUntraced(function* (tools: TurnTools, turn: lanes.LaneTurn) {
  const kind = kinds.find((known) => known === turn.kind)
  // A later version enqueued it, whose runners are on their way.
  if (kind === undefined) return yield* leaving(tools, turn, strangeSeconds)
  for (let number = 1; number <= mostSteps; number += 1) {
    const after = yield* activityOf(tools, { ...turn, kind, number })
    if (after !== "more") return
  }
  yield* leaving(tools, turn, 0)
})

/** Has a runner carry out turns; so many of each manner at a time, in the order in which they come. */
export const layer = (
  tools: TurnTools,
): Layer.Layer<never, never, WorkflowEngine | JobServices> => {
  const slots = {
    step: Semaphore.makeUnsafe(tools.steps),
    call: Semaphore.makeUnsafe(tools.calls),
  }
  return Turn.toLayer((turn) => {
    const kind = kinds.find((known) => known === turn.kind)
    return slots[kind === undefined ? "step" : mannerOf(kind)].withPermit(takeTurn(tools, turn))
  })
}
