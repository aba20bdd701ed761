import * as Result from "effect/Result"
import { show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"

/**
 * What is made of a recorded split. It was checked when it was made and is not checked again, so that only one that the
 * arithmetic can't work with, such as what somebody put together by hand, is refused.
 */
export const ofRecorded = <A, E, Invalid>(
  split: unknown,
  make: () => Result.Result<A, E>,
  refuse: (problems: ReadonlyArray<Problem>) => Invalid,
  what = "split",
): Result.Result<A, E | Invalid> => {
  try {
    return make()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : show(cause)
    const message = `is no ${what} that was recorded, or can't be read: ${reason}`
    return Result.fail(refuse([{ path: what, value: split, message }]))
  }
}
