import { EventType, ProductGroup } from "apportion"
import { MemoryStorage } from "apportion/memory"
import {
  ExchangeRates,
  type FoundPayment,
  type PaymentRail,
  paymentRails,
  RailUnclear,
  Storage,
  type StorageService,
  type Stores,
} from "apportion/ports"
import {
  AccountSettings,
  Actor,
  Agreements,
  Collaborators,
  Entries,
  Events,
  Passes,
  Payments,
  Payouts,
  ProductGroups,
  Products,
  Resplits,
  Sales,
  servicesLayer,
  settingsLayer,
  UnitOfWork,
} from "apportion/service"
import { Effect, Fiber, Layer, Logger, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"

const shop = "shop"
const start = Date.UTC(2026, 0, 5)
const days = (count: number) => `${count} days` as const

const item = { id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }
const order = (id: string) => ({ id, currency: "EUR", items: [item] })

type Services =
  | AccountSettings
  | Agreements
  | Collaborators
  | Entries
  | Events
  | Passes
  | Payments
  | Payouts
  | ProductGroups
  | Products
  | Resplits
  | Sales
  | UnitOfWork

/** What the wallet answers next; nothing: the answer is lost. */
const answers: Array<FoundPayment> = []

const answer = (key: string) =>
  Effect.suspend(() => {
    const next = answers.shift()
    return next === undefined
      ? Effect.fail(RailUnclear.of("wallet", key, "no answer"))
      : Effect.succeed(next)
  })

/** A rail that pays in steps of three euros, and says what a test wants it to say. */
const wallet: PaymentRail = {
  name: "wallet",
  terms: {
    currencies: [{ currency: "EUR", minimum: 300, step: 300 }],
    ...{ mode: "single", lateSeconds: 60, knownSeconds: null },
  },
  send: ({ key }) =>
    Effect.flatMap(answer(key), (found) =>
      found.type === "absent" ? Effect.die("a rail that was asked to pay") : Effect.succeed(found),
    ),
  find: answer,
}

const runOn = <A, E>(storage: StorageService, work: Effect.Effect<A, E, Services>): Promise<A> => {
  const layer = Layer.provide(servicesLayer, [
    Layer.succeed(Storage, storage),
    ExchangeRates.none,
    settingsLayer({ eventDays: 30, maturityDays: 14, paymentFees: "collaborator" }),
    paymentRails([wallet]),
  ])
  const quiet = Layer.provideMerge(layer, Logger.layer([]))
  const all = Layer.merge(quiet, TestClock.layer())
  return Effect.runPromise(
    Effect.provide(Effect.andThen(TestClock.setTime(start), work), all) as Effect.Effect<A, E>,
  )
}

const run = async <A, E>(work: Effect.Effect<A, E, Services>): Promise<A> =>
  runOn(await Effect.runPromise(MemoryStorage.make), work)

const told = (after = 0) => Effect.flatMap(Events, (events) => events.after(shop, after, 1_000))
const typesTold = Effect.map(told(), (events) => events.map(({ type }) => type))

/** A collaborator who gets 10 % of everything. */
const open = Effect.gen(function* () {
  yield* (yield* Collaborators).create(shop, { id: "ada", currency: "EUR" })
  const group = { id: "g1", link: { type: "products.all" }, percent: "10" } as const
  yield* (yield* ProductGroups).create(shop, "ada", group)
})

// Every operation of the services that changes something.

const payoutOf = (orderId: string) =>
  Effect.gen(function* () {
    const [part] = yield* (yield* Sales).get(shop, orderId)
    return part?.postings[0]?.payoutId ?? ""
  })

/** A payout of a sale of its own, closed some days later. */
const closed = (orderId: string) =>
  Effect.gen(function* () {
    yield* (yield* Sales).record(shop, order(orderId))
    yield* TestClock.adjust(days(80))
    yield* (yield* Payouts).closeDue(shop)
    return yield* payoutOf(orderId)
  })

const entry = (id: string) => ({ id, amount: 100, name: "Samples" })

const resplitting = Effect.gen(function* () {
  const resplits = yield* Resplits
  const link = { type: "products.all" } as const
  const groups = [ProductGroup.make({ id: "g1", collaboratorId: "ada", link, percent: "12" })]
  const { digest } = yield* resplits.propose(shop, { id: "raise", groups })
  yield* resplits.approve(shop, "raise", { digest })
  yield* resplits.book(shop, "raise")
})

/** What is done with agreements, and what the clock does with them. */
const agreeing = Effect.gen(function* () {
  const agreements = yield* Agreements
  const schedule = [{ days: 1, percent: "100.00" }]
  const reserve = { id: "r1", collaboratorId: "ada", percent: "20.00", schedule }
  yield* agreements.put(shop, { kind: "reserve", agreement: reserve })
  yield* agreements.put(shop, { kind: "reserve", agreement: { ...reserve, percent: "10.00" } })
  const period = { currency: "EUR", amount: 100, from: 0, until: 1 }
  const guarantee = { id: "m1", collaboratorId: "ada", ...period }
  yield* agreements.put(shop, { kind: "guarantee", agreement: guarantee })
  yield* (yield* Sales).record(shop, order("agreed"))
  yield* TestClock.adjust(days(2))
  yield* (yield* Payouts).closeDue(shop)
  yield* agreements.end(shop, { kind: "reserve", id: "r1" })
})

/** What is done with each service; each line is one call that changes something. */
const changes = Effect.gen(function* () {
  const collaborators = yield* Collaborators
  const [groups, products] = [yield* ProductGroups, yield* Products]
  const [sales, payouts, entries] = [yield* Sales, yield* Payouts, yield* Entries]
  yield* open
  yield* collaborators.update(shop, "ada", { payoutFrequency: 2 })
  yield* groups.update(shop, "ada", "g1", Result.succeed)
  const { id: passId } = yield* (yield* Passes).create(shop, "ada")
  yield* (yield* Passes).revoke(shop, "ada", passId)
  yield* products.put(shop, [{ id: "p1", name: "Mug" }])
  yield* products.remove(shop, ["p1"])
  const first = yield* closed("o1")
  yield* payouts.pay(shop, first)
  yield* payouts.return(shop, first, "account closed")
  yield* payouts.retry(shop, first)
  yield* payouts.fail(shop, first, "no account")
  yield* payouts.setPaid(shop, first)
  yield* sales.refund(shop, { id: "r1", orderId: "o1", itemId: "1", quantity: 1 })
  yield* sales.record(shop, order("o2"))
  const second = yield* payoutOf("o2")
  yield* payouts.addExpense(shop, second, entry("e1"))
  yield* payouts.addIncome(shop, second, entry("i1"))
  yield* payouts.removeEntry(shop, second, "e1")
  yield* entries.addExpense(shop, "ada", { ...entry("e2"), amount: 90_000 })
  yield* entries.addIncome(shop, "ada", entry("i2"))
  yield* entries.request(shop, "ada", { id: "d1", name: "Please pay" })
  yield* entries.repay(shop, "ada", { id: "d2", amount: 500, name: "Paid back" })
  yield* entries.writeOff(shop, "ada", { id: "d3", name: "Given up" })
  yield* TestClock.adjust(days(80))
  yield* payouts.closeDue(shop)
  // The last share is not mature when its payout is closed.
  const { payoutId } = yield* entries.addIncome(shop, "ada", { ...entry("i3"), amount: 90_000 })
  const { payout } = yield* payouts.get(shop, payoutId)
  yield* TestClock.setTime((payout.toBePaidAt - 86_400) * 1_000)
  yield* sales.record(shop, order("o3"))
  yield* TestClock.adjust(days(1))
  yield* payouts.closeDue(shop)
  yield* groups.remove(shop, "ada", "g1")
})

/** The changes end with nobody who gets anything. */
const reopen = Effect.gen(function* () {
  yield* (yield* AccountSettings).change(shop, { maturityDays: 0 })
  yield* (yield* Collaborators).update(shop, "ada", { payoutFrequency: 1 })
  const group = { id: "g2", link: { type: "products.all" }, percent: "10" } as const
  yield* (yield* ProductGroups).create(shop, "ada", group)
})

/** What is done with payments; each line is one call, and one that asks a rail changes something before and after. */
const payingChanges = Effect.gen(function* () {
  const [payments, payouts] = [yield* Payments, yield* Payouts]
  const payoutId = yield* closed("paid")
  const claim = Effect.map(payments.claim(shop, payoutId, "wallet"), ({ id }) => id)
  const outcome = { railReference: "W-1", at: null, amount: null, currency: null, fee: null }
  yield* payments.release(shop, yield* claim, "not today")
  const rejected = yield* claim
  yield* payments.noteSent(shop, rejected, "file-1")
  yield* payments.reject(shop, rejected, "no account")
  yield* payouts.retry(shop, payoutId)
  const returned = yield* claim
  yield* payments.send(shop, returned)
  answers.push({ type: "accepted", reference: "W-1" }, { type: "absent" })
  yield* payments.resolve(shop, returned)
  yield* TestClock.adjust("2 minutes")
  // The rail knows no more what it has accepted.
  yield* Effect.flip(payments.resolve(shop, returned))
  yield* payments.settle(shop, returned)
  yield* payments.answer(shop, { ...outcome, key: returned, type: "confirmed", reason: null })
  yield* payments.return(shop, returned, "account closed")
  yield* payouts.retry(shop, payoutId)
  const confirmed = yield* claim
  yield* payments.send(shop, confirmed)
  yield* TestClock.adjust("2 minutes")
  answers.push({ type: "absent" })
  yield* payments.resolve(shop, confirmed)
  answers.push({ type: "confirmed", at: start / 1_000, reference: "W-2", fee: 25 })
  yield* payments.send(shop, confirmed)
  yield* Effect.flip(payments.confirm(shop, confirmed, { amount: 1 }))
  yield* closed("run")
  answers.push({ type: "confirmed", at: start / 1_000, reference: "W-3", fee: null })
  yield* payments.run(shop, { rail: "wallet" })
})

/** The methods of each store that write; all others read. */
const writing: { readonly [Name in keyof Stores]: ReadonlyArray<keyof Stores[Name]> } = {
  collaborators: ["insert", "update"],
  groups: ["insert", "update", "remove"],
  products: ["put", "remove"],
  payouts: ["insert", "update", "storeAll"],
  payments: ["insert", "update"],
  sales: ["insertAll", "addRefund", "addAdjustment", "move"],
  // What follows from groups, products and sales, what is kept of calls, and the events themselves.
  links: [],
  counters: [],
  keys: [],
  events: [],
  endpoints: [],
  inbox: [],
  resplits: ["insert", "update"],
  settings: ["append"],
  retention: [],
  passes: ["insert", "update"],
  agreements: ["insert", "update", "book"],
}

/** The methods of stores that neither write nor are looked up here: who adds one says which it is. */
const reading: { readonly [Name in keyof Stores]: ReadonlyArray<string> } = {
  collaborators: ["get", "find", "list"],
  groups: ["get", "find", "list", "all", "revision"],
  products: ["get", "find", "list", "batch", "selected"],
  payouts: [
    ...["get", "active", "firstOpenedAt", "item", "items", "someItems", "list", "due", "payable"],
    ...["batch", "history", "entries", "belowZero", "historyIds", "lastHash", "comparedItems"],
    ...["ofOwners", "itemsAt"],
  ],
  payments: ["get", "ofPayout", "ofReference", "list", "stuck"],
  sales: ["ofOrder", "ofOrders", "insert", "refund", "refunds", "sold", "list"],
  links: [
    ...["add", "clear", "setOfProduct", "products", "counts", "groupsOf", "job", "saveJob"],
    ...["removeJob", "runningJobs"],
  ],
  keys: ["get", "insert", "kept", "removeBefore"],
  events: ["append", "after", "last", "removeBefore"],
  endpoints: [
    ...["get", "list", "insert", "update", "remove", "putDeadLetters", "deadLetters"],
    "removeDeadLetter",
  ],
  inbox: ["notes", "putNotes", "forgetNotes", "get", "put", "remove", "list", "count"],
  resplits: ["get", "batch", "list"],
  settings: ["current", "list"],
  retention: ["count", "remove", "refundDocuments"],
  passes: ["get", "ofCollaborator", "remove"],
  counters: ["find", "put", "list"],
  agreements: [
    ...["revision", "all", "get", "totals", "heldOf", "heldDue", "held", "entriesOf", "entries"],
    "entriesFor",
  ],
}

interface Watched {
  readonly writes: Array<string>
  readonly jobs: Array<string>
  events: number
}

const isOneOf = (names: ReadonlyArray<PropertyKey>, name: string): boolean => names.includes(name)

/** The stores of a transaction, with what is written noted. */
const watched = (stores: Stores, seen: Watched): Stores =>
  Object.fromEntries(
    Object.entries(stores).map(([storeName, store]) => [
      storeName,
      new Proxy(store, {
        get: (target, name: string) => {
          const method: unknown = Reflect.get(target, name)
          if (typeof method !== "function") return method
          return (...args: ReadonlyArray<unknown>) => {
            if (isOneOf(Reflect.get(writing, storeName), name))
              seen.writes.push(`${storeName}.${name}`)
            if (name === "saveJob") seen.jobs.push(`${storeName}.${name}`)
            if (storeName === "events" && name === "append") seen.events += 1
            return Reflect.apply(method, target, args)
          }
        },
      }),
    ]),
  ) as never

const watching = (storage: StorageService, kept: Array<Watched>): StorageService => ({
  ...storage,
  transaction: (accountId, work, options) =>
    Effect.suspend(() => {
      const seen: Watched = { writes: [], jobs: [], events: 0 }
      const done = storage.transaction(accountId, (stores) => work(watched(stores, seen)), options)
      return Effect.tap(done, () => Effect.sync(() => kept.push(seen)))
    }),
})

describe("every change has its event, and every event its change", () => {
  test("no operation of a service writes anything without an event in the same transaction", async () => {
    const kept: Array<Watched> = []
    const storage = watching(await Effect.runPromise(MemoryStorage.make), kept)
    await runOn(storage, Effect.all([changes, reopen, payingChanges, resplitting, agreeing]))
    const written = kept.filter(({ writes }) => writes.length > 0)
    expect(written.length).toBeGreaterThan(20)
    expect(written.filter(({ events }) => events !== 1)).toEqual([])
    const bare = kept.filter(({ writes, events }) => writes.length === 0 && events > 0)
    // That a group is linked is told when its job is done.
    expect(bare.flatMap(({ jobs }) => jobs)).toEqual(bare.map(() => "links.saveJob"))
    const all = new Set(written.flatMap(({ writes }) => writes))
    const unused = Object.entries(writing).flatMap(([store, names]) =>
      names.map((name) => `${store}.${name}`).filter((name) => !all.has(name)),
    )
    expect(unused).toEqual([])
  })

  test("each method of a store is known to write or to read", async () => {
    const storage = await Effect.runPromise(MemoryStorage.make)
    const stores = await Effect.runPromise(storage.transaction(shop, Effect.succeed))
    for (const [name, store] of Object.entries(stores)) {
      const known = [...Reflect.get(writing, name), ...Reflect.get(reading, name)]
      expect({ name, methods: Object.keys(store).toSorted() }).toEqual({
        name,
        methods: known.toSorted(),
      })
    }
  })

  test("each event has the fields of its type and no other, and its type is told by some operation", async () => {
    const events = await run(
      Effect.andThen(Effect.all([changes, reopen, payingChanges, resplitting, agreeing]), told()),
    )
    for (const { type, data } of events) {
      const fields = Object.keys(EventType.types[type].data)
      expect({ type, fields: Object.keys(data).toSorted() }).toEqual({
        type,
        fields: fields.toSorted(),
      })
    }
    const seen = new Set(events.map(({ type }) => type))
    const elsewhere = /^(endpoint|group\.linked|delivery|app|privacy)|\.imported$/
    const never = Object.keys(EventType.types).filter((type) => !elsewhere.test(type))
    expect(never.filter((type) => !seen.has(type as EventType.EventType))).toEqual([])
  })

  test("a call that fails, and a unit of work that does, leave no event", async () => {
    const types = await run(
      Effect.gen(function* () {
        const [sales, collaborators] = [yield* Sales, yield* Collaborators]
        yield* Effect.exit(sales.record(shop, { ...order("o1"), currency: "?" }))
        const unit = yield* UnitOfWork
        const both = Effect.andThen(
          collaborators.create(shop, { id: "ada", currency: "EUR" }),
          collaborators.create(shop, { id: "ada", currency: "EUR" }),
        )
        yield* Effect.exit(unit.run(shop, both))
        return yield* typesTold
      }),
    )
    expect(types).toEqual([])
  })

  test("what is asked twice has one event", async () => {
    const types = await run(
      Effect.gen(function* () {
        yield* open
        const sales = yield* Sales
        yield* sales.record(shop, order("o1"))
        yield* sales.record(shop, order("o1"))
        const refund = { id: "r1", orderId: "o1", itemId: "1", quantity: 1 }
        yield* sales.refund(shop, refund)
        yield* sales.refund(shop, refund)
        return (yield* typesTold).filter((type) => /^(sale|refund)/.test(type))
      }),
    )
    expect(types).toEqual(["sale.recorded", "refund.recorded"])
  })
})

describe("events of an account", () => {
  test("have numbers without gaps, the time, and who acted", async () => {
    const events = await run(
      Effect.gen(function* () {
        yield* Effect.provideService(open, Actor, "alice")
        yield* (yield* Sales).record(shop, order("o1"))
        return yield* told()
      }),
    )
    const lines = events.map(({ number, type, at, actor }) => `${number} ${type} ${at} ${actor}`)
    const at = start / 1_000
    expect(lines.filter((line) => !line.includes("linked"))).toEqual([
      `1 collaborator.created ${at} alice`,
      `2 group.created ${at} alice`,
      `3 payout.opened ${at} system`,
      `4 sale.recorded ${at} system`,
    ])
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  })

  test("of a unit of work come in the order of its calls", async () => {
    const types = await run(
      Effect.gen(function* () {
        yield* open
        const [unit, sales, payouts] = [yield* UnitOfWork, yield* Sales, yield* Payouts]
        const work = Effect.gen(function* () {
          yield* sales.record(shop, order("o1"))
          yield* payouts.addExpense(shop, yield* payoutOf("o1"), entry("e1"))
        })
        yield* unit.run(shop, work)
        return (yield* typesTold).slice(-3)
      }),
    )
    expect(types).toEqual(["payout.opened", "sale.recorded", "expense.added"])
  })

  test("are followed: first those that there are, then each as it comes", async () => {
    const numbers = await run(
      Effect.gen(function* () {
        yield* open
        const events = yield* Events
        const following = events.follow(shop, { after: 1, every: "1 second" })
        const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.take(following, 3)))
        yield* TestClock.adjust("10 seconds")
        yield* (yield* Sales).record(shop, order("o1"))
        yield* TestClock.adjust("10 seconds")
        return Array.from(yield* Fiber.join(fiber), ({ number }) => number)
      }),
    )
    expect(numbers).toEqual([2, 3, 4])
  })

  test("are kept as long as the setting says, and then forgotten by a purge", async () => {
    const found = await run(
      Effect.gen(function* () {
        const [events, collaborators] = [yield* Events, yield* Collaborators]
        yield* collaborators.create(shop, { id: "ada", currency: "EUR" })
        yield* TestClock.adjust(days(30))
        const early = yield* events.purge(shop)
        yield* collaborators.create(shop, { id: "ben", currency: "EUR" })
        yield* TestClock.adjust("1 second")
        const late = yield* events.purge(shop)
        const kept = (yield* told()).map(({ number }) => number)
        return { early, late, kept, last: yield* events.last(shop) }
      }),
    )
    expect(found).toEqual({ early: 0, late: 1, kept: [2], last: 2 })
  })
})
