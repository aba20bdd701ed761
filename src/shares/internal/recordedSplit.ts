import * as Result from "effect/Result"
import { isFields, show } from "../../internal/problems.js"
import type { Problem } from "../../Problem.js"

/** A list of a split that has nothing in one of its places: one with billions of them would be gone through for minutes. */
const gapIn = (split: unknown): string | undefined =>
  ["items", "shares", "store"].find((name) => {
    const list = isFields(split) ? split[name] : undefined
    if (!Array.isArray(list)) return false
    for (let place = 0; place < list.length; place += 1) if (!(place in list)) return true
    return false
  })

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
    const gap = gapIn(split)
    if (gap !== undefined) throw new TypeError(`its ${gap} are no list without gaps`)
    return make()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : show(cause)
    const message = `is no ${what} that was recorded, or can't be read: ${reason}`
    return Result.fail(refuse([{ path: what, value: split, message }]))
  }
}
