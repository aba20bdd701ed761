import { Tokens, type TokensService } from "apportion/ports"
import { ContractBroken, TokensContract } from "apportion/testing"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"

const known = [
  { token: "paper-heron-at-dusk", accountId: "shop" },
  { token: "glass-otter 🎨", accountId: "stall" },
]

const right = await Effect.runPromise(Effect.provide(Tokens, Tokens.fixed(known)))

describe("fixed tokens keep the contract", () => {
  for (const { name, run } of TokensContract.cases(() => right, known)) test(name, run)
})

const changed = (hashOf: (hash: string) => string): TokensService => ({
  find: (hash) => right.find(hashOf(hash)),
})

describe("tokens do not pass when", () => {
  const faulty: Readonly<Record<string, TokensService>> = {
    "none is good": { find: () => Effect.succeed(undefined) },
    "every hash is good": { find: (hash) => Effect.succeed({ hash, accountId: "shop" }) },
    "spaces around a hash do not matter": changed((hash) => hash.trim()),
    "what comes after a hash does not matter": changed((hash) => hash.slice(0, 64)),
    "the answer has another hash": {
      find: (hash) =>
        Effect.map(right.find(hash), (found) => found && { ...found, hash: hash.slice(1) }),
    },
    "a hash that is not known is a bug": {
      find: (hash) =>
        Effect.flatMap(right.find(hash), (found) =>
          found === undefined ? Effect.die("unknown") : Effect.succeed(found),
        ),
    },
  }
  for (const [name, service] of Object.entries(faulty)) {
    test(name, async () => {
      const cases = TokensContract.cases(() => service, known)
      const results = await Promise.allSettled(cases.map(({ run }) => run()))
      const reasons = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
      expect(reasons).not.toEqual([])
      for (const reason of reasons) expect(reason).toBeInstanceOf(ContractBroken)
    })
  }
})
