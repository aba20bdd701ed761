import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { PayoutStore } from "../../ports/PayoutStore.js"
import { productKeyOf } from "../../ports/ProductStore.js"
import type { SoldSums } from "../../ports/SoldSums.js"
import type { StorageService, Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { ContractCheck } from "./check.js"
import {
  active,
  answer,
  collaborator,
  group,
  income,
  job,
  latest,
  payment,
  payout,
  product,
  refund,
  sale,
} from "./samples.js"

/** A storage with one account to work on. */
export interface ContractContext {
  readonly storage: StorageService
  /** Runs work as one transaction. */
  readonly write: <A, E, R>(
    work: (stores: Stores) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | StorageError, R>
  /** Runs work that only reads as one transaction. */
  readonly read: <A, E, R>(
    work: (stores: Stores) => Effect.Effect<A, E, R>,
  ) => Effect.Effect<A, E | StorageError, R>
}

/** The account that checks work on. */
export const accountId = "shop"

/** A context on another account of the same storage. */
export const contextOf = (storage: StorageService, account: string): ContractContext => ({
  storage,
  write: (work) => storage.transaction(account, work),
  read: (work) => storage.transaction(account, work, { mode: "read" }),
})

/** A check of a storage. */
export const inContext = (
  name: string,
  check: (context: ContractContext) => Effect.Effect<void, unknown>,
): ContractCheck<StorageService> => ({
  name,
  check: (storage) => check(contextOf(storage, accountId)),
})

/** Stores the collaborators that do not exist yet. */
export const introduce = ({ collaborators }: Stores, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const known = yield* collaborators.find(ids)
    const there = new Set(known.map((one) => one.collaborator.id))
    const missing = [...new Set(ids)].filter((id) => !there.has(id))
    yield* Effect.forEach(missing, (id) => collaborators.insert(collaborator(id)), {
      discard: true,
    })
  })

/**
 * Checks of a storage whose account has collaborators with these ids: a store may refuse groups and
 * payouts of unknown collaborators.
 */
export const inContextWith =
  (collaboratorIds: ReadonlyArray<string>): typeof inContext =>
  (name, check) =>
    inContext(name, (context) =>
      Effect.andThen(
        context.write((stores) => introduce(stores, collaboratorIds)),
        check(context),
      ),
    )

/** More than any check needs if one attempt succeeds each time. */
const mostTries = 1_000

/** Retries a transaction as long as it fails with a conflict. */
export const retried = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(work, { while: (error) => Predicate.isTagged(error, "Conflict"), times: mostTries })

/** Runs work for each number below a count, all concurrently. */
export const allAtOnce = <A, E, R>(
  count: number,
  work: (index: number) => Effect.Effect<A, E, R>,
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    work,
    { concurrency: "unbounded" },
  )

/** Lets other fibers run for a while. */
export const givingWay: Effect.Effect<void> = Effect.forEach(
  [1, 2, 3, 4, 5],
  () => Effect.yieldNow,
  { discard: true },
)

/** Passes a value to a store; the check may then change the value. */
export type Give = <A>(value: A) => A

/** One store with data, a change of that data, and everything that can be read from it. */
export interface StoreFixture {
  readonly name: string
  readonly seed: (stores: Stores, give: Give) => Effect.Effect<void, StorageError>
  /** Adds, changes and removes, as far as the store can; possible once after {@link seed}. */
  readonly change: (stores: Stores) => Effect.Effect<void, StorageError>
  readonly read: (stores: Stores) => Effect.Effect<unknown, StorageError>
}

const all = { offset: 0, limit: 1_000 }

const collaborators: StoreFixture = {
  name: "collaborators",
  seed: Effect.fnUntraced(function* ({ collaborators }, give) {
    yield* collaborators.insert(give(collaborator("ada")))
    const inserted = yield* collaborators.insert(give(collaborator("ben")))
    yield* collaborators.update(give({ ...inserted, updatedAt: 7 }))
  }),
  change: Effect.fnUntraced(function* ({ collaborators }) {
    yield* collaborators.insert(collaborator("cyd"))
    yield* collaborators.update({ ...collaborator("ada", { currency: "JPY" }), version: 1 })
  }),
  read: Effect.fnUntraced(function* ({ collaborators }) {
    const one = yield* collaborators.get("ada")
    const found = yield* collaborators.find(["ben"])
    return { one, found, list: yield* collaborators.list(all) }
  }),
}

const groups: StoreFixture = {
  name: "product groups",
  seed: Effect.fnUntraced(function* (stores, give) {
    const { groups } = stores
    yield* introduce(stores, ["ada"])
    yield* groups.insert(give(group("g1")))
    yield* groups.insert(give(group("g3", { createdAt: 9 })))
    const inserted = yield* groups.insert(give(group("g2")))
    yield* groups.update(give({ ...inserted, updatedAt: 7 }))
  }),
  change: Effect.fnUntraced(function* ({ groups }) {
    yield* groups.insert(group("g4"))
    yield* groups.update({ ...group("g1", { percent: "1.00" }), version: 1 })
    yield* groups.remove({ groupId: "g2", version: 2 })
  }),
  read: Effect.fnUntraced(function* ({ groups }) {
    const found = yield* groups.find(["g1"])
    const everyone = yield* groups.all
    const sorted = everyone.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const one = yield* groups.get("g1")
    return { one, found, sorted, list: yield* groups.list("ada", all) }
  }),
}

const products: StoreFixture = {
  name: "products",
  seed: ({ products }, give) =>
    products.put(give(["p1", "p2", "p3", "p4"].map((id) => product(id)))),
  change: Effect.fnUntraced(function* ({ products }) {
    yield* products.put([product("p1", { name: "Z", externalId: "moved" }), product("p0")])
    yield* products.remove(["p2", "p3"])
    yield* products.put([product("p3", { price: 1 })])
  }),
  read: Effect.fnUntraced(function* ({ products }) {
    const one = yield* products.get(["p1"])
    const found = yield* products.find(["external-p1"])
    const moved = yield* products.find(["moved"])
    const batch = yield* products.batch({ after: undefined, limit: 100 })
    const searched = yield* products.list({ search: "PRODUCT P" }, all)
    return { one, found, moved, batch, searched, list: yield* products.list({}, all) }
  }),
}

const keysOfLinked = ["a", "b", "c"].map((id) => `linked-${id}`)

const links: StoreFixture = {
  name: "links and their jobs",
  seed: Effect.fnUntraced(function* (stores, give) {
    const { products, groups, links } = stores
    yield* products.put(give(keysOfLinked.map((id) => product(id))))
    const owner = { collaboratorId: "owner of links" }
    yield* introduce(stores, [owner.collaboratorId])
    for (const id of ["l1", "l2", "l3"]) yield* groups.insert(give(group(id, owner)))
    yield* links.add("l1", give(keysOfLinked.slice(0, 2)))
    yield* links.setOfProduct("linked-c", give(["l2", "l3"]))
    for (const id of ["l1", "l2"]) yield* links.saveJob(give(job(id)))
  }),
  change: Effect.fnUntraced(function* ({ products, links }) {
    yield* links.add("l1", ["linked-c"])
    yield* links.setOfProduct("linked-a", ["l3"])
    yield* links.clear("l2")
    yield* products.remove(["linked-b"])
    yield* products.put([product("linked-a", { name: "Z" })])
    yield* links.saveJob(job("l1", { status: "done", scanned: 3 }))
    yield* links.saveJob(job("l3"))
    yield* links.removeJob("l2")
  }),
  read: Effect.fnUntraced(function* ({ products, links }) {
    const ids = ["l1", "l2", "l3"]
    const groups = yield* links.groupsOf(keysOfLinked)
    const linked = yield* Effect.forEach(ids, (id) => links.products(id, all))
    const jobs = yield* Effect.forEach(ids, (id) => links.job(id))
    const filter = { collaboratorId: "owner of links" }
    return {
      groups: groups.map((found) => found.toSorted()),
      linked,
      jobs,
      counts: yield* links.counts(ids),
      running: yield* links.runningJobs(10),
      ofOwner: (yield* products.list(filter, all)).entries.map(productKeyOf),
    }
  }),
}

/** The history of a payout without times, which differ in each account. */
/** Without the fields that differ a second later: the time, and the hash that covers it. */
const historyOf = (payouts: PayoutStore, payoutId: string) =>
  Effect.map(payouts.history({ payoutId, after: 0, limit: 100 }), (entries) =>
    entries.map(({ at: _at, hash: _hash, ...entry }) => entry),
  )

const payouts: StoreFixture = {
  name: "payouts and their items",
  seed: Effect.fnUntraced(function* (stores, give) {
    const { payouts } = stores
    yield* introduce(stores, ["ada"])
    const put = ["i1", "i2", "i3", "i4"].map((id) => income(id))
    yield* payouts.insert(give({ payout: active("o1"), put }))
    const inserted = yield* payouts.insert(give({ payout: payout("o2"), put }))
    yield* payouts.update(give({ payout: inserted, put: [income("i5")], remove: ["i1"] }))
  }),
  change: Effect.fnUntraced(function* ({ payouts }) {
    const put = [income("i5"), income("i3", 9), income("i1")]
    const closed = payout("o1", { total: 5, toBePaidAt: 1 })
    yield* payouts.update({ payout: { ...closed, version: 1 }, put, remove: ["i2"] })
    yield* payouts.insert({ payout: active("o3", { openedAt: 1 }), put: [income("i1")] })
    yield* payouts.update({ payout: { ...payout("o2"), version: 2 }, remove: ["i2", "i3"] })
    yield* payouts.update({ payout: { ...payout("o2"), version: 3 }, put: [income("i2", 8)] })
  }),
  read: Effect.fnUntraced(function* ({ payouts }) {
    const ids = ["o1", "o2", "o3"]
    const owner = { collaboratorId: "ada", currency: "USD" }
    const soon = { at: latest, limit: 10 }
    return {
      list: yield* payouts.list({}, all),
      pending: yield* payouts.list({ status: "pending" }, all),
      rows: yield* Effect.forEach(ids, (id) => payouts.get(id)),
      items: yield* Effect.forEach(ids, (id) => payouts.items(id)),
      some: yield* Effect.forEach(ids, (id) => payouts.someItems(id, { offset: 1, limit: 2 })),
      item: yield* payouts.item("o1", "i3"),
      entries: yield* payouts.entries({ collaboratorId: owner.collaboratorId, itemId: "i3" }),
      belowZero: yield* payouts.belowZero({ after: undefined, limit: 10 }),
      active: yield* payouts.active(owner),
      firstOpenedAt: yield* payouts.firstOpenedAt(owner),
      due: yield* payouts.due(soon),
      payable: yield* payouts.payable(soon),
      batch: yield* payouts.batch({ after: undefined, limit: 10 }),
      historyIds: yield* payouts.historyIds({ after: undefined, limit: 10 }),
      histories: yield* Effect.forEach(ids, (id) => historyOf(payouts, id)),
    }
  }),
}

const payments: StoreFixture = {
  name: "payments",
  seed: Effect.fnUntraced(function* (stores, give) {
    yield* introduce(stores, ["ada"])
    for (const id of ["paid 1", "paid 2", "paid 3"]) {
      yield* stores.payouts.insert(give({ payout: payout(id) }))
    }
    yield* stores.payments.insert(give(payment("a1", { payoutId: "paid 1" })))
    yield* stores.payments.insert(give(payment("a2", { payoutId: "paid 2", status: "rejected" })))
    const sent = payment("a3", { payoutId: "paid 2", status: "sent", claimedAt: 9 })
    const inserted = yield* stores.payments.insert(give(sent))
    const contradiction = { at: 7, event: "confirm", message: "was paid “twice”" } as const
    yield* stores.payments.update(give({ ...inserted, status: "unknown", contradiction }))
  }),
  change: Effect.fnUntraced(function* ({ payments }) {
    yield* payments.insert(payment("a4", { payoutId: "paid 3", status: "unknown" }))
    yield* payments.update({
      ...payment("a1", { payoutId: "paid 1", status: "confirmed", reference: "r", fee: 25 }),
      version: 1,
    })
  }),
  read: Effect.fnUntraced(function* ({ payments }) {
    const ids = ["a1", "a2", "a3", "a4"]
    return {
      rows: yield* Effect.forEach(ids, (id) => payments.get(id)),
      ofPayout: yield* payments.ofPayout("paid 2"),
      list: yield* payments.list({ limit: 10 }),
      claimed: yield* payments.list({ status: "claimed", limit: 10 }),
      stuck: yield* payments.stuck({ sentBefore: latest, limit: 10 }),
    }
  }),
}

/** Sums of what was sold, each in a line, sorted; without those of nothing. */
export const inWords = ({ first, last, sums }: SoldSums): ReadonlyArray<string> => [
  `from ${first} to ${last}`,
  ...sums
    .filter(({ amount, sales, refunds }) => amount !== 0n || sales !== 0 || refunds !== 0)
    .map(({ period, currency, collaboratorId, amount, sales, refunds }) => {
      const owner = collaboratorId === null ? "the store" : JSON.stringify(collaboratorId)
      return `${period} ${currency} ${owner}: ${amount}, ${sales} sales, ${refunds} refunds`
    })
    .sort(),
]

const sales: StoreFixture = {
  name: "the ledger",
  seed: Effect.fnUntraced(function* ({ sales }, give) {
    yield* sales.insert(give(sale("1001")))
    const { postings } = yield* sales.insert(give(sale("1002")))
    const added = { refund: refund("r1", sale("1002")), postings }
    yield* sales.addRefund(give({ orderId: "1002", part: 1, version: 1, ...added }))
  }),
  change: Effect.fnUntraced(function* ({ sales }) {
    const part = { orderId: "1001", part: 1, version: 1, postings: [] }
    yield* sales.addRefund({ ...part, refund: refund("r2", sale("1001")) })
    yield* sales.insert(sale("1001", { part: 2, itemIds: ["9"] }))
    yield* sales.insert(sale("1000"))
    const items = [{ orderId: "1002", payoutItemId: "1002/1/g1" }]
    yield* sales.move({ fromPayoutId: "payout", toPayoutId: "next", items })
  }),
  read: Effect.fnUntraced(function* ({ sales }) {
    const parts = yield* Effect.forEach(["1000", "1001", "1002"], (id) => sales.ofOrder(id))
    const refunds = yield* Effect.forEach(["r1", "r2"], (id) => sales.refund(id))
    const sold = inWords(yield* sales.sold([-latest, latest]))
    return { parts, refunds, list: yield* sales.list({}, all), sold }
  }),
}

const keys: StoreFixture = {
  name: "idempotency keys",
  seed: Effect.fnUntraced(function* ({ keys }, give) {
    yield* keys.insert(give(answer("k1", { createdAt: 10 })))
    yield* keys.insert(give(answer("k2", { createdAt: 20 })))
  }),
  change: Effect.fnUntraced(function* ({ keys }) {
    yield* keys.insert(answer("k3"))
    yield* keys.removeBefore(15)
  }),
  read: ({ keys }) => Effect.forEach(["k1", "k2", "k3"], (key) => keys.get(key)),
}

/** Each store of an account. They can all be seeded in one account, in this order. */
export const storeFixtures: ReadonlyArray<StoreFixture> = [
  ...[collaborators, groups, products, links],
  ...[payouts, payments, sales, keys],
]
