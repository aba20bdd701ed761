import { isDeepStrictEqual } from "node:util"
import { MemoryStorage } from "apportion/memory"
import { type AgreementTotals, fromPlain, type StorageService } from "apportion/ports"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { plainHost } from "../promise/PlainHost.js"
import { inStores } from "../testing/Fault.js"
import { atOnce, type Kind, keptOnce } from "./CountedHistory.js"
import { makeOptimistic } from "./OptimisticStorage.js"

const kinds = ["terms", "carry", "agreements"] satisfies ReadonlyArray<Kind>

const storages: Readonly<Record<string, () => Promise<StorageService>>> = {
  "in memory": () => Effect.runPromise(MemoryStorage.make),
  "of plain functions": async () =>
    fromPlain(plainHost(await Effect.runPromise(MemoryStorage.make))),
  "that runs transactions at once": () =>
    Promise.resolve(makeOptimistic({ seed: 1, failures: 0.01 })),
}

describe("sales, refunds and closings at once come to what some order of them comes to", () => {
  for (const [name, make] of Object.entries(storages)) {
    for (const kind of kinds) {
      test(`on a storage ${name}, with ${kind}`, async () => {
        const { kept, state, expected } = await atOnce(await make(), kind, 7)
        expect(kept.filter((key) => key !== "close").toSorted()).toEqual(keptOnce(kind))
        expect(state).toEqual(expected)
        expect(state.wrong).toEqual([])
      })
    }
  }

  test("but not where transactions go on from balances that others have changed since", async () => {
    const known = new Map<string, AgreementTotals>()
    // A guarantee that is never seen closed would be closed again and again, also after the test.
    let isOver = false
    const { plant } = inStores("balances are looked at once", ({ stores: { agreements } }) => ({
      agreements: {
        ...agreements,
        totals: (keys) =>
          Effect.map(agreements.totals(keys), (now) => {
            const key = JSON.stringify(keys)
            known.set(key, known.get(key) ?? now)
            return known.get(key) ?? now
          }).pipe(Effect.andThen((totals) => (isOver ? Effect.never : Effect.succeed(totals)))),
      },
    }))
    const storage = plant(await Effect.runPromise(MemoryStorage.make))
    const isRight = await atOnce(storage, "agreements", 7).then(
      ({ state, expected }) => isDeepStrictEqual(state, expected),
      // A refund may find that more was recouped of its sale than of the advance.
      () => false,
    )
    isOver = true
    expect(isRight).toBe(false)
  })
})
