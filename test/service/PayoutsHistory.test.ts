import { type HistoryRequest, Payouts } from "apportion/service"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { addCollaborator, addPayout, runWith, setTime, shop, start, utc } from "./PayoutFixture.js"

const open = Effect.andThen(addCollaborator(), addPayout({ id: "p1", total: 5_000 }))

const due = utc("2024-02-29T00:00:00")

test("a payout tells what was done to it, when, and what came of it", async () => {
  const history = await runWith(
    Effect.gen(function* () {
      yield* open
      const payouts = yield* Payouts
      yield* payouts.addExpense(shop, "p1", { id: "tea", amount: 100, name: "Tea" })
      yield* payouts.removeEntry(shop, "p1", "tea")
      yield* setTime(due)
      yield* payouts.closeDue(shop)
      yield* setTime(due + 60)
      yield* payouts.pay(shop, "p1")
      return yield* payouts.history(shop, "p1")
    }),
  )
  expect(history.map(({ version, at }) => [version, at])).toEqual([
    ...[1, 2, 3].map((version) => [version, start]),
    [4, due],
    [5, due + 60],
  ])
  expect(history.map(({ before }) => before)).toEqual([
    null,
    ...history.slice(0, -1).map(({ after }) => after),
  ])
  expect(history.map(({ after }) => `${after.status} ${after.total}`)).toEqual([
    "active 5000",
    "active 4900",
    "active 5000",
    "pending 5000",
    "paid 5000",
  ])
  expect(history.map(({ put }) => put.map(({ id }) => id))).toEqual([
    ["p1-earned"],
    ["tea"],
    [],
    [],
    [],
  ])
  expect(history.map(({ removed }) => removed)).toEqual([[], [], ["tea"], [], []])
})

test("a part of a history is that after a version, or the last entries, at most so many", async () => {
  const parts = await runWith(
    Effect.gen(function* () {
      yield* open
      const payouts = yield* Payouts
      for (const amount of [1, 2, 3, 4]) {
        yield* payouts.addExpense(shop, "p1", { amount, name: "Tea" })
      }
      const versions = (part: HistoryRequest) =>
        Effect.map(payouts.history(shop, "p1", part), (found) => found.map((one) => one.version))
      return yield* Effect.forEach(
        [
          ...[{ after: 3 }, { last: 2 }, { last: 2_000 }, { last: 0 }],
          ...[
            { last: 3, after: 4 },
            { last: 4, limit: 2 },
            { last: 2, after: 0, limit: 9 },
          ],
        ],
        versions,
      )
    }),
  )
  expect(parts).toEqual([...[[4, 5], [4, 5], [1, 2, 3, 4, 5], [5]], ...[[5], [2, 3], [4, 5]]])
})

test("what changes nothing leaves no entry", async () => {
  const history = await runWith(
    Effect.gen(function* () {
      yield* open
      const payouts = yield* Payouts
      const tea = { id: "tea", amount: 100, name: "Tea" }
      yield* payouts.addExpense(shop, "p1", tea)
      yield* payouts.addExpense(shop, "p1", tea)
      yield* payouts.setPaid(shop, "p1")
      yield* payouts.setPaid(shop, "p1")
      yield* Effect.ignore(payouts.addExpense(shop, "p1", { amount: 1, name: "Late" }))
      return yield* payouts.history(shop, "p1")
    }),
  )
  expect(history.map(({ after }) => after.status)).toEqual(["active", "active", "manually paid"])
})

test("a history is read in parts, each after the version that is known", async () => {
  const parts = await runWith(
    Effect.gen(function* () {
      yield* open
      const payouts = yield* Payouts
      for (let number = 1; number <= 149; number++) {
        yield* payouts.addIncome(shop, "p1", { amount: number, name: "Tip" })
      }
      const versions = (request?: Parameters<typeof payouts.history>[2]) =>
        Effect.map(payouts.history(shop, "p1", request), (all) => all.map((one) => one.version))
      return yield* Effect.all({
        usual: versions(),
        middle: versions({ after: 3, limit: 4 }),
        end: versions({ after: 148, limit: 10 }),
        beyond: versions({ after: 150 }),
        all: versions({ limit: 1_000 }),
        more: versions({ limit: 1e9 }),
        none: versions({ limit: 0 }),
        strange: versions({ after: Number.NaN, limit: Number.NaN }),
        broken: versions({ after: -5, limit: 2.9 }),
      })
    }),
  )
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
  expect(parts).toEqual({
    usual: upTo(100),
    middle: [4, 5, 6, 7],
    end: [149, 150],
    beyond: [],
    all: upTo(150),
    more: upTo(150),
    none: [1],
    strange: [1],
    broken: [1, 2],
  })
})

test("a payout that there is not, or that another account has, has no history", async () => {
  const errors = await runWith(
    Effect.gen(function* () {
      yield* open
      const payouts = yield* Payouts
      const unknown = yield* Effect.flip(payouts.history(shop, "p2"))
      return [unknown, yield* Effect.flip(payouts.history("another shop", "p1"))]
    }),
  )
  expect(errors).toMatchObject([
    { _tag: "NotFound", what: "payout", id: "p2" },
    { _tag: "NotFound", what: "payout", id: "p1" },
  ])
})
