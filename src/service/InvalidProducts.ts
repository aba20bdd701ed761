import * as Schema from "effect/Schema"
import { Problem } from "../Problem.js"

/**
 * Products that can't be used, with everything that is wrong with them; paths begin with the place in the
 * list, as `[3].price`.
 *
 * @since 0.2.0
 * @category errors
 */
export class InvalidProducts extends Schema.TaggedError<InvalidProducts>()("InvalidProducts", {
  problems: Schema.Array(Problem),
  message: Schema.String,
}) {}
