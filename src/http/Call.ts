/** A request as its handler sees it: whose it is, and what it asks. */
import type { Query } from "./Query.js"

export interface Call {
  readonly accountId: string
  /** A part of the path, decoded; only for names that the path of the endpoint has. */
  readonly param: (name: string) => string
  readonly query: Query
  /** The body as JSON; `undefined` for endpoints that take none. */
  readonly body: unknown
  /** The URL that was asked, without its query. */
  readonly url: string
}
