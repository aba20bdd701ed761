import { Conflict, StorageFailure, type StorageService, type Stores } from "apportion/ports"
import { Payouts, Sales } from "apportion/service"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import {
  account,
  all,
  amountsOf,
  day,
  groups,
  inShop,
  kept,
  lines,
  order,
  payouts,
  people,
  type Services,
  type Shop,
  wait,
} from "./SalesShop.js"

/** Puts something before each call of a store; the call is named as `payouts.update`. */
const before = (
  storage: StorageService,
  step: (call: string) => Effect.Effect<void, Conflict | StorageFailure>,
): StorageService => {
  const watchedStore = (name: string, store: object): object =>
    Object.fromEntries(
      Object.entries(store).map(([method, value]) => {
        const watched = (effect: Effect.Effect<unknown, never>) =>
          Effect.andThen(step(`${name}.${method}`), effect)
        return [
          method,
          typeof value === "function"
            ? (...inputs: ReadonlyArray<unknown>) => watched(Reflect.apply(value, store, inputs))
            : watched(value),
        ]
      }),
    )
  const watched = (stores: Stores): Stores => {
    const made = Object.entries(stores).map(([name, store]) => [name, watchedStore(name, store)])
    return { ...stores, ...Object.fromEntries(made) }
  }
  return {
    ...storage,
    transaction: (accountId, work, options) =>
      storage.transaction(accountId, (stores) => work(watched(stores)), options),
  }
}

const yielding = (storage: StorageService): StorageService => before(storage, () => Effect.yieldNow)

/** Two collaborators, one of whom is paid in another currency. */
const twoEarn = (shop: Shop) =>
  Effect.gen(function* () {
    yield* people(shop, { id: "ada", currency: "USD" }, { id: "ken", currency: "JPY" })
    yield* groups(shop, all("ada", { percent: 10 }), all("ken", { percent: 20 }))
    shop.rates.set("USD/JPY", "150")
    shop.onRate = () => Effect.yieldNow
  })

describe("side by side", () => {
  test("the same order, recorded by many at once, has one effect", () =>
    inShop(
      (shop) =>
        Effect.gen(function* () {
          yield* twoEarn(shop)
          const sales = yield* Sales
          const asks = Array.from({ length: 10 }, () => sales.record(account, order([1_000, 50])))
          const answers = yield* Effect.all(asks, { concurrency: "unbounded" })
          expect(answers.filter(({ newItemIds }) => newItemIds.length === 2)).toHaveLength(1)
          expect(answers.filter(({ knownItemIds }) => knownItemIds.length === 2)).toHaveLength(9)
          expect(new Set(answers.map(({ parts }) => JSON.stringify(parts))).size).toBe(1)
          expect(yield* lines(shop)).toEqual(["ada USD active: 100 5", "ken JPY active: 300 15"])
        }),
      { wrap: yielding },
    ))

  test("many orders at once go into one payout for each collaborator, and none is lost", () =>
    inShop(
      (shop) =>
        Effect.gen(function* () {
          yield* twoEarn(shop)
          const sales = yield* Sales
          const orders = Array.from({ length: 20 }, (_, n) =>
            order([1_000], { id: String(n % 10) }),
          )
          yield* Effect.forEach(orders, (each) => sales.record(account, each), {
            concurrency: "unbounded",
          })
          const found = yield* payouts(shop)
          expect(found.map(({ total, itemsCount }) => [total, itemsCount])).toEqual([
            [1_000, 10],
            [3_000, 10],
          ])
          expect((yield* kept(shop)).sales.total).toBe(10)
        }),
      { wrap: yielding },
    ))

  test("an order that grows in two ways at once gets each item once", () =>
    inShop(
      (shop) =>
        Effect.gen(function* () {
          yield* twoEarn(shop)
          const sales = yield* Sales
          const [a, b, c] = order([100, 200, 300]).items
          if (a === undefined || b === undefined || c === undefined) return expect.fail()
          const ask = (items: ReadonlyArray<typeof a>) =>
            sales.record(account, { ...order([]), items })
          yield* Effect.all([ask([a, b]), ask([b, c]), ask([c, a])], { concurrency: "unbounded" })
          const parts = yield* sales.get(account, "1001")
          expect(parts.flatMap((part) => part.order.items.map(({ id }) => id)).sort()).toEqual([
            "1",
            "2",
            "3",
          ])
          expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index + 1))
          expect((yield* payouts(shop))[0]?.total).toBe(60)
        }),
      { wrap: yielding },
    ))

  test("refunds at once never take back more than there was", () =>
    inShop(
      (shop) =>
        Effect.gen(function* () {
          yield* twoEarn(shop)
          const sales = yield* Sales
          yield* sales.record(account, order([1_000]))
          const asks = Array.from({ length: 9 }, (_, n) =>
            sales.refund(account, { id: `r${n}`, orderId: "1001", itemId: "1", amount: 300 }),
          )
          const answers = yield* Effect.all(asks.map(Effect.result), { concurrency: "unbounded" })
          expect(answers.filter(Result.isSuccess)).toHaveLength(3)
          const refused = answers.filter(Result.isFailure).map(({ failure }) => failure._tag)
          expect(refused).toEqual(Array.from({ length: 6 }, () => "RefundExceedsItem"))
          expect(yield* lines(shop)).toEqual(["ada USD active: 10", "ken JPY active: 30"])
        }),
      { wrap: yielding },
    ))

  test("the same refund at once has one effect", () =>
    inShop(
      (shop) =>
        Effect.gen(function* () {
          yield* twoEarn(shop)
          const sales = yield* Sales
          yield* sales.record(account, order([1_000]))
          const ask = sales.refund(account, {
            id: "r1",
            orderId: "1001",
            itemId: "1",
            quantity: 1,
          })
          const answers = yield* Effect.all([ask, ask, ask], { concurrency: "unbounded" })
          expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
          expect(yield* lines(shop)).toEqual(["ada USD active: 0", "ken JPY active: 0"])
        }),
      { wrap: yielding },
    ))
})

