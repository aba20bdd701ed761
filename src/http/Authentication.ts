/** Whose a request is, by its access token. */
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageFailure } from "../ports/StorageError.js"
import { findHash, hashToken, type StoredToken, type TokensService } from "../ports/Tokens.js"
import { type RateExceeded, Unauthorized } from "./RequestError.js"
import type { Strangers } from "./Strangers.js"

const longestToken = 4_096

/**
 * One bearer token. Two headers come as one with a comma, so a comma can't be part of a token: which of
 * the two would count is not to be guessed.
 */
const bearer = /^bearer +([^\s,]+) *$/i

const hasControlCharacter = (text: string): boolean => {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** The token of an `Authorization` header; `undefined`: there is none that could be one. */
export const tokenOf = (header: string | undefined): string | undefined => {
  if (header === undefined || header.length > longestToken + 64) return undefined
  const token = bearer.exec(header)?.[1]
  if (token === undefined || token.length > longestToken || hasControlCharacter(token)) {
    return undefined
  }
  return token
}

const missing = new Unauthorized({
  message: "an access token is needed, as Authorization: Bearer <token>",
})

const unknown = new Unauthorized({ message: "the access token is not known" })

/** Tokens that were good lately; beyond so many, the one that was silent longest is forgotten. */
const mostGood = 10_000

/** What is asked of a request: its `Authorization` header, and where it comes from. */
export interface Credentials {
  readonly header: string | undefined
  readonly address: Option.Option<string>
}

/**
 * Finds the stored token of a request. An address that sent too many wrong ones is refused without a look, so
 * that guessing is no use; not so a token that was good before, or whoever shares an address with others could
 * lock them out.
 */
export const make = (
  tokens: TokensService,
  strangers: Strangers,
): ((
  credentials: Credentials,
) => Effect.Effect<StoredToken, Unauthorized | RateExceeded | StorageFailure>) => {
  const good = new Set<string>()
  const remember = (hash: string): void => {
    good.delete(hash)
    good.add(hash)
    if (good.size <= mostGood) return
    const [silent] = good
    if (silent !== undefined) good.delete(silent)
  }
  return Effect.fnUntraced(function* ({ header, address }) {
    const token = tokenOf(header)
    if (token === undefined) {
      yield* strangers.admit(address)
      return yield* missing
    }
    const hash = yield* hashToken(token)
    const wasGood = good.has(hash)
    if (!wasGood) yield* strangers.admit(address)
    const excuse = Effect.sync(() => wasGood || strangers.excuse(address))
    const stored = yield* Effect.tapError(findHash(tokens, hash), () => excuse)
    if (stored === undefined) {
      good.delete(hash)
      return yield* unknown
    }
    yield* excuse
    remember(hash)
    return stored
  })
}
