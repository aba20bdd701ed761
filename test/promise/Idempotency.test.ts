import { type Apportion, makeApportion } from "apportion/promise"
import { afterEach, beforeEach, expect, test } from "vitest"

const shop = "my-shop"
const january = 1_767_225_600
let apportion: Apportion
let payoutId: string

beforeEach(async () => {
  apportion = await makeApportion({ now: () => january })
  await apportion.collaborators.create(shop, { id: "ada", currency: "USD" })
  const link = { type: "products.all" } as const
  await apportion.groups.create(shop, "ada", { link, percent: 50 })
  const items = [{ id: "i1", amount: 10_000, quantity: 1, product: { id: "p1" } }]
  const { parts } = await apportion.sales.record(shop, { id: "o1", currency: "USD", items })
  payoutId = parts[0]?.postings[0]?.payoutId ?? "none"
})

afterEach(() => apportion.close())

const once = { idempotencyKey: "k1" }
const keyReused = { _tag: "KeyReused", key: "k1" }
const expense = { amount: 100, name: "Frames" }

test("an expense that is sent twice under one key is one expense, and both get the same answer", async () => {
  const first = await apportion.payouts.addExpense(shop, payoutId, expense, once)
  const second = await apportion.payouts.addExpense(shop, payoutId, expense, once)
  expect(second).toEqual(first)
  expect(first.total).toBe(4_900)
  expect((await apportion.payouts.get(shop, payoutId)).total).toBe(4_900)
})

test("two at the same time under one key are one expense", async () => {
  const send = () => apportion.payouts.addExpense(shop, payoutId, expense, once)
  const [first, second] = await Promise.all([send(), send()])
  expect(second).toEqual(first)
  expect((await apportion.payouts.get(shop, payoutId)).total).toBe(4_900)
})

test("without a key each expense counts", async () => {
  await apportion.payouts.addExpense(shop, payoutId, expense)
  await apportion.payouts.addExpense(shop, payoutId, expense, {})
  expect((await apportion.payouts.get(shop, payoutId)).total).toBe(4_800)
})

test("the order of the fields does not make another request", async () => {
  await apportion.payouts.addExpense(shop, payoutId, { amount: 100, name: "Frames" }, once)
  await apportion.payouts.addExpense(shop, payoutId, { name: "Frames", amount: 100 }, once)
  expect((await apportion.payouts.get(shop, payoutId)).total).toBe(4_900)
})

test("a key that was used for another request is refused", async () => {
  await apportion.payouts.addExpense(shop, payoutId, expense, once)
  const { payouts, groups } = apportion
  await expect(
    payouts.addExpense(shop, payoutId, { ...expense, amount: 101 }, once),
  ).rejects.toMatchObject(keyReused)
  await expect(payouts.addIncome(shop, payoutId, expense, once)).rejects.toMatchObject(keyReused)
  await expect(payouts.setPaid(shop, payoutId, once)).rejects.toMatchObject(keyReused)
  await expect(groups.remove(shop, "ada", "g1", once)).rejects.toMatchObject(keyReused)
  expect((await payouts.get(shop, payoutId)).total).toBe(4_900)
})

test("a request that failed under a key can be sent again", async () => {
  const blank = { ...expense, name: " " }
  await expect(apportion.payouts.addExpense(shop, payoutId, blank, once)).rejects.toMatchObject({
    _tag: "InvalidEntry",
  })
  const { total } = await apportion.payouts.addExpense(shop, payoutId, expense, once)
  expect(total).toBe(4_900)
})

test("every change can be asked for twice under a key and happens once", async () => {
  const { collaborators, groups, products, payouts } = apportion
  const { group } = await groups.create(shop, "ada", { link: { type: "products.all" }, amount: 5 })
  const entry = { id: "e1", amount: 1, name: "One" }
  await payouts.addIncome(shop, payoutId, entry)
  const changes: Record<string, (options: { idempotencyKey: string }) => Promise<unknown>> = {
    "create a collaborator": (options) =>
      collaborators.create(shop, { id: "bob", currency: "USD" }, options),
    "update a collaborator": (options) =>
      collaborators.update(shop, "bob", { notes: "hello" }, options),
    "put products": (options) => products.put(shop, [{ id: "p9", name: "Nine" }], options),
    "remove products": (options) => products.remove(shop, ["p9"], options),
    "create a group": (options) =>
      groups.create(shop, "bob", { link: { type: "products.all" }, percent: 1 }, options),
    "update a group": (options) => groups.update(shop, "ada", group.id, { amount: 7 }, options),
    "remove a group": (options) => groups.remove(shop, "ada", group.id, options),
    "add income": (options) => payouts.addIncome(shop, payoutId, expense, options),
    "remove an entry": (options) => payouts.removeEntry(shop, payoutId, "e1", options),
    "close what is due": (options) => payouts.closeDue(shop, options),
    "set paid": (options) => payouts.setPaid(shop, payoutId, options),
  }
  for (const [idempotencyKey, change] of Object.entries(changes)) {
    const first = await change({ idempotencyKey })
    expect(await change({ idempotencyKey }), idempotencyKey).toEqual(first)
  }
  expect((await collaborators.get(shop, "bob")).version).toBe(2)
  expect((await groups.list(shop, "bob")).total).toBe(1)
  expect((await payouts.get(shop, payoutId)).total).toBe(5_100)
})

test("a payment that fails, is retried and succeeds can be told twice each", async () => {
  let now = january
  await apportion.close()
  apportion = await makeApportion({ now: () => now })
  await apportion.collaborators.create(shop, { id: "ada", currency: "USD" })
  await apportion.groups.create(shop, "ada", { link: { type: "products.all" }, percent: 50 })
  const items = [{ id: "i1", amount: 10_000, quantity: 1, product: { id: "p1" } }]
  await apportion.sales.record(shop, { id: "o1", currency: "USD", items })
  now += 31 * 86_400
  const { closed } = await apportion.payouts.closeDue(shop)
  const id = closed[0] ?? "none"
  const twice = async (tell: () => Promise<{ payout: { status: string } }>) => {
    await tell()
    return (await tell()).payout.status
  }
  const { payouts } = apportion
  const key = (idempotencyKey: string) => ({ idempotencyKey })
  expect(await twice(() => payouts.fail(shop, id, "no such account", key("1")))).toBe("failed")
  expect(await twice(() => payouts.retry(shop, id, key("2")))).toBe("pending")
  expect(await twice(() => payouts.pay(shop, id, key("3")))).toBe("paid")
})

test("work of one's own is done once for each key", async () => {
  let runs = 0
  const request = { key: "k1", request: "double the expense" }
  const ask = () =>
    apportion.once(shop, request, async ({ payouts }) => {
      runs += 1
      const name = `Expense ${runs}`
      const { total } = await payouts.addExpense(shop, payoutId, { amount: 100, name })
      return { total, nothing: undefined }
    })
  expect(await ask()).toEqual({ total: 4_900 })
  expect(await ask()).toEqual({ total: 4_900 })
  expect(runs).toBe(1)
  await expect(
    apportion.once(shop, { ...request, request: "another" }, async () => 1),
  ).rejects.toMatchObject(keyReused)
})

test("keys are forgotten when they are told to be", async () => {
  await apportion.payouts.addExpense(shop, payoutId, expense, once)
  expect(await apportion.forgetKeysBefore(shop, january)).toBe(0)
  expect(await apportion.forgetKeysBefore(shop, january + 1)).toBe(1)
  const { total } = await apportion.payouts.addExpense(shop, payoutId, expense, once)
  expect(total).toBe(4_800)
})
