/**
 * Requests to a rail's API and its answers, as data: the host sends them.
 *
 * @since 0.6.0
 */

/**
 * One request to a rail's API, without the API's address and credentials.
 *
 * @since 0.6.0
 * @category models
 */
export interface ApiRequest {
  readonly method: "GET" | "POST"
  /** Path and query, which are appended to the API's address: `/v1/transfers?limit=3`. */
  readonly path: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `null`: none. */
  readonly body: string | null
}

/**
 * An answer of a rail's API.
 *
 * @since 0.6.0
 * @category models
 */
export interface ApiAnswer {
  /** The HTTP status, as 201. */
  readonly status: number
  /** The body as received. */
  readonly body: string
}
