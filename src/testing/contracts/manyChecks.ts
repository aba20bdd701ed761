/** Checks that methods for many sales, payouts and items have the same effect as those for single ones in sequence. */
import * as Effect from "effect/Effect"
import { historyHash } from "../../ports/PayoutHistory.js"
import type { PayoutChange, PayoutHistoryEntry, StoredPayout } from "../../ports/PayoutStore.js"
import type { NewSale } from "../../ports/SaleStore.js"
import type { StorageService } from "../../ports/Storage.js"
import { type ContractContext, contextOf, inContextWith, introduce } from "./ContractContext.js"
import { type ContractCheck, expectConflict, expectSame, expectTrue } from "./check.js"
import { active, income, oddIds, payout, refund, sale, soldItem } from "./samples.js"

const inContext = inContextWith(["ada", "ben"])

const sorted = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.toSorted()

const insertAll = (context: ContractContext, sales: ReadonlyArray<NewSale>) =>
  context.write((stores) => stores.sales.insertAll(sales))

const parts = (context: ContractContext, orderIds: ReadonlyArray<string>) =>
  Effect.map(
    context.read(({ sales }) => sales.ofOrders(orderIds)),
    (found) => found.map(({ orderId, part }) => `${orderId}, part ${part}`),
  )

const withRefund = (given: NewSale, id: string): NewSale => ({
  ...given,
  refunds: [refund(id, given)],
})

const ofSales: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "many parts of orders are recorded at once, each as if it were the only one",
    Effect.fnUntraced(function* (context) {
      const given = [
        ...oddIds.map((id, index) => sale(id, { recordedAt: index })),
        sale("1001", { itemIds: ["1", "2"], of: "ben" }),
        withRefund(sale("1001", { part: 2, itemIds: ["3"], recordedAt: 99 }), "r1"),
      ]
      const stored = given.map((one) => ({ ...one, version: 1 }))
      yield* expectSame("what is given", yield* insertAll(context, given), stored)
      const other = contextOf(context.storage, "Shop")
      yield* other.write((stores) => introduce(stores, ["ada", "ben"]))
      yield* other.write(({ sales }) => Effect.forEach(given, sales.insert, { discard: true }))
      const all = { offset: 0, limit: 1_000 }
      for (const filter of [{}, { collaboratorId: "ben" }, { productId: "p1" }]) {
        const list = ({ read }: ContractContext) => read(({ sales }) => sales.list(filter, all))
        yield* expectSame(JSON.stringify(filter), yield* list(context), yield* list(other))
      }
      const known = yield* context.read(({ sales }) => sales.refund("r1"))
      yield* expectSame("the refund of a part", known, given.at(-1)?.refunds[0])
      yield* expectSame("none of none", yield* insertAll(context, []), [])
    }),
  ),
  inContext(
    "many parts of which one is recorded already, has a known item, or comes twice, are a conflict, and none stays",
    Effect.fnUntraced(function* (context) {
      yield* insertAll(context, [withRefund(sale("1001", { itemIds: ["1", "2"] }), "r1")])
      const wrong = {
        "a part that is recorded": [sale("1001", { itemIds: ["3"] })],
        "a part with a known item": [sale("1001", { part: 2, itemIds: ["3", "2"] })],
        "a part that comes twice": [sale("1003"), sale("1003", { itemIds: ["8"] })],
        "an item that comes twice": [sale("1003"), sale("1003", { part: 2, itemIds: ["9", "1"] })],
        "a known refund": [withRefund(sale("1003"), "r1")],
      }
      for (const [name, ones] of Object.entries(wrong)) {
        yield* expectConflict(name, insertAll(context, [sale("1002"), ...ones, sale("1004")]))
      }
      const kept = yield* parts(context, ["1001", "1002", "1003", "1004"])
      yield* expectSame("the parts", kept, ["1001, part 1"])
    }),
  ),
  inContext(
    "the parts of many orders are read at once, each once, those of an order in order",
    Effect.fnUntraced(function* (context) {
      const given = ["b", "a", "c"].flatMap((id) =>
        [2, 1, 10].map((part) => sale(id, { part, itemIds: [`i${part}`] })),
      )
      yield* insertAll(context, given)
      const found = yield* parts(context, ["c", "unknown", "a", "c"])
      for (const id of ["a", "c"]) {
        const own = found.filter((one) => one.startsWith(id))
        const expected = [1, 2, 10].map((part) => `${id}, part ${part}`)
        yield* expectSame(`the parts of ${id}`, own, expected)
      }
      yield* expectSame("how many parts", found.length, 6)
      yield* expectSame("the parts of no order", yield* parts(context, []), [])
    }),
  ),
  inContext(
    "many refunds are read at once, those that there are",
    Effect.fnUntraced(function* (context) {
      const given = ["1001", "1002", "1003"].map((id) => withRefund(sale(id), `r${id}`))
      yield* insertAll(context, given)
      const ids = ["r1003", "unknown", "r1001", "r1003"]
      const found = yield* context.read(({ sales }) => sales.refunds(ids))
      const names = sorted(found.map(({ id }) => id))
      yield* expectSame("the refunds", names, ["r1001", "r1003"])
      const first = found.find(({ id }) => id === "r1001")
      yield* expectSame("the first one", first, given[0]?.refunds[0])
    }),
  ),
]

