import { Collaborator, PayoutItem } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { Storage, type StorageService, type StoredPayout, type Stores } from "apportion/ports"
import { Payouts, type SettingsInput } from "apportion/service"
import { Effect, Exit, Result } from "effect"
import { expect, test } from "vitest"
import {
  addItems,
  closeOrRoll,
  openOrActive,
  removeItem,
  replaceItem,
} from "../../src/service/internal/payouts/payoutCycle.js"
import { transact } from "../../src/service/internal/transactions.js"
import {
  addCollaborator,
  addPayout,
  type LogLine,
  runWith,
  setTime,
  shop,
  start,
  stored,
  utc,
} from "./PayoutFixture.js"

const due = utc("2024-02-29T00:00:00")

/** What closing at a time does to a payout that was due on February 29. */
const closedAt = (
  at: number,
  options: {
    readonly terms?: Partial<Collaborator.CollaboratorInput>
    readonly payout?: Partial<StoredPayout>
    readonly settings?: SettingsInput
  },
) =>
  runWith(
    Effect.gen(function* () {
      yield* addCollaborator(options.terms)
      yield* addPayout({ id: "p1", total: 5_000, ...options.payout })
      yield* setTime(at)
      const closing = yield* (yield* Payouts).closeDue(shop)
      const again = yield* (yield* Payouts).closeDue(shop)
      expect(again).toEqual({ closed: [], rolled: [] })
      return { closing, payout: yield* stored("p1") }
    }),
    { settings: options.settings },
  )

test("a payout is closed in the second it is due, and not before", async () => {
  const before = await closedAt(due - 1, {})
  expect(before.closing).toEqual({ closed: [], rolled: [] })
  expect(before.payout).toMatchObject({ status: "active", version: 1 })
  const then = await closedAt(due, {})
  expect(then.closing).toEqual({ closed: ["p1"], rolled: [] })
  expect(then.payout).toMatchObject({ status: "pending", closedAt: due, payableAt: due })
})

test("a payout that is closed late is closed as of its due date", async () => {
  const { payout } = await closedAt(due + 86_400 * 100, { terms: { payoutHoldingDays: 3 } })
  expect(payout).toMatchObject({ closedAt: due, payableAt: due + 3 * 86_400, toBePaidAt: due })
})

const thresholds = [
  [5_000, 5_000, "closed"],
  [4_999, 5_000, "rolled"],
  [1, 0, "closed"],
  [0, 0, "rolled"],
  [-1, 0, "rolled"],
  [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "closed"],
  [-Number.MAX_SAFE_INTEGER, 0, "rolled"],
] as const

for (const [total, payoutThreshold, done] of thresholds) {
  test(`a payout of ${total} with a threshold of ${payoutThreshold} is ${done}`, async () => {
    const { closing } = await closedAt(due, { terms: { payoutThreshold }, payout: { total } })
    expect(closing[done]).toEqual(["p1"])
    expect(closing[done === "closed" ? "rolled" : "closed"]).toEqual([])
  })
}

test("a payout below its threshold rolls beyond now, counted from when the first was opened", async () => {
  const terms = { payoutThreshold: 9_999 }
  const once = await closedAt(due, { terms })
  expect(once.payout).toMatchObject({ status: "active", toBePaidAt: utc("2024-03-31T00:00:00") })
  const late = await closedAt(utc("2025-01-31T00:00:00"), { terms })
  expect(late.payout.toBePaidAt).toBe(utc("2025-02-28T00:00:00"))
})

test("a date that rolls keeps to the clock on the account's wall when summer comes", async () => {
  const each15th = { payoutMeasurement: "monthly_date", payoutFrequency: 15 } as const
  const terms = { ...each15th, payoutThreshold: 9_999 }
  const { payout } = await closedAt(utc("2024-03-20T00:00:00"), {
    terms,
    payout: { toBePaidAt: utc("2024-03-14T23:00:00") },
    settings: { timeZone: "Europe/Berlin" },
  })
  expect(payout.toBePaidAt).toBe(utc("2024-04-14T22:00:00"))
})

