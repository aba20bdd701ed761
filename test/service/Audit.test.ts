import { PayoutItem } from "apportion"
import { MemoryStorage } from "apportion/memory"
import {
  historyHash,
  type PayoutHistoryEntry,
  Storage,
  type StorageService,
  type Stores,
} from "apportion/ports"
import { Audit, Payouts } from "apportion/service"
import { Effect, Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { runs } from "../generators/Runs.js"
import { addCollaborator, addPayout, runWith, shop, start } from "./PayoutFixture.js"

type PayoutStore = Stores["payouts"]

/** A storage in memory whose store of payouts reads otherwise than was written. */
const misreading = (
  change: (payouts: PayoutStore) => Partial<PayoutStore>,
): { readonly storage: StorageService; readonly isOn: { now: boolean } } => {
  const inner = Effect.runSync(MemoryStorage.make)
  const isOn = { now: false }
  const changed = (payouts: PayoutStore): PayoutStore => {
    const misread = { ...payouts, ...change(payouts) }
    const compared = (payoutId: string) =>
      Effect.map(misread.items(payoutId), (items) => ({ items, wrongCopies: [] }))
    return { ...misread, comparedItems: compared }
  }
  const misread = (stores: Stores): Stores => ({
    ...stores,
    payouts: isOn.now ? changed(stores.payouts) : stores.payouts,
  })
  const storage: StorageService = {
    ...inner,
    transaction: (accountId, work, options) =>
      inner.transaction(accountId, (stores) => work(misread(stores)), options),
  }
  return { storage, isOn }
}

/** Two payouts, one of them paid with an expense taken off. */
const openTwo = Effect.gen(function* () {
  yield* addCollaborator()
  yield* addPayout({ id: "p1", total: 5_000 })
  yield* addPayout({ id: "p2", total: 700, currency: "EUR" })
  const payouts = yield* Payouts
  yield* payouts.addExpense(shop, "p1", { id: "tea", amount: 100, name: "Tea" })
  yield* payouts.setPaid(shop, "p1")
})

const auditAll = Effect.flatMap(Audit, ({ payouts }) => payouts(shop))

/** What an audit finds when the store reads otherwise. */
const found = async (change: (payouts: PayoutStore) => Partial<PayoutStore>) => {
  const { storage, isOn } = misreading(change)
  const audit = await runWith(
    Effect.gen(function* () {
      yield* openTwo
      isOn.now = true
      return yield* auditAll
    }),
    { storage },
  )
  expect(audit.checked).toBe(2)
  return audit.differences
}

test("payouts that are what their histories make them show no difference", async () => {
  const { all, one } = await runWith(
    Effect.gen(function* () {
      yield* openTwo
      const audit = yield* Audit
      return { all: yield* audit.payouts(shop), one: yield* audit.payout(shop, "p1") }
    }),
  )
  expect(all).toEqual({ checked: 2, differences: [] })
  expect(one).toEqual({ checked: 1, differences: [] })
})

test("an account without payouts has nothing to check", async () => {
  expect(await runWith(auditAll)).toEqual({ checked: 0, differences: [] })
})

test("a payout that there is not can't be audited", async () => {
  const error = await runWith(
    Effect.flip(Effect.flatMap(Audit, ({ payout }) => payout(shop, "p1"))),
  )
  expect(error).toMatchObject({ _tag: "NotFound", what: "payout", id: "p1" })
})

describe("what was tampered with is told", () => {
  test("a total of the stored payout", async () => {
    const differences = await found(({ batch }) => ({
      batch: (options) =>
        Effect.map(batch(options), (all) =>
          all.map((one) => (one.id === "p1" ? { ...one, total: 9_900 } : one)),
        ),
    }))
    expect(differences).toEqual([
      {
        payoutId: "p1",
        kind: "payout",
        version: null,
        field: "total",
        stored: 9_900,
        rebuilt: 4_900,
        message: "payout p1: total is stored as 9900, its history makes it 4900",
      },
    ])
  })

  test("an item that is missing, and one whose amount was changed", async () => {
    const differences = await found(({ items }) => ({
      items: (payoutId) =>
        Effect.map(items(payoutId), (all) =>
          payoutId === "p1"
            ? all.filter(({ id }) => id !== "tea")
            : all.map((item) => ({ ...item, amount: 7 })),
        ),
    }))
    expect(differences).toMatchObject([
      { payoutId: "p1", kind: "item", field: "items[tea]", stored: null, rebuilt: { id: "tea" } },
      { payoutId: "p2", kind: "item", field: "items[p2-earned].amount", stored: 7, rebuilt: 700 },
    ])
    expect(differences[0]?.message).toMatch(
      /^payout p1: items\[tea\] is stored as nothing, its history makes it \{/,
    )
  })

  test("entries without a hash, which are counted, and one after an entry with a hash", async () => {
    const without = (...versions: ReadonlyArray<number>) => {
      const strip = async (all: ReadonlyArray<PayoutHistoryEntry>) => {
        let previous: string | null = null
        const entries: Array<PayoutHistoryEntry> = []
        for (const entry of all) {
          const isOld = versions.includes(entry.version)
          const hash: string | null = isOld ? null : await historyHash(entry, previous)
          previous = hash ?? previous
          entries.push({ ...entry, hash })
        }
        return entries
      }
      const change = ({ history }: PayoutStore): Partial<PayoutStore> => {
        const entries = (payoutId: string) =>
          Effect.flatMap(history({ payoutId, after: 0, limit: 1_000 }), (all) =>
            Effect.promise(() => strip(all)),
          )
        return {
          history: ({ payoutId, after, limit }) =>
            Effect.map(entries(payoutId), (all) =>
              all.filter(({ version }) => version > after).slice(0, limit),
            ),
          lastHash: (payoutId) =>
            Effect.map(
              entries(payoutId),
              (all) => all.findLast(({ hash }) => hash !== null)?.hash ?? null,
            ),
        }
      }
      const { storage, isOn } = misreading(change)
      const work = Effect.gen(function* () {
        yield* openTwo
        isOn.now = true
        return yield* auditAll
      })
      return runWith(work, { storage })
    }
    expect(await without(1)).toEqual({
      checked: 2,
      differences: [],
      unhashed: [
        { payoutId: "p1", entries: 1, hashedSince: 2 },
        { payoutId: "p2", entries: 1, hashedSince: null },
      ],
    })
    const late = await without(2)
    expect(late.differences).toMatchObject([
      { payoutId: "p1", kind: "hash", version: 2, field: "history[2].hash", stored: null },
    ])
  })

  test("an entry of a history that is gone", async () => {
    const differences = await found(({ history }) => ({
      history: (options) =>
        Effect.map(history(options), (all) => all.filter(({ version }) => version !== 2)),
    }))
    expect(differences[0]).toEqual({
      payoutId: "p1",
      kind: "missing entry",
      version: 3,
      field: "history[2]",
      stored: 3,
      rebuilt: 2,
      message: "payout p1, entry 3 of its history: version 2 is missing, there is 3",
    })
    // What the lost entry did is missed as well.
    expect(differences.map(({ kind, field }) => `${kind}: ${field}`)).toEqual([
      "missing entry: history[2]",
      "broken chain: before.total",
      "broken chain: before.itemsCount",
      "broken chain: before.version",
      "wrong entry: after.total",
      "wrong entry: after.itemsCount",
      "hash: history[3].hash",
      "payout: total",
      "payout: itemsCount",
      "item: items[tea]",
    ])
  })

  test("an entry that begins with something else than the one before it ended with", async () => {
    const differences = await found(({ history }) => ({
      history: (options) =>
        Effect.map(history(options), (all) =>
          all.map((entry) =>
            entry.version === 3 && entry.before !== null
              ? { ...entry, before: { ...entry.before, status: "pending" as const } }
              : entry,
          ),
        ),
    }))
    expect(differences).toEqual([
      {
        payoutId: "p1",
        kind: "broken chain",
        version: 3,
        field: "before.status",
        stored: "pending",
        rebuilt: "active",
        message:
          'payout p1, entry 3 of its history: before.status is "pending", the entry before ended with "active"',
      },
    ])
  })

  test("an entry that says of the total what its items don't", async () => {
    const differences = await found(({ history }) => ({
      history: (options) =>
        Effect.map(history(options), (all) =>
          all.map((entry) =>
            entry.version === 1 ? { ...entry, after: { ...entry.after, total: 1 } } : entry,
          ),
        ),
    }))
    const others = differences.filter(({ kind }) => kind !== "hash")
    expect(others.map(({ message }) => message)).toEqual([
      "payout p1, entry 1 of its history: after.total is 1, what was done makes it 5000",
      "payout p1, entry 2 of its history: before.total is 5000, the entry before ended with 1",
      "payout p2, entry 1 of its history: after.total is 1, what was done makes it 700",
    ])
  })

  test("a payout without any history", async () => {
    const differences = await found(() => ({ history: () => Effect.succeed([]) }))
    expect(differences).toMatchObject([
      { payoutId: "p1", kind: "missing entry", field: "history[3]", stored: null, rebuilt: 3 },
      { payoutId: "p2", kind: "missing entry", field: "history[1]", stored: null, rebuilt: 1 },
    ])
  })
})

test("a store that gives the same entries over and over does not hold the audit up", async () => {
  const differences = await found(({ history }) => ({
    history: ({ payoutId, limit }) =>
      Effect.map(history({ payoutId, after: 0, limit: 1 }), (all) =>
        Array.from({ length: limit }, () => all[0]).flatMap((entry) => entry ?? []),
      ),
  }))
  expect(differences.length).toBeGreaterThan(0)
})

/** An account with more payouts than are looked at together, one of them with a long history. */
const openMany = Effect.gen(function* () {
  const storage = yield* Storage
  yield* addCollaborator()
  for (let number = 0; number < 61; number++) {
    yield* addPayout({ id: `p${number}`, total: number, status: "pending" })
  }
  yield* storage.transaction(shop, ({ payouts }) =>
    Effect.gen(function* () {
      for (let number = 0; number < 1_000; number++) {
        const payout = yield* payouts.get("p7")
        if (payout === undefined) return yield* Effect.die("there is no payout")
        const entry = { id: `e${number}`, amount: 1, name: "Tea", at: start }
        const put = [Result.getOrThrow(PayoutItem.income(entry, { currency: "USD" }))]
        const itemsCount = payout.itemsCount + 1
        yield* payouts.update({ payout: { ...payout, total: payout.total + 1, itemsCount }, put })
      }
    }),
  )
})

test("a history whose payout is gone is found, and told by the payout's id too", async () => {
  const { storage, isOn } = misreading(({ batch, get }) => ({
    batch: ({ limit, ...options }) =>
      Effect.map(batch({ ...options, limit: limit + 1 }), (all) =>
        all.filter(({ id }) => id !== "p1").slice(0, limit),
      ),
    get: (id) => (id === "p1" ? Effect.succeed(undefined) : get(id)),
  }))
  const { all, one } = await runWith(
    Effect.gen(function* () {
      yield* openTwo
      isOn.now = true
      const { payout } = yield* Audit
      return { all: yield* auditAll, one: yield* payout(shop, "p1") }
    }),
    { storage },
  )
  expect(all).toMatchObject({
    checked: 1,
    differences: [
      {
        ...{ payoutId: "p1", kind: "payout", version: null, field: "payout", stored: null },
        rebuilt: { id: "p1", total: 4_900 },
      },
    ],
  })
  expect(all.differences[0]?.message).toMatch(
    /^payout p1: payout is stored as nothing, its history makes it \{/,
  )
  expect(one).toEqual({ checked: 1, differences: all.differences })
})

test("each payout and each history is looked at once, wherever payouts are gone", async () => {
  const ids = Array.from({ length: 61 }, (_, index) => index)
  const some = fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 61 })
  const inner = misreading(() => ({}))
  let gone: ReadonlySet<string> = new Set()
  const storage: StorageService = {
    ...inner.storage,
    transaction: (accountId, work, options) =>
      inner.storage.transaction(
        accountId,
        (stores) => {
          const batch: PayoutStore["batch"] = ({ after, limit }) =>
            Effect.map(stores.payouts.batch({ after, limit: 1_000 }), (all) =>
              all.filter(({ id }) => !gone.has(id)).slice(0, limit),
            )
          return work({ ...stores, payouts: { ...stores.payouts, batch } })
        },
        options,
      ),
  }
  await runWith(
    Effect.gen(function* () {
      yield* openMany
      const all = yield* (yield* Storage).transaction(shop, ({ payouts }) =>
        payouts.historyIds({ after: undefined, limit: 1_000 }),
      )
      const check = async (places: ReadonlyArray<number>) => {
        gone = new Set(places.flatMap((place) => all[place] ?? []))
        const audit = await runWith(auditAll, { storage })
        expect(audit.checked).toBe(all.length - gone.size)
        expect(audit.differences.map(({ payoutId }) => payoutId)).toEqual(
          all.filter((id) => gone.has(id)),
        )
      }
      yield* Effect.promise(() => fc.assert(fc.asyncProperty(some, check), runs(30, 8)))
    }),
    { storage },
  )
})

test("an account of any size is gone through in small parts", async () => {
  const asked: Array<{ readonly what: string; readonly limit: number }> = []
  let transactions = 0
  const { storage, isOn } = misreading(({ batch, history }) => ({
    batch: (options) => {
      asked.push({ what: "payouts", limit: options.limit })
      return batch(options)
    },
    history: (options) => {
      asked.push({ what: "entries", limit: options.limit })
      return history(options)
    },
  }))
  const counting: StorageService = {
    ...storage,
    transaction: (accountId, work, options) => {
      transactions += 1
      expect([undefined, "read"]).toContain(isOn.now ? options?.mode : undefined)
      return storage.transaction(accountId, work, options)
    },
  }
  const audit = await runWith(
    Effect.gen(function* () {
      yield* openMany
      isOn.now = true
      transactions = 0
      return yield* auditAll
    }),
    { storage: counting },
  )
  expect(audit).toEqual({ checked: 61, differences: [] })
  expect(Math.max(...asked.map(({ limit }) => limit))).toBeLessThanOrEqual(200)
  expect(asked.filter(({ what }) => what === "entries").length).toBeGreaterThan(61 + 4)
  expect(transactions).toBeGreaterThanOrEqual(4)
})
