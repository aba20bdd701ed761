/**
 * The contract of access tokens: cases that a host runs against its own store.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import { hashToken, type TokensService } from "../ports/Tokens.js"
import type { ContractCase } from "./ContractCase.js"
import { type ContractCheck, casesOf, expectSame } from "./contracts/check.js"

/** A known token, and its account. */
interface TokenSample {
  readonly token: string
  readonly accountId: string
}

/** Texts that can't be the hash of a known token. */
const strange = (token: string, hash: string): ReadonlyArray<string> => [
  token,
  "",
  hash.slice(0, -1),
  `${hash}0`,
  ` ${hash}`,
  `%${hash.slice(1)}`,
  `${hash}' OR '1'='1`,
  "0".repeat(64),
  "__proto__",
  "🎨",
  "f".repeat(10_000),
]

/** What tokens have to do. */
const tokenChecks = (
  known: ReadonlyArray<TokenSample>,
): ReadonlyArray<ContractCheck<TokensService>> => [
  {
    name: "a token is found by its hash, with the account it belongs to",
    check: Effect.fnUntraced(function* (tokens) {
      for (const { token, accountId } of known) {
        const hash = yield* hashToken(token)
        yield* expectSame("the token", yield* tokens.find(hash), { hash, accountId })
      }
    }),
  },
  {
    name: "a hash of no token is not found, and is no failure",
    check: Effect.fnUntraced(function* (tokens) {
      for (const { token } of known) {
        const hash = yield* hashToken(`${token} or another`)
        yield* expectSame("the token", yield* tokens.find(hash), undefined)
      }
    }),
  },
  {
    name: "a token is not found by itself, by a part of its hash, or by anything else",
    check: Effect.fnUntraced(function* (tokens) {
      for (const { token } of known) {
        for (const text of strange(token, yield* hashToken(token))) {
          yield* expectSame(`found by ${text}`, yield* tokens.find(text), undefined)
        }
      }
    }),
  },
  {
    name: "tokens that are looked for at the same time are found each by its own hash",
    check: Effect.fnUntraced(function* (tokens) {
      const many = Array.from({ length: 20 }, () => known).flat()
      const found = yield* Effect.forEach(
        many,
        ({ token }) => Effect.flatMap(hashToken(token), (hash) => tokens.find(hash)),
        { concurrency: "unbounded" },
      )
      const accounts = found.map((token) => token?.accountId)
      const expected = many.map(({ accountId }) => accountId)
      yield* expectSame("the accounts", accounts, expected)
    }),
  },
]

/**
 * The cases for access tokens. Each rejects with a `ContractBroken` that says what was expected and what was returned.
 *
 * @param make - the tokens, a promise of them, or an effect that makes them
 * @param known - tokens that are good, and whose they are; best of two accounts
 * @since 0.2.0
 * @category constructors
 * @example
 * ```ts
 * import { Tokens } from "apportion/ports"
 * import { TokensContract } from "apportion/testing"
 * import { Effect } from "effect"
 *
 * const known = [
 *   { token: "paper-heron-at-dusk", accountId: "shop" },
 *   { token: "glass-otter", accountId: "stall" },
 * ]
 * const tokens = Effect.provide(Tokens, Tokens.fixed(known))
 * const cases = TokensContract.cases(() => tokens, known)
 * // With vitest: for (const { name, run } of cases) test(name, run)
 * await cases[0]?.run() // => undefined
 * ```
 */
export const cases = (
  make: () => Effect.Effect<TokensService, unknown> | Promise<TokensService> | TokensService,
  known: ReadonlyArray<{ readonly token: string; readonly accountId: string }>,
): ReadonlyArray<ContractCase> => casesOf(tokenChecks(known), make)