test("holding days end at the same time of day, also when the clocks change in between", async () => {
  const { payout } = await closedAt(utc("2024-04-02T00:00:00"), {
    terms: { payoutHoldingDays: 3 },
    payout: { toBePaidAt: utc("2024-03-29T23:00:00") },
    settings: { timeZone: "Europe/Berlin" },
  })
  expect(payout.payableAt).toBe(utc("2024-04-01T22:00:00"))
})

test("where the clocks jump over midnight, a payout is due in the first second after the jump", async () => {
  const { payout } = await closedAt(utc("2024-09-07T12:00:00"), {
    terms: { payoutMeasurement: "day", payoutFrequency: 1, payoutThreshold: 9_999 },
    payout: { toBePaidAt: utc("2024-09-07T04:00:00") },
    settings: { timeZone: "America/Santiago" },
  })
  expect(payout.toBePaidAt).toBe(utc("2024-09-08T04:00:00"))
})

test("only what is due and active is closed, in the account that was asked for", async () => {
  const { closing, others } = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addCollaborator({}, "other")
      yield* addPayout({ id: "a", total: 5 })
      yield* addPayout({ id: "later", total: 5, currency: "EUR", toBePaidAt: due + 1 })
      yield* addPayout({ id: "paid", total: 5, status: "paid" })
      yield* addPayout({ id: "failed", total: 5, status: "failed" })
      yield* addPayout({ id: "b", total: 5 }, "other")
      yield* setTime(due)
      const closing = yield* (yield* Payouts).closeDue(shop)
      const others = yield* Effect.forEach(["later", "paid", "failed"], (id) => stored(id))
      return { closing, others: [...others, yield* stored("b", "other")] }
    }),
  )
  expect(closing).toEqual({ closed: ["a"], rolled: [] })
  expect(others.map(({ version }) => version)).toEqual([1, 1, 1, 1])
})

test("more payouts than are looked up at a time are all closed or rolled, each once", async () => {
  const { closing, statuses } = await runWith(
    Effect.gen(function* () {
      for (let number = 0; number < 250; number += 1) {
        const collaboratorId = `c${number}`
        yield* addCollaborator({ id: collaboratorId, payoutThreshold: number % 2 ? 10 : 0 })
        yield* addPayout({ id: `p${number}`, collaboratorId, total: 5 })
      }
      yield* setTime(due)
      const closing = yield* (yield* Payouts).closeDue(shop)
      const statuses = yield* Effect.forEach(closing.closed, (id) => stored(id))
      return { closing, statuses }
    }),
  )
  expect(new Set(closing.closed).size).toBe(125)
  expect(new Set(closing.rolled).size).toBe(125)
  expect(closing.closed.length + closing.rolled.length).toBe(250)
  expect(statuses.every(({ status, version }) => status === "pending" && version === 2)).toBe(true)
})

test("a due payout without a collaborator is passed over with a warning, even if there are many", async () => {
  const log: Array<LogLine> = []
  const closing = await runWith(
    Effect.gen(function* () {
      for (let number = 0; number < 220; number += 1) {
        yield* addPayout({ id: `p${number}`, collaboratorId: `c${number}`, total: 5 })
      }
      yield* addCollaborator({ id: "c219" })
      yield* setTime(due)
      return yield* (yield* Payouts).closeDue(shop)
    }),
    { log },
  )
  expect(closing).toEqual({ closed: ["p219"], rolled: [] })
  const warnings = log.filter(({ level }) => level === "Warn")
  expect(warnings.length).toBe(219)
  expect(warnings[0]?.annotations).toEqual({
    accountId: shop,
    payoutId: "p0",
    collaboratorId: "c0",
  })
})

test("closing and rolling log one line each", async () => {
  const log: Array<LogLine> = []
  await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "a", total: 5 })
      yield* addPayout({ id: "b", total: 0, currency: "EUR" })
      yield* setTime(due)
      yield* (yield* Payouts).closeDue(shop)
    }),
    { log },
  )
  const toBePaidAt = utc("2024-03-31T00:00:00")
  expect(log).toEqual([
    { level: "Info", message: "payout closed", annotations: { accountId: shop, payoutId: "a" } },
    {
      level: "Info",
      message: "payout rolled to its next due date",
      annotations: { accountId: shop, payoutId: "b", toBePaidAt },
    },
  ])
})

