import { makeApportion } from "apportion/promise"
import type { SqlStorage } from "apportion/sql"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { atOnce, type Kind, keptOnce } from "../service/CountedHistory.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const engines: ReadonlyArray<{
  readonly name: string
  readonly layer: Parameters<typeof clientFor>[0]
  readonly options: SqlStorage.SqlStorageOptions
}> = [
  { name: "PGlite", layer: () => pglite, options: {} },
  { name: "PostgreSQL", layer: () => postgres("counters_queue"), options: {} },
  {
    name: "PostgreSQL, optimistic",
    layer: () => postgres("counters_optimistic"),
    options: { concurrency: "optimistic" },
  },
]

describe.each(engines)("sales, refunds and closings at once, on $name", ({ layer, options }) => {
  const client = clientFor(layer)
  for (const kind of ["terms", "carry", "agreements"] satisfies ReadonlyArray<Kind>) {
    test(`come to what some order of them comes to, with ${kind}`, async () => {
      const storage = await Effect.runPromise(emptyStorage(client(), options))
      const { kept, state, expected } = await atOnce(storage, kind, 11)
      expect(kept.filter((key) => key !== "close").toSorted()).toEqual(keptOnce(kind))
      expect(state).toEqual(expected)
      expect(state.wrong).toEqual([])
    })
  }

  test("a re-split of which no money changes is stored, and later sales are counted on from it", async () => {
    const storage = await Effect.runPromise(emptyStorage(client(), options))
    const { collaborators, groups, sales, resplits, counters, audit } = await makeApportion({
      storage,
    })
    await collaborators.create("shop", { id: "ada", currency: "USD" })
    const link = { type: "products.all" } as const
    await groups.create("shop", "ada", { id: "g", link, percent: 10 })
    const order = (id: string, quantity: number) => ({
      ...{ id, currency: "USD", createdAt: 1_700_000_000 },
      items: [{ id: "1", product: { id: "p1" }, quantity, amount: quantity * 1_000 }],
    })
    await sales.record("shop", order("1", 8))
    const bands = [
      { from: 0, percent: 10 },
      { from: 8, percent: 20 },
    ]
    const terms = { tiers: { counted: "units", bands } } as const
    await groups.update("shop", "ada", "g", { percent: null, terms })
    const { digest, changed } = await resplits.preview("shop", {})
    expect(changed).toBe(1)
    await resplits.propose("shop", { id: "run" })
    await resplits.approve("shop", "run", { digest })
    await resplits.book("shop", "run")
    const { parts } = await sales.record("shop", order("2", 1))
    expect(parts[0]?.split.shares[0]?.amount).toBe(200)
    const { entries } = await counters.list("shop")
    expect(entries).toEqual([{ key: "units/USD/lifetime/group/g", count: 9 }])
    expect(await audit.sales("shop")).toEqual({ checked: 2, differences: [], counters: [] })
  })
})
