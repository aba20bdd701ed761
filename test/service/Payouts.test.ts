import { PayoutItem } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { Storage, type StorageService } from "apportion/ports"
import { ChosenItems, Payouts } from "apportion/service"
import { Cause, Effect, Exit, Result } from "effect"
import { expect, test } from "vitest"
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

const most = Number.MAX_SAFE_INTEGER

test("an expense lowers the total and shows at the end of the items", async () => {
  const viewed = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      return yield* payouts.addExpense(shop, "p1", { id: "e1", amount: 1_500, name: " Samples " })
    }),
  )
  expect(viewed.total).toBe(3_500)
  expect(viewed.collaborator.id).toBe("ada")
  expect(viewed.payout.items.at(-1)).toEqual({
    kind: "expense",
    id: "e1",
    createdAt: start,
    name: "Samples",
    amount: -1_500,
    originalAmount: -1_500,
    originalCurrency: "USD",
    currencyExchangeRate: null,
  })
})

test("an income raises the total, in the payout's own currency and under an id of its own", async () => {
  const [first, second] = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator({ currency: "EUR" })
      yield* addPayout({ id: "p1", currency: "JPY" })
      const payouts = yield* Payouts
      const first = yield* payouts.addIncome(shop, "p1", { amount: 700, name: "Bonus" })
      return [first, yield* payouts.addIncome(shop, "p1", { amount: 700, name: "Bonus" })]
    }),
  )
  expect([first?.total, second?.total]).toEqual([700, 1_400])
  expect(second?.payout.items.map(({ originalCurrency }) => originalCurrency)).toEqual([
    "JPY",
    "JPY",
  ])
  const ids = second?.payout.items.map(({ id }) => id) ?? []
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/)
})

test("a view has the payout and its items, and nothing of how it is stored", async () => {
  const viewed = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 5_000 })
      return yield* (yield* Payouts).get(shop, "p1")
    }),
  )
  expect(Object.keys(viewed.payout).sort()).toEqual(
    [
      ["closedAt", "collaboratorId", "currency", "failureReason", "id", "items", "openedAt"],
      ["paidAt", "payableAt", "status", "toBePaidAt"],
    ].flat(),
  )
  expect(viewed.total).toBe(5_000)
})

test("of a payout with many items only those that are chosen are read, and its total is that of all", async () => {
  const inner = Effect.runSync(MemoryStorage.make)
  const whole = () => Effect.die("all items were read")
  const bounded: StorageService = {
    ...inner,
    transaction: (accountId, work, options) =>
      inner.transaction(
        accountId,
        (stores) => work({ ...stores, payouts: { ...stores.payouts, items: whole } }),
        options,
      ),
  }
  const newest = (itemsCount: number) => ({ offset: Math.max(0, itemsCount - 2), limit: 2 })
  const views = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      const income = (id: string) => payouts.addIncome(shop, "p1", { id, amount: 10, name: id })
      const added = yield* Effect.forEach(["i1", "i2", "i3"], income)
      return [
        ...added,
        yield* income("i3"),
        yield* payouts.removeEntry(shop, "p1", "i2"),
        yield* payouts.get(shop, "p1"),
        yield* payouts.setPaid(shop, "p1"),
        yield* payouts.getAsSeen(shop, "p1"),
      ]
    }).pipe(Effect.provideService(ChosenItems, newest)),
    { storage: bounded },
  )
  const told = views.map(({ payout, itemsCount, total }) => {
    const ids = payout.items.map((item) => ("id" in item ? item.id : ""))
    return `${ids.at(-2)} ${ids.at(-1)}: ${itemsCount}, ${total}`
  })
  const [i1, i2, i3] = ["i1: 2, 5010", "i1 i2: 3, 5020", "i2 i3: 4, 5030"]
  expect(told[0]?.endsWith(`${i1}`)).toBe(true)
  expect(told.slice(1, 4)).toEqual([i2, i3, i3])
  expect(new Set(told.slice(4))).toEqual(new Set(["i1 i3: 3, 5020"]))
})

