import type { CounterStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of counters. */
const inCounters = (name: string, change: (store: CounterStore) => Partial<CounterStore>): Fault =>
  inStores(name, ({ stores: { counters } }) => ({
    counters: { ...counters, ...change(counters) },
  }))

/** What an adapter can do wrong with counters, groups with terms, and sales that count. */
export const counterFaults: ReadonlyArray<Fault> = [
  inCounters("counters are only ever added", ({ find, put }) => ({
    put: (all) =>
      Effect.flatMap(find(all.map(({ key }) => key)), (known) => {
        const keys = new Set(known.map(({ key }) => key))
        return put(all.filter(({ key }) => !keys.has(key)))
      }),
  })),
  inCounters("what is put is added to what is there", ({ find, put }) => ({
    put: (all) =>
      Effect.flatMap(find(all.map(({ key }) => key)), (known) => {
        const counts = new Map(known.map(({ key, count }) => [key, count]))
        return put(all.map(({ key, count }) => ({ key, count: count + (counts.get(key) ?? 0) })))
      }),
  })),
  inCounters("a counter that is asked for twice comes twice", ({ find }) => ({
    find: (keys) => Effect.map(find(keys), (all) => (keys.length > 9 ? [...all, ...all] : all)),
  })),
  inCounters("keys of counters are made small", ({ find }) => ({
    find: (keys) => find(keys.map((key) => key.toLowerCase())),
  })),
  inCounters("counters are listed the last first", ({ list }) => ({
    list: (slice) =>
      Effect.map(list(slice), ({ entries, total }) => ({ entries: entries.toReversed(), total })),
  })),
  inCounters("a counter below zero stands at zero", ({ put }) => ({
    put: (all) => put(all.map(({ key, count }) => ({ key, count: Math.max(0, count) }))),
  })),
  inStores("a group is stored without its terms", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      insert: (stored) => {
        const { terms: _, ...group } = stored.group
        return groups.insert({ ...stored, group })
      },
    },
  })),
  inStores("a sale is stored without what it counted", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      insert: (sale) => {
        const shares = sale.split.shares.map(({ terms: _, ...share }) => share)
        return sales.insert({ ...sale, split: { ...sale.split, shares } })
      },
    },
  })),
]
