/**
 * What is asked of a rail's API and what it answers, as data: who sends it, and how, is the host's.
 *
 * @since 0.6.0
 */

/**
 * One request to a rail's API, without the API's address and without who asks.
 *
 * @since 0.6.0
 * @category models
 */
export interface ApiRequest {
  readonly method: "GET" | "POST"
  /** Behind the API's address, with its query: `/v1/transfers?limit=3`. */
  readonly path: string
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** `null`: none. */
  readonly body: string | null
}

/**
 * What a rail's API answered.
 *
 * @since 0.6.0
 * @category models
 */
export interface ApiAnswer {
  /** Of HTTP, as 201. */
  readonly status: number
  /** As it came. */
  readonly body: string
}
