/** Waiting for a resource that others hold, until a time. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Patience } from "./Storage.js"
import { StorageFailure } from "./StorageError.js"

/** Waiting uses real time, whatever clock the work uses. */
const realTime = Clock.Clock.defaultValue()

/** A patience that begins now and lasts for a duration. */
export const patienceOf = (duration: Duration.Duration): Effect.Effect<Patience> =>
  Effect.map(realTime.currentTimeMillis, (since) => ({
    since,
    until: since + Duration.toMillis(duration),
  }))

/** The remaining milliseconds; 0 when the time is over. */
export const left = ({ until }: Patience): Effect.Effect<number> =>
  Effect.map(realTime.currentTimeMillis, (now) => Math.max(0, Math.ceil(until - now)))

/** Whether there is time left. */
export const isLeft = (patience: Patience): Effect.Effect<boolean> =>
  Effect.map(left(patience), (millis) => millis > 0)

const tooLong = (what: string, { since }: Patience): Effect.Effect<never, StorageFailure> =>
  Effect.flatMap(realTime.currentTimeMillis, (now) =>
    Effect.fail(StorageFailure.waitedFor(what, Math.round((now - since) / 100) / 10)),
  )

/** Waits for a resource that others may hold; `undefined`: without a limit. */
export const waitFor = <A, E, R>(
  what: string,
  patience: Patience | undefined,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageFailure, R> =>
  patience === undefined
    ? effect
    : Effect.provideService(
        Effect.flatMap(realTime.currentTimeMillis, (now) =>
          Effect.timeoutOrElse(effect, {
            duration: Duration.millis(Math.max(0, patience.until - now)),
            orElse: () => tooLong(what, patience),
          }),
        ),
        Clock.Clock,
        realTime,
      )
