/** How handlers are held to the definition: each gives what its endpoint answers. */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Call } from "./Call.js"
import type { Failure } from "./Failure.js"

/** Anything with endpoints, as a group of the definition is. */
interface Group {
  readonly endpoints: Readonly<Record<string, { readonly "~Success": Schema.Constraint }>>
}

/** One handler for each endpoint of a group; its answer has the type of the endpoint's schema. */
export type HandlersOf<G extends Group> = {
  readonly [Name in keyof G["endpoints"]]: (
    call: Call,
  ) => Effect.Effect<G["endpoints"][Name]["~Success"]["Type"], Failure>
}

/** A handler of which nothing is known but that it gives what JSON can hold. */
export type AnyHandler = (call: Call) => Effect.Effect<unknown, Failure>

/** Writes again what a request made or changed, by its id, as the request itself was answered. */
export type Recall = (call: Call, id: string) => Effect.Effect<unknown, Failure>
