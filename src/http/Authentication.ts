/** Whose a request is, by its access token. */
import * as Effect from "effect/Effect"
import type { StorageFailure } from "../ports/StorageError.js"
import { findToken, type StoredToken, type TokensService } from "../ports/Tokens.js"
import { Unauthorized } from "./RequestError.js"

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

/** The stored token of a request. */
export const authenticate = (
  tokens: TokensService,
  header: string | undefined,
): Effect.Effect<StoredToken, Unauthorized | StorageFailure> => {
  const token = tokenOf(header)
  if (token === undefined) return Effect.fail(missing)
  return Effect.flatMap(findToken(tokens, token), (stored) =>
    stored === undefined ? Effect.fail(unknown) : Effect.succeed(stored),
  )
}
