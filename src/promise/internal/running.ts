/** Running effects for plain callers: what comes out are values and errors, nothing of Effect. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { Defect } from "../PromiseError.js"

/** What a promise rejects with: the error itself; a defect only as it is when it has a tag to know it by. */
export const rejectionOf = (cause: Cause.Cause<unknown>): unknown => {
  const failure = Cause.findError(cause)
  if (Result.isSuccess(failure)) return failure.success
  const defect = Cause.squash(cause)
  return Predicate.isObject(defect) && "_tag" in defect ? defect : Defect.of(defect)
}

/** The value of an effect that has run, or its error. */
export const unwrap = <A, E>(exit: Exit.Exit<A, E>): A => {
  if (Exit.isSuccess(exit)) return exit.value
  throw rejectionOf(exit.cause)
}

/** The same, with calls that are run in another way. */
export const runningWith = (
  running: Running,
  change: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
): Running => ({
  ...running,
  call: (make) => running.call(() => change(Effect.suspend(make))),
})

/** Runs calls until it is ended. */
export interface Running {
  readonly call: <A, E>(make: () => Effect.Effect<A, E>) => Promise<A>
  /** Why no more calls are taken; `undefined`: they are. */
  readonly refusal: () => unknown
  /** Takes no more calls. */
  readonly end: () => void
  /** Waits until no call is under way, those too that begin meanwhile. */
  readonly idle: () => Promise<void>
}

/** Runs calls in a context; when it is ended, they reject with an error. */
export const makeRunning = (context: Context.Context<never>, refused: () => unknown): Running => {
  const run = Effect.runPromiseExitWith(context)
  const underWay = new Set<Promise<unknown>>()
  let isEnded = false
  const start = async <A, E>(make: () => Effect.Effect<A, E>): Promise<A> => {
    if (isEnded) throw refused()
    const exit = run(Effect.suspend(make))
    underWay.add(exit)
    try {
      return unwrap(await exit)
    } finally {
      underWay.delete(exit)
    }
  }
  return {
    call: start,
    refusal: () => (isEnded ? refused() : undefined),
    end: () => {
      isEnded = true
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