/**
 * Changes that lead from one to the other, some of the same payout; a payout is closed before its owner's next is
 * opened.
 */
const changes: ReadonlyArray<PayoutChange> = [
  { payout: { ...active("o1"), version: 0 } },
  { payout: { ...active("o1", { total: 100, itemsCount: 1 }), version: 1 }, put: [income("a")] },
  { payout: { ...active("b1", { collaboratorId: "ben" }), version: 0 }, put: [soldItem("a")] },
  {
    payout: { ...active("o1", { total: 7, itemsCount: 2 }), version: 2 },
    put: [income("b"), income("a", 7)],
  },
  { payout: { ...payout("o1", { total: 7, toBePaidAt: 1_702_100_000 }), version: 3 } },
  { payout: { ...active("o2", { toBePaidAt: 1_704_000_000 }), version: 0 }, put: [income("z")] },
  {
    payout: { ...active("o2", { total: 3, itemsCount: 1 }), version: 1 },
    put: [income("c", 3)],
    remove: ["z", "unknown"],
  },
  { payout: { ...active("o2", { total: 4, itemsCount: 2 }), version: 2 }, put: [income("d", 1)] },
  {
    payout: { ...payout("o1", { status: "manually paid", paidAt: 12 }), version: 4 },
    put: [income("a", 8), income("e")],
  },
]

/** A payout that was there before, and what becomes of it. */
const before = active("old", { collaboratorId: "ben", currency: "EUR", total: 5, itemsCount: 1 })

const later: PayoutChange = {
  payout: { ...payout("old", { collaboratorId: "ben", currency: "EUR" }), version: 1 },
  put: [income("old", 9), income("new")],
}

const everything = { after: 0, limit: 1_000 }

/** All that an account has of payouts, without the times of the history and the hashes that they go into. */
const allOf = (context: ContractContext) =>
  context.read(({ payouts }) =>
    Effect.gen(function* () {
      const filters = [{}, { status: "active" }, { status: "manually paid", paid: {} }] as const
      const pages = yield* Effect.forEach(filters, (filter) =>
        payouts.list(filter, { offset: 0, limit: 100 }),
      )
      const ids = ["old", "o1", "o2", "b1"]
      const items = yield* Effect.forEach(ids, payouts.items)
      const histories = yield* Effect.forEach(ids, (payoutId) =>
        payouts.history({ payoutId, ...everything }),
      )
      return { pages, items, histories }
    }),
  )

type StoredLife = Effect.Success<ReturnType<typeof allOf>>

