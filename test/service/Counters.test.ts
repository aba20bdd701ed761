/** Sales of groups with terms, and of accounts that carry: counters change with sales and refunds, in their transactions. */
import { CarriedSplit, CountedRules, type Order, Terms } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { fromPlain, type StorageService } from "apportion/ports"
import { type Apportion, makeApportion } from "apportion/promise"
import { Effect, Result } from "effect"
import { describe, expect, test } from "vitest"
import { plainHost } from "../promise/PlainHost.js"

const shop = "shop"

const march = Date.UTC(2026, 2, 31, 23, 30) / 1_000

const order = (id: string, quantity: number, rest: Partial<Order.Order> = {}): Order.Order => ({
  ...{ id, currency: "EUR", createdAt: march },
  items: [{ id: "1", product: { id: "p1", name: "Mug" }, quantity, amount: quantity * 1_000 }],
  ...rest,
})

const bands = [
  { from: 0, percent: 10 },
  { from: 10, percent: 20 },
]

const tiers = { tiers: { counted: "units", bands } } as const

const link = { type: "products.all" } as const

type Settings = NonNullable<Parameters<typeof makeApportion>[0]>["settings"]

/** A shop in which ada gets 10 % of the first ten units and 20 % of all others. */
const openShop = async ({
  storage,
  terms = tiers,
  percent,
  settings = {},
  now,
  payoutThreshold = 0,
}: {
  readonly storage?: StorageService
  readonly terms?: CountedRules.CountedGroupInput["terms"]
  readonly percent?: number | string
  readonly settings?: NonNullable<Settings>
  readonly now?: () => number
  readonly payoutThreshold?: number
} = {}) => {
  const known = storage ?? (await Effect.runPromise(MemoryStorage.make))
  const apportion = await makeApportion({ storage: known, settings, ...(now && { now }) })
  await apportion.collaborators.create(shop, { id: "ada", currency: "EUR", payoutThreshold })
  await apportion.groups.create(shop, "ada", { id: "g", link, percent, terms })
  return apportion
}

const countersOf = async ({ counters }: Apportion) => {
  const { entries } = await counters.list(shop)
  return Object.fromEntries(entries.map(({ key, count }) => [key, count]))
}

const amountsOf = async ({ payouts }: Apportion) => {
  const { entries } = await payouts.list(shop, { collaboratorId: "ada" })
  return entries.map(({ payout }) => payout.total)
}

const shares = async ({ sales }: Apportion, orderId: string) =>
  (await sales.get(shop, orderId)).flatMap(({ split }) => split.shares.map(({ amount }) => amount))

const isSound = async ({ audit }: Apportion) => {
  const { differences, counters } = await audit.sales(shop)
  expect([...differences, ...counters]).toEqual([])
}

const units = "units/EUR/lifetime/group/g"