test("a collaborator sees a payout without what the permissions hide, and all of the money", async () => {
  const product = { id: "p1", name: "Mug", price: 3_333 }
  const order = {
    id: "1001",
    currency: "USD",
    items: [{ id: "1", product, quantity: 3, amount: 10_000 }],
  }
  const share = { itemId: "1", groupId: "g1", amount: 1_000 }
  const sale = Result.getOrThrow(PayoutItem.fromShare(share, { order, currency: "USD", at: start }))
  const seen = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator({ permissions: { seeProductPrice: true } })
      yield* addPayout({ id: "p1" })
      const storage = yield* Storage
      yield* storage.transaction(shop, ({ payouts }) =>
        Effect.gen(function* () {
          const payout = yield* payouts.get("p1")
          if (payout === undefined) return yield* Effect.die("no payout")
          const changed = { ...payout, total: 1_000, itemsCount: 1 }
          return yield* payouts.update({ payout: changed, put: [sale] })
        }),
      )
      return yield* (yield* Payouts).getAsSeen(shop, "p1")
    }),
  )
  expect(seen.total).toBe(1_000)
  const [item] = seen.payout.items
  expect(item).toMatchObject({ amount: 1_000, orderItem: { amount: 10_000 } })
  expect(item).not.toHaveProperty("orderItem.quantity")
  expect(item).toHaveProperty("orderItem.product.price", 3_333)
  // What the store notes down is its own, whatever the permissions are.
  expect(seen.collaborator).toMatchObject({ id: "ada", account: { name: "ada" } })
  expect(seen.collaborator).not.toHaveProperty("notes")
  expect(seen.collaborator).not.toHaveProperty("account.isManaged")
})

test("an entry that is asked for twice under one id has one effect", async () => {
  const entry = { id: "e1", amount: 1_500, name: "Samples" }
  const { after, before } = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      yield* payouts.addExpense(shop, "p1", entry)
      const before = yield* stored("p1")
      yield* setTime(start + 60)
      const again = yield* payouts.addExpense(shop, "p1", { ...entry, name: " Samples" })
      expect(again.total).toBe(3_500)
      yield* payouts.setPaid(shop, "p1")
      expect((yield* payouts.addExpense(shop, "p1", entry)).total).toBe(3_500)
      return { before, after: yield* stored("p1") }
    }),
  )
  expect(after.items).toEqual(before.items)
  expect(after.version).toBe(before.version + 1)
})

const otherEntries = [
  ["another amount", { amount: 1, name: "Samples" }],
  ["another name", { amount: 1_500, name: "Travel" }],
] as const

for (const [what, other] of otherEntries) {
  test(`an entry with the id of one with ${what} is refused`, async () => {
    const refused = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000 })
        const payouts = yield* Payouts
        yield* payouts.addExpense(shop, "p1", { id: "e1", amount: 1_500, name: "Samples" })
        return yield* Effect.flip(payouts.addExpense(shop, "p1", { id: "e1", ...other }))
      }),
    )
    expect(refused).toMatchObject({ _tag: "InvalidEntry", problems: [{ path: "id", value: "e1" }] })
  })
}

test("an income with the id of an expense is refused", async () => {
  const refused = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1" })
      const payouts = yield* Payouts
      const entry = { id: "e1", amount: 1_500, name: "Samples" }
      yield* payouts.addExpense(shop, "p1", entry)
      return yield* Effect.flip(payouts.addIncome(shop, "p1", entry))
    }),
  )
  expect(refused).toMatchObject({ _tag: "InvalidEntry", problems: [{ path: "id" }] })
})

const invalidEntries = [
  [{ amount: 0, name: "Samples" }, ["amount"]],
  [{ amount: -1, name: "Samples" }, ["amount"]],
  [{ amount: 1.5, name: "Samples" }, ["amount"]],
  [{ amount: Number.NaN, name: "Samples" }, ["amount"]],
  [{ amount: most + 1, name: "Samples" }, ["amount"]],
  [{ amount: 1, name: "   " }, ["name"]],
  [{ amount: 1, name: "x".repeat(201) }, ["name"]],
  [{ amount: 0, name: "", id: "" }, ["id", "amount", "name"]],
  [{ amount: 1, name: "Samples", id: "1001/1/g1" }, ["id"]],
  [{ amount: 1, name: "Samples", id: "1001/1/g1/refund/2" }, ["id"]],
] as const

for (const [entry, paths] of invalidEntries) {
  const given = `id ${"id" in entry ? entry.id : "absent"}, amount ${entry.amount}, name of ${entry.name.length}`
  test(`an entry with ${given} is refused for its ${paths.join(", ")}, known payout or not`, async () => {
    const refusals = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1" })
        const payouts = yield* Payouts
        return [
          yield* Effect.flip(payouts.addExpense(shop, "p1", entry)),
          yield* Effect.flip(payouts.addIncome(shop, "nowhere", entry)),
        ]
      }),
    )
    for (const refused of refusals) {
      expect(refused._tag).toBe("InvalidEntry")
      const problems = refused._tag === "InvalidEntry" ? refused.problems : []
      expect(problems.map(({ path }) => path)).toEqual(paths)
    }
  })
}

