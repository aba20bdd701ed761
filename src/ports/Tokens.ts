/**
 * Which account an access token belongs to.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isSame } from "./internal/isSame.js"
import type { StorageFailure } from "./StorageError.js"

/**
 * What a token may be used for: `read` to see everything; `record` for sales, refunds, products and waiting deliveries;
 * `manage` for collaborators, product groups and webhook endpoints; `payouts` for payouts, payments, expenses and
 * incomes.
 *
 * @since 0.6.0
 * @category models
 */
export type TokenScope = (typeof tokenScopes)[number]

/**
 * All scopes of tokens.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { tokenScopes } from "apportion/ports"
 *
 * tokenScopes // => ["read", "record", "manage", "payouts"]
 * ```
 */
export const tokenScopes = ["read", "record", "manage", "payouts"] as const

/**
 * A stored token, which never contains the token itself.
 *
 * @since 0.2.0
 * @category models
 */
export interface StoredToken {
  /** SHA-256 of the token's UTF-8 bytes, as 64 lower-case hexadecimal digits; `hashToken` makes it. */
  readonly hash: string
  readonly accountId: string
  /**
   * The token's owner, for the history of payouts: a text of 1 to 200 characters, such as a name or an id chosen by the
   * host. When absent, the history shows the beginning of the hash.
   *
   * @since 0.3.0
   */
  readonly actor?: string | undefined
  /**
   * What it may be used for; everything when absent.
   *
   * @since 0.6.0
   */
  readonly scopes?: ReadonlyArray<TokenScope> | undefined
}

/**
 * The port for access tokens.
 *
 * @since 0.2.0
 * @category ports
 */
export interface TokensService {
  /** The token with a hash; `undefined` if it does not exist or is no longer valid. */
  readonly find: (hash: string) => Effect.Effect<StoredToken | undefined, StorageFailure>
}

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * The hash under which a token is stored.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { hashToken } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const hash = await Effect.runPromise(hashToken("secret"))
 * hash.slice(0, 12) // => "2bb80d537b1d"
 * ```
 */
export const hashToken = (token: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))),
    (digest) => hexadecimal(new Uint8Array(digest)),
  )

/**
 * The stored token with a hash; `undefined`: it is not valid. Like {@link findToken}, for callers that already have the
 * hash.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { findHash, hashToken, Tokens } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const account = Effect.gen(function* () {
 *   const stored = yield* findHash(yield* Tokens, yield* hashToken("secret"))
 *   return stored?.accountId
 * })
 * const tokens = Tokens.fixed([{ token: "secret", accountId: "my-shop" }])
 * await Effect.runPromise(Effect.provide(account, tokens)) // => "my-shop"
 * ```
 */
export const findHash = (
  tokens: TokensService,
  hash: string,
): Effect.Effect<StoredToken | undefined, StorageFailure> =>
  Effect.map(tokens.find(hash), (stored) =>
    stored !== undefined && isSame(stored.hash, hash) ? stored : undefined,
  )

/**
 * The stored record of a token; `undefined`: it is not valid. The hash that the host found is compared with the
 * requested one in constant time.
 *
 * @since 0.2.0
 * @category operations
 * @example
 * ```ts
 * import { findToken, Tokens } from "apportion/ports"
 * import { Effect } from "effect"
 *
 * const account = Effect.gen(function* () {
 *   const stored = yield* findToken(yield* Tokens, "secret")
 *   return stored?.accountId
 * })
 * const tokens = Tokens.fixed([{ token: "secret", accountId: "my-shop" }])
 * await Effect.runPromise(Effect.provide(account, tokens)) // => "my-shop"
 * ```
 */
export const findToken = (
  tokens: TokensService,
  token: string,
): Effect.Effect<StoredToken | undefined, StorageFailure> =>
  Effect.flatMap(hashToken(token), (hash) => findHash(tokens, hash))

/**
 * The port for access tokens, as an Effect service.
 *
 * @since 0.2.0
 * @category ports
 */
export class Tokens extends Context.Service<Tokens, TokensService>()("apportion/ports/Tokens") {
  /**
   * A fixed list of tokens, of which only the hashes are kept.
   *
   * @since 0.2.0
   */
  static fixed(
    tokens: ReadonlyArray<Omit<StoredToken, "hash"> & { readonly token: string }>,
  ): Layer.Layer<Tokens> {
    return Layer.effect(
      Tokens,
      Effect.gen(function* () {
        const known = new Map<string, StoredToken>()
        for (const { token, ...owner } of tokens) {
          const hash = yield* hashToken(token)
          known.set(hash, { hash, ...owner })
        }
        return { find: (hash: string) => Effect.succeed(known.get(hash)) }
      }),
    )
  }
}
