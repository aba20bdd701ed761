import { type Order, ProductGroup } from "apportion"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, type StorageService } from "apportion/ports"
import { type Apportion, makeApportion } from "apportion/promise"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"

const shop = "shop"

const order = (id: string, amount = 10_000, rest: Partial<Order.Order> = {}): Order.Order => ({
  ...{ id, currency: "EUR", createdAt: Date.UTC(2025, 2, 15) / 1_000 },
  items: [{ id: "1", product: { id: "p1", name: "Mug" }, quantity: 4, amount }],
  ...rest,
})

const rates = ExchangeRates.fixed({ "USD/EUR": "0.5" })

/** A shop in which ada has 10 % and ben 5 % of everything. */
const openShop = async (storage?: StorageService) => {
  const known = storage ?? (await Effect.runPromise(MemoryStorage.make))
  const asked = await Effect.runPromise(Effect.provide(ExchangeRates, rates))
  const apportion = await makeApportion({
    storage: known,
    exchangeRates: ({ from, to }) =>
      Effect.runPromise(asked.rate({ accountId: shop, from, to, at: 0 })),
  })
  const { collaborators, groups } = apportion
  for (const [id, percent] of Object.entries({ ada: "10", ben: "5" })) {
    await collaborators.create(shop, { id, currency: "EUR", account: { name: id } })
    await groups.create(shop, id, { id: `g-${id}`, link: { type: "products.all" }, percent })
  }
  return apportion
}

const raise = ({ groups }: Apportion, percent = "12") =>
  groups.update(shop, "ada", "g-ada", { percent })

const itemsOf = async ({ payouts }: Apportion, collaboratorId: string) => {
  const { entries } = await payouts.list(shop, { collaboratorId })
  const all = await Promise.all(
    entries.map(async ({ payout: { id } }) => (await payouts.get(shop, id)).payout.items),
  )
  return all.flat()
}

const totalOf = async (apportion: Apportion, collaboratorId: string) =>
  (await itemsOf(apportion, collaboratorId)).reduce((sum, { amount }) => sum + amount, 0)

/** What happened, but for links, which are told when a fiber of its own is done. */
const told = async ({ events }: Apportion) =>
  (await events.after(shop, 0)).map(({ type }) => type).filter((type) => type !== "group.linked")

/** Proposes, approves and books what a preview shows. */
const rerun = async (
  { resplits }: Apportion,
  id: string,
  request: Parameters<Apportion["resplits"]["propose"]>[1] = {},
) => {
  const { digest } = await resplits.preview(shop, request)
  await resplits.propose(shop, { ...request, id })
  await resplits.approve(shop, id, { digest })
  return resplits.book(shop, id)
}

