import { Collaborator, PayoutItem } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { Storage, type StorageService } from "apportion/ports"
import { Payouts, UnitOfWork } from "apportion/service"
import { Effect, Result } from "effect"
import { expect, test } from "vitest"
import { addItems, openOrActive } from "../../src/service/internal/payouts/payoutCycle.js"
import { transact } from "../../src/service/internal/transactions.js"
import { makeOptimistic } from "./OptimisticStorage.js"
import {
  addCollaborator,
  addPayout,
  runWith,
  setTime,
  shop,
  start,
  stored,
  toItsEnd,
  utc,
} from "./PayoutFixture.js"

const due = utc("2024-02-29T00:00:00")

interface Kind {
  readonly name: string
  readonly make: () => Promise<StorageService>
}

/** One transaction after the other, and several ways in which they can meet. */
const kinds: ReadonlyArray<Kind> = [
  { name: "in memory", make: () => Effect.runPromise(MemoryStorage.make) },
  ...Array.from({ length: 6 }, (_, index) => ({
    name: `optimistic, seed ${index + 1}`,
    make: () => Promise.resolve(makeOptimistic({ seed: index + 1, failures: index * 0.01 })),
  })),
]

const together = { concurrency: "unbounded" } as const

const settled = <A, E, R>(effect: Effect.Effect<A, E, R>) => toItsEnd(Effect.eventually(effect))

