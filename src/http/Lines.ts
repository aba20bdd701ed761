/** Bodies with one record a line, of any number, with an answer of one line each. */
import { map as mapAll, type NonEmptyReadonlyArray } from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
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

const contentType = "application/x-ndjson"

// Lines of bytes, as they arrive. Nothing is kept of a line that is too long.

/** A line, with its number from 1; without bytes, it was longer than a line may be. */
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
      // A copy, because the owner of the chunk may use it again.
      keep(chunk.slice(from))
      return lines
    },
    end: (): ReadonlyArray<RawLine> => (length === 0 ? [] : [finish()]),
  }
}

// The outcome of a line.

/** A line: its number from 1, and its JSON. */
export interface Line {
  readonly number: number
  readonly content: Result.Result<unknown, RequestError>
}

/** Why a line was refused. */
export interface LineRefusal {
  readonly status: number
  readonly message: string
  readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
}

/** The fields of every answer to a line. */
export interface LineAnswer {
  /** `null`: the line was accepted. */
  readonly refusal: LineRefusal | null
}

/** What to do with lines. */
export interface LineWork<A extends LineAnswer> {
  readonly take: (line: Line) => Effect.Effect<A, Failure>
  /** The same with lines that have arrived together: the outcome of each. When it fails, each line is taken alone. */
  readonly takeAll?: (
    lines: ReadonlyArray<Line>,
  ) => Effect.Effect<ReadonlyArray<Effect.Effect<A, Failure>>, Failure>
  readonly refuse: (line: Line, refusal: LineRefusal) => A
}

/** How to record lines together: all that can be read are recorded in one call. */
interface RecordedLines<A extends LineAnswer, Entry, Outcome> {
  readonly read: (line: Line) => Result.Result<Entry, Failure>
  /** Records entries; the outcomes are in their order. */
  readonly recordAll: (
    entries: ReadonlyArray<Entry>,
  ) => Effect.Effect<ReadonlyArray<Outcome>, Failure>
  readonly answer: (
    line: Line,
    recorded: { readonly entry: Entry; readonly outcome: Outcome },
  ) => Effect.Effect<A, Failure>
  readonly refuse: LineWork<A>["refuse"]
}

/** Work that records the lines that have arrived together in one call. */
export const recordingLines = <A extends LineAnswer, Entry, Outcome>({
  read,
  recordAll,
  answer,
  refuse,
}: RecordedLines<A, Entry, Outcome>): LineWork<A> => {
  const takeAll = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
    const all = lines.map((line) => ({ line, entry: read(line) }))
    const entries = all.flatMap(({ entry }) => (Result.isSuccess(entry) ? [entry.success] : []))
    const outcomes = (yield* recordAll(entries)).values()
    return all.map(({ line, entry }): Effect.Effect<A, Failure> => {
      if (Result.isFailure(entry)) return Effect.fail(entry.failure)
      const outcome = outcomes.next()
      if (outcome.done) return Effect.die("a line has no outcome")
      return answer(line, { entry: entry.success, outcome: outcome.value })
    })
  })
  const take = (line: Line) =>
    Effect.flatMap(takeAll([line]), ([taken]) => taken ?? Effect.die("a line has no outcome"))
  return { take, takeAll, refuse }
}

/** An answer lists the first problems of a line: answers wait in memory for their reader. */
const mostFields = 10

const toLineRefusal = ({ status, body }: Pick<Refusal, "status" | "body">): LineRefusal => {
  const { message, errors } = body
  const first = errors && Object.fromEntries(Object.entries(errors).slice(0, mostFields))
  return { status, message, ...(first === undefined ? {} : { errors: first }) }
}

const readLine = ({ number, bytes }: RawLine, longest: number): Line => ({
  number,
  content:
    bytes === undefined
      ? Result.fail(tooLarge(longest, "the line"))
      : Result.flatMap(decodeText(bytes, "the line"), (text) => parse(text, "the line")),
})

const isBlank = ({ bytes }: RawLine): boolean =>
  bytes?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) ?? false