describe("the preview of a re-split", () => {
  test("shows by collaborator and month what would change, and writes nothing", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    const april = { createdAt: Date.UTC(2025, 3, 15) / 1_000 }
    await apportion.sales.record(shop, order("1002", 20_000, april))
    await raise(apportion)
    const before = await told(apportion)
    const preview = await apportion.resplits.preview(shop, {})
    expect(preview).toMatchObject({ sales: 2, changed: 2, refused: [] })
    const rows = preview.totals.map((row) => [
      ...[row.collaboratorId, row.month, row.before, row.after, row.difference],
    ])
    expect(rows).toEqual([
      ["ada", "2025-03", 1_000, 1_200, 200],
      ["ada", "2025-04", 2_000, 2_400, 400],
      ["ben", "2025-03", 500, 500, 0],
      ["ben", "2025-04", 1_000, 1_000, 0],
      [null, "2025-03", 8_500, 8_300, -200],
      [null, "2025-04", 17_000, 16_600, -400],
    ])
    expect(await told(apportion)).toEqual(before)
  })

  test("explains the biggest differences: the old and the new split, in words", async () => {
    const apportion = await openShop()
    for (const [id, amount] of [
      ["1001", 10_000],
      ["1002", 30_000],
      ["1003", 20_000],
    ] as const) {
      await apportion.sales.record(shop, order(id, amount))
    }
    await raise(apportion)
    await apportion.collaborators.update(shop, "ada", { account: { name: "Ada Lovelace" } })
    const { biggest } = await apportion.resplits.preview(shop, {}, { biggest: 2 })
    expect(biggest.map(({ orderId, differences }) => [orderId, differences])).toEqual([
      ["1002", [{ collaboratorId: "ada", difference: 600 }]],
      ["1003", [{ collaboratorId: "ada", difference: 400 }]],
    ])
    const [first] = biggest
    expect(first?.texts.before).toContain("Ada Lovelace gets 30.00 EUR")
    expect(first?.texts.after).toContain("Ada Lovelace gets 36.00 EUR")
  })

  test("is of the sales that are asked for", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    const april = Date.UTC(2025, 3, 15) / 1_000
    await apportion.sales.record(shop, order("1002", 10_000, { createdAt: april }))
    await raise(apportion)
    const count = async (request: Parameters<typeof apportion.resplits.preview>[1]) =>
      (await apportion.resplits.preview(shop, request)).sales
    expect(await count({})).toBe(2)
    expect(await count({ orderIds: ["1002", "1002", "9"] })).toBe(1)
    expect(await count({ sold: { from: april } })).toBe(1)
    expect(await count({ sales: { collaboratorId: "ada", productId: "p1" } })).toBe(2)
    expect(await count({ sales: { productId: "p2" } })).toBe(0)
    expect(await count({ sales: { recorded: { to: 5 } } })).toBe(0)
  })

  test("leaves sales out that the new rules refuse, and says so", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await raise(apportion, "96")
    const { changed, refused } = await apportion.resplits.preview(shop, {})
    expect(changed).toBe(0)
    expect(refused.map(({ orderId, error }) => [orderId, error._tag])).toEqual([
      ["1001", "OverAllocated"],
    ])
  })

  test("by given rules leaves the account's rules out, and needs collaborators that there are", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    const link = { type: "products.all" } as const
    const of = (collaboratorId: string) => [
      ProductGroup.make({ id: "other", collaboratorId, link, percent: "15" }),
    ]
    const groups = of("ada")
    const { totals } = await apportion.resplits.preview(shop, { groups })
    expect(totals.map(({ collaboratorId, difference }) => [collaboratorId, difference])).toEqual([
      ["ada", 500],
      ["ben", -500],
      [null, 0],
    ])
    const nobody = of("nobody")
    await expect(apportion.resplits.preview(shop, { groups: nobody })).rejects.toMatchObject({
      _tag: "NotFound",
      id: "nobody",
    })
  })
})

