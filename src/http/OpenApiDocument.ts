/**
 * The OpenAPI document of the API.
 *
 * @since 0.2.0
 */
import type * as OpenApi from "effect/http-api/OpenApi"
import * as Result from "effect/Result"
import * as Documentation from "./Documentation.js"
import { complete, type HttpOptions } from "./HttpOptions.js"

/**
 * The OpenAPI 3.1 document, as `/openapi.json` serves it. Throws `InvalidHttpOptions` when the title or
 * the description is no text.
 *
 * @since 0.2.0
 * @category documentation
 * @example
 * ```ts
 * import { openApi } from "apportion/http"
 *
 * const document = openApi({ title: "Splits of my store" })
 * document.info.title // => "Splits of my store"
 * document.servers?.map((server) => server.url) // => ["/api/v1", "/v1"]
 * ```
 */
export const openApi = (
  options: Pick<HttpOptions, "title" | "description"> = {},
): OpenApi.OpenAPISpec => Documentation.document(Result.getOrThrow(complete(options)))