test("a due date beyond the calendar is an expected failure of closing", async () => {
  const refused = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      const late = utc("9999-12-01T00:00:00")
      yield* addPayout({ id: "p1", openedAt: late - 86_400, toBePaidAt: late })
      yield* setTime(utc("9999-12-30T00:00:00"))
      return yield* Effect.flip((yield* Payouts).closeDue(shop))
    }),
  )
  expect(refused).toMatchObject({ _tag: "InvalidTime" })
})

const ada = Collaborator.make({ id: "ada", currency: "USD" })
const newId = Effect.succeed("new")
const passing = { timeZone: "UTC", maturityDays: 0, newId }

/** The payout into which items of a time go. */
const openAt = (at: number, terms: Partial<Collaborator.Collaborator> = {}, currency = "USD") =>
  Effect.flatMap(Storage, (storage) =>
    transact(storage, { accountId: shop, mode: "write" }, (stores) => {
      const collaborator = { ...ada, ...terms }
      return openOrActive(stores, { collaborator, currency, at, ...passing })
    }),
  )

test("the first payout is opened with its due date counted from that day", async () => {
  const opened = await runWith(openAt(utc("2024-01-31T09:30:00")))
  expect(opened).toEqual({
    id: "new",
    collaboratorId: "ada",
    currency: "USD",
    status: "active",
    openedAt: utc("2024-01-31T09:30:00"),
    toBePaidAt: due,
    closedAt: null,
    payableAt: null,
    paymentId: null,
    paidAt: null,
    failureReason: null,
    total: 0,
    itemsCount: 0,
    version: 1,
  })
})

test("items of a time before the due date go into the active payout", async () => {
  const found = await runWith(Effect.andThen(addPayout({ id: "p1", total: 5 }), openAt(due - 1)))
  expect(found).toMatchObject({ id: "p1", version: 1 })
})

test("items of the due second go into the next payout, whose date counts from the first one", async () => {
  const { opened, closed } = await runWith(
    Effect.gen(function* () {
      yield* addPayout({ id: "p1", total: 5 })
      return { opened: yield* openAt(due), closed: yield* stored("p1") }
    }),
  )
  expect(closed).toMatchObject({ status: "pending", closedAt: due })
  expect(opened).toMatchObject({ id: "new", openedAt: due, toBePaidAt: utc("2024-03-31T00:00:00") })
})

test("items go into the payout that was due and rolled", async () => {
  const found = await runWith(Effect.andThen(addPayout({ id: "p1", total: 0 }), openAt(due)))
  expect(found).toMatchObject({ id: "p1", toBePaidAt: utc("2024-03-31T00:00:00"), version: 2 })
})

test("each currency has an active payout of its own", async () => {
  const opened = await runWith(
    Effect.andThen(addPayout({ id: "p1", total: 5 }), openAt(start, {}, "EUR")),
  )
  expect(opened).toMatchObject({ id: "new", currency: "EUR", openedAt: start })
})

test("a payout is opened after the last one was set as paid, at the next of the old dates", async () => {
  const opened = await runWith(
    Effect.andThen(addPayout({ id: "p1", status: "manually paid" }), openAt(start)),
  )
  expect(opened).toMatchObject({ id: "new", toBePaidAt: due })
})

test("what is not active is neither closed nor rolled", async () => {
  const done = await runWith(
    Effect.gen(function* () {
      yield* addPayout({ id: "p1", status: "failed", total: 5 })
      const storage = yield* Storage
      const { items: _items, ...payout } = yield* stored("p1")
      return yield* storage.transaction(shop, (stores) =>
        closeOrRoll(stores, { payout, collaborator: ada, at: due + 1, ...passing }),
      )
    }),
  )
  expect(done).toMatchObject({ closed: [], rolled: [], payout: { status: "failed", version: 1 } })
})

const income = (id: string, amount: number) =>
  Result.getOrThrow(
    PayoutItem.income({ id, amount, name: "Bonus", at: start }, { currency: "USD" }),
  )

