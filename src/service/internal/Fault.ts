import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Something that can't be unless the code or a store is wrong. It is no failure to act on: work dies of it. */
export class Fault extends Schema.TaggedError<Fault>()("apportion/service/Fault", {
  message: Schema.String,
}) {}

/** Dies of a fault in these words. */
export const die = (message: string): Effect.Effect<never> => Effect.die(new Fault({ message }))
