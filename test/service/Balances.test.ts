import { Balances, Entries, Payouts } from "apportion/service"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { addCollaborator, addPayout, runWith, setTime, shop, start } from "./PayoutFixture.js"

const day = 86_400
const first = { page: 1, perPage: 15 }

test("a balance tells what is collected, waits, failed and was paid, in each currency", async () => {
  const balances = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 100, status: "paid" })
      yield* addPayout({ id: "p2", total: 20, status: "manually paid" })
      yield* addPayout({ id: "p3", total: 3, status: "pending" })
      yield* addPayout({ id: "p4", total: 4, status: "failed" })
      yield* addPayout({ id: "p5", total: -50 })
      yield* addPayout({ id: "p6", total: 7, currency: "EUR" })
      return yield* (yield* Balances).of(shop, "ada")
    }),
  )
  const none = { collecting: 0, pending: 0, underWay: 0, failed: 0, paid: 0 }
  expect(balances).toEqual([
    { ...none, collaboratorId: "ada", currency: "EUR", collecting: 7, total: 7 },
    {
      ...{ collaboratorId: "ada", currency: "USD", collecting: -50, pending: 3, underWay: 0 },
      ...{ failed: 4, total: -43, paid: 120 },
    },
  ])
})

test("the balances of all are listed with their collaborators, page by page", async () => {
  const [all, second, beyond] = await runWith(
    Effect.gen(function* () {
      for (const id of ["cam", "ada", "ben"]) yield* addCollaborator({ id })
      yield* addPayout({ id: "p1", collaboratorId: "ben", total: 100, status: "paid" })
      yield* addPayout({ id: "p2", collaboratorId: "ben", total: -7, currency: "EUR" })
      yield* addPayout({ id: "p3", collaboratorId: "cam", total: 3 })
      const list = (page: number, perPage: number) =>
        Effect.flatMap(Balances, (balances) => balances.list(shop, { page, perPage }))
      return [yield* list(1, 15), yield* list(2, 1), yield* list(4, 1)]
    }),
  )
  const told = all?.entries.map(({ collaborator, balances }) => [
    collaborator.id,
    ...balances.map(({ currency, total, paid }) => `${currency} ${total} ${paid}`),
  ])
  expect(told).toEqual([["ada"], ["ben", "EUR -7 0", "USD 0 100"], ["cam", "USD 3 0"]])
  expect(second).toEqual({ entries: [all?.entries[1]], total: 3 })
  expect(beyond).toEqual({ entries: [], total: 3 })
})

test("nobody has no balance", async () => {
  const failure = await runWith(
    Effect.flatMap(Balances, (balances) => Effect.flip(balances.of(shop, "eve"))),
  )
  expect(failure._tag).toBe("NotFound")
})

test("balances below zero are listed with their age, page by page", async () => {
  const [one, two, beyond] = await runWith(
    Effect.gen(function* () {
      const entries = yield* Entries
      for (const id of ["ada", "ben", "cam", "dan"]) yield* addCollaborator({ id })
      const charge = (id: string, amount: number) =>
        entries.addExpense(shop, id, { amount, name: "Samples" })
      yield* charge("cam", 30)
      yield* charge("ada", 10)
      yield* entries.addIncome(shop, "ada", { amount: 10, name: "Bonus" })
      yield* charge("dan", 5)
      yield* entries.repay(shop, "dan", { amount: 5, name: "Bank" })
      yield* setTime(start + 2 * day)
      yield* charge("ada", 1)
      yield* setTime(start + 3 * day + 5)
      const list = (page: number) =>
        Effect.flatMap(Balances, (balances) => balances.belowZero(shop, { page, perPage: 1 }))
      return [yield* list(1), yield* list(2), yield* list(3)]
    }),
  )
  const told = [one, two].map((page) =>
    page?.entries.map(({ collaborator, currency, balance, since, days }) => [
      ...[collaborator.id, currency, balance],
      ...[since - start, days],
    ]),
  )
  expect(told).toEqual([[["ada", "USD", -1, 2 * day, 1]], [["cam", "USD", -30, 0, 3]]])
  expect([one?.total, two?.total, beyond]).toEqual([2, 2, { entries: [], total: 2 }])
})

test("a payout below zero is none while the others make up for it, and is one when they are paid", async () => {
  const [before, after] = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 100, status: "pending" })
      yield* addPayout({ id: "p2", total: -60 })
      const balances = yield* Balances
      const before = yield* balances.belowZero(shop, first)
      yield* setTime(start + day)
      yield* (yield* Payouts).pay(shop, "p1")
      yield* setTime(start + 10 * day)
      return [before, yield* balances.belowZero(shop, first)]
    }),
  )
  expect(before).toEqual({ entries: [], total: 0 })
  const told = after?.entries.map(({ balance, since, days }) => [balance, since - start, days])
  expect(told).toEqual([[-60, day, 9]])
})
