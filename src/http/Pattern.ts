import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** A text of a pattern, which the OpenAPI document shows too. */
export const withPattern = (pattern: RegExp): SchemaAST.Check<string> =>
  Schema.isPattern(pattern, { toJsonSchema: () => [{ pattern: pattern.source }, true] })
