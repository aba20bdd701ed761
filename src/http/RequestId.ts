/** The name of a request in the log and in its answer. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const usable = /^[A-Za-z0-9._-]{1,128}$/

/** Takes over the id that a request came with, when it can be one; else makes one. */
export const make: Effect.Effect<(given: string | undefined) => Effect.Effect<string>> = Effect.gen(
  function* () {
    const provided = yield* Effect.serviceOption(SecureRandom.SecureRandom)
    const random = Option.isSome(provided)
      ? provided.value
      : yield* SecureRandom.SecureRandom.pipe(Effect.provide(SecureRandom.layerWebCrypto))
    return (given) =>
      given !== undefined && usable.test(given) ? Effect.succeed(given) : random.uuidV7()
  },
)
