/**
 * A client of the API, with the types of its definition.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "./Api.js"

/**
 * The address of the API, and the token.
 *
 * @since 0.2.0
 * @category models
 */
export interface ClientOptions {
  /** The API's address without the prefix, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** The access token. */
  readonly token: string
  /** Sends the requests; the platform's own `fetch` by default. */
  readonly fetch?: typeof FetchHttpClient.Fetch.Service | undefined
}

/**
 * One function for each endpoint, by the groups of `Api`: `productGroups`, `payouts`, `payments`, `webhooks` and so on. Each returns an effect that fails with
 * the refusal: an object with the message and a tag, `Malformed` (400), `Unauthorized` (401), `NotFound` (404),
 * `Conflicting` (409), `TooLarge` (413), `Invalid` (422, with `errors`), `TooMany` (429), `InternalError` (500) or
 * `Unavailable` (503).
 *
 * @since 0.2.0
 * @category models
 */
export type Client = HttpApiClient.ForApi<typeof Api>

/**
 * Makes a client that sends requests with `fetch`.
 *
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { makeClient, toWebHandler } from "apportion/http"
 * import { MemoryStorage } from "apportion/memory"
 * import { ExchangeRates, Tokens } from "apportion/ports"
 * import { servicesLayer } from "apportion/service"
 * import { Effect, Layer } from "effect"
 *
 * const services = Layer.provide(servicesLayer, [MemoryStorage.layer, ExchangeRates.none])
 * const tokens = Tokens.fixed([{ token: "secret", accountId: "my-store" }])
 * const { handler, dispose } = toWebHandler(Layer.merge(services, tokens), { logRequests: false })
 *
 * const client = makeClient({
 *   baseUrl: "http://localhost",
 *   token: "secret",
 *   fetch: (input, init) => handler(new Request(input, init)),
 * })
 * const page = await Effect.runPromise(client.payouts.list({ query: { status: "paid" } }))
 * page.meta.total // => 0
 * const missing = client.payouts.view({ params: { payout_id: "p1" } })
 * const refusal = await Effect.runPromise(Effect.flip(missing))
 * refusal._tag // => "NotFound"
 * await dispose()
 * ```
 */
export const makeClient = (options: ClientOptions): Client => {
  const base = `${options.baseUrl.replace(/\/+$/, "")}/api/v1`
  const send = options.fetch
  const prepare = HttpClient.mapRequest((request) =>
    HttpClientRequest.bearerToken(HttpClientRequest.prependUrl(request, base), options.token),
  )
  const sendWith =
    send === undefined
      ? identity<HttpClient.HttpClient>
      : HttpClient.transformResponse(Effect.provideService(FetchHttpClient.Fetch, send))
  const client = HttpApiClient.make(Api, {
    transformClient: (httpClient) => sendWith(prepare(httpClient)),
  })
  return Effect.runSync(Effect.provide(client, FetchHttpClient.layer))
}
