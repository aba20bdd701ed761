import { Collaborator, type Order, type PayoutItem, ProductGroup } from "apportion"
import { MemoryStorage } from "apportion/memory"
import {
  ExchangeRates,
  Storage,
  StorageFailure,
  type StorageService,
  type Stores,
} from "apportion/ports"
import { makeSettings, Sales, Settings } from "apportion/service"
import { Effect, Exit, Layer, Logger, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { secureRandom } from "../generators/Chance.js"
import { isWhole, runs } from "../generators/Runs.js"
import { clientFor, emptyStorage, pglite, postgres } from "../sql/databases.js"

// Many orders at once have to leave behind what they leave behind one after the other.

const day = 86_400
const noon = Date.UTC(2024, 0, 15, 12) / 1_000

/** Orders that come together, so many days after those before. */
interface Delivered {
  readonly days: number
  readonly orders: ReadonlyArray<Order.Order>
}

interface Life {
  readonly maturityDays: number
  readonly hasRate: boolean
  readonly deliveries: ReadonlyArray<Delivered>
}

const products = ["plain", "art", "dear", "unknown"] as const

const amounts = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -9_000, max: -1 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 53 - 50, max: 2 ** 53 - 1 }) },
)

const item = fc.record({
  id: fc.constantFrom("1", "2", "3"),
  product: fc.record({ id: fc.constantFrom(...products) }),
  quantity: fc.integer({ min: 1, max: 2 }),
  amount: amounts,
})

/** Few ids, so that orders come again: as they were, with more items, and with other figures. */
const order: fc.Arbitrary<Order.Order> = fc
  .record({
    id: fc.constantFrom(...["1001", "1002", "1003", "1004", "1005", "1006", ""]),
    currency: fc.constantFrom("USD", "USD", "USD", "EUR", "JPY"),
    items: fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
    isUsual: fc.constantFrom(true, true, false),
    shippingAmount: fc.constantFrom(0, 0, 450),
  })
  .map(({ isUsual, ...given }) => {
    if (!isUsual) return given
    // Most have the figures by which they are known again.
    const items = given.items.map((one) => {
      const product = { id: products[Number(one.id)] ?? "" }
      return { ...one, product, quantity: 1, amount: 1_000 }
    })
    return { ...given, currency: "USD", items }
  })

