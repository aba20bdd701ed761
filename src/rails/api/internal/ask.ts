/** Calls a rail's API. Without an answer it is unknown whether the request went through. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { RailUnclear } from "../../../ports/PaymentRail.js"
import type { ApiAnswer, ApiRequest } from "../../Api.js"

/** An API, the caller's credentials, and the payment of the call. */
export interface ApiCall {
  readonly client: HttpClient.HttpClient
  /** The address without a slash at its end. */
  readonly baseUrl: string
  readonly timeoutSeconds: number
  readonly rail: string
  /** The key of the payment. */
  readonly key: string
}

const requestOf = (
  { method, path, headers, body }: ApiRequest,
  baseUrl: string,
  authorization: string | null,
): HttpClientRequest.HttpClientRequest => {
  const bare = HttpClientRequest.setHeaders(HttpClientRequest.make(method)(`${baseUrl}${path}`), {
    accept: "application/json",
    ...headers,
    ...(authorization === null ? {} : { authorization }),
  })
  const type = headers["content-type"]
  return body === null ? bare : HttpClientRequest.bodyText(bare, body, type)
}

/** The answer of an API, whatever its status. A timeout or a broken connection is `RailUnclear`. */
export const ask = (
  asking: ApiCall,
  request: ApiRequest,
  authorization: string | null,
): Effect.Effect<ApiAnswer, RailUnclear> => {
  const { client, baseUrl, timeoutSeconds, rail, key } = asking
  const unclear = (reason: string) => RailUnclear.of(rail, key, reason)
  return Effect.gen(function* () {
    const response = yield* client.execute(requestOf(request, baseUrl, authorization))
    return { status: response.status, body: yield* response.text }
  }).pipe(
    Effect.mapError(({ message }) => unclear(`no answer came: ${message}`)),
    Effect.timeoutOrElse({
      duration: timeoutSeconds * 1_000,
      orElse: () => Effect.fail(unclear(`no answer came within ${timeoutSeconds} s`)),
    }),
  )
}
