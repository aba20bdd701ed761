/** Numbers and texts as the schemas of several formats have them. */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** A text of a pattern, which the OpenAPI document shows too. */
export const withPattern = (pattern: RegExp): SchemaAST.Check<string> =>
  Schema.isPattern(pattern, { toJsonSchema: () => [{ pattern: pattern.source }, true] })

/** A whole number of 0 or more. */
export const Count = /* @__PURE__ */ Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A whole number of 1 or more. */
export const Position = /* @__PURE__ */ Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** A point in time, in Unix seconds. */
export const Seconds = /* @__PURE__ */ Schema.Int.annotate({ description: "Unix seconds" })

export const NullableText = /* @__PURE__ */ Schema.NullOr(Schema.String)

export const NullableInt = /* @__PURE__ */ Schema.NullOr(Schema.Int)