const withoutTimes = ({ histories, ...found }: StoredLife) => ({
  ...found,
  histories: histories.map((entries) => entries.map(({ at: _at, hash: _hash, ...said }) => said)),
})

const expectChained = Effect.fnUntraced(function* (entries: ReadonlyArray<PayoutHistoryEntry>) {
  let previous: string | null = null
  for (const entry of entries) {
    const hash: string = yield* Effect.promise(() => historyHash(entry, previous))
    yield* expectSame(`the hash of version ${entry.version}`, entry.hash, hash)
    previous = hash
  }
})

const ofChanges: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "many changes of payouts are stored at once, each with its entry, as one after the other",
    Effect.fnUntraced(function* (context) {
      const other = contextOf(context.storage, "Shop")
      yield* other.write((stores) => introduce(stores, ["ada", "ben"]))
      for (const { write } of [context, other]) {
        yield* write(({ payouts }) => payouts.insert({ payout: before, put: [income("old", 5)] }))
      }
      const all = [later, ...changes]
      const stored = yield* context.write(({ payouts }) => payouts.storeAll(all))
      const singly = yield* other.write(({ payouts }) =>
        Effect.forEach(all, (change) =>
          change.payout.version === 0 ? payouts.insert(change) : payouts.update(change),
        ),
      )
      yield* expectSame("what each has stored", stored, singly)
      const found = yield* allOf(context)
      yield* expectSame("what is there", withoutTimes(found), withoutTimes(yield* allOf(other)))
      for (const entries of found.histories) yield* expectChained(entries)
      const last = yield* context.read(({ payouts }) => payouts.lastHash("o1"))
      yield* expectSame("the last hash of o1", last, found.histories[1]?.at(-1)?.hash)
      const none = yield* context.write(({ payouts }) => payouts.storeAll([]))
      yield* expectSame("no changes", none, [])
    }),
  ),
  inContext(
    "many changes of payouts of which one comes too late, is known or is active beside another one, are a conflict",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) =>
        Effect.andThen(
          payouts.insert({ payout: active("o1") }),
          payouts.update({ payout: { ...active("o1", { total: 1 }), version: 1 } }),
        ),
      )
      const next = (version: number): PayoutChange => ({
        payout: { ...active("o1", { total: 2 }), version },
        put: [income("a")],
      })
      const opened = (id: string, fields: Partial<StoredPayout> = {}): PayoutChange => ({
        payout: { ...active(id, { currency: "EUR", ...fields }), version: 0 },
        put: [income("a")],
      })
      const wrong = {
        "a change of an earlier version": [next(1)],
        "a change of a later version": [next(3)],
        "the same version twice": [next(2), next(2)],
        "a payout that is known": [opened("o1")],
        "two active payouts": [opened("o3"), opened("o4")],
        "an active payout beside one from before": [opened("o3", { currency: "USD" })],
      }
      for (const [name, ones] of Object.entries(wrong)) {
        const all = [opened("b1", { collaboratorId: "ben" }), ...ones]
        yield* expectConflict(
          name,
          context.write(({ payouts }) => payouts.storeAll(all)),
        )
      }
      const slice = { offset: 0, limit: 100 }
      const { entries } = yield* context.read(({ payouts }) => payouts.list({}, slice))
      const left = entries.map(({ id, version }) => `${id}, version ${version}`)
      yield* expectSame("what is left", left, ["o1, version 2"])
      const items = yield* context.read(({ payouts }) => payouts.items("o1"))
      yield* expectSame("the items", items, [])
    }),
  ),
]

