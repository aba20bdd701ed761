import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import { historyHash } from "../../ports/PayoutHistory.js"
import type {
  PayoutChange,
  PayoutHistoryEntry,
  PayoutStore,
  StoredPayout,
} from "../../ports/PayoutStore.js"
import type { StorageService } from "../../ports/Storage.js"
import {
  accountId,
  allAtOnce,
  type ContractContext,
  contextOf,
  inContextWith,
  introduce,
  retried,
} from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectTrue } from "./check.js"
import { active, income, oddIds, payout, soldItem } from "./samples.js"

const inContext = inContextWith(["ada", "ben"])

const all = { after: 0, limit: 1_000 }

const history = (context: ContractContext, payoutId: string, part = all) =>
  context.read(({ payouts }) => payouts.history({ payoutId, ...part }))

const versions = (entries: ReadonlyArray<PayoutHistoryEntry>) =>
  entries.map(({ version }) => version)

/** What an entry says, but for when it was written, and its hash with that. */
const told = ({ at: _at, hash: _hash, ...entry }: PayoutHistoryEntry) => entry

type Items = Omit<PayoutChange, "payout">

/** Changes the current payout, and returns the result. */
const change = (payouts: PayoutStore, id: string, fields: Partial<StoredPayout>, items?: Items) =>
  Effect.gen(function* () {
    const found = yield* payouts.get(id)
    return yield* payouts.update({
      payout: { ...payout(id), version: 0, ...found, ...fields },
      ...items,
    })
  })

const changed = (
  context: ContractContext,
  id: string,
  fields: Partial<StoredPayout>,
  items?: Items,
) => context.write(({ payouts }) => change(payouts, id, fields, items))

/** A payout with three versions, each by a different actor. */
const threeVersions = (context: ContractContext) =>
  Effect.gen(function* () {
    const by = (actor: string, work: (payouts: PayoutStore) => ReturnType<typeof change>) =>
      context.storage.transaction(accountId, ({ payouts }) => work(payouts), { actor })
    const put = [income("b"), soldItem("a"), income("c")]
    const opened = active("o1", { total: 1_450, itemsCount: 3 })
    const first = yield* by("“Zoë” 🎨'); --", (payouts) => payouts.insert({ payout: opened, put }))
    const closed = {
      status: "pending",
      closedAt: 5,
      payableAt: 9,
      total: 8,
      itemsCount: 2,
    } as const
    const items = { put: [income("b", 7), income("d", 1)], remove: ["c", "x", "a", "c"] }
    const second = yield* by("system", (payouts) => change(payouts, "o1", closed, items))
    const third = yield* by("", (payouts) =>
      change(payouts, "o1", { status: "failed", failureReason: "" }),
    )
    return { first, second, third, put, items }
  })

