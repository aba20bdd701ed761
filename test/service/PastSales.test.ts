import { EventType } from "apportion"
import { type Apportion, makeApportion } from "apportion/promise"
import { describe, expect, test } from "vitest"

// DOMAIN: sales of the past can be imported as already paid up to a date: they count for statements, counters and
// refunds, and nobody is paid again.

const shop = "shop"
const at = (text: string): number => Date.parse(`${text}Z`) / 1_000
const paidUntil = at("2025-01-01T00:00")
const today = at("2025-03-10T12:00")

type Options = Parameters<typeof makeApportion>[0]

const begin = async (options: Options = {}) => {
  const clock = { now: today }
  const all = await makeApportion({ now: () => clock.now, ...options })
  const terms = { payoutMeasurement: "monthly_date", payoutFrequency: 1 } as const
  await all.collaborators.create(shop, { id: "ada", currency: "EUR", ...terms })
  await all.groups.create(shop, "ada", { link: { type: "products.all" }, percent: "10" })
  return { ...all, clock }
}

const order = (id: string, when: string, amount = 10_000) => ({
  ...{ id, currency: "EUR", createdAt: at(when) },
  items: [{ id: "1", product: { id: "p1", name: "Print" }, quantity: 2, amount }],
})

const back = (id: string, orderId: string, when: string, amount = 5_000) => ({
  ...{ id, orderId, itemId: "1", amount },
  refundedAt: at(when),
})

const listed = async ({ payouts }: Pick<Apportion, "payouts">) =>
  (await payouts.list(shop, {}, { page: 1, perPage: 100 })).entries.map(({ payout }) => payout)

const statement = async ({ statements }: Pick<Apportion, "statements">, from: string, to: string) =>
  (await statements.of(shop, "ada", { from: at(from), until: at(to) })).statements

const lines = async ({ statements }: Pick<Apportion, "statements">, from: string, to: string) =>
  (await statements.lines(shop, "ada", { period: { from: at(from), until: at(to) } })).lines.map(
    ({ kind, amount, at }) => [kind, amount, new Date(at * 1_000).toISOString().slice(0, 10)],
  )

