import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Failure } from "./ErrorBody.js"
import type { Query } from "./Query.js"

// A request as its handler sees it: whose it is, and what it asks.

export interface HandlerCall {
  readonly accountId: string
  /** A part of the path, decoded; only for names that the path of the endpoint has. */
  readonly param: (name: string) => string
  readonly query: Query
  /** The body as JSON; `undefined` for endpoints that take none. */
  readonly body: unknown
  /** The URL that was asked, without its query. */
  readonly url: string
}

// How handlers are held to the definition: each gives what its endpoint answers.

/** Anything with endpoints, as a group of the definition is. */
interface Group {
  readonly endpoints: Readonly<Record<string, { readonly "~Success": Schema.Constraint }>>
}

/** One handler for each endpoint of a group; its answer has the type of the endpoint's schema. */
export type HandlersOf<G extends Group> = {
  readonly [Name in keyof G["endpoints"]]: (
    call: HandlerCall,
  ) => Effect.Effect<G["endpoints"][Name]["~Success"]["Type"], Failure>
}

/** A handler of which nothing is known but that it gives what JSON can hold. */
export type AnyHandler = (call: HandlerCall) => Effect.Effect<unknown, Failure>

/** Writes again what a request made or changed, by its id, as the request itself was answered. */
export type Recall = (call: HandlerCall, id: string) => Effect.Effect<unknown, Failure>
