import { MemoryStorage } from "apportion/memory"
import type { StorageService, Stores } from "apportion/ports"
import { makeApportion } from "apportion/promise"
import { Effect } from "effect"
import { expect, test } from "vitest"

// DOMAIN: an item can be closed only so many days after its sale; what is not mature moves to the next payout at closing.

const shop = "shop"
const day = 86_400
const start = Date.UTC(2024, 0, 10, 12) / 1_000
/** When the first payout is due. */
const due = Date.UTC(2024, 1, 10) / 1_000

const open = async (
  settings: { readonly maturityDays?: number } = { maturityDays: 14 },
  storage?: StorageService,
) => {
  const clock = { now: start }
  const now = () => clock.now
  const services = await makeApportion({ now, settings, ...(storage && { storage }) })
  const { collaborators, groups, sales, payouts } = services
  await collaborators.create(shop, { id: "ada", currency: "USD" })
  await groups.create(shop, "ada", { id: "g1", link: { type: "products.all" }, percent: 10 })
  const sell = (id: string, amount: number) => {
    const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount }]
    return sales.record(shop, { id, currency: "USD", items })
  }
  const refund = (id: string, orderId: string, amount: number) =>
    sales.refund(shop, { id, orderId, itemId: "1", amount })
  const all = async () => {
    const { entries } = await payouts.list(shop, { collaboratorId: "ada" }, { page: 1, perPage: 9 })
    const found = entries.map(({ payout }) => payout).reverse()
    return Promise.all(found.map(({ id }) => payouts.get(shop, id)))
  }
  const lines = async () =>
    (await all()).map(({ payout: { status, items } }) =>
      [status, ...items.map(({ amount }) => amount)].join(" "),
    )
  return { clock, services, sell, refund, all, lines }
}

/** Sold long before the due date, and the day before it. */
const sellTwice = async (shopOf: Awaited<ReturnType<typeof open>>) => {
  await shopOf.sell("old", 10_000)
  shopOf.clock.now = due - day
  await shopOf.sell("new", 4_000)
  shopOf.clock.now = due
}

test("closing leaves out what is not mature, and a payout is opened with it", async () => {
  const one = await open()
  await sellTwice(one)
  const { closed, rolled } = await one.services.payouts.closeDue(shop)
  const [first, second] = await one.all()
  expect([closed, rolled]).toEqual([[first?.payout.id], []])
  expect(await one.lines()).toEqual(["pending 1000", "active 400"])
  expect(first).toMatchObject({ total: 1_000, itemsCount: 1, payout: { closedAt: due } })
  expect(second).toMatchObject({ total: 400, itemsCount: 1, payout: { openedAt: due } })
  expect(second?.payout.items).toMatchObject([
    { about: { payoutId: first?.payout.id, why: "immature" }, createdAt: due - day },
  ])
  const told = await one.services.events.after(shop, 0, 100)
  expect(told.slice(-3).map(({ type, data }) => [type, data])).toMatchObject([
    ["payout.closed", { payoutId: first?.payout.id, total: 1_000 }],
    ["payout.opened", { payoutId: second?.payout.id }],
    ["payout.carried", { toPayoutId: second?.payout.id, amount: 400, items: 1 }],
  ])
})

test("what is due is foreseen without what is not mature, and nothing moves for that", async () => {
  const one = await open()
  await sellTwice(one)
  const { payouts, at } = await one.services.payouts.outlook(shop)
  expect(payouts).toMatchObject([{ total: 1_000, waits: null, payout: { total: 1_400 } }])
  expect([at, await one.lines()]).toEqual([due, ["active 1000 400"]])
})

test("without the setting nothing moves", async () => {
  const one = await open({})
  await sellTwice(one)
  await one.services.payouts.closeDue(shop)
  expect(await one.lines()).toEqual(["pending 1000 400"])
})

test("the ledger names the payout where a share is, and a refund finds it there", async () => {
  const one = await open()
  await sellTwice(one)
  await one.services.payouts.closeDue(shop)
  const [, second] = await one.all()
  const [part] = await one.services.sales.get(shop, "new")
  expect(part).toMatchObject({ version: 2, postings: [{ payoutId: second?.payout.id }] })
  await one.refund("r1", "new", 1_000)
  expect(await one.lines()).toEqual(["pending 1000", "active 300"])
})

