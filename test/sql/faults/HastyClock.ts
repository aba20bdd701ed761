/**
 * A clock that stands, but for those who wait a little: for them it goes on at once. Who waits longer waits
 * until somebody says that it was long enough.
 */
import { Clock, Duration, Effect } from "effect"

/** Longer than anybody waits before trying again, in milliseconds. */
const long = 5_000

/** A clock, and those who wait for it for long. */
export interface HastyClock extends Clock.Clock {
  /** Wakes those who wait for long. The time stays what it is. */
  readonly wake: () => void
}

const waitIn = (waiting: Set<() => void>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const wake = () => {
      waiting.delete(wake)
      resume(Effect.void)
    }
    waiting.add(wake)
    return Effect.sync(() => waiting.delete(wake))
  })

/** A clock that shows a time in Unix seconds. */
export const make = (at: number): HastyClock => {
  let millis = at * 1_000
  const waiting = new Set<() => void>()
  const nanos = () => BigInt(millis) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: nanos,
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.suspend(() => {
        const waited = Math.ceil(Duration.toMillis(duration))
        if (waited >= long) return waitIn(waiting)
        millis += waited
        return Effect.yieldNow
      }),
    wake: () => {
      for (const wake of [...waiting]) wake()
    },
  }
}

/** Runs something at a time, in Unix seconds. */
export const at =
  (seconds: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => Effect.provideService(effect, Clock.Clock, make(seconds)))
