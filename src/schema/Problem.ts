import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Problem as CoreProblem } from "../Problem.js"

/**
 * One problem of an input, as in `apportion`.
 *
 * @since 0.6.0
 * @category errors
 */
export type Problem = CoreProblem

/**
 * Schema of {@link (Problem:type)}.
 *
 * @since 0.6.0
 * @category schemas
 */
export const Problem: Schema.Codec<CoreProblem, Partial<CoreProblem>> = Schema.Struct({
  path: Schema.String,
  // JSON can't represent a missing value.
  value: Schema.Unknown.pipe(Schema.withDecodingDefaultKey(Effect.succeed(undefined))),
  message: Schema.String,
})