/** The answer to a line, also when it fails. */
const answered =
  <A extends LineAnswer>({ watch }: CallerService, { refuse }: LineWork<A>) =>
  (line: Line, answer: Effect.Effect<A, Failure>): Effect.Effect<A> =>
    Effect.catchCause(watch(answer), (cause) =>
      Effect.map(refusalOfCause(cause), (refusal) => refuse(line, toLineRefusal(refusal))),
    )

/** Answers one line. */
const answerTo =
  <A extends LineAnswer>(caller: CallerService, work: LineWork<A>) =>
  (raw: RawLine): Effect.Effect<A> => {
    const line = readLine(raw, caller.longestBody)
    return answered(caller, work)(
      line,
      Effect.suspend(() => work.take(line)),
    )
  }

const isOurs = ({ refusal }: LineAnswer): boolean => refusal !== null && refusal.status >= 500

/** Answers lines in sequence, up to one that fails for a reason beyond itself. */
const answersSingly = <A extends LineAnswer>(caller: CallerService, work: LineWork<A>) =>
  Effect.fnUntraced(function* ([first, ...others]: NonEmptyReadonlyArray<RawLine>) {
    let last = yield* answerTo(caller, work)(first)
    const answers: [A, ...Array<A>] = [last]
    for (const other of others) {
      if (isOurs(last)) break
      last = yield* answerTo(caller, work)(other)
      answers.push(last)
    }
    return answers
  })

/** Answers lines that have arrived together. */
const answersTo =
  <A extends LineAnswer>(
    caller: CallerService,
    work: LineWork<A> & Required<Pick<LineWork<A>, "takeAll">>,
  ) =>
  (raw: NonEmptyReadonlyArray<RawLine>): Effect.Effect<NonEmptyReadonlyArray<A>> => {
    const lines = mapAll(raw, (one) => readLine(one, caller.longestBody))
    const answer = answered(caller, work)
    return Effect.matchCauseEffect(
      Effect.suspend(() => work.takeAll(lines)),
      {
        onSuccess: (taken) =>
          Effect.forEach(lines, (line, index) =>
            answer(line, taken[index] ?? Effect.die("a line has no outcome")),
          ),
        onFailure: () => answersSingly(caller, work)(raw),
      },
    )
  }

/**
 * How many answers wait for a reader that reads only after it has sent everything. Beyond that, no more lines are read
 * until it takes some.
 */
const mostWaiting = 10_000

const encoder = new TextEncoder()

const encode = (answers: ReadonlyArray<LineAnswer>): Uint8Array =>
  encoder.encode(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""))

/** Ends a request whose sender stalls. */
const inTime = <A, E>(stream: Stream.Stream<A, E>): Stream.Stream<A, E | MalformedBody> =>
  Stream.timeoutOrElse(stream, { duration: patience, orElse: () => Stream.fail(tooSlow) })

/** Answers line by line. When the body breaks off, so does the answer: an unfinished line is not taken. */
export const respondLines = <A extends LineAnswer>(
  request: HttpServerRequest.HttpServerRequest,
  workOf: (caller: CallerService) => LineWork<A>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Caller> =>
  Effect.contextWith((context: Context.Context<Caller>) => {
    const caller = Context.get(context, Caller)
    const splitter = makeSplitter(caller.longestBody)
    const ends = Stream.suspend(() => Stream.fromIterable(splitter.end()))
    const bytes = hasNoBody(request) ? Stream.empty : inTime(request.stream)
    const work = workOf(caller)
    const { takeAll } = work
    const lines = bytes.pipe(
      Stream.map((chunk) => splitter.push(chunk)),
      Stream.flattenIterable,
      Stream.concat(ends),
      Stream.filter((line) => !isBlank(line)),
    )
    const answered =
      takeAll === undefined
        ? Stream.mapEffect(lines, answerTo(caller, work))
        : Stream.mapArrayEffect(lines, answersTo(caller, { ...work, takeAll }))
    const answers = answered.pipe(
      Stream.takeUntil(isOurs),
      Stream.buffer({ capacity: mostWaiting }),
      Stream.mapArray((waiting) => [encode(waiting)]),
      Stream.provideContext(context),
    )
    return Effect.succeed(HttpServerResponse.stream(answers, { headers: always, contentType }))
  })