test("items that come, change and go keep the total and the count right", async () => {
  const after = await runWith(
    Effect.gen(function* () {
      yield* addPayout({ id: "p1" })
      const { items: _items, ...payout } = yield* stored("p1")
      const storage = yield* Storage
      return yield* storage.transaction(shop, (stores) =>
        Effect.gen(function* () {
          const [a, b] = [income("a", 700), income("b", 50)]
          expect(yield* addItems(stores, payout, [])).toBe(payout)
          const two = yield* addItems(stores, payout, [a, b])
          expect(two).toMatchObject({ total: 750, itemsCount: 2, version: 2 })
          const changed = { before: a, after: income("a", 1) }
          const one = yield* replaceItem(stores, two, changed)
          expect(one).toMatchObject({ total: 51, itemsCount: 2, version: 3 })
          return yield* removeItem(stores, one, b)
        }),
      )
    }),
  )
  expect(after).toMatchObject({ total: 1, itemsCount: 1, version: 4 })
})

const misuses: ReadonlyArray<readonly [string, Partial<StoredPayout>, ReadonlyArray<string>]> = [
  ["an id that the payout has", { total: 5 }, ["p1-earned"]],
  ["one id twice", {}, ["a", "a"]],
  ["a payout that is settled", { status: "paid" }, ["a"]],
]

for (const [what, payout, ids] of misuses) {
  test(`adding items with ${what} is a fault, and nothing is stored`, async () => {
    const { exit, before, after } = await runWith(
      Effect.gen(function* () {
        yield* addPayout({ id: "p1", ...payout })
        const before = yield* stored("p1")
        const { items: _items, ...head } = before
        const storage = yield* Storage
        const items = ids.map((id) => income(id, 1))
        const adding = storage.transaction(shop, (stores) => addItems(stores, head, items))
        return { exit: yield* Effect.exit(adding), before, after: yield* stored("p1") }
      }),
    )
    expect(Exit.hasDies(exit)).toBe(true)
    expect(after).toEqual(before)
  })
}

test("a worker that is alone closes what is due by its dates", async () => {
  const closing = await runWith(
    Effect.gen(function* () {
      for (let number = 0; number < 130; number += 1) {
        const id = `${(number * 37) % 130}`
        yield* addCollaborator({ id })
        yield* addPayout({ id, collaboratorId: id, total: 5, toBePaidAt: due - 500 + number })
      }
      yield* setTime(due)
      return yield* (yield* Payouts).closeDue(shop)
    }),
  )
  const inOrder = Array.from({ length: 130 }, (_, number) => `${(number * 37) % 130}`)
  expect(closing).toEqual({ closed: inOrder, rolled: [] })
})

test("workers that meet go apart, and look no further because of what others did", async () => {
  const storage = await Effect.runPromise(MemoryStorage.make)
  const limits: Array<number> = []
  let writes = 0
  const noting: StorageService = {
    ...storage,
    transaction: (accountId, work, options) => {
      if (options?.mode === "write") writes += 1
      const noted = (stores: Stores): Stores => ({
        ...stores,
        payouts: {
          ...stores.payouts,
          due: (asked) => {
            limits.push(asked.limit)
            return stores.payouts.due(asked)
          },
        },
      })
      return storage.transaction(
        accountId,
        // Others come in between.
        (stores) => Effect.andThen(Effect.yieldNow, work(noted(stores))),
        options,
      )
    },
  }
  const closings = await runWith(
    Effect.gen(function* () {
      for (let number = 0; number < 250; number += 1) {
        yield* addCollaborator({ id: `c${number}` })
        yield* addPayout({ id: `p${number}`, collaboratorId: `c${number}`, total: 5 })
      }
      yield* setTime(due)
      writes = 0
      const closing = (yield* Payouts).closeDue(shop)
      return yield* Effect.replicateEffect(closing, 5, { concurrency: "unbounded" })
    }),
    { storage: noting },
  )
  const closed = closings.flatMap((closing) => closing.closed)
  expect(closed).toHaveLength(250)
  expect(new Set(closed).size).toBe(250)
  expect(Math.max(...limits)).toBeLessThanOrEqual(101)
  // Side by side each of the five would try each of the 250.
  expect(writes).toBeLessThan(250 * 3)
})
