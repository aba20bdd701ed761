import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The time of the clock, in whole Unix seconds. */
export const now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (millis) =>
  Math.floor(millis / 1_000),
)
