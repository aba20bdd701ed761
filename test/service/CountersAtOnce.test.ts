import { MemoryStorage } from "apportion/memory"
import { fromPlain, type StorageService } from "apportion/ports"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { plainHost } from "../promise/PlainHost.js"
import { atOnce, type Kind } from "./CountedHistory.js"
import { makeOptimistic } from "./OptimisticStorage.js"

const storages: Readonly<Record<string, () => Promise<StorageService>>> = {
  "in memory": () => Effect.runPromise(MemoryStorage.make),
  "of plain functions": async () =>
    fromPlain(plainHost(await Effect.runPromise(MemoryStorage.make))),
  "that runs transactions at once": () =>
    Promise.resolve(makeOptimistic({ seed: 1, failures: 0.01 })),
}

describe("sales, refunds and closings at once come to what some order of them comes to", () => {
  for (const [name, make] of Object.entries(storages)) {
    for (const kind of ["terms", "carry"] satisfies ReadonlyArray<Kind>) {
      test(`on a storage ${name}, with ${kind}`, async () => {
        const { kept, state, expected } = await atOnce(await make(), kind, 7)
        expect(new Set(kept).size).toBe(kept.length)
        expect(kept).toHaveLength(10 + 8 + 4 + 1)
        expect(state).toEqual(expected)
        expect(state.wrong).toEqual([])
      })
    }
  }
})