test("a name may have 200 characters, counted as people do, and an id may have a slash", async () => {
  const viewed = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1" })
      const entry = { id: "invoices/7", amount: 1, name: "🎨".repeat(200) }
      return yield* (yield* Payouts).addExpense(shop, "p1", entry)
    }),
  )
  expect(viewed.payout.items[0]).toMatchObject({ id: "invoices/7", name: "🎨".repeat(200) })
})

for (const status of ["paid", "manually paid"] as const) {
  test(`a payout that is ${status} takes no entries and gives none back`, async () => {
    const refusals = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000, status })
        const payouts = yield* Payouts
        const before = yield* stored("p1")
        const entry = { amount: 1, name: "Samples" }
        const refusals = [
          yield* Effect.flip(payouts.addExpense(shop, "p1", entry)),
          yield* Effect.flip(payouts.addIncome(shop, "p1", { ...entry, id: "p1-earned" })),
          yield* Effect.flip(payouts.removeEntry(shop, "p1", "p1-earned")),
        ]
        expect(yield* stored("p1")).toEqual(before)
        return refusals
      }),
    )
    for (const refused of refusals) {
      expect(refused).toMatchObject({
        _tag: "PayoutAlreadyPaid",
        payoutId: "p1",
        status,
        message: "Payout has already been paid",
      })
    }
  })
}

for (const status of ["active", "pending", "failed"] as const) {
  test(`a payout that is ${status} takes entries and gives them back`, async () => {
    const { added, removed, left } = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000, status })
        const payouts = yield* Payouts
        const added = yield* payouts.addExpense(shop, "p1", { id: "e1", amount: 9, name: "Tea" })
        const removed = yield* payouts.removeEntry(shop, "p1", "e1")
        return { added, removed, left: yield* stored("p1") }
      }),
    )
    expect([added.total, removed.total]).toEqual([4_991, 5_000])
    expect(added.payout.status).toBe(status)
    expect(left).toMatchObject({ total: 5_000, itemsCount: 1, version: 3, status })
  })
}

test("only what is there and does not come from a sale can be removed", async () => {
  const refusals = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1" })
      const payouts = yield* Payouts
      return [
        yield* Effect.flip(payouts.removeEntry(shop, "p1", "e1")),
        yield* Effect.flip(payouts.removeEntry(shop, "p2", "e1")),
      ]
    }),
  )
  expect(refusals[0]).toMatchObject({ _tag: "UnknownItem", payoutId: "p1", itemId: "e1" })
  expect(refusals[1]).toMatchObject({ _tag: "NotFound", what: "payout", id: "p2" })
})

test("a total reaches the largest exact amount, and nothing that would pass it is stored", async () => {
  const { refusals, kept } = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "full", total: most })
      yield* addPayout({ id: "empty", total: -most, currency: "EUR" })
      const payouts = yield* Payouts
      const entry = { id: "e1", amount: 1, name: "One too many" }
      const refusals = [
        yield* Effect.flip(payouts.addIncome(shop, "full", entry)),
        yield* Effect.flip(payouts.addExpense(shop, "empty", entry)),
      ]
      const back = yield* payouts.addExpense(shop, "full", { amount: most, name: "All" })
      expect(back.total).toBe(0)
      expect(Object.is(back.total, 0)).toBe(true)
      return { refusals, kept: yield* stored("empty") }
    }),
  )
  expect(refusals[0]).toMatchObject({
    _tag: "AmountOutOfRange",
    what: "the total of payout full",
    value: "9007199254740992",
  })
  expect(refusals[1]).toMatchObject({ value: "-9007199254740992" })
  expect(kept).toMatchObject({ total: -most, itemsCount: 1, version: 1 })
})

test("removing an expense that held a total in range can be out of range too", async () => {
  const refused = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: most })
      const payouts = yield* Payouts
      yield* payouts.addExpense(shop, "p1", { id: "e1", amount: 5, name: "Tea" })
      yield* payouts.addIncome(shop, "p1", { id: "i1", amount: 3, name: "Bonus" })
      return yield* Effect.flip(payouts.removeEntry(shop, "p1", "e1"))
    }),
  )
  expect(refused).toMatchObject({ _tag: "AmountOutOfRange", value: "9007199254740994" })
})

const dueDate = utc("2024-02-29T00:00:00")