const entries: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "each change of a payout leaves an entry: its version, who made it, before and after, and the items",
    Effect.fnUntraced(function* (context) {
      const { first, second, third, put, items } = yield* threeVersions(context)
      const found = yield* history(context, "o1")
      const of = { payoutId: "o1" }
      const nothing = { put: [], removed: [] }
      yield* expectSame("the history", found.map(told), [
        {
          ...of,
          version: 1,
          actor: "“Zoë” 🎨'); --",
          before: null,
          after: first,
          put,
          removed: [],
        },
        {
          ...{ ...of, version: 2, actor: "system", before: first, after: second },
          ...{ put: items.put, removed: ["c", "a"] },
        },
        { ...of, version: 3, actor: "", before: second, after: third, ...nothing },
      ])
    }),
  ),
  inContext(
    "a change by nobody who is named is by unknown, and an entry tells the second in which it was written",
    Effect.fnUntraced(function* (context) {
      const second = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1_000))
      yield* context.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      yield* changed(context, "o1", { total: 1 })
      const now = yield* second
      const found = yield* history(context, "o1")
      const actors = found.map(({ actor }) => actor)
      yield* expectSame("who made them", actors, ["unknown", "unknown"])
      const times = found.map(({ at }) => at)
      yield* expectTrue("the times are whole seconds", times.every(Number.isInteger), times)
      // A store may have a different clock, but not one in another unit.
      const isNear = times.every((at) => Math.abs(at - now) < 86_400)
      yield* expectTrue("the times are those of now", isNear, times)
      yield* expectSame("the times in order", times.toSorted(), times)
    }),
  ),
  inContext(
    "nothing of a transaction that is not kept is in the history",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      const before = yield* history(context, "o1")
      const failing = context.write(({ payouts }) =>
        Effect.gen(function* () {
          yield* change(payouts, "o1", { total: 1 }, { put: [income("a")] })
          yield* payouts.insert({ payout: payout("o2"), put: [income("a")] })
          return yield* Effect.fail("on purpose")
        }),
      )
      yield* expectSame("the failure", yield* Effect.flip(failing), "on purpose")
      const late = { ...payout("o1"), version: 7 }
      const conflict = context.write(({ payouts }) =>
        Effect.andThen(change(payouts, "o1", { total: 2 }), payouts.update({ payout: late })),
      )
      yield* expectConflict("a late change", conflict)
      yield* expectSame("the history", yield* history(context, "o1"), before)
      yield* expectSame("the history of what never was", yield* history(context, "o2"), [])
    }),
  ),
  inContext(
    "entries stay as they are, whatever comes later",
    Effect.fnUntraced(function* (context) {
      yield* threeVersions(context)
      const before = yield* history(context, "o1")
      const paid = { status: "manually paid", paidAt: 12, failureReason: null, total: -1 } as const
      yield* changed(context, "o1", paid, { put: [income("b", 99)], remove: ["d"] })
      const after = yield* history(context, "o1")
      yield* expectSame("the first three", after.slice(0, 3), before)
      yield* expectSame("the versions", versions(after), [1, 2, 3, 4])
    }),
  ),
]

const reading: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "a history is read part by part: what comes after a version, at most as much as asked for",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) =>
        Effect.gen(function* () {
          yield* payouts.insert({ payout: payout("o1") })
          for (let total = 2; total <= 12; total += 1) yield* change(payouts, "o1", { total })
        }),
      )
      const part = (after: number, limit: number) =>
        Effect.map(history(context, "o1", { after, limit }), versions)
      yield* expectSame("the first five", yield* part(0, 5), [1, 2, 3, 4, 5])
      yield* expectSame("the next five", yield* part(5, 5), [6, 7, 8, 9, 10])
      yield* expectSame("the rest", yield* part(10, 5), [11, 12])
      yield* expectSame("after the last", yield* part(12, 5), [])
      yield* expectSame("far after it", yield* part(Number.MAX_SAFE_INTEGER, 5), [])
      const [second] = yield* history(context, "o1", { after: 1, limit: 1 })
      yield* expectSame("the second", second?.after.total, 2)
    }),
  ),
  inContext(
    "each payout has a history of its own, in each account, and one that there never was has none",
    Effect.fnUntraced(function* (context) {
      const other = contextOf(context.storage, "Shop")
      yield* other.write((stores) => introduce(stores, ["ada"]))
      const insert = (on: ContractContext, id: string, total: number) =>
        on.write(({ payouts }) => payouts.insert({ payout: payout(id, { total }) }))
      yield* insert(context, "o1", 1)
      yield* insert(context, "O1", 2)
      yield* insert(other, "o1", 3)
      yield* changed(other, "o1", { total: 4 })
      const totals = (on: ContractContext, id: string) =>
        Effect.map(history(on, id), (found) => found.map(({ after }) => after.total))
      yield* expectSame("the history of o1", yield* totals(context, "o1"), [1])
      yield* expectSame("the history of O1", yield* totals(context, "O1"), [2])
      yield* expectSame("the other account's", yield* totals(other, "o1"), [3, 4])
      yield* expectSame("the history of none", yield* totals(context, "o2"), [])
    }),
  ),
]

/** The items of a payout, recomputed from its history alone. */
const rebuiltFrom = (found: ReadonlyArray<PayoutHistoryEntry>): ReadonlyArray<PayoutItem> => {
  const items = new Map<string, PayoutItem>()
  for (const { put, removed } of found) {
    for (const id of removed) items.delete(id)
    for (const item of put) items.set(item.id, item)
  }
  return [...items.values()]
}

