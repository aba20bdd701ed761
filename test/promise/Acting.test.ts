import type { PayoutHistoryEntry } from "apportion/ports"
import {
  type Acting,
  type Apportion,
  type ApportionOptions,
  makeApportion,
} from "apportion/promise"
import type { HistoryRequest, PayoutAudit } from "apportion/service"
import { afterEach, expect, expectTypeOf, test } from "vitest"

/** A method without what it rejects with. */
type Plain<Method> = Method extends (...given: infer Given) => Promise<infer A>
  ? (...given: Given) => Promise<A>
  : never

const shop = "my-shop"
const january = 1_767_225_600
const day = 86_400
const open: Array<Apportion> = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((apportion) => apportion.close()))
})

/** A shop in which ada has a payout of 1000. */
const openShop = async (options: ApportionOptions = {}) => {
  const apportion = await makeApportion({ now: () => january, ...options })
  open.push(apportion)
  await apportion.collaborators.create(shop, { id: "ada", currency: "USD" })
  await apportion.groups.create(shop, "ada", { link: { type: "products.all" }, percent: 10 })
  const item = { id: "1", product: { id: "p" }, quantity: 1, amount: 10_000 }
  const order = { id: "o", currency: "USD", items: [item] }
  const { parts } = await apportion.sales.record(shop, order)
  return { apportion, payoutId: parts[0]?.postings[0]?.payoutId ?? "" }
}

const actorsOf = async ({ payouts }: Acting, payoutId: string) =>
  (await payouts.history(shop, payoutId)).map(({ actor }) => actor)

const tea = { amount: 100, name: "Tea" }

test("the history is there as plain data, and so is the audit", () => {
  expectTypeOf<Plain<Apportion["payouts"]["history"]>>().toEqualTypeOf<
    (
      accountId: string,
      payoutId: string,
      request?: HistoryRequest,
    ) => Promise<ReadonlyArray<PayoutHistoryEntry>>
  >()
  expectTypeOf<Plain<Apportion["audit"]["payouts"]>>().toEqualTypeOf<
    (accountId: string) => Promise<PayoutAudit>
  >()
})

test("changes are made by the system, or by whom the host says", async () => {
  const { apportion, payoutId } = await openShop()
  await apportion.payouts.addExpense(shop, payoutId, tea)
  await apportion.as("alice").payouts.addExpense(shop, payoutId, tea)
  const ben = apportion.as("ben")
  await ben.payouts.addIncome(shop, payoutId, tea, { idempotencyKey: "k" })
  await apportion.payouts.setPaid(shop, payoutId)
  expect(await actorsOf(ben, payoutId)).toEqual([
    ...["system", "system", "system"],
    ...["alice", "ben", "system"],
  ])
})

test("a host that always acts in one name says so once", async () => {
  const { apportion, payoutId } = await openShop({ actor: "till 4" })
  await apportion.as("alice").payouts.setPaid(shop, payoutId)
  const actors = await actorsOf(apportion, payoutId)
  expect(new Set(actors.slice(0, -1))).toEqual(new Set(["till 4"]))
  expect(actors.at(-1)).toBe("alice")
})

test("a unit of work is done in the name in which it was begun", async () => {
  const { apportion, payoutId } = await openShop()
  await apportion.as("alice").unitOfWork(shop, async ({ payouts }) => {
    await payouts.addExpense(shop, payoutId, tea)
  })
  await apportion.as("ben").once(shop, { key: "k", request: "r" }, async ({ payouts }) => {
    await payouts.setPaid(shop, payoutId)
    return null
  })
  expect((await actorsOf(apportion, payoutId)).slice(-2)).toEqual(["alice", "ben"])
})

test("in whatever name, groups are watched and what is closed is closed", async () => {
  const { apportion } = await openShop()
  const alice = apportion.as("alice")
  const { group } = await alice.groups.create(shop, "ada", {
    link: { type: "products.all" },
    percent: 1,
  })
  const seen: Array<string> = []
  for await (const { status } of alice.groups.watch(shop, group.id)) seen.push(status)
  expect(seen.at(-1)).toBe("done")
  await apportion.close()
  await expect(alice.payouts.list(shop)).rejects.toMatchObject({ _tag: "Closed" })
})

