/** One call at which one thing breaks. */
import { Idempotency } from "apportion/service"
import {
  Cause,
  Clock,
  type Context,
  Effect,
  Exit,
  Fiber,
  Logger,
  Predicate,
  type Scope,
} from "effect"
import type { SqlConnection } from "effect/sql"
import { settle } from "./Background.js"
import { type Bench, inPlace, type Place, startProcess } from "./Bench.js"
import * as Copies from "./Copies.js"
import type { Arms, Plan, Watch } from "./FaultyClient.js"
import * as HastyClock from "./HastyClock.js"
import {
  judge,
  judgeAgain,
  type Outcome,
  type Problems,
  type Reference,
  type Subject,
} from "./Judge.js"
import type { Call, World } from "./UseCase.js"

const textOf = (value: unknown): string =>
  Copies.renamed([JSON.stringify(value) ?? "nothing"]).join()

const failureOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag")
    ? `failed: ${String(error._tag)}`
    : `failed: ${String(error)}`

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): Outcome => {
  if (Exit.isSuccess(exit)) return `gave ${textOf(exit.value)}`
  if (Cause.hasDies(exit.cause)) return `died: ${Cause.pretty(exit.cause)}`
  if (Cause.hasInterruptsOnly(exit.cause)) return "gave up"
  return failureOf(Cause.squash(exit.cause))
}

/** The same call under a key, so that it can be asked for again. */
export const keyed = (call: Call): Call => {
  const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
  return (account) =>
    Effect.flatMap(Idempotency, (idempotency) => {
      const request = { key: "key of the call", request: "the call" }
      return idempotency.once(account, request, Effect.map(call(account), json))
    })
}

/** Where a trial takes place. */
interface Stage {
  readonly bench: Bench
  readonly subject: Subject
  readonly place: Place
  readonly account: string
  readonly clock: HastyClock.HastyClock
}

/** A client that counts, and breaks if there is a plan. */
interface Armed {
  readonly watch: Watch
  readonly plan: Plan | undefined
  readonly giveUp: { now: () => void }
}

const arm = ({ place }: Stage, arms: Omit<Arms, "interrupt">): Armed => {
  const giveUp = { now: () => {} }
  const watch = place.faulty.arm({ ...arms, interrupt: () => giveUp.now() })
  return { watch, plan: arms.plan, giveUp }
}

/** The ids that a trial makes are others than those that were made before. */
const seed = 2

/**
 * Starts a process. What it does at its beginning counts only where that is what is tried: when it takes up
 * what another one left behind.
 */
const startedAndArmed = (stage: Stage, arms: Omit<Arms, "interrupt">) =>
  Effect.gen(function* () {
    const { bench, subject, place, account } = stage
    const { hasBackground, leftBehind } = subject.useCase
    const told = { accounts: hasBackground ? [account] : [], seed }
    const early = leftBehind === undefined ? arm(stage, {}) : arm(stage, arms)
    const context = yield* startProcess(place, told)
    if (leftBehind !== undefined) return { context, armed: early }
    if (hasBackground) yield* settle(bench.sql, { ...stage, watch: early.watch })
    return { context, armed: arm(stage, arms) }
  })

/** Calls, and waits for what goes on behind it. */
const perform = (
  stage: Stage,
  context: Context.Context<World>,
  { watch, plan, giveUp }: Armed,
): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const { bench, subject, account } = stage
    const call = Effect.suspend(() => Effect.provideContext(subject.call(account), context))
    const fiber = yield* Effect.forkChild(call)
    giveUp.now = () => fiber.interruptUnsafe()
    const exit = yield* Fiber.await(fiber)
    const isComing = () => plan !== undefined && !watch.happened
    if (subject.useCase.hasBackground) yield* settle(bench.sql, { ...stage, watch }, isComing)
    return outcomeOf(exit)
  })

let copies = 0

/** Runs something with an account of its own. */
const onStage = <A>(
  bench: Bench,
  subject: Subject,
  use: (stage: Stage) => Effect.Effect<A, never, Scope.Scope>,
): Effect.Effect<A> =>
  inPlace(bench, (place) =>
    Effect.gen(function* () {
      copies += 1
      const account = `copy ${copies}`
      yield* Effect.orDie(Copies.copy(bench.sql, subject.original, account))
      const clock = HastyClock.make(subject.useCase.at)
      const used = Effect.scoped(use({ bench, subject, place, account, clock }))
      return yield* Effect.provideService(used, Clock.Clock, clock)
    }).pipe(Effect.provide(Logger.layer([]))),
  )

/** Makes the call with nothing that breaks. */
export const refer = (bench: Bench, subject: Subject): Effect.Effect<Reference> =>
  onStage(bench, subject, (stage) =>
    Effect.gen(function* () {
      const camera = yield* Copies.camera(bench.sql, stage.account)
      const states = [yield* camera.take]
      const onCommit = (connection: SqlConnection.Connection) =>
        Effect.map(camera.takeOn(connection), (picture) => {
          states.push(picture)
        })
      const { context, armed } = yield* startedAndArmed(stage, { onCommit })
      const outcome = yield* perform(stage, context, armed)
      return { boundaries: armed.watch.boundaries, outcome, states }
    }),
  )

/** Makes the call, breaks what is planned, and calls again. */
export const attempt = (
  bench: Bench,
  subject: Subject,
  reference: Reference,
  plan: Plan,
): Effect.Effect<Problems> =>
  onStage(bench, subject, (stage) =>
    Effect.gen(function* () {
      const camera = yield* Copies.camera(bench.sql, stage.account)
      const { context, armed } = yield* startedAndArmed(stage, { plan })
      const outcome = yield* perform(stage, context, armed)
      const first = { outcome, watch: armed.watch, picture: yield* camera.take }
      const problems = judge(subject, reference, plan, first)
      const hadEffect = first.picture !== reference.states[0]
      if (hadEffect && !subject.isRepeatable && !subject.isKeyed) return problems
      const unarmed = arm(stage, {})
      const outcomeAgain = yield* perform(stage, context, unarmed)
      const second = { outcome: outcomeAgain, watch: unarmed.watch, picture: yield* camera.take }
      return [...problems, ...judgeAgain(subject, reference, second, hadEffect)]
    }),
  )