/** Adds, replaces and removes items, so that the total is always that of the items. */
const play = (context: ContractContext, steps: number) =>
  Effect.gen(function* () {
    const items = new Map<string, PayoutItem>()
    for (let step = 1; step <= steps; step += 1) {
      const removed = [`i${(step * 7) % 5}`, `i${(step * 3) % 5}`]
      const put = [income(`i${step % 5}`, step), income(`i${(step * 2) % 5}`, -step)]
      for (const id of removed) items.delete(id)
      for (const item of put) items.set(item.id, item)
      const total = Array.from(items.values(), ({ amount }) => amount)
      const fields = {
        total: total.reduce((sum, amount) => sum + amount, 0),
        itemsCount: items.size,
      }
      yield* changed(context, "o1", fields, { put, remove: removed })
    }
  })

const rebuilding: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "the items and the total of a payout can be worked out from its history",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      yield* play(context, 12)
      const found = yield* history(context, "o1")
      const rebuilt = rebuiltFrom(found)
      const items = yield* context.read(({ payouts }) => payouts.items("o1"))
      yield* expectSame("the items", items, rebuilt)
      const stored = yield* context.read(({ payouts }) => payouts.get("o1"))
      const total = rebuilt.reduce((sum, { amount }) => sum + amount, 0)
      yield* expectSame("the total", stored?.total, total)
      yield* expectSame("what the last entry tells", found.at(-1)?.after, stored)
    }),
  ),
  inContext(
    "the history of a payout that many change at the same time has no gap",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      const add = (index: number) =>
        context.write(({ payouts }) =>
          Effect.gen(function* () {
            const found = yield* payouts.get("o1")
            yield* Effect.yieldNow
            const total = (found?.total ?? 0) + 100
            yield* change(payouts, "o1", { total }, { put: [income(`i${index}`)] })
          }),
        )
      yield* allAtOnce(15, (index) => retried(add(index)))
      const found = yield* history(context, "o1")
      const counted = Array.from({ length: 16 }, (_, index) => index + 1)
      yield* expectSame("the versions", versions(found), counted)
      const afters = found.map(({ after }) => after)
      const befores = found.slice(1).map(({ before }) => before)
      yield* expectSame("what each found", befores, afters.slice(0, -1))
      const items = yield* context.read(({ payouts }) => payouts.items("o1"))
      yield* expectSame("the items", items, rebuiltFrom(found))
    }),
  ),
]

/** The hashes that entries must have, each made of the entry and the one before. */
const chainOf = (found: ReadonlyArray<PayoutHistoryEntry>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const hashes: Array<string> = []
    for (const entry of found) hashes.push(await historyHash(entry, hashes.at(-1) ?? null))
    return hashes
  })

const lastHash = (context: ContractContext, payoutId: string) =>
  context.read(({ payouts }) => payouts.lastHash(payoutId))

const hashing: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "each entry has the hash of what it says and of the entry before, and the payout that of the last one",
    Effect.fnUntraced(function* (context) {
      yield* threeVersions(context)
      yield* context.write(({ payouts }) =>
        Effect.forEach(oddIds, (id) => payouts.insert({ payout: payout(id) })),
      )
      for (const id of oddIds) {
        const put = oddIds.map((itemId) => income(itemId))
        yield* changed(context, id, { failureReason: null, total: 1 }, { put })
        yield* changed(context, id, { total: 2 }, { remove: [...oddIds.toReversed(), "none"] })
      }
      for (const id of ["o1", ...oddIds]) {
        const found = yield* history(context, id)
        const hashes = found.map(({ hash }) => hash)
        yield* expectSame(`the hashes of ${id}`, hashes, yield* chainOf(found))
        yield* expectSame("that of the last", yield* lastHash(context, id), hashes.at(-1))
        const [part] = yield* history(context, id, { after: 2, limit: 1 })
        yield* expectSame("that of the third, by itself", part?.hash, hashes[2])
      }
      yield* expectSame("that of none", yield* lastHash(context, "o2"), null)
    }),
  ),
  inContext(
    "a change that is not kept leaves no hash behind, within the transaction it is there",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) => payouts.insert({ payout: payout("o1") }))
      const before = yield* lastHash(context, "o1")
      const failing = context.write(({ payouts }) =>
        Effect.gen(function* () {
          yield* change(payouts, "o1", { total: 1 })
          return yield* Effect.fail(yield* payouts.lastHash("o1"))
        }),
      )
      const within = yield* Effect.flip(failing)
      yield* expectTrue("it is another one within", within !== before, within)
      yield* expectSame("that of the last", yield* lastHash(context, "o1"), before)
      yield* changed(context, "o1", { total: 1 })
      const found = yield* history(context, "o1")
      const hashes = found.map(({ hash }) => hash)
      yield* expectSame("the hashes", hashes, yield* chainOf(found))
    }),
  ),
]

