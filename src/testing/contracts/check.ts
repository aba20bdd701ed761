import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { formatPath, show } from "../../internal/problems.js"
import { sameData } from "../../internal/sameData.js"
import type { Slice, Sliced } from "../../ports/Slice.js"
import { ContractBroken, type ContractCase } from "../ContractCase.js"

type DataPath = ReadonlyArray<string | number>

/** Two values that differ, and their path in the compared values. */
interface Difference {
  readonly path: DataPath
  readonly expected: unknown
  readonly actual: unknown
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/**
 * The keys of both: the indices of two lists, the fields of two objects; none of a list and an
 * object.
 */
const placesOf = (expected: object, actual: object): ReadonlyArray<string | number> => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => index)
  }
  if (Array.isArray(expected) || Array.isArray(actual)) return []
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
}

const valueAt = (value: object, place: string | number): unknown =>
  Object.hasOwn(value, place) ? Reflect.get(value, place) : undefined

/** The path of the first difference, as deep as possible. */
const firstDifference = (path: DataPath, expected: unknown, actual: unknown): Difference => {
  const here = { path, expected, actual }
  if (!isObject(expected) || !isObject(actual)) return here
  const place = placesOf(expected, actual).find(
    (one) => !sameData(valueAt(expected, one), valueAt(actual, one)),
  )
  if (place === undefined) return here
  return firstDifference([...path, place], valueAt(expected, place), valueAt(actual, place))
}

/** How much of the common beginning of two long texts is shown. */
const lead = 20

/** Two texts from shortly before they differ, so that the difference is not cut off. */
const fromDifference = (expected: string, actual: string): readonly [string, string] => {
  const same = expected.split("").findIndex((unit, index) => unit !== actual[index])
  const first = same === -1 ? expected.length : same
  const start = Math.max(first - lead, 0)
  return [`…${show(expected.slice(start))}`, `…${show(actual.slice(start))}`]
}

const showBoth = (expected: unknown, actual: unknown): readonly [string, string] => {
  const shown = [show(expected), show(actual)] as const
  const isCut = shown[0] === shown[1] && typeof expected === "string" && typeof actual === "string"
  return isCut ? fromDifference(expected, actual) : shown
}

/** The difference of two values: `expected [3].id to be "a", got "b"`. */
export const tellDifference = (expected: unknown, actual: unknown): string => {
  const found = firstDifference([], expected, actual)
  const [wanted, got] = showBoth(found.expected, found.actual)
  return found.path.length === 0
    ? `expected ${wanted}, got ${got}`
    : `expected ${formatPath(found.path)} to be ${wanted}, got ${got}`
}

/** One requirement of a port. */
export interface ContractCheck<Port> {
  readonly name: string
  readonly check: (port: Port) => Effect.Effect<void, unknown>
}

/** How an adapter is made: as it is, as a promise of it, or as an effect. */
export type Make<Port> = () => Effect.Effect<Port, unknown> | Promise<Port> | Port

const broken = (what: string, expected: unknown, actual: unknown): ContractBroken => {
  const message = `${what}: ${tellDifference(expected, actual)}`
  return new ContractBroken({ what, expected, actual, message })
}

/**
 * Fails unless the actual value equals the expected one; a field that is `undefined` counts as
 * absent.
 */
export const expectSame = (
  what: string,
  actual: unknown,
  expected: unknown,
): Effect.Effect<void, ContractBroken> =>
  sameData(actual, expected) ? Effect.void : Effect.fail(broken(what, expected, actual))

/** Fails unless something holds. */
export const expectTrue = (
  what: string,
  holds: boolean,
  actual: unknown,
): Effect.Effect<void, ContractBroken> =>
  holds ? Effect.void : Effect.fail(broken(what, "that it holds", actual))

/** The tag of an expected failure; any other outcome in words. */
export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>): string => {
  if (Exit.isSuccess(exit)) return "success"
  const error = Cause.squash(exit.cause)
  return Predicate.hasProperty(error, "_tag") ? String(error._tag) : String(error)
}

/** Fails unless the work fails with a `Conflict`. */
export const expectConflict = <A, E>(
  what: string,
  work: Effect.Effect<A, E>,
): Effect.Effect<void, ContractBroken> =>
  Effect.flatMap(Effect.exit(work), (exit) => expectSame(what, outcomeOf(exit), "Conflict"))

const thrown = (cause: Cause.Cause<unknown>): ContractBroken => {
  const error = Cause.squash(cause)
  if (error instanceof ContractBroken) return error
  const message = `the work should have gone well, and failed: ${Cause.pretty(cause)}`
  return new ContractBroken({ what: "the work", expected: "success", actual: error, message })
}

/** Makes an adapter and checks one thing about it. */
const runCheck = async <Port>(
  make: Make<Port>,
  check: ContractCheck<Port>["check"],
): Promise<void> => {
  const made = make()
  const port = Effect.isEffect(made) ? await Effect.runPromise(made) : await made
  const exit = await Effect.runPromiseExit(check(port))
  if (Exit.isFailure(exit)) throw thrown(exit.cause)
}

/** Checks as cases for any runner; each makes its own adapter. */
export const casesOf = <Port>(
  checks: ReadonlyArray<ContractCheck<Port>>,
  make: Make<Port>,
): ReadonlyArray<ContractCase> =>
  checks.map(({ name, check }) => ({ name, run: () => runCheck(make, check) }))

/** Pages of up to 100 entries are requested by a number of up to 2^53-1. */
const largestOffset = Number.MAX_SAFE_INTEGER * 100

/** Slices of a list of a given length: all of it, in the middle, at the end, beyond it. */
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

/** Requests every slice, and compares the result with the expected entries. */
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
