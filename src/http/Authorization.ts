/** How requests say who they are, as the definition of the API has it. */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { Unauthorized } from "./ErrorSchemas.js"

/** An access token as `Authorization: Bearer …`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization>()(
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
