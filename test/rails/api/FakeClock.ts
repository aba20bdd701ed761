import { Clock, Effect } from "effect"
import type { FakeServer } from "./FakeServer.js"

/**
 * Runs what asks a fake API by a clock that stands at a time, in Unix seconds. What waits for an answer waits until the fake
 * has kept one back, however fast or slow this machine is.
 */
export const runAt = <A, E>(effect: Effect.Effect<A, E>, seconds: number, server: FakeServer) => {
  const standing = (clock: Clock.Clock): Clock.Clock =>
    Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.succeed(seconds * 1000),
      currentTimeMillisUnsafe: () => seconds * 1000,
      sleep: () => Effect.promise(() => server.untilLate()),
    })
  return Effect.runPromise(
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.provideService(Effect.result(effect), Clock.Clock, standing(clock)),
    ),
  )
}
