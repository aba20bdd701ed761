/** Reading a request: its id, its URL, and its body. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { deepest, isTooDeep } from "../internal/depth.js"
import { parseJson } from "../internal/reader.js"
import { BodyTooLarge, MalformedBody } from "./Answer.js"

// The id of a request, in the log and in its answer.

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** Takes over the id of a request when it is valid; otherwise makes one. */
export const makeRequestId: Effect.Effect<(given: string | undefined) => Effect.Effect<string>> =
  Effect.gen(function* () {
    const provided = yield* Effect.serviceOption(SecureRandom.SecureRandom)
    const random = Option.isSome(provided)
      ? provided.value
      : yield* SecureRandom.SecureRandom.pipe(Effect.provide(SecureRandom.layerWebCrypto))
    return (given) =>
      given !== undefined && usable.test(given) ? Effect.succeed(given) : random.uuidV7()
  })

// The URL of a request, as far as it is known.

const schemeAndHost = /^https?:\/\/[^/?#]*/i

/** Scheme and host of a request, without a slash at the end. */
const originOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const host = `${request.protocol ?? "http"}://${request.headers.host ?? "localhost"}`
  const written = schemeAndHost.exec(request.originalUrl)?.[0] ?? host
  // Its origin alone: a name and a password before the host don't belong into links.
  return URL.canParse(written) ? new URL(written).origin : "http://localhost"
}

/** The path at the beginning of a URL. */
export const pathOf = (url: string): string => url.replace(/[?#].*$/s, "")

// Characters that no path contains when it is sent, because it is ASCII.
const [percent, semicolon] = ["\uE000", "\uE001"]

/** Whether a path has escapes or semicolons. */
export const isDisguised = (path: string): boolean =>
  path.includes(percent) || path.includes(semicolon)

/**
 * A path in which the router finds nothing to decode. The router would treat two spellings of a name as the same, and
 * what follows a semicolon as parameters; with percent signs escaped once more, it would copy the whole path for each
 * of them.
 */
export const disguise = (path: string): string =>
  path.replaceAll("%", percent).replaceAll(";", semicolon)

/** Decodes a name of such a path. */
export const readName = (step: string): string =>
  decodeURIComponent(step.replaceAll(percent, "%").replaceAll(semicolon, ";"))

/** The public URL of a request, without its query. */
export const urlOf = (
  request: HttpServerRequest.HttpServerRequest,
  publicUrl: string | undefined,
): string => {
  const path = pathOf(request.originalUrl.replace(schemeAndHost, ""))
  return `${publicUrl ?? originOf(request)}${path}`
}

/** Whether a request arrived by https. */
export const isSecure = (
  request: HttpServerRequest.HttpServerRequest,
  publicUrl: string | undefined,
): boolean => (publicUrl ?? originOf(request)).toLowerCase().startsWith("https:")

// The body: limited in length, as UTF-8, as JSON of limited depth.

export const tooLarge = (limit: number, what = "the body"): BodyTooLarge =>
  new BodyTooLarge({ limit, message: `${what} is longer than ${limit} bytes` })

const malformed = (message: string): MalformedBody => new MalformedBody({ message })

/** Pieces of bytes, joined. */
export const join = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Whether nothing was sent, so that there is no stream. */
export const hasNoBody = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  source instanceof Request && source.body === null

/** The length that the sender declares; it may be wrong, or missing. */
const declaredLength = ({ headers }: HttpServerRequest.HttpServerRequest): number => {
  const declared = headers["content-length"] ?? ""
  return /^\d+$/.test(declared) ? Number(declared) : 0
}

/** How long a whole body may take to arrive, and each piece of one that is read line by line. */
export const patience = Duration.seconds(30)

export const tooSlow = malformed("the body did not come to its end in time")

/** The body of a request as it arrived. `hold` is called with bytes before they are kept, and may refuse them. */
export const readBytes = <E = never>(
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
  hold: (bytes: number) => Effect.Effect<void, E> = () => Effect.void,
): Effect.Effect<Uint8Array, BodyTooLarge | MalformedBody | E> => {
  if (declaredLength(request) > limit) return Effect.fail(tooLarge(limit))
  if (hasNoBody(request)) return Effect.succeed(new Uint8Array())
  const chunks: Array<Uint8Array> = []
  let length = 0
  const unreadable = () => malformed("the body could not be read to its end")
  // A host may hand over a stream of anything.
  const keep = (chunk: unknown): Effect.Effect<void, BodyTooLarge | MalformedBody | E> => {
    if (!(chunk instanceof Uint8Array)) return Effect.fail(unreadable())
    length += chunk.length
    if (length > limit) return Effect.fail(tooLarge(limit))
    return Effect.map(hold(chunk.length), () => {
      chunks.push(chunk)
    })
  }
  const stream = Stream.mapError(request.stream, unreadable)
  return Stream.runForEach(stream, keep).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(tooSlow) }),
    Effect.map(() => join(chunks, length)),
  )
}

export const decodeText = (
  bytes: Uint8Array,
  what = "the body",
): Result.Result<string, MalformedBody> =>
  Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => malformed(`${what} is not UTF-8`),
  })

/** A text as JSON. */
export const parse = (text: string, what = "the body"): Result.Result<unknown, MalformedBody> => {
  if (text.trim() === "") return Result.fail(malformed(`${what} is empty, it must be JSON`))
  if (isTooDeep(text)) {
    return Result.fail(malformed(`${what} is nested deeper than ${deepest} levels`))
  }
  return Result.try({
    try: () => parseJson(text),
    catch: () => malformed(`${what} is not valid JSON`),
  })
}

/** The body of a request as JSON. */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
): Effect.Effect<unknown, BodyTooLarge | MalformedBody> =>
  Effect.flatMap(readBytes(request, limit), (bytes) =>
    Effect.fromResult(Result.flatMap(decodeText(bytes), (text) => parse(text))),
  )
