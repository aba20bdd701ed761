import * as Result from "effect/Result"

/** The result of a function that throws; errors that are none of the expected ones are thrown on. */
export const attempt = <A, E extends Error>(
  expected: ReadonlyArray<abstract new (...fields: never) => E>,
  make: () => A,
): Result.Result<A, E> => {
  try {
    return Result.succeed(make())
  } catch (error) {
    for (const Expected of expected) if (error instanceof Expected) return Result.fail(error)
    throw error
  }
}
