import * as Effect from "effect/Effect"
import type { Slice, Sliced } from "../../ports/Slice.js"
import { expectSame } from "./check.js"

/** Pages of up to 100 entries are asked for by a number of up to 2^53-1. */
const largestOffset = Number.MAX_SAFE_INTEGER * 100

/** Parts of a list of so many entries: whole, in the middle, at the end, beyond it. */
const slicesOf = (length: number): ReadonlyArray<Slice> => [
  { offset: 0, limit: length + 10 },
  { offset: 0, limit: Number.MAX_SAFE_INTEGER },
  { offset: 0, limit: 1 },
  { offset: 1, limit: 2 },
  { offset: Math.max(0, length - 1), limit: 5 },
  { offset: length, limit: 5 },
  { offset: length + 1, limit: 1 },
  { offset: Number.MAX_SAFE_INTEGER, limit: 100 },
  { offset: largestOffset, limit: 100 },
]

/** Asks for every part, and compares what comes with what is made of the entries of that part. */
const expectEach = <A, B, E, R>(
  { what, expected }: { readonly what: string; readonly expected: ReadonlyArray<A> },
  ask: (slice: Slice) => Effect.Effect<B, E, R>,
  answerOf: (entries: ReadonlyArray<A>) => B,
) =>
  Effect.forEach(
    slicesOf(expected.length),
    (slice) =>
      Effect.flatMap(ask(slice), (actual) => {
        const { offset, limit } = slice
        const entries = expected.filter((_, index) => index >= offset && index - offset < limit)
        return expectSame(`${what} from ${offset}, at most ${limit}`, actual, answerOf(entries))
      }),
    { discard: true },
  )

/** Fails unless every part of a list has the entries it should have. */
export const expectParts = <A, E, R>(
  what: string,
  list: (slice: Slice) => Effect.Effect<ReadonlyArray<A>, E, R>,
  expected: ReadonlyArray<A>,
) => expectEach({ what, expected }, list, (entries) => entries)

/** Fails unless every part of a list has the entries it should have, and the list's length. */
export const expectSlices = <A, E, R>(
  what: string,
  list: (slice: Slice) => Effect.Effect<Sliced<A>, E, R>,
  expected: ReadonlyArray<A>,
) =>
  expectEach(
    { what, expected },
    list,
    (entries): Sliced<A> => ({
      entries,
      total: expected.length,
    }),
  )
