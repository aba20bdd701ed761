/** What endpoints have in common: the envelope of answers, the header of a key, the names in their paths. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { show } from "../internal/problems.js"

/** The envelope of a single record. */
export const One = <S extends Schema.Top>(thing: S) => Schema.Struct({ data: thing })

const Key = Schema.String.check(
  Schema.makeFilter((key: string) =>
    /^[\x20-\x7e]{1,255}$/.test(key)
      ? undefined
      : `must be 1 to 255 characters of printable ASCII, got ${show(key)}`,
  ),
)

/** Only endpoints whose effect must not be repeated have this header. */
export const IdempotencyKey = Schema.Struct({ "Idempotency-Key": Schema.optionalKey(Key) }).pipe(
  Schema.encodeKeys({ "Idempotency-Key": "idempotency-key" }),
)

/** An id in a path. */
export const id = (description: string) => Schema.NonEmptyString.annotate({ description })

export const created = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.status(201))

/** The description of an endpoint that the original API does not have. */
export const beside = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({
    identifier,
    summary,
    description: `${description}. Not in the original API`,
  })
