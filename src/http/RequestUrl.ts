import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { pathOf } from "./Routes.js"

// The name of a request in the log and in its answer.

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** Takes over the id that a request came with, when it can be one; else makes one. */
export const make: Effect.Effect<(given: string | undefined) => Effect.Effect<string>> = Effect.gen(
  function* () {
    const provided = yield* Effect.serviceOption(SecureRandom.SecureRandom)
    const random = Option.isSome(provided)
      ? provided.value
      : yield* SecureRandom.SecureRandom.pipe(Effect.provide(SecureRandom.layerWebCrypto))
    return (given) =>
      given !== undefined && usable.test(given) ? Effect.succeed(given) : random.uuidV7()
  },
)

// Where a request was sent to, as far as it says.

const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** Scheme and host of a request, without a slash at the end. */
const originOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const host = `${request.protocol ?? "http"}://${request.headers.host ?? "localhost"}`
  const written = schemeAndHost.exec(request.originalUrl)?.[0] ?? host
  // Its origin alone: what a sender writes before the host, a name and a password, is no part of a link.
  return URL.canParse(written) ? new URL(written).origin : "http://localhost"
}

/** The URL of a request without its query, as the world has it. */
export const urlOf = (
  request: HttpServerRequest.HttpServerRequest,
  publicUrl: string | undefined,
): string => {
  const path = pathOf(request.originalUrl.replace(schemeAndHost, ""))
  return `${publicUrl ?? originOf(request)}${path}`
}

/** Whether a request came by https. */
export const isSecure = (
  request: HttpServerRequest.HttpServerRequest,
  publicUrl: string | undefined,
): boolean => (publicUrl ?? originOf(request)).toLowerCase().startsWith("https:")
