import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Whole Unix seconds. */
export const now: Effect.Effect<number> = Effect.map(Clock.currentTimeMillis, (milliseconds) =>
  Math.floor(milliseconds / 1000),
)