describe("a sale of a group with terms", () => {
  test("is counted on from the sale before it, and says so", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001", 8))
    const { parts } = await apportion.sales.record(shop, order("1002", 4))
    expect(parts[0]?.split.shares).toMatchObject([
      { amount: 600, percent: null, terms: { tiers: { before: 8, after: 12 } } },
    ])
    expect(parts[0]?.groups).toMatchObject([{ id: "g", percent: null, terms: Terms.make(tiers) }])
    expect(await countersOf(apportion)).toEqual({ [units]: 12 })
    expect(await amountsOf(apportion)).toEqual([1_400])
    expect(await apportion.sales.replay(shop, "1002")).toEqual(parts.map(({ split }) => split))
    await isSound(apportion)
  })

  test("counts once when it is recorded twice, and what is refused counts nothing", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001", 8))
    await apportion.sales.record(shop, order("1001", 8))
    const unknown = { ...order("1002", 4), currency: "USD" }
    await expect(apportion.sales.record(shop, unknown)).rejects.toMatchObject({
      _tag: "MissingExchangeRate",
    })
    expect(await countersOf(apportion)).toEqual({ [units]: 8 })
  })

  test("is counted on from those before it in one call, whatever of them is refused", async () => {
    const apportion = await openShop()
    const orders = [order("1", 6), order("2", 0.5), order("3", 6), order("1", 6), order("4", 1)]
    const outcomes = await apportion.sales.recordAll(shop, orders)
    expect(outcomes.map(({ type }) => type)).toEqual([
      ...["recorded", "refused", "recorded", "known", "recorded"],
    ])
    expect(await shares(apportion, "3")).toEqual([800])
    expect(await countersOf(apportion)).toEqual({ [units]: 13 })
    await isSound(apportion)
  })

  test("counts what is new of an order that grew", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001", 8))
    await apportion.sales.record(shop, order("1001", 12))
    expect(await shares(apportion, "1001")).toEqual([800, 600])
    expect(await countersOf(apportion)).toEqual({ [units]: 12 })
    await isSound(apportion)
  })

  test("is shown before it is recorded, and nothing is counted then", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001", 8))
    const { split } = await apportion.sales.preview(shop, order("1002", 4))
    expect(split.shares.map(({ amount }) => amount)).toEqual([600])
    expect(await countersOf(apportion)).toEqual({ [units]: 8 })
  })

  test("is counted in the month of the account's time zone", async () => {
    const monthly = { cap: { amount: 500, period: "month" } } as const
    const settings = { timeZone: "Europe/Berlin" }
    const apportion = await openShop({ terms: monthly, percent: 10, settings })
    await apportion.sales.record(shop, order("1001", 4))
    await apportion.sales.record(shop, order("1002", 4))
    expect(await countersOf(apportion)).toEqual({ "share/EUR/2026-04/group/g": 500 })
    expect(await shares(apportion, "1002")).toEqual([100])
    await apportion.settings.change(shop, { timeZone: "UTC" })
    await apportion.sales.record(shop, order("1003", 4))
    expect(await countersOf(apportion)).toEqual({
      "share/EUR/2026-03/group/g": 400,
      "share/EUR/2026-04/group/g": 500,
    })
    await isSound(apportion)
  })

  test("is counted by the payout that collects its shares", async () => {
    const terms = { cap: { amount: 500, period: "payout" } } as const
    const open = await openShop({ terms, percent: 10 })
    await open.sales.recordAll(shop, [order("1001", 4), order("1002", 4)])
    const { entries } = await open.payouts.list(shop, { collaboratorId: "ada" })
    const [first] = entries
    const id = first?.payout.id ?? ""
    expect(await countersOf(open)).toEqual({ [`share/EUR/payout:${id}/group/g`]: 500 })
    await open.payouts.setPaid(shop, id)
    await open.sales.record(shop, order("1003", 4))
    expect(await shares(open, "1003")).toEqual([400])
    expect(Object.values(await countersOf(open)).toSorted((a, b) => a - b)).toEqual([400, 500])
    await isSound(open)
  })

  for (const [payoutThreshold, what, left] of [
    [0, "anew in the next payout when the one that is due will be closed", 500],
    [1_000, "on in the payout that is due when that is too small to be closed", 100],
  ] as const) {
    test(`is counted ${what}, and so statements and previews say`, async () => {
      let at = march
      const terms = { cap: { amount: 500, period: "payout" } } as const
      const open = await openShop({ terms, percent: 10, payoutThreshold, now: () => at })
      await open.sales.record(shop, order("1001", 4))
      at += 60 * 86_400
      const { terms: stands } = await open.statements.of(shop, "ada")
      expect(stands).toMatchObject(payoutThreshold === 0 ? [] : [{ count: 400, left }])
      const foreseen = await open.sales.preview(shop, order("1002", 9))
      await open.sales.record(shop, order("1002", 9))
      expect(await shares(open, "1002")).toEqual([left])
      expect(foreseen.split.shares).toMatchObject([{ amount: left }])
    })
  }
})

describe("a refund", () => {
  const refund = (id: string, orderId: string, quantity: number) => ({
    ...{ id, orderId, itemId: "1", quantity, refundedAt: march },
  })

  test("lowers the counters by what its sale counted, and leaves other sales", async () => {
    const apportion = await openShop()
    await apportion.sales.recordAll(shop, [order("1001", 8), order("1002", 4)])
    const preview = await apportion.sales.previewRefund(shop, refund("r1", "1002", 1))
    expect(preview.collaborators).toMatchObject([{ amount: 200 }])
    expect(await countersOf(apportion)).toEqual({ [units]: 12 })
    await apportion.sales.refund(shop, refund("r1", "1002", 1))
    await apportion.sales.refund(shop, refund("r1", "1002", 1))
    expect(await countersOf(apportion)).toEqual({ [units]: 11 })
    await apportion.sales.refund(shop, refund("r2", "1001", 8))
    await apportion.sales.refund(shop, refund("r3", "1002", 3))
    expect(await countersOf(apportion)).toEqual({ [units]: 0 })
    expect(await amountsOf(apportion)).toEqual([0])
    await isSound(apportion)
  })

  test("is imported with the sale that it is of", async () => {
    const apportion = await openShop()
    const paidUntil = Date.UTC(2026, 5, 1) / 1_000
    const entries = [
      { sale: order("1001", 8) },
      { sale: order("1002", 4) },
      { refund: refund("r1", "1002", 3) },
    ]
    const outcomes = await apportion.pastSales.recordAll(shop, entries, { paidUntil })
    expect(outcomes.map(({ type }) => type)).toEqual(["imported", "imported", "imported"])
    expect(await shares(apportion, "1002")).toEqual([600])
    expect(await countersOf(apportion)).toEqual({ [units]: 9 })
    await isSound(apportion)
  })
})

