/** Where a request was sent to, as far as it says. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { pathOf } from "./Routes.js"

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