const batches: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "payouts are gone through batch by batch, by id, wherever it starts",
    Effect.fnUntraced(function* (context) {
      const given = oddIds.map((id, index) => payout(id, { toBePaidAt: -index }))
      yield* context.write(({ payouts }) =>
        Effect.forEach(given.toReversed(), (one) => payouts.insert({ payout: one })),
      )
      const batch = (after: string | undefined, limit: number) =>
        context.read(({ payouts }) => payouts.batch({ after, limit }))
      const seen: Array<StoredPayout> = []
      for (let size = 5; size === 5; ) {
        const found = yield* batch(seen.at(-1)?.id, 5)
        seen.push(...found)
        size = found.length
      }
      const stored = given.map((one) => ({ ...one, version: 1 }))
      yield* expectSame("all batches", seen, stored)
      const after = stored.filter(({ id }) => id > "Aa")
      yield* expectSame("after an id of no payout", yield* batch("Aa", 2), after.slice(0, 2))
      yield* expectSame("after the last", yield* batch(oddIds.at(-1), 5), [])
      yield* expectSame("the whole", yield* batch(undefined, oddIds.length + 1), stored)
    }),
  ),
  inContext(
    "nothing that is kept beside the items is otherwise than in them",
    Effect.fnUntraced(function* (context) {
      const rated = { originalCurrency: "EUR", currencyExchangeRate: "1.10", originalAmount: -7 }
      const put = [...oddIds.map((id) => income(id)), { ...income("rated", -8), ...rated }]
      yield* context.write(({ payouts }) => payouts.insert({ payout: payout("o1"), put }))
      const compared = () =>
        context.read(({ payouts }) =>
          Effect.all([payouts.comparedItems("o1"), payouts.items("o1")]),
        )
      const sound = (items: ReadonlyArray<PayoutItem>) => ({ items, wrongCopies: [] })
      const [found, items] = yield* compared()
      yield* expectSame("of new items", found, sound(items))
      const changes = { put: [{ ...income("rated", 9), createdAt: 5 }], remove: oddIds.slice(0, 2) }
      yield* changed(context, "o1", { total: 1 }, changes)
      const [again, changedItems] = yield* compared()
      yield* expectSame("of changed items", again, sound(changedItems))
    }),
  ),
  inContext(
    "histories are gone through by id, each once however many entries it has",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) =>
        Effect.forEach(oddIds.toReversed(), (id) => payouts.insert({ payout: payout(id) })),
      )
      for (const id of oddIds.slice(0, 3)) yield* changed(context, id, { total: 1 })
      const ids = (after: string | undefined, limit: number) =>
        context.read(({ payouts }) => payouts.historyIds({ after, limit }))
      yield* expectSame("the whole", yield* ids(undefined, oddIds.length + 1), oddIds)
      yield* expectSame("the first", yield* ids(undefined, 2), oddIds.slice(0, 2))
      yield* expectSame("after the first", yield* ids(oddIds[0], 2), oddIds.slice(1, 3))
      const after = oddIds.filter((id) => id > "Aa")
      yield* expectSame("after an id of no payout", yield* ids("Aa", 2), after.slice(0, 2))
      yield* expectSame("after the last", yield* ids(oddIds.at(-1), 5), [])
    }),
  ),
]

/** The history of payouts, and reading all of them in batches. */
export const payoutHistoryChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...[...entries, ...reading],
  ...[...rebuilding, ...hashing, ...batches],
]
