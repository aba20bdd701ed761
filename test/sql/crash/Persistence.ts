/** Taking the steps of scripts in one process that goes on whatever happens to its database. */
import { isDeepStrictEqual } from "node:util"
import type { StorageService } from "apportion/ports"
import { Effect, Option } from "effect"
import { differenceOf, readEverything } from "./Everything.js"
import { openLane } from "./Lane.js"
import type { Script } from "./Script.js"
import { isUnknown, type Outcome, type Step } from "./Step.js"

/** No call may take longer, whatever the network does. */
const patience = "60 seconds"

const mostTries = 2_000

/** Whether what a step came to is what it must come to. */
export const isRight = (
  { deed }: Step,
  wanted: Outcome | undefined,
  { outcome, isAgain }: { readonly outcome: Outcome; readonly isAgain: boolean },
): boolean => {
  if (wanted === undefined) return false
  const hasKey = deed.kind === "keyed" || deed.kind === "chore"
  // Without a key, who asks again may be told that nothing was left to be done.
  if (!isAgain || hasKey || "failure" in wanted || "failure" in outcome) {
    return isDeepStrictEqual(wanted, outcome)
  }
  return true
}

/**
 * Takes every step until it is known what it came to. Tells also how often one ended without anybody knowing
 * whether it had its effect, and the longest that a call took, in milliseconds.
 */
export const persist = Effect.fnUntraced(function* (
  storage: StorageService,
  { accountId, steps, outcomes }: Script,
) {
  const { take } = yield* openLane(storage, accountId)
  const problems: Array<string> = []
  let [unknown, longest] = [0, 0]
  for (const [index, step] of steps.entries()) {
    for (let tries = 0; ; tries += 1) {
      const began = performance.now()
      const taken = yield* Effect.timeoutOption(take(step), patience)
      longest = Math.max(longest, performance.now() - began)
      if (Option.isNone(taken)) return yield* Effect.die(new Error(`step ${step.number} hangs`))
      const outcome = taken.value
      if (isUnknown(outcome) && tries < mostTries) {
        unknown += 1
        yield* Effect.sleep("50 millis")
        continue
      }
      const wanted = outcomes[index]
      if (!isRight(step, wanted, { outcome, isAgain: tries > 0 })) {
        const [is, must] = [outcome, wanted].map((each) => JSON.stringify(each))
        problems.push(`step ${step.number} came to ${is} and not to ${must}`)
      }
      break
    }
  }
  return { problems, unknown, longest: Math.round(longest) }
}, Effect.scoped)

/** The accounts whose end is not that of a run in which nothing happened. */
export const endProblems = Effect.fnUntraced(function* (
  storage: StorageService,
  scripts: ReadonlyArray<Script>,
) {
  const problems: Array<string> = []
  for (const { accountId, keys, end } of scripts) {
    const lane = yield* openLane(storage, accountId)
    const everything = yield* readEverything(lane, keys)
    const difference = differenceOf(everything, end, accountId)
    if (difference !== undefined) problems.push(difference)
  }
  return problems
}, Effect.scoped)
