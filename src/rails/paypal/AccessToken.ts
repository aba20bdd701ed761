/**
 * The access token that PayPal's API requires, as `Authorization: Bearer …`.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { type Unreadable, unreadable } from "../../Unreadable.js"
import type { ApiAnswer, ApiRequest } from "../Api.js"
import { jsonOf, textIn } from "../internal/answers.js"

/**
 * The id and the secret of the host's application at PayPal.
 *
 * @since 0.6.0
 * @category models
 */
export interface PayPalCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * A token, and how long it is valid.
 *
 * @since 0.6.0
 * @category models
 */
export interface AccessToken {
  readonly token: string
  /** In seconds from the request. */
  readonly expiresIn: number
}

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/**
 * The request for a token.
 *
 * @since 0.6.0
 * @category encoding
 * @example
 * ```ts
 * import { AccessToken } from "apportion/rails/paypal"
 *
 * const request = AccessToken.request({ clientId: "id", clientSecret: "secret" })
 * request.headers.authorization // => "Basic aWQ6c2VjcmV0"
 * ```
 */
export const request = ({ clientId, clientSecret }: PayPalCredentials): ApiRequest => ({
  method: "POST",
  path: "/v1/oauth2/token",
  headers: {
    authorization: `Basic ${base64(`${clientId}:${clientSecret}`)}`,
    "content-type": "application/x-www-form-urlencoded",
  },
  body: "grant_type=client_credentials",
})

/**
 * Reads the answer to {@link request}. Fails with `Unreadable`, which does not contain the answer's body.
 *
 * @since 0.6.0
 * @category decoding
 * @example
 * ```ts
 * import { AccessToken } from "apportion/rails/paypal"
 * import { Result } from "effect"
 *
 * const body = '{ "access_token": "A21", "token_type": "Bearer", "expires_in": 32400 }'
 * Result.getOrThrow(AccessToken.read({ status: 200, body })) // => { token: "A21", expiresIn: 32400 }
 * ```
 */
export const read = (answer: ApiAnswer): Result.Result<AccessToken, Unreadable> => {
  const body = jsonOf(answer.body)
  const token = textIn(body, "access_token")
  const expiresIn = body?.expires_in
  if (answer.status === 200 && token !== null && typeof expiresIn === "number") {
    return Result.succeed({ token, expiresIn })
  }
  const message = `must be 200 with a token, got ${answer.status}`
  return Result.fail(
    unreadable("PayPal access token", [{ path: "status", value: answer.status, message }]),
  )
}
