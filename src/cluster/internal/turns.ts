/** What a turn of a lane does, whichever runner carries it out. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Activity from "effect/workflow/Activity"
import type { WorkflowEngine } from "effect/workflow/WorkflowEngine"
import type { StorageError } from "../../ports/StorageError.js"
import { Actor } from "../../service/Actor.js"
import type { InvalidJob, Job, JobKind } from "../Job.js"
import { answered, type HeldTurn, type HeldTurns, holding, stepping } from "./heldTurns.js"
import { mannerOf, parse } from "./jobFormat.js"
import * as jobStore from "./jobStore.js"
import * as lanes from "./lanes.js"
import type { TurnWorkflow } from "./turn.js"
import { carryOut, goTogether, type JobProgress, type JobServices } from "./work.js"

/** What turns are carried out with. */
export interface TurnTools {
  readonly sql: SqlClient
  /** The turns of its version. */
  readonly turns: TurnWorkflow
  /** How many turns of steps a runner carries out at a time. */
  readonly steps: number
  /** How many turns of calls. */
  readonly calls: number
  /** How long a turn may take, in milliseconds, when others wait. */
  readonly sliceMillis: number
  /** The turns that this runner has. */
  readonly held: HeldTurns
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
  "purge",
]

/** The kinds that are carried out in a manner. */
export const kindsOf = (manner: ReturnType<typeof mannerOf>): ReadonlyArray<JobKind> =>
  kinds.filter((kind) => mannerOf(kind) === manner)

type Tried = Effect.Effect<
  ReadonlyArray<JobProgress>,
  StorageError | InvalidJob | SqlError,
  JobServices
>

/** Jobs of one account and actor that are carried out together, or a part of one; what fails of them is taken back whole. */
const work = ([first, ...others]: jobStore.DueJobs): Tried =>
  Effect.forEach([first, ...others], ({ document }) => parse(document)).pipe(
    Effect.flatMap((jobs) => carryOut(first.accountId, jobs)),
    Effect.provideService(Actor, first.actor),
  )

/** The first job with those after it that are carried out together with it. */
const together = Effect.fnUntraced(function* ([first, ...others]: jobStore.DueJobs) {
  const jobs: Array<Job> = []
  for (const { document, actor } of [first, ...others]) {
    const job = yield* Effect.option(parse(document))
    if (Option.isNone(job) || actor !== first.actor || !goTogether([...jobs, job.value])) break
    jobs.push(job.value)
  }
  return [first, ...others.slice(0, Math.max(0, jobs.length - 1))] as const
})

const failure = (job: jobStore.DueJob, cause: Cause.Cause<unknown>) =>
  Effect.annotateLogs(Effect.logWarning("a job failed and is tried again", cause), {
    accountId: job.accountId,
    kind: job.kind,
    key: job.key,
  })

/** Notes that a job failed. */
const noteFailure = ({ sql }: TurnTools, job: jobStore.DueJob, cause: Cause.Cause<unknown>) =>
  Effect.gen(function* () {
    yield* failure(job, cause)
    const error = Cause.squash(cause)
    const reason = error instanceof Error ? error.message : String(error)
    if (job.attempts + 1 >= mostAttempts) {
      return yield* jobStore.end(sql, [{ ...job, state: "failed", outcome: reason }])
    }
    const seconds = Math.min(2 ** job.attempts, longestWaitSeconds)
    return yield* jobStore.putOff(sql, job, { seconds, reason })
  })

/** Notes what became of jobs; gives whether there is more to do of one. */
const note = (
  tools: TurnTools,
  jobs: jobStore.DueJobs,
  exit: Exit.Exit<ReadonlyArray<JobProgress>, unknown>,
): Effect.Effect<boolean, SqlError> =>
  Effect.gen(function* () {
    const [first] = jobs
    if (Exit.isFailure(exit)) {
      yield* noteFailure(tools, first, exit.cause)
      return false
    }
    const endings = jobs.flatMap((job, place) => {
      const progress = exit.value[place]
      if (progress === undefined || progress.type === "more") return []
      return [{ ...job, state: progress.type, outcome: progress.outcome }]
    })
    if (endings.length > 0) yield* jobStore.end(tools.sql, endings)
    return endings.length < jobs.length
  })

/** The end of an effect, unless it was interrupted. */
const ended = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      ? Effect.interrupt
      : Effect.succeed(exit),
  )

/** After so many turns that were lost one after the other, the job that was next in each of them is given up. */
const mostLosses = 10

/** How many jobs a step takes. After a turn was lost it takes one: if that is why, it is known which one it was. */
const jobsAfter = (losses: number): number => (losses === 0 ? jobsInStep : 1)

/** A job that ends its runner or its connection each time must not keep those behind it waiting for ever. */
const givenUp = (
  { sql }: TurnTools,
  job: jobStore.DueJob,
  losses: number,
): Effect.Effect<boolean, SqlError> => {
  if (losses < mostLosses) return Effect.succeed(false)
  const outcome = `${losses} turns broke off while it was next: their runners or connections ended`
  return Effect.as(jobStore.end(sql, [{ ...job, state: "failed", outcome }]), true)
}

/** The step of a turn was noted by another runner: the transaction is taken back. */
class Superseded extends Schema.TaggedError<Superseded>()("Superseded", {}) {}

interface StepOf extends HeldTurn {
  readonly known: JobKind
  readonly number: number
}

