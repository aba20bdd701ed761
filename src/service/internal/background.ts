import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Logs a failure or a defect as a warning and continues with `undefined`; an interruption stays one. */
export const logged = <A, E>(
  effect: Effect.Effect<A, E>,
  message: string,
): Effect.Effect<A | undefined> =>
  Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
    return Effect.as(Effect.logWarning(message, exit.cause), undefined)
  })
