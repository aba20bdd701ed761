import * as Schema from "effect/Schema"
import { Problem } from "./Problem.js"

/**
 * Input that could not be read, with everything that is wrong with it. Paths are in the input's own
 * field names, so that its author finds the place.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  /** What was to be read, as `order`. */
  what: Schema.String,
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}
