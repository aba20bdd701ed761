import { MemoryStorage } from "apportion/memory"
import type { StorageService, Stores } from "apportion/ports"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isWhole, runs } from "../../generators/Runs.js"
import { commands, openGroupShop } from "./GroupCommands.js"
import { Tally } from "./Tally.js"

/** Random lives of a catalogue, each compared with the model's after every command. */
const lives = (tally: Tally, storage?: () => StorageService) =>
  fc.asyncProperty(commands(60), async (all) => {
    const { real, model } = await openGroupShop(tally, { storage: storage?.() })
    try {
      await fc.asyncModelRun(() => ({ model, real }), all)
    } finally {
      await real.stop()
    }
  })

test("groups and their links are what a simple model says, whatever is done to them", async () => {
  const tally = new Tally()
  await fc.assert(lives(tally), runs(60, 8))
  if (process.env.APPORTION_TALLY !== undefined) console.log(tally.lines().join("\n"))
  const names = ["create", "update", "remove", "put", "link", "list", "view"]
  const both = names.flatMap((name) => [`${name} done`, `${name} refused`])
  const wanted = [...both, "search done", "take out done", "wait done"]
  // A slice of the lives can miss what seldom comes.
  expect(isWhole ? tally.missing(wanted) : []).toEqual([])
})

const faults: Readonly<Record<string, (stores: Stores) => Partial<Stores>>> = {
  "keeps the links of what was linked before": ({ links }) => ({
    links: { ...links, clear: () => Effect.void },
  }),
  "skips a product between two batches": ({ products: { selected: _none, ...products } }) => ({
    products: {
      ...products,
      batch: ({ after, limit }) =>
        Effect.map(products.batch({ after, limit }), (found) =>
          after === undefined ? found : found.slice(0, -1),
        ),
    },
  }),
  "lists the oldest group first": ({ groups }) => ({
    groups: {
      ...groups,
      list: (collaboratorId, slice) =>
        Effect.map(groups.list(collaboratorId, slice), ({ entries, total }) => ({
          entries: entries.toReversed(),
          total,
        })),
    },
  }),
}

const faulty = (fault: (stores: Stores) => Partial<Stores>): StorageService => {
  const storage = Effect.runSync(MemoryStorage.make)
  return {
    ...storage,
    transaction: (accountId, work, options) =>
      storage.transaction(accountId, (stores) => work({ ...stores, ...fault(stores) }), options),
  }
}

test.each(Object.entries(faults))("a store that %s is found out", async (_name, fault) => {
  const property = lives(new Tally(), () => faulty(fault))
  const { failed } = await fc.check(property, { numRuns: 200, endOnFailure: true })
  expect(failed).toBe(true)
})
