/** How requests identify their sender, and what is known of a request that was let in. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { StoredToken } from "../ports/Tokens.js"
import type { IdempotencyService } from "../service/Idempotency.js"
import type { OpenedPass } from "../service/Passes.js"
import type { Failure } from "./Answer.js"
import type { Given } from "./QueryFields.js"
import { Unauthorized } from "./RefusalSchemas.js"

/** What is known of a request that was let in. */
export interface CallerService {
  readonly accountId: string
  /** What the access token may be used for; `undefined`: everything. */
  readonly scopes: StoredToken["scopes"]
  /** The requested URL, without its query. */
  readonly url: string
  /** The body as JSON; `undefined` for endpoints that take none. */
  readonly body: unknown
  readonly query: Given
  readonly keys: IdempotencyService
  /** The longest body that is read, in bytes, and the longest line of a body that is read line by line. */
  readonly longestBody: number
  /** The same work; it notes when the storage refuses a change. */
  readonly watch: <A, R>(work: Effect.Effect<A, Failure, R>) => Effect.Effect<A, Failure, R>
  /** The answer of work, or the refusal when it fails. */
  readonly settle: <R>(
    work: Effect.Effect<HttpServerResponse, Failure, R>,
  ) => Effect.Effect<HttpServerResponse, never, R>
}

export class Caller extends Context.Service<Caller, CallerService>()("apportion/http/Caller") {}

/** What the token of a pass opens: the one collaborator of whom its holder may read. */
export class Visitor extends Context.Service<Visitor, OpenedPass>()("apportion/http/Visitor") {}

/** How requests that don't match the definition are answered. */
export class Malformations extends HttpApiMiddleware.Service<Malformations>()(
  "apportion/http/Malformations",
) {}

/** An access token as `Authorization: Bearer …`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "apportion/http/Authorization",
  {
    error: Unauthorized,
    security: {
      accessToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "An access token, which belongs to one account",
        ),
      ),
    },
  },
) {}

/** The token of a pass as `Authorization: Bearer …`. */
export class PassAuthorization extends HttpApiMiddleware.Service<
  PassAuthorization,
  { provides: Caller | Visitor }
>()("apportion/http/PassAuthorization", {
  error: Unauthorized,
  security: {
    passToken: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(
        OpenApi.Description,
        "The token of a pass, with which one collaborator reads what they may see",
      ),
    ),
  },
}) {}

/** Endpoints that need no access token, because something else identifies the sender. */
export class Unguarded extends HttpApiMiddleware.Service<Unguarded>()("apportion/http/Unguarded") {}