test.each(["", "  ", "x".repeat(201)])("nobody can be called %j", async (actor) => {
  const { apportion } = await openShop()
  expect(() => apportion.as(actor)).toThrow(
    expect.objectContaining({
      _tag: "InvalidArgument",
      problems: [expect.objectContaining({ path: "actor", value: actor })],
    }),
  )
  await expect(makeApportion({ actor })).rejects.toMatchObject({
    _tag: "InvalidArgument",
    problems: [{ path: "actor", value: actor }],
  })
})

test("a part of a history is asked for in whole numbers", async () => {
  const { apportion, payoutId } = await openShop()
  await apportion.payouts.addExpense(shop, payoutId, tea)
  const [second] = await apportion.payouts.history(shop, payoutId, { after: 1, limit: 1 })
  expect(second?.version).toBe(2)
  for (const wrong of [{ after: -1 }, { after: 1.5 }, { limit: 0 }, { limit: Number.NaN }]) {
    const [path] = Object.keys(wrong)
    await expect(apportion.payouts.history(shop, payoutId, wrong)).rejects.toMatchObject({
      _tag: "InvalidArgument",
      problems: [{ path: `request.${path}` }],
    })
  }
  const misspelt = { form: 1 } as HistoryRequest
  await expect(apportion.payouts.history(shop, payoutId, misspelt)).rejects.toMatchObject({
    _tag: "InvalidArgument",
  })
  await expect(apportion.payouts.history(shop, "none")).rejects.toMatchObject({ _tag: "NotFound" })
})

test("the payouts of an account are held against their histories", async () => {
  const { apportion, payoutId } = await openShop()
  expect(await apportion.audit.payouts(shop)).toEqual({ checked: 1, differences: [] })
  expect(await apportion.audit.payout(shop, payoutId)).toEqual({ checked: 1, differences: [] })
  await expect(apportion.audit.payout(shop, "none")).rejects.toMatchObject({ _tag: "NotFound" })
})

test("what is due is closed by the clock, as soon as it is made, when the host asks for it", async () => {
  const { MemoryStorage } = await import("apportion/memory")
  const { Effect } = await import("effect")
  const storage = await Effect.runPromise(MemoryStorage.make)
  const { apportion, payoutId } = await openShop({ storage })
  await apportion.close()
  const closed = Promise.withResolvers<void>()
  const later = await makeApportion({
    storage,
    now: () => january + 40 * day,
    closeDueEvery: 3_600,
    actor: "alice",
    log: ({ message }) => {
      if (message === "payout closed") closed.resolve()
    },
  })
  open.push(later)
  await closed.promise
  const history = await later.payouts.history(shop, payoutId)
  expect(history.at(-1)).toMatchObject({ actor: "system", after: { status: "pending" } })
  for (const closeDueEvery of [0, 1.5, -1, Number.NaN]) {
    await expect(makeApportion({ closeDueEvery })).rejects.toMatchObject({
      _tag: "InvalidArgument",
      problems: [{ path: "closeDueEvery" }],
    })
  }
})

test("what is old is removed by the clock, as soon as it is made, when the host asks for it", async () => {
  const { MemoryStorage } = await import("apportion/memory")
  const { Effect } = await import("effect")
  const storage = await Effect.runPromise(MemoryStorage.make)
  const { apportion } = await openShop({ storage })
  const later = () => january + 40 * day
  const survey = async (services: Apportion) => (await services.retention.survey(shop)).events
  const grown = await makeApportion({ storage, now: later })
  open.push(grown)
  expect(await survey(grown)).toBeGreaterThan(0)
  await apportion.close()
  const removed = Promise.withResolvers<unknown>()
  const purging = await makeApportion({
    ...{ storage, now: later, purgeEvery: 86_400 },
    log: ({ message, annotations }) => {
      if (message === "old history removed") removed.resolve(annotations.accountId)
    },
  })
  open.push(purging)
  expect(await removed.promise).toBe(shop)
  expect(await survey(purging)).toBe(0)
  await expect(makeApportion({ purgeEvery: 0.5 })).rejects.toMatchObject({
    ...{ _tag: "InvalidArgument", problems: [{ path: "purgeEvery" }] },
  })
})

test("a token may say whose it is", async () => {
  const token = { token: "secret", accountId: shop }
  const { apportion } = await openShop({ tokens: [{ ...token, actor: "alice" }] })
  expect(await apportion.authenticate("secret")).toBe(shop)
  const wrong = [{ ...token, actor: "" }]
  await expect(makeApportion({ tokens: wrong })).rejects.toMatchObject({
    _tag: "InvalidArgument",
    problems: [{ path: "tokens[0].actor" }],
  })
})