const looking: ReadonlyArray<ContractCheck<StorageService>> = [
  inContext(
    "what many owners of payouts have is read at once, in their order",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) =>
        payouts.storeAll(
          [
            payout("o1", { openedAt: 7 }),
            active("o2", { openedAt: 9 }),
            payout("o3", { openedAt: 3, currency: "EUR" }),
            active("b1", { openedAt: 5, collaboratorId: "ben" }),
          ].map((one) => ({ payout: { ...one, version: 0 } })),
        ),
      )
      const owners = ["ben USD", "ada USD", "nobody USD", "ada EUR", "ben EUR", "ben USD"]
      const asked = owners.map((one) => {
        const [collaboratorId = "", currency = ""] = one.split(" ")
        return { collaboratorId, currency }
      })
      const found = yield* context.read(({ payouts }) => payouts.ofOwners(asked))
      const said = found.map(({ active: open, firstOpenedAt }) => [open?.id, firstOpenedAt])
      const [ben, none] = [
        ["b1", 5],
        [undefined, undefined],
      ] as const
      yield* expectSame("what they have", said, [
        ...[ben, ["o2", 7], none, [undefined, 3], none],
        ben,
      ])
      const whole = yield* context.read(({ payouts }) => payouts.get("b1"))
      yield* expectSame("the active payout", found[0]?.active, whole)
    }),
  ),
  inContext(
    "many items are read at once, each in its payout",
    Effect.fnUntraced(function* (context) {
      yield* context.write(({ payouts }) =>
        Effect.all([
          payouts.insert({ payout: payout("o1"), put: [income("a", 1), soldItem("b")] }),
          payouts.insert({ payout: payout("o2"), put: [income("a", 2), income("c", 3)] }),
        ]),
      )
      const asked = ["o1/a", "o2/a", "o1/c", "o3/a", "o1/b", "o1/a"].map((one) => {
        const [payoutId = "", itemId = ""] = one.split("/")
        return { payoutId, itemId }
      })
      const found = yield* context.read(({ payouts }) => payouts.itemsAt(asked))
      const said = found.map(({ payoutId, item }) => `${payoutId}/${item.id} ${item.amount}`)
      yield* expectSame("the items", sorted(said), ["o1/a 1", "o1/b 1250", "o2/a 2"])
      const isWhole = found.some(({ item }) => JSON.stringify(item).includes("Größe"))
      yield* expectTrue("an item has all it was stored with", isWhole, found)
      const none = yield* context.read(({ payouts }) => payouts.itemsAt([]))
      yield* expectSame("no items", none, [])
    }),
  ),
  inContext(
    "an item that was looked for in vain is there once it is put, and is replaced and removed as others are",
    Effect.fnUntraced(function* (context) {
      const places = ["a", "b"].map((itemId) => ({ payoutId: "o1", itemId }))
      const found = yield* context.write(
        Effect.fnUntraced(function* ({ payouts }) {
          const said = Effect.map(payouts.itemsAt(places), (all) =>
            sorted(all.map(({ item }) => `${item.id} ${item.amount}`)).join(", "),
          )
          const opened = yield* payouts.insert({ payout: payout("o1"), put: [income("a", 1)] })
          const before = yield* said
          const more = yield* payouts.update({ payout: opened, put: [income("b", 2)] })
          const put = yield* said
          const others = [income("b", 3), income("a", 4)]
          const changed = yield* payouts.update({ payout: more, put: others })
          const replaced = yield* said
          const less = yield* payouts.update({ payout: changed, remove: ["b"] })
          const removed = yield* said
          yield* payouts.update({ payout: less, put: [income("b", 5)] })
          return [before, put, replaced, removed, yield* said]
        }),
      )
      const expected = ["a 1", "a 1, b 2", "a 4, b 3", "a 4", "a 4, b 5"]
      yield* expectSame("the items at the places", found, expected)
      const items = yield* context.read(({ payouts }) => payouts.items("o1"))
      const left = items.map(({ id, amount }) => `${id} ${amount}`)
      yield* expectSame("the items of the payout", left, ["a 4", "b 5"])
    }),
  ),
]

export const manyChecks: ReadonlyArray<ContractCheck<StorageService>> = [
  ...ofSales,
  ...ofChanges,
  ...looking,
]
