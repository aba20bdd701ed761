/** Sales that come one a line, as many as there are, with an answer of one line each. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { idOf, isFields } from "../internal/reader.js"
import type { SalesService } from "../service/Sales.js"
import * as Order from "../wire/Order.js"
import type { SaleLine } from "../wire/SaleSchemas.js"
import {
  always,
  type Failure,
  type MalformedBody,
  type Refusal,
  type RequestError,
  refusalOfCause,
} from "./Answer.js"
import { Caller, type CallerService } from "./Caller.js"
import { decodeText, hasNoBody, join, parse, patience, tooLarge, tooSlow } from "./Request.js"
import { writeNotes } from "./SaleViews.js"

type Answer = (typeof SaleLine)["Type"]

const contentType = "application/x-ndjson"

// Lines of bytes, as they come. What is kept of a line that is too long is nothing.

/** A line, by its number from 1; without bytes it is longer than a line may be. */
interface RawLine {
  readonly number: number
  readonly bytes: Uint8Array | undefined
}

const newline = 0x0a

const makeSplitter = (longest: number) => {
  let number = 1
  let pieces: Array<Uint8Array> = []
  let length = 0
  const keep = (piece: Uint8Array): void => {
    length += piece.length
    if (length > longest) pieces = []
    else if (piece.length > 0) pieces.push(piece)
  }
  const finish = (): RawLine => {
    const line = { number, bytes: length > longest ? undefined : join(pieces, length) }
    number += 1
    pieces = []
    length = 0
    return line
  }
  return {
    push: (chunk: Uint8Array): ReadonlyArray<RawLine> => {
      const lines: Array<RawLine> = []
      let from = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
        keep(chunk.subarray(from, end))
        lines.push(finish())
        from = end + 1
      }
      // A copy: the chunk itself may be used again by whoever it came from.
      keep(chunk.slice(from))
      return lines
    },
    end: (): ReadonlyArray<RawLine> => (length === 0 ? [] : [finish()]),
  }
}

// What comes of a line.

/** Of what is wrong with a line, answers tell the first fields: they wait in memory for their reader. */
const mostFields = 10

const refused = (
  { number }: RawLine,
  orderId: string | undefined,
  { status, body }: Pick<Refusal, "status" | "body">,
): Answer => {
  const { message, errors } = body
  const told = errors && Object.fromEntries(Object.entries(errors).slice(0, mostFields))
  return {
    line: number,
    order_id: orderId ?? null,
    new_items: 0,
    known_items: 0,
    notes: [],
    refusal: { status, message, ...(told === undefined ? {} : { errors: told }) },
  }
}

const readLine = ({ bytes }: RawLine, longest: number): Result.Result<unknown, RequestError> =>
  bytes === undefined
    ? Result.fail(tooLarge(longest, "the line"))
    : Result.flatMap(decodeText(bytes, "the line"), (text) => parse(text, "the line"))

const isBlank = ({ bytes }: RawLine): boolean =>
  bytes?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) ?? false

/** Records the sale of a line; what it can't be is its answer. */
const take =
  (sales: SalesService, { accountId, longestBody, watch }: CallerService) =>
  (line: RawLine): Effect.Effect<Answer> => {
    const read = readLine(line, longestBody)
    const orderId =
      Result.isSuccess(read) && isFields(read.success) ? idOf(read.success.id) : undefined
    const recording: Effect.Effect<Answer, Failure> = Effect.gen(function* () {
      const order = yield* Effect.fromResult(Result.flatMap(read, (body) => Order.read(body)))
      const { newItemIds, knownItemIds, notes } = yield* sales.record(accountId, order)
      return {
        line: line.number,
        order_id: order.id,
        new_items: newItemIds.length,
        known_items: knownItemIds.length,
        notes: writeNotes(notes),
        refusal: null,
      }
    })
    return Effect.catchCause(watch(recording), (cause) =>
      Effect.map(refusalOfCause(cause), (refusal) => refused(line, orderId, refusal)),
    )
  }

const isOurs = ({ refusal }: Answer): boolean => refusal !== null && refusal.status >= 500

/**
 * So many answers wait for a reader that reads only after it has sent everything. Beyond, no more lines are read until
 * it takes some.
 */
const mostWaiting = 10_000

const encoder = new TextEncoder()

const encode = (answers: ReadonlyArray<Answer>): Uint8Array =>
  encoder.encode(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""))

/** A sender that stalls is let go. */
const inTime = <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E | MalformedBody> =>
  Stream.timeoutOrElse(stream, { duration: patience, orElse: () => Stream.fail(tooSlow) })

/** Answers line by line. A body that breaks off breaks off the answer: what was not ended is no line. */
export const respond = (
  request: HttpServerRequest.HttpServerRequest,
  sales: SalesService,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Caller> =>
  Effect.contextWith((context: Context.Context<Caller>) => {
    const caller = Context.get(context, Caller)
    const splitter = makeSplitter(caller.longestBody)
    const ends = Stream.suspend(() => Stream.fromIterable(splitter.end()))
    const bytes = hasNoBody(request) ? Stream.empty : inTime(request.stream)
    const answers = bytes.pipe(
      Stream.map((chunk) => splitter.push(chunk)),
      Stream.flattenIterable,
      Stream.concat(ends),
      Stream.filter((line) => !isBlank(line)),
      Stream.mapEffect(take(sales, caller)),
      Stream.takeUntil(isOurs),
      Stream.buffer({ capacity: mostWaiting }),
      Stream.mapArray((waiting) => [encode(waiting)]),
      Stream.provideContext(context),
    )
    return Effect.succeed(HttpServerResponse.stream(answers, { headers: always, contentType }))
  })