const life: fc.Arbitrary<Life> = fc.record({
  maturityDays: fc.constantFrom(0, 0, 3),
  hasRate: fc.boolean(),
  deliveries: fc.array(
    fc.record({
      days: fc.constantFrom(0, 1, 8, 40),
      orders: fc.array(order, { minLength: 1, maxLength: 8 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const people = [
  { id: "ada", currency: "USD", payoutMeasurement: "day", payoutFrequency: 1 },
  { id: "ben", currency: "EUR", payoutMeasurement: "week", payoutFrequency: 1 },
  { id: "cam", currency: "USD", payoutThreshold: 3_000 },
] as const

const groups = [
  { id: "all", collaboratorId: "ada", link: { type: "products.all" }, percent: "12.50" },
  {
    id: "art",
    collaboratorId: "ben",
    link: { type: "products.tag", values: ["art"] },
    percent: 20,
  },
  { id: "dear", collaboratorId: "cam", link: { type: "products", values: ["dear"] }, amount: 700 },
] as const

/** What ada was given beside her shares has the id that a share of hers would have. */
const inTheWay: PayoutItem.Entry = {
  ...{ id: "1001/1/all", kind: "income", name: "Advance", createdAt: noon, amount: 5 },
  ...{ originalAmount: 5, originalCurrency: "USD", currencyExchangeRate: null },
}

const open = Effect.fnUntraced(function* (stores: Stores) {
  const times = { createdAt: noon, updatedAt: noon }
  for (const one of people) {
    const collaborator = Collaborator.make(one)
    yield* stores.collaborators.insert({ collaborator, ...times })
  }
  for (const one of groups) {
    yield* stores.groups.insert({ group: ProductGroup.make(one), updatedAt: noon })
  }
  yield* stores.products.put([{ id: "art", name: "Print", tags: ["art"] }, { id: "dear" }])
  yield* stores.payouts.insert({
    payout: {
      ...{ id: "first", collaboratorId: "ada", currency: "USD", status: "active", total: 5 },
      ...{ openedAt: noon, toBePaidAt: noon + 5 * day, closedAt: null, payableAt: null },
      ...{ paidAt: null, failureReason: null, itemsCount: 1, paymentId: null },
    },
    put: [inTheWay],
  })
})

const all = { offset: 0, limit: 10_000 }

/** All that an account has of its sales. */
const keptOf = (storage: StorageService, accountId: string) =>
  Effect.gen(function* () {
    yield* storage.numberEvents?.(accountId, 100_000) ?? Effect.void
    return yield* storage.transaction(accountId, (stores) =>
      Effect.gen(function* () {
        const { entries } = yield* stores.payouts.list({}, all)
        const events = yield* stores.events.after({ after: 0, limit: 10_000 })
        return {
          sales: yield* stores.sales.list({}, all),
          ofAda: yield* stores.sales.list({ collaboratorId: "ada", productId: "art" }, all),
          payouts: entries,
          items: yield* Effect.forEach(entries, ({ id }) => stores.payouts.items(id)),
          history: yield* Effect.forEach(entries, ({ id: payoutId }) =>
            stores.payouts.history({ payoutId, after: 0, limit: 10_000 }),
          ),
          events: events.map(({ id: _, ...event }) => event),
        }
      }),
    )
  })

type Way = (
  accountId: string,
  orders: ReadonlyArray<Order.Order>,
) => Effect.Effect<ReadonlyArray<unknown>, unknown, Sales>

const singly: Way = (accountId, orders) =>
  Effect.forEach(orders, (one) =>
    Effect.flatMap(Sales, (sales) =>
      Effect.map(Effect.exit(sales.record(accountId, one)), (exit) => {
        if (Exit.isFailure(exit)) {
          const [reason] = exit.cause.reasons
          return { type: "refused", error: reason?._tag === "Fail" ? reason.error : reason }
        }
        const type = exit.value.newItemIds.length === 0 ? "known" : "recorded"
        return { type, recording: exit.value }
      }),
    ),
  )

const atOnce: Way = (accountId, orders) =>
  Effect.flatMap(Sales, (sales) => sales.recordAll(accountId, orders))

/** Lives a life in an account: what became of each order, and what is there in the end. */
const lived = (storage: StorageService, accountId: string, life: Life, way: Way) => {
  const { maturityDays, hasRate, deliveries } = life
  const settings = Result.getOrThrow(makeSettings({ maturityDays }))
  const services = Sales.layer.pipe(
    Layer.provide(Layer.succeed(Settings)({ of: () => Effect.succeed(settings) })),
    Layer.provide(ExchangeRates.fixed(hasRate ? { "USD/EUR": "0.9173" } : {})),
    Layer.provide(Layer.sync(SecureRandom.SecureRandom)(() => secureRandom(7))),
    Layer.provide(Layer.succeed(Storage)(storage)),
  )
  const work = Effect.gen(function* () {
    yield* TestClock.setTime(noon * 1_000)
    yield* storage.transaction(accountId, open)
    const outcomes: Array<unknown> = []
    for (const { days, orders } of deliveries) {
      yield* TestClock.adjust(days * day * 1_000)
      outcomes.push(...(yield* way(accountId, orders)))
    }
    return { outcomes, kept: yield* keptOf(storage, accountId) }
  })
  const layers = Layer.mergeAll(services, TestClock.layer(), Logger.layer([]))
  return Effect.runPromise(Effect.provide(work, layers))
}

/** The life as data: classes of errors and absent fields aside. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

let lives = 0

const compare = async (storage: StorageService, life: Life, seen: Map<string, number>) => {
  lives += 1
  const one = await lived(storage, `one ${lives}`, life, singly)
  const many = await lived(storage, `many ${lives}`, life, atOnce)
  expect(plain(many.outcomes)).toEqual(plain(one.outcomes))
  expect(plain(many.kept)).toEqual(plain(one.kept))
  const count = (name: string) => seen.set(name, (seen.get(name) ?? 0) + 1)
  for (const outcome of many.outcomes as ReadonlyArray<{
    type: string
    error?: { _tag: string }
  }>) {
    count(outcome.error === undefined ? outcome.type : `refused: ${outcome.error._tag}`)
  }
  for (const { type } of many.kept.events) count(type)
  if (many.kept.sales.entries.some(({ part }) => part > 1)) count("a second part")
}

const property = (storage: StorageService, seen: Map<string, number>) =>
  fc.asyncProperty(life, (one) => compare(storage, one, seen))

/** A storage that counts its transactions, and does something after each is committed. */
const counting = (
  inner: StorageService,
  afterwards: (number: number) => Effect.Effect<void, StorageFailure> = () => Effect.void,
) => {
  let count = 0
  const storage: StorageService = {
    ...inner,
    transaction: (accountId, work, options) =>
      Effect.suspend(() => {
        count += 1
        const number = count
        return Effect.tap(inner.transaction(accountId, work, options), () => afterwards(number))
      }),
  }
  return { storage, count: () => count }
}

const plainOrder = (id: string, lines = 1): Order.Order => ({
  ...{ id, currency: "USD", createdAt: noon },
  items: Array.from({ length: lines }, (_, index) => ({
    ...{ id: `${index + 1}`, product: { id: "plain" }, quantity: 1, amount: 1_000 },
  })),
})

const recordAllIn = (storage: StorageService, orders: ReadonlyArray<Order.Order>) => {
  const services = Sales.layer.pipe(
    Layer.provide([ExchangeRates.none, SecureRandom.layerWebCrypto]),
    Layer.provide(Layer.succeed(Storage)(storage)),
  )
  const quiet = Layer.merge(services, Logger.layer([]))
  const recordAll = Effect.flatMap(Sales, (sales) => sales.recordAll("shop", orders))
  return Effect.runPromise(Effect.provide(recordAll, quiet))
}

const openMemory = async () => {
  const storage = await Effect.runPromise(MemoryStorage.make)
  await Effect.runPromise(storage.transaction("shop", open))
  return storage
}

describe("many orders at once", () => {
  test("are there once when nobody knows whether they were committed", async () => {
    const inner = await openMemory()
    const failure = StorageFailure.of("commit a transaction", "the connection is lost")
    const { storage } = counting(inner, (number) =>
      number === 1 ? Effect.fail(failure) : Effect.void,
    )
    const orders = Array.from({ length: 5 }, (_, index) => plainOrder(`order ${index}`))
    const outcomes = await recordAllIn(storage, orders)
    expect(outcomes.map(({ type }) => type)).toEqual(orders.map(() => "known"))
    const kept = await Effect.runPromise(keptOf(inner, "shop"))
    expect(kept.sales.total).toBe(orders.length)
    expect(kept.items.flat()).toHaveLength(orders.length + 1)
    expect(kept.events.filter(({ type }) => type === "sale.recorded")).toHaveLength(orders.length)
  })

  test("are not all in one transaction when they have very many shares", async () => {
    const { storage, count } = counting(await openMemory())
    const orders = [plainOrder("long", 20_000), plainOrder("short")]
    const outcomes = await recordAllIn(storage, orders)
    expect(outcomes.map(({ type }) => type)).toEqual(orders.map(() => "recorded"))
    expect(count()).toBe(2)
  })

  test("end with a storage that refuses each of them, after as many as cannot all be bad", async () => {
    const inner = await openMemory()
    const { storage, count } = counting({
      ...inner,
      transaction: (accountId, work, options) =>
        inner.transaction(
          accountId,
          (stores) =>
            work({
              ...stores,
              sales: {
                ...stores.sales,
                insertAll: () => Effect.fail(StorageFailure.of("insert sales", "the disk is full")),
              },
            }),
          options,
        ),
    })
    const orders = Array.from({ length: 1_000 }, (_, index) => plainOrder(`order ${index}`))
    const outcomes = await recordAllIn(storage, orders)
    expect(outcomes.every(({ type }) => type === "refused")).toBe(true)
    expect(count()).toBeLessThan(250)
  })
})

/** So many that some are written while others are booked; most of them come once. */
const longLife = (): Life => {
  const [ofToday = [], later = []] = [230, 210].map((count, index) =>
    fc.sample(order, { numRuns: count, seed: index + 1 }).map((one, number) => ({
      ...one,
      id: number % 9 === 0 ? one.id : `${index} ${number}`,
    })),
  )
  const deliveries = [
    { days: 0, orders: ofToday },
    { days: 8, orders: later },
  ]
  return { maturityDays: 3, hasRate: true, deliveries }
}

describe("many orders at once leave behind what they leave behind one after the other", () => {
  test("some written while others are booked", { timeout: 120_000 }, async () => {
    const storage = await Effect.runPromise(MemoryStorage.make)
    await compare(storage, longLife(), new Map())
  })

  test("in memory", { timeout: 120_000 }, async () => {
    const seen = new Map<string, number>()
    const storage = await Effect.runPromise(MemoryStorage.make)
    await fc.assert(property(storage, seen), runs(150, 30))
    const wanted = [
      ...["recorded", "known", "refused: SaleChanged", "refused: MissingExchangeRate"],
      ...["refused: InvalidOrder", "payout.opened", "payout.closed", "a second part"],
      ...(isWhole ? ["payout.rolled", "refused: AmountOutOfRange"] : []),
    ]
    expect(wanted.filter((name) => !seen.has(name))).toEqual([])
  })

  test("of which one moves the shares of a known one into another payout", async () => {
    const known = (id: string, productId: string): Order.Order => ({
      ...{ id: "1001", currency: "USD" },
      items: [{ id, product: { id: productId }, quantity: 1, amount: 1_000 }],
    })
    const first = known("1", "art")
    const deliveries = [
      { days: 40, orders: [first] },
      { days: 1, orders: [known("3", "unknown")] },
      { days: 40, orders: [{ ...first, id: "1002" }, first] },
    ]
    const storage = await Effect.runPromise(MemoryStorage.make)
    const seen = new Map<string, number>()
    await compare(storage, { maturityDays: 3, hasRate: true, deliveries }, seen)
    expect(seen.get("payout.carried")).toBeGreaterThan(0)
  })

  const inDatabase = (name: string, layer: Parameters<typeof clientFor>[0], numRuns: number) =>
    describe(name, () => {
      const client = clientFor(layer)
      test("in a database", { timeout: 120_000 }, async () => {
        const storage = await Effect.runPromise(emptyStorage(client()))
        await fc.assert(property(storage, new Map()), { numRuns })
        if (isWhole) await compare(storage, longLife(), new Map())
      })
    })

  inDatabase("PostgreSQL", () => postgres("record_all"), isWhole ? 40 : 4)
  if (isWhole) inDatabase("PGlite", () => pglite, 15)
})