/** Something that writes, from a shop in which it is due. */
interface Change {
  readonly prepare: (shop: Shop) => Effect.Effect<void, unknown, Services>
  readonly run: Effect.Effect<unknown, { readonly _tag: string }, Sales>
  /** Calls of stores in it at the least, so that failures are tried everywhere. */
  readonly calls: number
}

const sold = (shop: Shop) =>
  Effect.gen(function* () {
    yield* twoEarn(shop)
    const sales = yield* Sales
    yield* sales.record(account, order([1_000]))
  })

const paid = (shop: Shop) =>
  Effect.gen(function* () {
    yield* sold(shop)
    yield* wait(40 * day)
    const service = yield* Payouts
    const { closed } = yield* service.closeDue(account)
    for (const id of closed) yield* service.pay(account, id)
  })

const refundAll = Effect.flatMap(Sales, (sales) =>
  sales.refund(account, { id: "r1", orderId: "1001", itemId: "1", quantity: 1 }),
)

const changes: Readonly<Record<string, Change>> = {
  "a first sale": {
    prepare: twoEarn,
    run: Effect.flatMap(Sales, (sales) => sales.record(account, order([1_000, 7]))),
    calls: 14,
  },
  "a second part, with a payout to close before": {
    prepare: (shop) => Effect.andThen(sold(shop), wait(40 * day)),
    run: Effect.flatMap(Sales, (sales) => sales.record(account, order([1_000, 7]))),
    calls: 15,
  },
  "a refund before payment": { prepare: sold, run: refundAll, calls: 10 },
  "a refund after payment": { prepare: paid, run: refundAll, calls: 16 },
}

/** Runs a change in which the call of a store with a number fails; tells which calls there were. */
const runWith = (
  { prepare, run }: Change,
  failing: number,
  error: (call: string) => Conflict | StorageFailure,
) => {
  const calls: Array<string> = []
  let isWatching = false
  const step = (call: string) =>
    Effect.suspend(() => {
      if (!isWatching) return Effect.void
      calls.push(call)
      return calls.length === failing + 1 ? Effect.fail(error(call)) : Effect.void
    })
  const test = (shop: Shop) =>
    Effect.gen(function* () {
      yield* prepare(shop)
      const atFirst = yield* kept(shop)
      isWatching = true
      // Whoever meets a conflict waits before the next attempt, and here the clock stands still.
      const result = yield* Effect.raceFirst(
        Effect.result(run),
        Effect.forever(Effect.andThen(Effect.yieldNow, TestClock.adjust(0.5))),
      )
      isWatching = false
      return { result, calls, atFirst, atLast: yield* kept(shop), lines: yield* lines(shop) }
    })
  return inShop(test, { wrap: (storage) => before(storage, step) })
}

describe.each(Object.entries(changes))("%s", (_name, change) => {
  const disk = (call: string) => StorageFailure.of(call, "disk full")

  test("leaves nothing when any call of the storage fails", async () => {
    const { calls, result } = await runWith(change, Number.POSITIVE_INFINITY, disk)
    expect(Result.isSuccess(result)).toBe(true)
    expect(calls.length).toBeGreaterThanOrEqual(change.calls)
    for (const failing of calls.keys()) {
      const failed = await runWith(change, failing, disk)
      expect(Result.isFailure(failed.result) && failed.result.failure._tag).toBe("StorageFailure")
      expect(failed.atLast).toEqual(failed.atFirst)
    }
  })

  test("has its effect once when any call of the storage meets a conflict", async () => {
    const clash = (call: string) => Conflict.of(call, "1")
    const usual = await runWith(change, Number.POSITIVE_INFINITY, clash)
    for (const failing of usual.calls.keys()) {
      const retried = await runWith(change, failing, clash)
      expect(Result.isSuccess(retried.result)).toBe(true)
      expect(retried.lines).toEqual(usual.lines)
      expect(amountsOf(retried.atLast.sales.entries)).toEqual(amountsOf(usual.atLast.sales.entries))
    }
  })
})