test("an entry on a payout that is due comes after its due date: the payout is closed before", async () => {
  const viewed = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator({ payoutThreshold: 5_000, payoutHoldingDays: 7 })
      yield* addPayout({ id: "p1", total: 5_000 })
      yield* setTime(dueDate + 3_600)
      return yield* (yield* Payouts).addExpense(shop, "p1", { amount: 1, name: "Tea" })
    }),
  )
  expect(viewed.total).toBe(4_999)
  expect(viewed.payout).toMatchObject({
    status: "pending",
    closedAt: dueDate,
    payableAt: utc("2024-03-07T00:00:00"),
  })
})

test("an entry on a payout that is due and too small goes into it, at its next due date", async () => {
  const { added, removed } = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator({ payoutThreshold: 5_001 })
      yield* addPayout({ id: "p1", total: 5_000 })
      yield* setTime(dueDate)
      const payouts = yield* Payouts
      const added = yield* payouts.addIncome(shop, "p1", { id: "i1", amount: 1, name: "Bonus" })
      yield* setTime(utc("2024-03-31T00:00:00"))
      return { added, removed: yield* payouts.removeEntry(shop, "p1", "i1") }
    }),
  )
  expect(added.payout).toMatchObject({
    status: "active",
    toBePaidAt: utc("2024-03-31T00:00:00"),
  })
  expect(added.total).toBe(5_001)
  // By its second due date it was large enough, whatever was taken out of it after that.
  expect(removed.payout).toMatchObject({ status: "pending", closedAt: utc("2024-03-31T00:00:00") })
  expect(removed.total).toBe(5_000)
})

test("what another account has can't be found, nor changed", async () => {
  const refusals = await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      const entry = { amount: 1, name: "Tea" }
      const refusals = [
        yield* Effect.flip(payouts.get("other", "p1")),
        yield* Effect.flip(payouts.getAsSeen("other", "p1")),
        yield* Effect.flip(payouts.addExpense("other", "p1", entry)),
        yield* Effect.flip(payouts.setPaid("other", "p1")),
        yield* Effect.flip(payouts.removeEntry("other", "p1", "p1-earned")),
      ]
      expect((yield* payouts.list("other", {}, { page: 1, perPage: 15 })).total).toBe(0)
      expect((yield* stored("p1")).version).toBe(1)
      return refusals
    }),
  )
  for (const refused of refusals) {
    expect(refused).toMatchObject({
      _tag: "NotFound",
      message: "there is no payout with the id p1",
    })
  }
})

const defectOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit)
    ? String(Result.getOrElse(Cause.findDefect(exit.cause), () => "an expected failure"))
    : "no failure"

test("a payout without its collaborator, or with a wrong total, is a fault and no answer", async () => {
  const { orphan, list, wrong } = await runWith(
    Effect.gen(function* () {
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      const orphan = yield* Effect.exit(payouts.get(shop, "p1"))
      const list = yield* Effect.exit(payouts.list(shop, {}, { page: 1, perPage: 15 }))
      yield* addCollaborator()
      const storage = yield* Storage
      const payout = { ...(yield* stored("p1")), total: 5_001 }
      yield* storage.transaction(shop, (stores) => stores.payouts.update({ payout }))
      return { orphan, list, wrong: yield* Effect.exit(payouts.get(shop, "p1")) }
    }),
  )
  expect(defectOf(orphan)).toContain("payout p1 belongs to collaborator ada")
  expect(defectOf(list)).toContain("payout p1 belongs to collaborator ada")
  expect(defectOf(wrong)).toContain("has a total of 5001, its items sum to 5000")
})

test("every change logs one line with ids and nothing about people, reads log nothing", async () => {
  const log: Array<LogLine> = []
  await runWith(
    Effect.gen(function* () {
      yield* addCollaborator()
      yield* addPayout({ id: "p1", total: 5_000 })
      const payouts = yield* Payouts
      yield* payouts.get(shop, "p1")
      yield* payouts.list(shop, {}, { page: 1, perPage: 15 })
      yield* payouts.addExpense(shop, "p1", { id: "e1", amount: 77, name: "Secret" })
      yield* payouts.addExpense(shop, "p1", { id: "e1", amount: 77, name: "Secret" })
      yield* Effect.ignore(payouts.addExpense(shop, "p1", { id: "e1", amount: 78, name: "Secret" }))
      yield* payouts.removeEntry(shop, "p1", "e1")
      yield* payouts.setPaid(shop, "p1")
      yield* payouts.setPaid(shop, "p1")
    }),
    { log },
  )
  const about = { accountId: shop, payoutId: "p1" }
  expect(log).toEqual([
    { level: "Info", message: "expense added", annotations: { ...about, itemId: "e1" } },
    { level: "Info", message: "entry removed", annotations: { ...about, itemId: "e1" } },
    { level: "Info", message: "payout set as paid", annotations: about },
  ])
})
