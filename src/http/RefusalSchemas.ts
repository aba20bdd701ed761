/** How refused requests are answered: a schema for each status. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

// The bodies of refused requests. They have a message and, for 422, the problems by field; the tag by which a client
// distinguishes them comes from the status and is not sent.

const Message = Schema.Struct({ message: Schema.String }).annotate({
  identifier: "ErrorBody",
  description: "Why a request was refused",
})

const refusal = <const Tag extends string>(tag: Tag, status: number, description: string) =>
  Message.pipe(
    Schema.decodeTo(
      Schema.TaggedStruct(tag, { message: Schema.String }),
      SchemaTransformation.transform({
        decode: ({ message }) => ({ _tag: tag, message }),
        encode: ({ message }) => ({ message }),
      }),
    ),
  ).annotate({ httpApiStatus: status, description })

const Malformed = refusal("Malformed", 400, "The body is no JSON")
export const Unauthorized = refusal("Unauthorized", 401, "The access token is missing or unknown")
const Forbidden = refusal("Forbidden", 403, "The access token has no scope for it")
export const NotSigned = refusal("NotSigned", 401, "The platform did not sign the delivery")
export const NotFound = refusal("NotFound", 404, "The account has no such thing")
export const Conflicting = refusal(
  "Conflicting",
  409,
  "It can't be done any more, or the idempotency key was used for something else",
)
export const TooLarge = refusal("TooLarge", 413, "The body is too large")
const TooMany = refusal(
  "TooMany",
  429,
  "Too many requests in a minute, or as many idempotency keys as are kept",
)
const InternalError = refusal("InternalError", 500, "An error of the service")
const Unavailable = refusal("Unavailable", 503, "Temporarily unavailable; try again")

const Errors = Schema.Record(Schema.String, Schema.Array(Schema.String))

const InvalidBody = Schema.Struct({ message: Schema.String, errors: Errors }).annotate({
  identifier: "ValidationErrorBody",
  description: "What is wrong, by field",
})

export const Invalid = InvalidBody.pipe(
  Schema.decodeTo(
    Schema.TaggedStruct("Invalid", { message: Schema.String, errors: Errors }),
    SchemaTransformation.transform({
      decode: ({ message, errors }) => ({ _tag: "Invalid" as const, message, errors }),
      encode: ({ message, errors }) => ({ message, errors }),
    }),
  ),
).annotate({ httpApiStatus: 422, description: "What was sent can't be used" })

/** Refusals before anything is done for a request. */
export const atTheDoor = [Unauthorized, Forbidden, TooMany] as const

/** Refusals of requests without a token. */
export const unmetered = [TooMany, InternalError, Unavailable] as const

/** Refusals of any request that needs the storage. */
export const always = [...atTheDoor, InternalError, Unavailable] as const

/** Refusals of requests with the token of a pass, which has no scopes. */
export const ofVisitors = [Unauthorized, ...unmetered] as const

/** Further refusals of requests with a body. */
export const ofBody = [Malformed, TooLarge, Invalid] as const