type Stepped = Effect.Effect<lanes.AfterStep, SqlError, JobServices>

/** Work of a step in one transaction with the note that it is done: either both are kept, or none. */
const noting = <R>(
  { sql, sliceMillis }: TurnTools,
  of: StepOf,
  work: (losses: number) => Effect.Effect<void, SqlError, R>,
): Effect.Effect<lanes.AfterStep, SqlError, R> =>
  Effect.gen(function* () {
    const { after, losses } = yield* lanes.before(sql, of, of.number)
    if (after !== undefined) return after
    yield* work(losses)
    const next = yield* lanes.advance(sql, of, { step: of.number, sliceMillis })
    return next ?? (yield* new Superseded())
  }).pipe(
    sql.withTransaction,
    Effect.catchTag("Superseded", () =>
      Effect.map(lanes.before(sql, of, of.number), ({ after }) => after ?? "over"),
    ),
  )

/** The next jobs of a lane, for a moment. Those that fail together are tried alone: one that fails must not fail others. */
const step = (tools: TurnTools, of: StepOf): Stepped =>
  noting(
    tools,
    of,
    Effect.fnUntraced(function* (losses) {
      const { sql } = tools
      const began = yield* Clock.currentTimeMillis
      const lane = { accountId: of.accountId, kind: of.known }
      let [first, ...others] = yield* jobStore.due(sql, lane, jobsAfter(losses))
      let alone = 0
      while (first !== undefined) {
        if (yield* givenUp(tools, first, losses)) break
        const jobs = alone > 0 ? ([first] as const) : yield* together([first, ...others])
        const exit = yield* ended(sql.withTransaction(work(jobs)))
        if (Exit.isFailure(exit) && jobs.length > 1) {
          alone = jobs.length
          continue
        }
        if (yield* note(tools, jobs, exit)) break
        if ((yield* Clock.currentTimeMillis) - began >= stepMillis) break
        alone = Math.max(0, alone - 1)
        ;[first, ...others] = others.slice(jobs.length - 1)
      }
    }),
  )

/** The next job of a lane, which has transactions of its own. */
const call = (tools: TurnTools, of: StepOf): Stepped =>
  Effect.gen(function* () {
    const { sql } = tools
    const { after, losses } = yield* lanes.before(sql, of, of.number)
    if (after !== undefined) return after
    const [job] = yield* jobStore.due(sql, { accountId: of.accountId, kind: of.known }, 1)
    if (job === undefined) return yield* noting(tools, of, () => Effect.void)
    if (yield* givenUp(tools, job, losses)) return yield* noting(tools, of, () => Effect.void)
    const replaced = Effect.as(Deferred.await(of.replaced), "replaced" as const)
    const exit = yield* Effect.raceFirst(ended(work([job])), replaced)
    return exit === "replaced"
      ? "over"
      : yield* noting(tools, of, () => Effect.asVoid(note(tools, [job], exit)))
  })

const mostTries = 5
const firstPauseMillis = 250

/**
 * Tries a step that broke off again, as after a lost connection; what it did was taken back. A turn of which no step can
 * be noted is left to be replaced: the runner's slot must not wait for a database that has something against it.
 */
const trying = (stepped: Stepped): Effect.Effect<lanes.AfterStep, never, JobServices> =>
  Effect.gen(function* () {
    for (let tries = 1; ; tries += 1) {
      const exit = yield* ended(stepped)
      if (Exit.isSuccess(exit)) return exit.value
      yield* Effect.logWarning("a step of a turn broke off", exit.cause)
      if (tries === mostTries) return "over"
      yield* Effect.sleep(firstPauseMillis * 2 ** (tries - 1))
    }
  })

const AfterStep = Schema.Literals(["more", "over"])

/** An activity of a turn: whoever carries it out again finds what came of it. */
const activityOf = (tools: TurnTools, of: StepOf) => {
  const { accountId, kind, turn } = of
  const stepped = mannerOf(of.known) === "call" ? call(tools, of) : step(tools, of)
  // Only a turn's first step can come after a turn that was lost.
  const counted = of.number === 1 ? Effect.ignore(lanes.countLoss(tools.sql, of)) : Effect.void
  const execute = Effect.annotateLogs(stepping(of, Effect.andThen(counted, trying(stepped))), {
    ...{ accountId, kind, turn },
  })
  return Activity.make({ name: `step ${of.number}`, success: AfterStep, execute })
}

const leaving = ({ sql }: TurnTools, turn: HeldTurn, seconds: number) =>
  answered(
    turn,
    Activity.make({ name: "leave", execute: Effect.orDie(lanes.leave(sql, turn, seconds)) }),
  )

const takeTurn = Effect.fnUntraced(function* (tools: TurnTools, turn: HeldTurn) {
  const known = kinds.find((kind) => kind === turn.kind)
  // A later version enqueued it, whose runners are on their way.
  if (known === undefined) return yield* leaving(tools, turn, strangeSeconds)
  for (let number = 1; number <= mostSteps; number += 1) {
    const after = yield* answered(turn, activityOf(tools, { ...turn, known, number }))
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
  return tools.turns.toLayer((turn) => {
    const kind = kinds.find((known) => known === turn.kind)
    const slot = slots[kind === undefined ? "step" : mannerOf(kind)]
    return holding(tools.held, turn, (held) => slot.withPermit(takeTurn(tools, held)))
  })
}
