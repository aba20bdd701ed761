import { MemoryStorage } from "apportion/memory"
import type { StorageService, Stores } from "apportion/ports"
import { makeApportion } from "apportion/promise"
import { Effect } from "effect"
import { expect, test } from "vitest"

// DOMAIN: a recorded sale keeps the policy it was split with; what is in force when a payout is closed counts.

const shop = "shop"
const day = 86_400
const start = Date.UTC(2024, 0, 10, 12) / 1_000
const page = { page: 1, perPage: 15 }

const open = async (storage?: StorageService) => {
  const clock = { now: start }
  const settings = { maturityDays: 5, policy: { cost: "deduct" } } as const
  const services = await makeApportion({
    ...{ now: () => clock.now, settings, actor: "host" },
    ...(storage && { storage }),
  })
  await services.collaborators.create(shop, { id: "ada", currency: "USD" })
  const group = { id: "g1", link: { type: "products.all" }, percent: 10 } as const
  await services.groups.create(shop, "ada", group)
  const order = (id: string) => ({
    ...{ id, currency: "USD" },
    items: [
      {
        id: "1",
        product: { id: "p1", cost: 500 },
        quantity: 1,
        amount: 10_000,
      },
    ],
  })
  return { clock, services, order }
}

/** What a sale is split by, and what it gives. */
const splitOf = async (services: Awaited<ReturnType<typeof open>>["services"], id: string) =>
  (await services.sales.get(shop, id)).map(({ policy, split }) => [
    ...[policy.tax, policy.cost],
    ...split.shares.map(({ amount }) => amount),
  ])

test("recorded sales keep their policy, and sales after a change take the new one", async () => {
  const { services, order } = await open()
  await services.sales.record(shop, order("before"))
  const before = await splitOf(services, "before")
  const seen = await services.settings.change(shop, { policy: { tax: "keep", cost: "ignore" } })
  expect(seen).toMatchObject({ version: 1, since: start, settings: { maturityDays: 5 } })
  await services.sales.record(shop, order("after"))
  const [, , now] = (await splitOf(services, "after"))[0] ?? []
  expect(before[0]?.slice(0, 2)).toEqual(["remove", "deduct"])
  expect(await splitOf(services, "after")).toEqual([["keep", "ignore", now]])
  expect(now).not.toBe(before[0]?.[2])
  expect(await splitOf(services, "before")).toEqual(before)
  expect(await services.sales.replay(shop, "before")).toHaveLength(1)
  const { split } = await services.sales.preview(shop, order("unseen"))
  expect(split.policy.tax).toBe("keep")
})

test("so do many at once, those that are gathered, those of the past, and the default of re-splits", async () => {
  const { services, order } = await open()
  await services.sales.record(shop, order("old"))
  const unchanged = await services.resplits.preview(shop, {})
  await services.settings.change(shop, { policy: { cost: "ignore" } })
  await services.sales.recordAll(shop, ["a", "b"].map(order))
  await Promise.all(["c", "d", "e"].map((id) => services.sales.record(shop, order(id))))
  const paidUntil = start - day
  const past = { ...order("past"), createdAt: start - 9 * day }
  await services.pastSales.record(shop, past, { paidUntil })
  for (const id of ["a", "b", "c", "d", "e", "past"]) {
    expect((await splitOf(services, id))[0]?.slice(0, 2), id).toEqual(["remove", "ignore"])
  }
  const { biggest, changed } = await services.resplits.preview(shop, {})
  expect([unchanged.changed, changed, biggest.map(({ orderId }) => orderId)]).toEqual([
    0,
    1,
    ["old"],
  ])
})

test("a payout that is closed after a change is closed with the new maturity", async () => {
  const { clock, services, order } = await open()
  await services.sales.record(shop, order("old"))
  clock.now = Date.UTC(2024, 1, 9) / 1_000
  await services.sales.record(shop, order("new"))
  await services.settings.change(shop, { maturityDays: 0 })
  clock.now = Date.UTC(2024, 1, 10) / 1_000
  const { closed } = await services.payouts.closeDue(shop)
  const items = await Promise.all(closed.map((id) => services.payouts.get(shop, id)))
  // With the five days of before, the newer sale would have moved to the next payout.
  expect(items.map(({ payout }) => payout.items.length)).toEqual([2])
})

test("a payout that is opened after a change is due in the new zone", async () => {
  const { services, order } = await open()
  await services.settings.change(shop, { timeZone: "America/New_York" })
  await services.sales.record(shop, order("one"))
  const { entries } = await services.payouts.list(shop, {}, page)
  expect(entries.map(({ payout }) => payout.toBePaidAt)).toEqual([Date.UTC(2024, 1, 10, 5) / 1_000])
})