describe("an audit", () => {
  test("finds a counter that does not stand at what was counted", async () => {
    const storage = await Effect.runPromise(MemoryStorage.make)
    const apportion = await openShop({ storage })
    await apportion.sales.record(shop, order("1001", 8))
    await Effect.runPromise(
      storage.transaction(shop, ({ counters }) =>
        counters.put([
          { key: units, count: 7 },
          { key: "units/EUR/lifetime/group/h", count: 1 },
        ]),
      ),
    )
    const { counters, differences } = await apportion.audit.sales(shop)
    expect(differences).toEqual([])
    expect(counters).toMatchObject([
      { key: units, stored: 7, counted: 8 },
      { key: "units/EUR/lifetime/group/h", stored: 1, counted: 0 },
    ])
    expect(counters[0]?.message).toContain(
      "stands at 7, and the recorded sales and refunds come to 8",
    )
  })
})

describe("remainders", () => {
  const carry = { policy: { rounding: "carry" } } as const

  const song = (id: string): Order.Order =>
    order(id, 1, { items: [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 99 }] })

  const openLabel = () => openShop({ terms: null, percent: "0.40", settings: carry })

  test("are carried from sale to sale as one after another carries them", async () => {
    const label = await openLabel()
    const songs = Array.from({ length: 30 }, (_, place) => song(`${place}`))
    await label.sales.recordAll(shop, songs.slice(0, 20))
    for (const one of songs.slice(20)) await label.sales.record(shop, one)
    const rules = CountedRules.highest(
      CountedRules.make([{ id: "g", collaboratorId: "ada", link, percent: "0.40" }]),
    )
    const policy = Result.getOrThrow(CarriedSplit.policy())
    const { splits, remainders } = CarriedSplit.orders(rules, songs, policy)
    const expected = splits.map((split) => Result.getOrThrow(split).shares[0]?.amount)
    const recorded = await Promise.all(songs.map(({ id }) => shares(label, id)))
    expect(recorded.flat()).toEqual(expected)
    expect(await countersOf(label)).toEqual({
      "remainder/EUR/group/g": remainders.find(({ groupId }) => groupId === "g")?.remainder,
      "remainder/EUR/store": remainders.find(({ groupId }) => groupId === null)?.remainder,
    })
    await isSound(label)
    for (const { id } of songs) {
      await label.sales.refund(shop, { id: `r${id}`, orderId: id, itemId: "1", remaining: true })
    }
    expect(Object.values(await countersOf(label))).toEqual([0, 0])
    await isSound(label)
  })

  test("and terms are refused together, with an error that names both", async () => {
    const label = await openLabel()
    const group = { link, terms: tiers }
    await expect(label.groups.create(shop, "ada", group)).rejects.toMatchObject({
      _tag: "InvalidProductGroup",
      problems: [{ path: "terms", message: expect.stringContaining('"carry"') }],
    })
    const counted = await openShop()
    await expect(counted.settings.change(shop, carry)).rejects.toMatchObject({
      _tag: "InvalidSettings",
      problems: [{ path: "policy.rounding", message: expect.stringContaining('"g"') }],
    })
  })
})

test("without terms and carrying no counter is asked for or stored, however a sale comes and goes", async () => {
  const inner = await Effect.runPromise(MemoryStorage.make)
  const asked: Array<string> = []
  const noting = <A>(name: string, effect: A): A => {
    asked.push(name)
    return effect
  }
  const storage: StorageService = {
    ...inner,
    transaction: (accountId, work, options) =>
      inner.transaction(
        accountId,
        (stores) => {
          const { find, put, list } = stores.counters
          const counters = {
            find: (keys: ReadonlyArray<string>) => noting("find", find(keys)),
            put: (all: Parameters<typeof put>[0]) => noting("put", put(all)),
            list,
          }
          return work({ ...stores, counters })
        },
        options,
      ),
  }
  const apportion = await openShop({ storage, terms: null, percent: 10 })
  await apportion.sales.record(shop, order("1001", 8))
  await apportion.sales.recordAll(shop, [order("1002", 4), order("1003", 4)])
  await apportion.sales.preview(shop, order("1004", 4))
  const refund = { id: "r", orderId: "1001", itemId: "1", remaining: true } as const
  await apportion.sales.previewRefund(shop, refund)
  await apportion.sales.refund(shop, refund)
  await apportion.groups.update(shop, "ada", "g", { percent: 12 })
  const { digest } = await apportion.resplits.preview(shop, {})
  await apportion.resplits.propose(shop, { id: "raise" })
  await apportion.resplits.approve(shop, "raise", { digest })
  await apportion.resplits.book(shop, "raise")
  expect(asked).toEqual([])
  await apportion.groups.update(shop, "ada", "g", { percent: null, terms: tiers })
  await apportion.sales.record(shop, order("1005", 4))
  expect(asked).toContain("find")
  expect(asked).toContain("put")
})