test.each([
  ["a refund of what moves", "active 0"],
  ["a sale", "active 400 10"],
  ["an expense", "active 400 -5"],
  ["new terms", "active 400"],
] as const)("%s closes what is due before, just as closing does", async (what, last) => {
  const one = await open()
  await sellTwice(one)
  const { collaborators, entries } = one.services
  if (what === "a refund of what moves") await one.refund("r1", "new", 4_000)
  if (what === "a sale") await one.sell("third", 100)
  if (what === "new terms") await collaborators.update(shop, "ada", { payoutThreshold: 5 })
  if (what === "an expense") {
    await entries.addExpense(shop, "ada", { id: "e1", amount: 5, name: "Samples" })
  }
  expect(await one.lines()).toEqual(["pending 1000", last])
})

test("a refund of a share that moved, and was paid since, goes to the payout that collects", async () => {
  const one = await open()
  await sellTwice(one)
  await one.services.payouts.closeDue(shop)
  one.clock.now = due + 40 * day
  await one.services.payouts.closeDue(shop)
  const [, second] = await one.all()
  await one.services.payouts.pay(shop, second?.payout.id ?? "")
  await one.refund("r1", "new", 1_000)
  expect(await one.lines()).toEqual(["pending 1000", "paid 400", "active -100"])
})

test("the threshold is held against what is mature, and what is too little rolls with the rest", async () => {
  const one = await open()
  await one.services.collaborators.update(shop, "ada", { payoutThreshold: 1_001 })
  await sellTwice(one)
  const { closed, rolled } = await one.services.payouts.closeDue(shop)
  expect([closed.length, rolled.length]).toEqual([0, 1])
  expect(await one.lines()).toEqual(["active 1000 400"])
})

test("what nobody closed for months is closed date by date, as if it had been", async () => {
  const [late, often] = [await open(), await open()]
  for (const one of [late, often]) {
    await sellTwice(one)
    one.clock.now = due + day
    await one.services.entries.addIncome(shop, "ada", { id: "i1", amount: 7, name: "Bonus" })
  }
  for (let days = 1; days <= 90; days += 1) {
    often.clock.now = due + days * day
    await often.services.payouts.closeDue(shop)
  }
  late.clock.now = due + 90 * day
  const done = await late.services.payouts.closeDue(shop)
  expect(done.closed.length).toBe(1)
  expect(await late.lines()).toEqual(["pending 1000", "pending 400 7"])
  const figures = async (one: Awaited<ReturnType<typeof open>>) =>
    (await one.all()).map(({ payout: { openedAt, toBePaidAt, closedAt, items } }) => [
      ...[openedAt, toBePaidAt, closedAt],
      items.length,
    ])
  expect(await figures(late)).toEqual(await figures(often))
})

test("histories prove themselves, and statements tell of nothing that only moved", async () => {
  const one = await open()
  await sellTwice(one)
  const { payouts, audit, statements, balances } = one.services
  await payouts.closeDue(shop)
  one.clock.now = due + day
  await one.refund("r1", "new", 1_000)
  const found = await audit.payouts(shop)
  expect(found).toMatchObject({ differences: [] })
  const period = { from: due - 2 * day, until: due + 2 * day }
  const [sums] = (await statements.of(shop, "ada", period)).statements
  expect(sums).toMatchObject({
    opening: 1_000,
    sales: 400,
    refunds: -100,
    removed: 0,
    closing: 1_300,
  })
  const { lines } = await statements.lines(shop, "ada", { period })
  expect(lines.map(({ kind, amount }) => [kind, amount]).toSorted()).toEqual([
    ["refund", -100],
    ["sale", 400],
  ])
  expect(await balances.of(shop, "ada")).toMatchObject([{ collecting: 300, pending: 1_000 }])
})

/** A storage that notes when items of a payout are read or postings move. */
const noting = async (seen: Array<string>): Promise<StorageService> => {
  const storage = await Effect.runPromise(MemoryStorage.make)
  const note = <A, E>(name: string, asked: Effect.Effect<A, E>) =>
    Effect.andThen(
      Effect.sync(() => seen.push(name)),
      asked,
    )
  const watched = (stores: Stores): Stores => ({
    ...stores,
    payouts: {
      ...stores.payouts,
      items: (id) => note("items", stores.payouts.items(id)),
    },
    sales: {
      ...stores.sales,
      move: (moved) => note("move", stores.sales.move(moved)),
    },
  })
  return {
    ...storage,
    transaction: (accountId, work, options) =>
      storage.transaction(accountId, (stores) => work(watched(stores)), options),
  }
}

test.each([
  [0, []],
  [14, ["items", "move"]],
])("%i days: closing asks the storage for no more than it needs", async (maturityDays, asked) => {
  const seen: Array<string> = []
  const one = await open({ maturityDays }, await noting(seen))
  await sellTwice(one)
  await one.services.payouts.closeDue(shop)
  expect(seen).toEqual(asked)
})