describe("Sales of the past, imported as paid up to a date:", () => {
  test("each is in a payout of its period, paid in the past, and its totals are exact", async () => {
    const all = await begin()
    const { pastSales, close, audit } = all
    await pastSales.record(shop, order("1", "2024-05-10T09:00"), { paidUntil })
    await pastSales.record(shop, order("2", "2024-05-31T23:59", 333), { paidUntil })
    await pastSales.record(shop, order("3", "2024-12-15T09:00"), { paidUntil })
    expect(await listed(all)).toMatchObject([
      { status: "manually paid", total: 1_000, paidAt: paidUntil, toBePaidAt: paidUntil },
      {
        ...{ status: "manually paid", total: 1_033, itemsCount: 2, openedAt: today },
        ...{ toBePaidAt: at("2024-06-01T00:00"), closedAt: at("2024-06-01T00:00") },
        ...{ payableAt: at("2024-06-01T00:00"), paidAt: at("2024-06-01T00:00") },
      },
    ])
    expect(await audit.payouts(shop)).toEqual({ checked: 2, differences: [] })
    await close()
  })

  test("nobody is paid for them again: no payout is opened, closed, due or payable", async () => {
    const all = await begin({ settings: { maturityDays: 30 } })
    const { pastSales, payouts, balances, clock, close } = all
    await pastSales.record(shop, order("1", "2024-05-10T09:00"), { paidUntil })
    clock.now += 400 * 86_400
    expect(await payouts.closeDue(shop)).toMatchObject({ closed: [], rolled: [] })
    expect(await payouts.listPayable(shop, 10)).toEqual([])
    const [payout] = await listed(all)
    await expect(payouts.pay(shop, payout?.id ?? "", { total: 1_000 })).rejects.toMatchObject({
      _tag: "InvalidTransition",
    })
    await expect(
      payouts.addExpense(shop, payout?.id ?? "", { id: "e", amount: 5, name: "Fee" }),
    ).rejects.toMatchObject({ _tag: "PayoutAlreadyPaid" })
    expect((await balances.belowZero(shop, { page: 1, perPage: 5 })).entries).toEqual([])
    expect((await listed(all)).map(({ status }) => status)).toEqual(["manually paid"])
    await close()
  })

  test("the statement of their year tells of them at their own times", async () => {
    const all = await begin()
    const { pastSales, close } = all
    const entries = [
      { sale: order("1", "2024-05-10T09:00") },
      { sale: order("2", "2024-06-02T09:00") },
      { refund: back("r1", "1", "2024-06-20T09:00") },
    ]
    expect(await pastSales.recordAll(shop, entries, { paidUntil })).toEqual([
      ...[{ type: "imported" }, { type: "imported" }, { type: "imported" }],
    ])
    expect(await statement(all, "2024-01-01T00:00", "2025-01-01T00:00")).toMatchObject([
      { opening: 0, sales: 2_000, refunds: -500, paid: 1_500, closing: 0 },
    ])
    expect(await statement(all, "2024-05-01T00:00", "2024-06-01T00:00")).toMatchObject([
      { opening: 0, sales: 1_000, refunds: 0, paid: 0, closing: 1_000 },
    ])
    expect(await statement(all, "2024-06-01T00:00", "2024-07-01T00:00")).toMatchObject([
      { opening: 1_000, sales: 1_000, refunds: -500, paid: 1_000, closing: 500 },
    ])
    expect(await statement(all, "2025-01-01T00:00", "2026-01-01T00:00")).toMatchObject([
      { opening: 0, sales: 0, refunds: 0, paid: 0, closing: 0 },
    ])
    expect(await lines(all, "2024-06-01T00:00", "2024-07-02T00:00")).toEqual([
      ["sale", 1_000, "2024-06-02"],
      ["refund", -500, "2024-06-20"],
      ["payment", -500, "2024-07-01"],
      ["payment", -1_000, "2024-06-01"],
    ])
    await close()
  })

  test("what was imported in several steps was paid as one", async () => {
    const all = await begin()
    const { pastSales, close } = all
    for (const id of ["1", "2", "3"]) {
      await pastSales.record(shop, order(id, "2024-05-10T09:00"), { paidUntil })
    }
    const told = await lines(all, "2024-06-01T00:00", "2024-07-01T00:00")
    expect(told).toEqual([["payment", -3_000, "2024-06-01"]])
    await close()
  })

  test("importing twice has one effect, and so have importing and recording", async () => {
    const all = await begin()
    const { pastSales, sales, close } = all
    const entries = [
      { sale: order("1", "2024-05-10T09:00") },
      { refund: back("r1", "1", "2024-05-11T09:00") },
    ]
    await pastSales.recordAll(shop, entries, { paidUntil })
    const before = await listed(all)
    expect(await pastSales.recordAll(shop, entries, { paidUntil })).toEqual([
      ...[{ type: "known" }, { type: "known" }],
    ])
    const later = await sales.record(shop, order("1", "2024-05-10T09:00"))
    expect(later).toMatchObject({ newItemIds: [], knownItemIds: ["1"] })
    await sales.refund(shop, back("r1", "1", "2024-05-11T09:00"))
    expect(await listed(all)).toEqual(before)
    await sales.record(shop, order("2", "2024-05-10T09:00"))
    expect(
      await pastSales.recordAll(shop, [{ sale: order("2", "2024-05-10T09:00") }], { paidUntil }),
    ).toEqual([{ type: "known" }])
    expect((await listed(all)).map(({ status }) => status)).toEqual(["active", "manually paid"])
    await expect(
      pastSales.record(shop, order("2", "2024-05-10T09:00", 1), { paidUntil }),
    ).rejects.toMatchObject({ _tag: "SaleChanged" })
    await close()
  })

  test("what is later is recorded as usual", async () => {
    const all = await begin()
    const { pastSales, close } = all
    const entries = [
      { sale: order("1", "2024-12-31T23:59") },
      { sale: order("2", "2025-01-01T00:00") },
      { refund: back("r1", "1", "2025-02-01T00:00") },
    ]
    expect(await pastSales.recordAll(shop, entries, { paidUntil })).toEqual([
      ...[{ type: "imported" }, { type: "recorded" }, { type: "recorded" }],
    ])
    expect(await listed(all)).toMatchObject([
      { status: "active", total: 500, itemsCount: 2 },
      { status: "manually paid", total: 1_000, itemsCount: 1 },
    ])
    await close()
  })

  test("a refund that comes after takes back from the active payout, as of any paid sale", async () => {
    const all = await begin()
    const { pastSales, sales, audit, close } = all
    await pastSales.record(shop, order("1", "2024-05-10T09:00"), { paidUntil })
    await pastSales.refund(shop, back("r1", "1", "2024-05-12T09:00", 2_500), { paidUntil })
    await sales.refund(shop, { id: "r2", orderId: "1", itemId: "1", remaining: true })
    expect(await listed(all)).toMatchObject([
      { status: "active", total: -750 },
      { status: "manually paid", total: 750 },
    ])
    expect((await audit.payouts(shop)).differences).toEqual([])
    await close()
  })

  test("a refund of the past of a sale that was not paid then is recorded as usual", async () => {
    const all = await begin()
    const { pastSales, sales, close } = all
    await sales.record(shop, order("1", "2024-05-10T09:00"))
    const entries = [{ refund: back("r1", "1", "2024-05-12T09:00") }]
    expect(await pastSales.recordAll(shop, entries, { paidUntil })).toEqual([{ type: "recorded" }])
    expect(await listed(all)).toMatchObject([{ status: "active", total: 500 }])
    await close()
  })

  test("one that is refused leaves the others as they are", async () => {
    const all = await begin()
    const { pastSales, sales, close } = all
    const { createdAt: _, ...undated } = order("2", "2024-05-10T09:00")
    const entries = [
      { sale: order("1", "2024-05-10T09:00") },
      ...[{ sale: undated }, { sale: { ...order("3", "2024-05-10T09:00"), currency: "euro" } }],
      ...[{ sale: { ...order("4", "2024-05-10T09:00"), currency: "USD" } }],
      { refund: back("r1", "9", "2024-05-10T09:00") },
      { refund: back("r2", "1", "2024-05-10T09:00", 10_001) },
      { refund: { id: "r3", orderId: "1", itemId: "1", quantity: 1 } },
      { sale: order("5", "2024-05-10T09:00") },
    ]
    const outcomes = await pastSales.recordAll(shop, entries, { paidUntil })
    expect(outcomes.map((one) => (one.type === "refused" ? one.error._tag : one.type))).toEqual([
      ...["imported", "InvalidOrder", "InvalidOrder", "MissingExchangeRate"],
      ...["RefundOfUnknownItem", "RefundExceedsItem", "InvalidRefund", "imported"],
    ])
    expect(await listed(all)).toMatchObject([{ total: 2_000, itemsCount: 2 }])
    const { entries: ledger } = await sales.list(shop, {}, { page: 1, perPage: 10 })
    expect(ledger.map(({ orderId, recordedAt }) => [orderId, recordedAt])).toEqual([
      ...[["1", at("2024-05-10T09:00")] as const, ["5", at("2024-05-10T09:00")] as const],
    ])
    await close()
  })

  test("the date up to which they are paid lies in the past", async () => {
    const { pastSales, close } = await begin()
    for (const wrong of [today, today + 1, 0.5, Number.NaN]) {
      const call = pastSales.recordAll(shop, [], { paidUntil: wrong })
      await expect(call).rejects.toMatchObject({ _tag: "InvalidTime", field: "paidUntil" })
    }
    await close()
  })

  test("an order in another currency is converted at the rate of its own time", async () => {
    const asked: Array<number> = []
    const all = await begin({
      exchangeRates: async ({ at: when }) => {
        asked.push(when)
        return when < at("2024-06-01T00:00") ? "0.5" : "0.9"
      },
    })
    const { pastSales, close } = all
    const entries = ["2024-05-10T09:00", "2024-07-10T09:00"].map((when, index) => ({
      sale: { ...order(`${index}`, when), currency: "USD" },
    }))
    await pastSales.recordAll(shop, entries, { paidUntil })
    expect((await listed(all)).map(({ total }) => total)).toEqual([900, 500])
    expect([...new Set(asked)]).toEqual([at("2024-05-10T09:00"), at("2024-07-10T09:00")])
    await close()
  })

  test("events tell of them by types of their own", async () => {
    const all = await begin()
    const { pastSales, events, close } = all
    const before = await events.last(shop)
    await pastSales.record(shop, order("1", "2024-05-10T09:00"), { paidUntil })
    await pastSales.refund(shop, back("r1", "1", "2024-05-11T09:00"), { paidUntil })
    const [payout] = await listed(all)
    const told = await events.after(shop, before, 100)
    expect(told.map(({ type, at: when }) => [type, when])).toEqual([
      ...[["payout.imported", today] as const, ["sale.imported", today] as const],
      ["refund.imported", today],
    ])
    expect(told[1]?.data).toMatchObject({
      ...{ orderId: "1", soldAt: at("2024-05-10T09:00"), sharesTotal: 1_000 },
      ...{ payoutIds: [payout?.id], payoutAmounts: [1_000] },
    })
    for (const { type, data } of told) {
      expect(Object.keys(data).sort()).toEqual(Object.keys(EventType.types[type].data).sort())
    }
    expect(told[2]?.data).toMatchObject({ refundId: "r1", payoutAmounts: [-500] })
    await close()
  })

  test("what is imported in a unit of work is kept or lost with it", async () => {
    const all = await begin()
    const lost = all.unitOfWork(shop, async ({ pastSales }) => {
      await pastSales.record(shop, order("1", "2024-05-10T09:00"), { paidUntil })
      throw new Error("not now")
    })
    await expect(lost).rejects.toThrow("not now")
    expect(await listed(all)).toEqual([])
    await all.unitOfWork(shop, async ({ pastSales }) => {
      await pastSales.record(shop, order("1", "2024-05-10T09:00"), { paidUntil })
      await pastSales.refund(shop, back("r1", "1", "2024-05-11T09:00"), { paidUntil })
    })
    expect(await listed(all)).toMatchObject([{ total: 500, itemsCount: 2 }])
    await all.close()
  })
})