describe("a storage that has no store of counters", () => {
  const withoutCounters = async () => {
    const plain = plainHost(await Effect.runPromise(MemoryStorage.make))
    return fromPlain({
      ...plain,
      transaction: (accountId, work, options) =>
        plain.transaction(accountId, ({ counters: _, ...stores }) => work(stores), options),
    })
  }

  test("refuses terms and carrying, and says why", async () => {
    const refused = {
      _tag: "StorageFailure",
      message: expect.stringContaining("no store of counters"),
    }
    await expect(openShop({ storage: await withoutCounters() })).rejects.toMatchObject(refused)
    const storage = await withoutCounters()
    const apportion = await openShop({ storage, terms: null, percent: 10 })
    await apportion.sales.record(shop, order("1001", 8))
    expect(await countersOf(apportion)).toEqual({})
    const carry = { policy: { rounding: "carry" } } as const
    await expect(apportion.settings.change(shop, carry)).rejects.toMatchObject(refused)
    await isSound(apportion)
  })
})

describe("a re-split", () => {
  const rerun = async ({ resplits }: Apportion, id: string) => {
    const { digest, changed } = await resplits.preview(shop, {})
    await resplits.propose(shop, { id })
    await resplits.approve(shop, id, { digest })
    await resplits.book(shop, id)
    return changed
  }

  test("counts the chosen sales again, those of which no money changes too", async () => {
    const apportion = await openShop({ terms: null, percent: 10 })
    await apportion.sales.recordAll(shop, [order("1", 8), order("2", 4), order("3", 2)])
    expect(await countersOf(apportion)).toEqual({})
    await apportion.groups.update(shop, "ada", "g", { percent: null, terms: tiers })
    expect(await rerun(apportion, "tiers")).toBe(3)
    expect(await countersOf(apportion)).toEqual({ [units]: 14 })
    // Ten units at 10 %, and four at 20 %.
    expect((await amountsOf(apportion)).reduce((sum, total) => sum + total, 0)).toBe(1_800)
    expect(await rerun(apportion, "again")).toBe(0)
    await apportion.sales.record(shop, order("4", 1))
    expect(await shares(apportion, "4")).toEqual([200])
    await apportion.sales.refund(shop, {
      ...{ id: "r", orderId: "1", itemId: "1", quantity: 3, refundedAt: march },
    })
    expect(await countersOf(apportion)).toEqual({ [units]: 12 })
    await isSound(apportion)
  })

  test("counts no more what an earlier one counted, and an audit finds that right", async () => {
    const apportion = await openShop({ terms: null, percent: 10 })
    await apportion.sales.record(shop, order("1", 8))
    await apportion.groups.update(shop, "ada", "g", { percent: null, terms: tiers })
    expect(await rerun(apportion, "tiers")).toBe(1)
    expect(await countersOf(apportion)).toEqual({ [units]: 8 })
    await apportion.groups.update(shop, "ada", "g", { percent: 10, terms: null })
    expect(await rerun(apportion, "as before")).toBe(1)
    expect(await countersOf(apportion)).toEqual({ [units]: 0 })
    await isSound(apportion)
  })

  test("of a sale that was refunded in part takes back from the highest band, and leaves the rest", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1", 14))
    await apportion.sales.refund(shop, {
      ...{ id: "r", orderId: "1", itemId: "1", quantity: 4, refundedAt: march },
    })
    expect(await amountsOf(apportion)).toEqual([1_000])
    const higher = [
      { from: 0, percent: 20 },
      { from: 10, percent: 30 },
    ]
    const terms = { tiers: { counted: "units", bands: higher } } as const
    await apportion.groups.update(shop, "ada", "g", { terms })
    expect(await rerun(apportion, "raise")).toBe(1)
    expect((await amountsOf(apportion)).reduce((sum, total) => sum + total, 0)).toBe(2_000)
    expect(await countersOf(apportion)).toEqual({ [units]: 10 })
    await isSound(apportion)
  })
})
