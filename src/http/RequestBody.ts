/** Reading the body of a request: as long as it may be, as UTF-8, as JSON of a sane depth. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { parseJson } from "../internal/json.js"
import { BodyTooLarge, MalformedBody } from "./ErrorBody.js"

const deepest = 64

const tooLarge = (limit: number): BodyTooLarge =>
  new BodyTooLarge({ limit, message: `the body is longer than ${limit} bytes` })

const malformed = (message: string): MalformedBody => new MalformedBody({ message })

const join = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
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

const hasNoBody = ({ source }: HttpServerRequest.HttpServerRequest): boolean =>
  source instanceof Request && source.body === null

/** What the sender says is the length of the body; it may be wrong, or not be there. */
const declaredLength = ({ headers }: HttpServerRequest.HttpServerRequest): number => {
  const declared = headers["content-length"] ?? ""
  return /^\d+$/.test(declared) ? Number(declared) : 0
}

const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
): Effect.Effect<Uint8Array, BodyTooLarge | MalformedBody> => {
  if (declaredLength(request) > limit) return Effect.fail(tooLarge(limit))
  if (hasNoBody(request)) return Effect.succeed(new Uint8Array())
  const chunks: Array<Uint8Array> = []
  let length = 0
  const unreadable = () => malformed("the body could not be read to its end")
  // A host may hand over a stream of anything.
  const keep = (chunk: unknown): Effect.Effect<void, BodyTooLarge | MalformedBody> => {
    if (!(chunk instanceof Uint8Array)) return Effect.fail(unreadable())
    length += chunk.length
    if (length > limit) return Effect.fail(tooLarge(limit))
    chunks.push(chunk)
    return Effect.void
  }
  const stream = Stream.mapError(request.stream, unreadable)
  return Effect.map(Stream.runForEach(stream, keep), () => join(chunks, length))
}

const decodeText = (bytes: Uint8Array): Result.Result<string, MalformedBody> =>
  Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => malformed("the body is not UTF-8"),
  })

const quote = 0x22
const backslash = 0x5c

/** Whether objects and lists lie deeper inside each other than anything here does. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isInText) {
      if (code === backslash) index++
      else if (code === quote) isInText = false
    } else if (code === quote) isInText = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > deepest) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** A text as JSON. */
export const parse = (text: string): Result.Result<unknown, MalformedBody> => {
  if (text.trim() === "") return Result.fail(malformed("the body is empty, it must be JSON"))
  if (isTooDeep(text)) {
    return Result.fail(malformed(`the body is nested deeper than ${deepest} levels`))
  }
  return Result.try({
    try: () => parseJson(text),
    catch: () => malformed("the body is not valid JSON"),
  })
}

/** The body of a request as JSON. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
): Effect.Effect<unknown, BodyTooLarge | MalformedBody> =>
  Effect.flatMap(readBytes(request, limit), (bytes) =>
    Effect.fromResult(Result.flatMap(decodeText(bytes), parse)),
  )
