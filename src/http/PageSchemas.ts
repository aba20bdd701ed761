/** Where a page stands in its list, as the API says it. */
import * as Schema from "effect/Schema"

/** A whole number of 0 or more. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A whole number of 1 or more. */
export const Position = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** A point in time, in Unix seconds. */
export const Seconds = Schema.Int.annotate({ description: "Unix seconds" })

export const Meta = Schema.Struct({
  current_page: Position.annotate({ description: "As it was asked for" }),
  from: Schema.NullOr(Position).annotate({
    description: "Number of the page's first entry; null when the page is empty",
  }),
  last_page: Position,
  path: Schema.String.annotate({ description: "The list's URL, without its query" }),
  per_page: Position,
  to: Schema.NullOr(Position).annotate({
    description: "Number of the page's last entry; null when the page is empty",
  }),
  total: Count.annotate({ description: "Entries of the whole list" }),
}).annotate({ identifier: "PageMeta", description: "Where a page stands in its list" })

/** The envelope of a page. */
export const PageOf = <S extends Schema.Top>(entry: S) =>
  Schema.Struct({ data: Schema.Array(entry), meta: Meta })

/** The envelope of a single thing. */
export const One = <S extends Schema.Top>(thing: S) => Schema.Struct({ data: thing })
