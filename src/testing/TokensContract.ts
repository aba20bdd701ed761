/**
 * What every store of access tokens has to do: cases that a host runs against its own.
 *
 * @since 0.2.0
 */
import type * as Effect from "effect/Effect"
import type { TokensService } from "../ports/Tokens.js"
import type { ContractCase } from "./ContractCase.js"
import { casesOf } from "./contracts/check.js"
import { tokenChecks } from "./contracts/tokenChecks.js"

/**
 * The cases for access tokens. Each rejects with a `ContractBroken` that says what was expected and what
 * came.
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
