/** Makes an answer of whatever went wrong, and tells the log what the answer does not say. */
import * as Effect from "effect/Effect"
import * as Answer from "./Answer.js"
import * as ErrorBody from "./ErrorBody.js"
import type { Failure } from "./Failure.js"

const settleFailure = (failure: Failure): Effect.Effect<Answer.Answer> => {
  const refusal = ErrorBody.of(failure)
  const answer = Answer.ofRefusal(refusal)
  return refusal.isOurs
    ? Effect.as(Effect.logError("request failed", failure), answer)
    : Effect.succeed(answer)
}

const settleDefect = (defect: unknown): Effect.Effect<Answer.Answer> =>
  Effect.as(
    Effect.logError("request failed unexpectedly", defect),
    Answer.ofRefusal(ErrorBody.unexpected),
  )

/** The answer of work, or the one to its failure. Interruption stays what it is. */
export const settle = (work: Effect.Effect<Answer.Answer, Failure>): Effect.Effect<Answer.Answer> =>
  work.pipe(Effect.catch(settleFailure), Effect.catchDefect(settleDefect))
