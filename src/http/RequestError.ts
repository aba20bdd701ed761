/** Why a request is refused before or beside what the services say. */
import * as Schema from "effect/Schema"
import { summarize } from "../internal/problems.js"
import { Problem } from "../Problem.js"

const message = { message: Schema.String }

/** A path that nothing stands at. */
export class UnknownPath extends Schema.TaggedError<UnknownPath>()("UnknownPath", message) {}

/** A method that its path does not have. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  ...message,
  allowed: Schema.Array(Schema.String),
}) {}

/** No access token, or one that nobody has. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", message) {}

/** More requests than a token, or an address without a good one, has in a minute. */
export class RateExceeded extends Schema.TaggedError<RateExceeded>()("RateExceeded", {
  ...message,
  limit: Schema.Number,
  retryAfterSeconds: Schema.Number,
}) {}

/** A body that is longer than what is read. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  ...message,
  limit: Schema.Number,
}) {}

/** A body that is no JSON. */
export class MalformedBody extends Schema.TaggedError<MalformedBody>()("MalformedBody", message) {}

/** Parameters or headers that can't be used, with everything that is wrong with them. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  ...message,
  problems: Schema.Array(Problem),
}) {
  static of(problems: ReadonlyArray<Problem>): InvalidRequest {
    return new InvalidRequest({ problems, message: summarize(problems) })
  }
}

export type RequestError =
  | UnknownPath
  | MethodNotAllowed
  | Unauthorized
  | RateExceeded
  | BodyTooLarge
  | MalformedBody
  | InvalidRequest