describe("a re-split that is approved", () => {
  test("is booked as items of the active payouts, each naming sale, old and new split and run", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await raise(apportion)
    const run = await rerun(apportion, "raise")
    expect(run).toMatchObject({ status: "booked", changed: 1, adjusted: 1, leftOut: [] })
    const [sale, adjustment] = await itemsOf(apportion, "ada")
    expect(sale).toMatchObject({ kind: "sale", amount: 1_000 })
    expect(sale).not.toHaveProperty("adjustment")
    expect(adjustment).toMatchObject({
      ...{ kind: "sale", amount: 200, id: "1001/1/g-ada/adjustment/raise" },
      adjustment: { runId: "raise", before: 1_000, after: 1_200 },
      orderItem: { orderId: "1001", itemId: "1", product: { name: "Mug" } },
    })
    expect(await itemsOf(apportion, "ben")).toHaveLength(1)
    const [part] = await apportion.sales.get(shop, "1001")
    expect(part?.split.shares.map(({ amount }) => amount)).toEqual([1_000, 500])
    expect(part?.adjustments?.map(({ runId }) => runId)).toEqual(["raise"])
    expect(await apportion.audit.payouts(shop)).toMatchObject({ differences: [] })
  })

  test("has one effect when it is booked twice, and the next preview shows nothing", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await raise(apportion)
    const first = await rerun(apportion, "raise")
    const known = await told(apportion)
    expect(await apportion.resplits.book(shop, "raise")).toEqual(first)
    expect(await apportion.resplits.propose(shop, { id: "raise" })).toEqual(first)
    expect(await told(apportion)).toEqual(known)
    expect(await apportion.resplits.preview(shop, {})).toMatchObject({ sales: 1, changed: 0 })
    expect(await rerun(apportion, "again")).toMatchObject({ status: "booked", adjusted: 0 })
    expect(await totalOf(apportion, "ada")).toBe(1_200)
  })

  test("can't be booked before it is approved, nor approved by another digest", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await raise(apportion)
    const { digest } = await apportion.resplits.propose(shop, { id: "raise" })
    await expect(apportion.resplits.book(shop, "raise")).rejects.toMatchObject({
      _tag: "ResplitChanged",
    })
    const wrong = apportion.resplits.approve(shop, "raise", { digest: `${digest}0` })
    await expect(wrong).rejects.toMatchObject({ _tag: "ResplitChanged" })
    await expect(apportion.resplits.get(shop, "other")).rejects.toMatchObject({ _tag: "NotFound" })
    const other = apportion.resplits.propose(shop, { id: "raise", orderIds: ["1001"] })
    await expect(other).rejects.toMatchObject({ _tag: "AlreadyExists" })
    expect(await totalOf(apportion, "ada")).toBe(1_000)
  })

  test.each([
    [
      "a refund",
      ({ sales }: Apportion) =>
        sales.refund(shop, { id: "r", orderId: "1001", itemId: "1", quantity: 1 }),
    ],
    ["other rules", (apportion: Apportion) => raise(apportion, "13")],
    ["another re-split", (apportion: Apportion) => rerun(apportion, "other")],
  ] as const)("is refused whole when there was %s in between", async (_, change) => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await apportion.sales.record(shop, order("1002"))
    await raise(apportion)
    const { digest } = await apportion.resplits.propose(shop, { id: "raise" })
    await apportion.resplits.approve(shop, "raise", { digest })
    await change(apportion)
    const known = await totalOf(apportion, "ada")
    const refused = await apportion.resplits.book(shop, "raise").then(undefined, (error) => error)
    expect(refused).toMatchObject({ _tag: "ResplitChanged", runId: "raise" })
    expect(refused.orderIds).toContain("1001")
    expect(await totalOf(apportion, "ada")).toBe(known)
  })

  test("of a sale that was partly refunded adjusts what is left of it", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await apportion.sales.refund(shop, { id: "r1", orderId: "1001", itemId: "1", quantity: 1 })
    await raise(apportion)
    await rerun(apportion, "raise")
    expect((await itemsOf(apportion, "ada")).map(({ amount }) => amount)).toEqual([750, 150])
  })

  test("goes back with refunds, each in its proportion, and wholly in the end", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001", 9_999))
    await raise(apportion, "12.5")
    await rerun(apportion, "raise")
    await raise(apportion, "3")
    await rerun(apportion, "fall")
    const half = { id: "r1", orderId: "1001", itemId: "1", quantity: 2 }
    const first = await apportion.sales.refund(shop, half)
    expect(first.adjusted?.map(({ runId, shares }) => [runId, shares[0]?.amount])).toEqual([
      ["raise", 125],
      ["fall", -475],
    ])
    expect((await itemsOf(apportion, "ada")).map(({ amount }) => amount)).toEqual([500, 125, -475])
    await apportion.sales.refund(shop, { id: "r2", orderId: "1001", itemId: "1", remaining: true })
    expect((await itemsOf(apportion, "ada")).map(({ amount }) => amount)).toEqual([0, 0, 0])
    expect(await totalOf(apportion, "ben")).toBe(0)
    expect(await apportion.audit.payouts(shop)).toMatchObject({ differences: [] })
  })

  test("of a sale whose payout was paid goes to the active payout, and refunds of both too", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    const { entries } = await apportion.payouts.list(shop, { collaboratorId: "ada" })
    await apportion.payouts.setPaid(shop, entries[0]?.payout.id ?? "")
    await raise(apportion)
    await rerun(apportion, "raise")
    await apportion.sales.refund(shop, { id: "r1", orderId: "1001", itemId: "1", remaining: true })
    const [paid, active] = await Promise.all(
      ["manually paid", "active"].map(async (status) => {
        const found = await apportion.payouts.list(shop, {
          collaboratorId: "ada",
          status: status === "active" ? "active" : "manually paid",
        })
        return found.entries[0]?.payout.total
      }),
    )
    expect([paid, active]).toEqual([1_000, -1_000])
  })

  test("is converted at the rate of the share that it is of, and a new share at that of today", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001", 10_000, { currency: "USD" }))
    await apportion.collaborators.create(shop, {
      id: "cam",
      currency: "EUR",
      account: { name: "Cam" },
    })
    await apportion.groups.create(shop, "cam", {
      id: "g-cam",
      link: { type: "products.all" },
      percent: "1",
    })
    await raise(apportion)
    await rerun(apportion, "raise")
    const [, own] = await itemsOf(apportion, "ada")
    expect(own).toMatchObject({ amount: 100, originalAmount: 200, currencyExchangeRate: "0.5" })
    expect(await itemsOf(apportion, "cam")).toMatchObject([
      { amount: 50, originalAmount: 100, currencyExchangeRate: "0.5" },
    ])
  })

  test("gives shares of a product that the catalogue did not know when it was sold", async () => {
    const apportion = await openShop()
    await apportion.groups.update(shop, "ada", "g-ada", {
      link: { type: "products.tag", values: ["art"] },
    })
    await apportion.sales.record(shop, order("1001"))
    expect(await itemsOf(apportion, "ada")).toEqual([])
    await apportion.products.put(shop, [{ id: "p1", name: "Mug", tags: ["art"] }])
    expect(await apportion.resplits.preview(shop, {})).toMatchObject({ changed: 0 })
    await rerun(apportion, "known", { completes: true })
    expect(await totalOf(apportion, "ada")).toBe(1_000)
  })

  test("of which the booking breaks off is booked to its end, each sale once", async () => {
    const storage = await Effect.runPromise(MemoryStorage.make)
    const apportion = await openShop(storage)
    for (let index = 0; index < 250; index += 1) {
      await apportion.sales.record(shop, order(`o${index}`, 1_000))
    }
    await raise(apportion)
    const { digest } = await apportion.resplits.propose(shop, { id: "raise" })
    await apportion.resplits.approve(shop, "raise", { digest })
    let left = 5
    const dying: StorageService = {
      ...storage,
      transaction: (accountId, work, options) =>
        Effect.suspend(() => {
          left -= 1
          const run = storage.transaction(accountId, work, options)
          return left < 0 ? Effect.andThen(run, Effect.die("the process ends")) : run
        }),
    }
    const other = await makeApportion({ storage: dying })
    await expect(other.resplits.book(shop, "raise")).rejects.toThrow()
    expect(await apportion.resplits.get(shop, "raise")).toMatchObject({ status: "booking" })
    const run = await apportion.resplits.book(shop, "raise")
    expect(run).toMatchObject({ status: "booked", adjusted: 250, leftOut: [], batches: 3 })
    expect(await totalOf(apportion, "ada")).toBe(250 * 120)
  })

  test("is explained to each collaborator as far as it is theirs", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await raise(apportion)
    await rerun(apportion, "raise")
    const [part] = await apportion.sales.explain(shop, "1001", "ada")
    expect(part?.text).toContain("10.00 EUR")
    expect(part?.adjustments?.map(({ runId }) => runId)).toEqual(["raise"])
    expect(part?.adjustments?.[0]?.text).toContain("12.00 EUR")
    expect(JSON.stringify(part)).not.toContain("ben")
  })

  test("shows in the statement as adjustments", async () => {
    const apportion = await openShop()
    await apportion.sales.record(shop, order("1001"))
    await raise(apportion, "8")
    await rerun(apportion, "fall")
    const { statements } = await apportion.statements.of(shop, "ada")
    expect(statements).toMatchObject([{ sales: 1_000, adjustments: -200, closing: 800 }])
  })
})
