/** What is known of an endpoint: how it is asked, and how it answers. */
import type fc from "fast-check"
import type { Body } from "./Bodies.js"
import type { Twist } from "./Twist.js"

/** Which parameters of a query an endpoint reads. */
export type Reads = "nothing" | "page" | "payouts" | "products" | "payments" | "places"

/** What a request's body says. */
export type BodyKind =
  | "none"
  | "group"
  | "changes"
  | "entry"
  | "claim"
  | "paid"
  | "reason"
  | "release"
  | "confirmation"
  | "outcomes"

/** A parameter of a query, with values that are taken and values that are refused. */
export interface Parameter {
  readonly name: fc.Arbitrary<string>
  readonly fine: ReadonlyArray<string>
  readonly wrong: ReadonlyArray<string>
}

export interface Endpoint {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE"
  readonly path: ReadonlyArray<string>
  readonly success: 200 | 201 | 202 | 204
  readonly reads: Reads | ReadonlyArray<Parameter>
  readonly body: BodyKind | fc.Arbitrary<Twist<Body>>
  readonly keyed: boolean
  /**
   * Set where answers are held against the OpenAPI document, whose operation has the name of the endpoint. What the
   * endpoint does to what a collaborator's payouts come to is looked up afterwards.
   */
  readonly documented?: {
    /** Of what the account gets one more: `other` ids of this name in paths are chosen from these. */
    readonly makes?: string
    /** Whether a key is answered with what is found then, not with what was found first. */
    readonly isLive?: boolean
    /** Whether what it takes away can still be seen. */
    readonly isKept?: boolean
    readonly weight?: number
    /** What it must have answered at some time in a usual run, beyond its success and 401. */
    readonly reaches?: ReadonlyArray<number>
  }
}
