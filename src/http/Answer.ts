/** What a request is answered, and how it is sent. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { Refusal } from "./ErrorBody.js"
import type { Allowance } from "./RateLimit.js"

/** An answer before the headers that all answers have. */
export interface Answer {
  readonly status: number
  /** `undefined`: there is no body. Bytes are shared by all answers that have them. */
  readonly body: string | Uint8Array | undefined
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

const json = "application/json"

/** An answer with a body of JSON, or none when there is nothing to say. */
export const ofJson = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  body: body === undefined ? undefined : JSON.stringify(body),
  contentType: json,
  headers,
})

export const ofRefusal = ({ status, body, headers }: Refusal): Answer =>
  ofJson(status, body, headers)

/** What a token has left, told with an answer. */
export const withAllowance = (answer: Answer, allowance: Allowance): Answer => ({
  ...answer,
  headers: {
    ...answer.headers,
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
  },
})

/** What every answer has: for the API a browser has nothing to load, run or show in a frame. */
export const always = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

const oneYear = "max-age=31536000"

const pieceBytes = 65_536

/** Views of bytes, which are sent one after the other: to make a response of them all would copy them. */
const piecesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )

/** The response of the server, with the headers that every answer has. */
export const toResponse = (
  answer: Answer,
  options: { readonly requestId: string; readonly isSecure: boolean },
): HttpServerResponse.HttpServerResponse => {
  const { status, body, contentType } = answer
  const headers = {
    ...always,
    ...(options.isSecure ? { "strict-transport-security": oneYear } : {}),
    ...answer.headers,
    "x-request-id": options.requestId,
  }
  if (body === undefined) return HttpServerResponse.empty({ status, headers })
  if (typeof body === "string") {
    return HttpServerResponse.text(body, { status, headers, contentType })
  }
  return HttpServerResponse.stream(Stream.fromIterable(piecesOf(body)), {
    ...{ status, headers, contentType, contentLength: body.length },
  })
}