for (const { name, make } of kinds) {
  const run = async <A, E>(program: Effect.Effect<A, E, Payouts | UnitOfWork | Storage>) =>
    runWith(program, { storage: await make(), settings: { conflictRetries: 1_000 } })

  test(`no entry is lost when many are added and removed at once (${name})`, async () => {
    const payout = await run(
      Effect.gen(function* () {
        yield* settled(addCollaborator())
        yield* settled(addPayout({ id: "p1", total: 5_000 }))
        const payouts = yield* Payouts
        const add = (number: number) => {
          const entry = { id: `e${number}`, amount: 2 ** number, name: "Tea" }
          return number % 2 === 0
            ? payouts.addExpense(shop, "p1", entry)
            : payouts.addIncome(shop, "p1", entry)
        }
        const addAndRemove = (number: number) =>
          Effect.andThen(add(number), payouts.removeEntry(shop, "p1", `e${number}`))
        const all = Array.from({ length: 12 }, (_, number) =>
          number % 3 === 0 ? addAndRemove(number) : add(number),
        )
        yield* toItsEnd(Effect.all(all, together))
        return yield* settled(stored("p1"))
      }),
    )
    const kept = [1, 2, 4, 5, 7, 8, 10, 11]
    expect(payout.items.map(({ id }) => id).sort()).toEqual(
      ["p1-earned", ...kept.map((number) => `e${number}`)].sort(),
    )
    const signed = kept.map((number) => (number % 2 === 0 ? -(2 ** number) : 2 ** number))
    expect(payout.total).toBe(signed.reduce((sum, amount) => sum + amount, 5_000))
    expect(payout.itemsCount).toBe(9)
  })

  test(`the same entry sent many times at once has one effect (${name})`, async () => {
    const payout = await run(
      Effect.gen(function* () {
        yield* settled(addCollaborator())
        yield* settled(addPayout({ id: "p1", total: 5_000 }))
        const payouts = yield* Payouts
        const entry = { id: "e1", amount: 100, name: "Tea" }
        const adding = payouts.addExpense(shop, "p1", entry)
        yield* toItsEnd(Effect.replicateEffect(adding, 10, together))
        return yield* settled(stored("p1"))
      }),
    )
    expect(payout).toMatchObject({ total: 4_900, itemsCount: 2, version: 2 })
  })

  test(`of many who pay a payout at once, one does (${name})`, async () => {
    const { outcomes, payout } = await run(
      Effect.gen(function* () {
        yield* settled(addCollaborator())
        yield* settled(addPayout({ id: "p1", total: 5_000, status: "pending" }))
        const payouts = yield* Payouts
        const paying = Effect.result(payouts.pay(shop, "p1"))
        const outcomes = yield* toItsEnd(Effect.replicateEffect(paying, 10, together))
        return { outcomes, payout: yield* settled(stored("p1")) }
      }),
    )
    expect(outcomes.filter(Result.isSuccess).length).toBe(1)
    for (const outcome of outcomes.filter(Result.isFailure)) {
      expect(outcome.failure).toMatchObject({ _tag: "InvalidTransition", status: "paid" })
    }
    expect(payout).toMatchObject({ status: "paid", version: 2 })
  })

  test(`an entry is in a payout before it is settled, or refused (${name})`, async () => {
    const { outcome, payout } = await run(
      Effect.gen(function* () {
        yield* settled(addCollaborator())
        yield* settled(addPayout({ id: "p1", total: 5_000, status: "pending" }))
        const payouts = yield* Payouts
        const adding = payouts.addExpense(shop, "p1", { amount: 100, name: "Tea" })
        const [outcome] = yield* toItsEnd(
          Effect.all([Effect.result(adding), payouts.setPaid(shop, "p1")], together),
        )
        return { outcome, payout: yield* settled(stored("p1")) }
      }),
    )
    expect(payout.status).toBe("manually paid")
    expect(payout.total).toBe(Result.isSuccess(outcome) ? 4_900 : 5_000)
    if (Result.isFailure(outcome)) expect(outcome.failure._tag).toBe("PayoutAlreadyPaid")
  })

  test(`workers that close what is due at once close and roll each payout once (${name})`, async () => {
    const { closings, payouts } = await run(
      Effect.gen(function* () {
        const ids = Array.from({ length: 8 }, (_, number) => `p${number}`)
        for (const [number, id] of ids.entries()) {
          yield* settled(addCollaborator({ id, payoutThreshold: 4 }))
          yield* settled(addPayout({ id, collaboratorId: id, total: number }))
        }
        yield* setTime(due)
        const closing = (yield* Payouts).closeDue(shop)
        const closings = yield* toItsEnd(Effect.replicateEffect(closing, 4, together))
        return { closings, payouts: yield* Effect.forEach(ids, (id) => settled(stored(id))) }
      }),
    )
    const each = (part: "closed" | "rolled") => closings.flatMap((closing) => closing[part]).sort()
    expect(each("closed")).toEqual(["p4", "p5", "p6", "p7"])
    expect(each("rolled")).toEqual(["p0", "p1", "p2", "p3"])
    expect(payouts.map(({ version }) => version)).toEqual(Array(8).fill(2))
  })

  test(`items that come while payouts are closed are each in one that was not due yet (${name})`, async () => {
    const all = await run(
      Effect.gen(function* () {
        yield* settled(addCollaborator())
        yield* settled(addPayout({ id: "p1", total: 5_000 }))
        yield* setTime(due - 1)
        const storage = yield* Storage
        let opened = 0
        const newId = Effect.sync(() => {
          opened += 1
          return `new ${opened}`
        })
        const put = (number: number) =>
          transact(storage, { accountId: shop, mode: "write" }, (stores) =>
            Effect.gen(function* () {
              const at = number % 2 === 0 ? due - 1 : due
              const entry = { id: `i${number}`, amount: 1, name: "Bonus", at }
              const item = yield* Effect.fromResult(PayoutItem.income(entry, { currency: "USD" }))
              const payout = yield* openOrActive(stores, {
                collaborator: Collaborator.make({ id: "ada", currency: "USD" }),
                currency: "USD",
                at,
                timeZone: "UTC",
                maturityDays: 0,
                newId,
              })
              yield* addItems(stores, payout, [item])
            }),
          )
        const puts = Array.from({ length: 10 }, (_, number) => put(number))
        const payouts = yield* Payouts
        const closing = Effect.andThen(setTime(due), payouts.closeDue(shop))
        yield* toItsEnd(Effect.all([...puts, closing], together))
        const { entries } = yield* settled(payouts.list(shop, {}, { page: 1, perPage: 100 }))
        return yield* Effect.forEach(entries, ({ payout }) => settled(stored(payout.id)))
      }),
    )
    expect(all.filter(({ status }) => status === "active").length).toBe(1)
    expect(all.find(({ id }) => id === "p1")).toMatchObject({ status: "pending", closedAt: due })
    const ids = all.flatMap(({ items }) => items.map(({ id }) => id))
    expect([...ids].sort()).toEqual(
      ["p1-earned", ...Array.from({ length: 10 }, (_, number) => `i${number}`)].sort(),
    )
    expect(all.reduce((sum, { total }) => sum + total, 0)).toBe(5_010)
    for (const { items, itemsCount, total, toBePaidAt } of all) {
      expect(itemsCount).toBe(items.length)
      expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
      for (const { createdAt } of items) expect(createdAt).toBeLessThan(toBePaidAt)
    }
  })

  test(`units of work over two payouts leave their sum as it is (${name})`, async () => {
    const totals = await run(
      Effect.gen(function* () {
        yield* settled(addCollaborator())
        yield* settled(addPayout({ id: "p1", total: 5_000, openedAt: start }))
        yield* settled(addPayout({ id: "p2", total: 5_000, currency: "EUR" }))
        const payouts = yield* Payouts
        const unit = yield* UnitOfWork
        const transfer = (amount: number) =>
          unit.run(
            shop,
            Effect.all([
              payouts.addExpense(shop, "p1", { amount, name: "Over" }),
              amount % 4 === 0
                ? payouts.addIncome(shop, "nowhere", { amount, name: "Over" })
                : payouts.addIncome(shop, "p2", { amount, name: "Over" }),
            ]),
          )
        const transfers = [1, 2, 3, 4, 5, 6, 7, 8].map((amount) => Effect.result(transfer(amount)))
        yield* toItsEnd(Effect.all(transfers, together))
        return [(yield* settled(stored("p1"))).total, (yield* settled(stored("p2"))).total]
      }),
    )
    expect(totals).toEqual([5_000 - 24, 5_000 + 24])
  })
}

test("the optimistic storage loses nothing of one, and lets another one meet it", async () => {
  const storage = makeOptimistic({ seed: 1, failures: 0 })
  const outcomes = await runWith(
    Effect.gen(function* () {
      yield* addPayout({ id: "p1" })
      const raise = storage.transaction(shop, ({ payouts }) =>
        Effect.gen(function* () {
          const payout = yield* payouts.get("p1")
          if (payout === undefined) return yield* Effect.die("no payout")
          return yield* payouts.update({ payout: { ...payout, total: payout.total + 1 } })
        }),
      )
      return yield* Effect.replicateEffect(Effect.result(raise), 5, together)
    }),
    { storage },
  )
  expect(outcomes.filter(Result.isSuccess).length).toBe(1)
  expect(storage.conflicts()).toBe(4)
})