test("each change is kept with who made it, since when, and what was in force before and after", async () => {
  const { clock, services } = await open()
  await services.as("ada").settings.change(shop, { maturityDays: 30 })
  clock.now += day
  await services.settings.change(shop, { policy: { tax: "keep" }, timeZone: "Europe/Berlin" })
  clock.now += day
  await services.settings.change(shop, { maturityDays: null, policy: null })
  const { entries, total } = await services.settings.list(shop, page)
  expect(total).toBe(3)
  expect(entries.map(({ version, since, actor }) => [version, since, actor])).toEqual([
    ...[
      [3, start + 2 * day, "host"],
      [2, start + day, "host"],
      [1, start, "ada"],
    ],
  ])
  const [third, second, first] = entries
  expect(first).toMatchObject({ before: { maturityDays: 5 }, after: { maturityDays: 30 } })
  expect(second?.before).toEqual(first?.after)
  expect(third?.before).toEqual(second?.after)
  expect(third?.after).toMatchObject({ maturityDays: 5, timeZone: "Europe/Berlin" })
  expect(third?.after.policy).toEqual(first?.before.policy)
  expect(await services.settings.get(shop)).toMatchObject({
    ...{ version: 3, since: start + 2 * day, chosen: { timeZone: "Europe/Berlin" } },
  })
  const events = await services.events.after(shop, 0, 100)
  const told = events.filter(({ type }) => type === "settings.changed")
  expect(told.map(({ data }) => data)).toEqual([
    { version: 1, changed: ["maturityDays"] },
    { version: 2, changed: ["policy.tax", "timeZone"] },
    { version: 3, changed: ["maturityDays", "policy.tax"] },
  ])
})

test("the same change again, and a change of nothing, leave no entry", async () => {
  const { services } = await open()
  const first = await services.settings.change(shop, { policy: { tax: "keep" }, maturityDays: 3 })
  const again = [{ maturityDays: 3 }, { policy: { tax: "keep" } }, {}, { timeZone: null }] as const
  for (const changes of again) expect(await services.settings.change(shop, changes)).toEqual(first)
  expect((await services.settings.list(shop, page)).total).toBe(1)
})

test("what is wrong with a change is told at once, by field and value, and nothing is kept", async () => {
  const { services } = await open()
  const wrong = {
    ...{ timeZone: "Mars/Olympus", maturityDays: 3_651, rates: "ecb.csv", linkBatchSize: 5 },
    policy: { tax: "eat" },
  }
  const fails = async (changes: object) => {
    const call = services.settings.change(shop, changes)
    const { problems } = await call.then(
      () => ({ problems: [] }),
      (error) => error,
    )
    return problems.map(({ path, value }: { path: string; value: unknown }) => [path, value])
  }
  expect(await fails(wrong)).toEqual([
    ["linkBatchSize", 5],
    ["rates", "ecb.csv"],
  ])
  const { rates: _, linkBatchSize: __, ...values } = wrong
  expect(await fails(values)).toEqual([
    ["maturityDays", 3_651],
    ["policy.tax", "eat"],
    ["timeZone", "Mars/Olympus"],
  ])
  expect(await fails({ policy: "keep" })).toEqual([["policy", "keep"]])
  expect(await fails({ maturityDays: -1 })).toEqual([["maturityDays", -1]])
  expect(await fails({ policy: { taxes: null } })).toEqual([["policy.taxes", null]])
  expect(await services.settings.get(shop)).toMatchObject({ version: 0, since: null, chosen: {} })
})

test("no other account sees a change", async () => {
  const { services } = await open()
  await services.settings.change(shop, { maturityDays: 30 })
  expect(await services.settings.get("other")).toMatchObject({
    ...{ version: 0, settings: { maturityDays: 5 } },
  })
  expect((await services.settings.list("other", page)).total).toBe(0)
})

test("a change and sales that come at once are in one order: each sale has one of the two policies whole", async () => {
  const { services, order } = await open()
  const ids = Array.from({ length: 12 }, (_, index) => `o${index}`)
  const [, ...all] = await Promise.all([
    services.sales.record(shop, order("first")),
    ...ids.flatMap((id, index) => [
      ...(index === 6
        ? [services.settings.change(shop, { policy: { tax: "keep", cost: "ignore" } })]
        : []),
      services.sales.record(shop, order(id)),
    ]),
  ])
  expect(all).toHaveLength(13)
  const { entries } = await services.sales.list(shop, {}, { page: 1, perPage: 50 })
  const policies = new Map(
    entries.map(({ orderId, policy }) => [orderId, `${policy.tax} ${policy.cost}`]),
  )
  const seen = (await services.events.after(shop, 0, 100)).flatMap(({ type, data }) => {
    if (type === "settings.changed") return ["changed"]
    return type === "sale.recorded" ? [policies.get(data.orderId)] : []
  })
  const change = seen.indexOf("changed")
  expect(new Set(seen.slice(0, change))).toEqual(new Set(["remove deduct"]))
  expect(new Set(seen.slice(change + 1))).toEqual(new Set(["keep ignore"]))
})

test("two processes over one storage never take what was in force before", async () => {
  const storage = Effect.runSync(MemoryStorage.make)
  const { services, order } = await open(storage)
  await services.sales.record(shop, order("warm"))
  const other = await makeApportion({ storage, now: () => start })
  await other.settings.change(shop, { policy: { tax: "keep" } })
  await services.sales.record(shop, order("next"))
  expect((await splitOf(services, "next"))[0]?.[0]).toBe("keep")
  await other.close()
})

test("a sale asks once for what the account has chosen, however many are recorded together", async () => {
  const inner = Effect.runSync(MemoryStorage.make)
  let asked = 0
  const counted = (stores: Stores): Stores => ({
    ...stores,
    settings: {
      ...stores.settings,
      current: Effect.suspend(() => {
        asked += 1
        return stores.settings.current
      }),
    },
  })
  const { services, order } = await open({
    ...inner,
    transaction: (id, work, options) =>
      inner.transaction(id, (stores) => work(counted(stores)), options),
  })
  asked = 0
  await services.sales.recordAll(shop, ["a", "b", "c"].map(order))
  expect(asked).toBe(1)
})
