import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ExchangeRates } from "apportion/ports"
import { Collaborators, ProductGroups, servicesLayer } from "apportion/service"
import { FolderStorage } from "apportion/sql/folder"
import { Effect, Layer, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migratedFolder } from "../DataFolders.js"
import { Folder, run } from "../world.js"

const world = new Folder()
const data = join(world.path, "data")
const refused = join(world.path, "refused.ndjson")

beforeAll(async () => {
  await migratedFolder(data)
  const services = servicesLayer.pipe(
    Layer.provide([FolderStorage.layer(data), ExchangeRates.none]),
    Layer.provideMerge(Logger.layer([])),
  )
  const filled = Effect.gen(function* () {
    const terms = { payoutMeasurement: "monthly_date", payoutFrequency: 1 } as const
    yield* (yield* Collaborators).create("default", { id: "ada", currency: "USD", ...terms })
    const link = { type: "products.all" } as const
    yield* (yield* ProductGroups).create("default", "ada", { link, percent: "10" })
  })
  await Effect.runPromise(Effect.provide(filled, services))
}, 120_000)
afterAll(() => world.remove(), 60_000)

const ndjson = (values: ReadonlyArray<object>) =>
  values.map((one) => JSON.stringify(one)).join("\n")

const importing = async (orders: string, ...more: ReadonlyArray<string>) => {
  const paid = ["--paid-until", "2025-01-01", "--refused", refused, "--format", "json"]
  const ran = await run(["import", "--data", data, "--orders", orders, ...paid, ...more])
  return { ...ran, counts: ran.code === 2 ? {} : JSON.parse(ran.out) }
}

const own = (id: string, createdAt: string, currency = "USD") => ({
  ...{ id, currency, created_at: createdAt },
  items: [{ id: "1", product: { id: "p1" }, quantity: 2, amount: 10_000 }],
})

const money = (amount: string) => ({ shopMoney: { amount, currencyCode: "USD" } })

const shopify = {
  ...{ id: 77, name: "#77", currency: "USD", created_at: "2024-07-01T10:00:00Z" },
  financial_status: "partially_refunded",
  line_items: [{ id: 5, product_id: 1, quantity: 2, price: "50.00" }],
  refunds: [
    {
      ...{ id: 509, created_at: "2024-08-02T10:00:00Z" },
      refund_line_items: [{ line_item_id: 5, quantity: 1, subtotal: "50.00" }],
    },
  ],
}

const bulk = [
  {
    ...{ id: "gid://shopify/Order/88", name: "#88", currencyCode: "USD", test: false, tags: [] },
    ...{ createdAt: "2024-09-01T10:00:00Z", cancelledAt: null, taxesIncluded: false },
    ...{ displayFinancialStatus: "PAID", discountCodes: [], refunds: [] },
    ...{ totalDiscountsSet: money("10.00"), totalTaxSet: money("0.00") },
    ...{ totalTipReceivedSet: money("0.00"), totalShippingPriceSet: money("0.00") },
  },
  {
    ...{ id: "gid://shopify/LineItem/9", __parentId: "gid://shopify/Order/88", quantity: 1 },
    ...{ isGiftCard: false, product: { id: "gid://shopify/Product/1" } },
    ...{ originalUnitPriceSet: money("100.00"), taxLines: [] },
    discountAllocations: [{ allocatedAmountSet: money("10.00") }],
  },
]

describe("apportion import", () => {
  it("imports what is there, tells what it refused, and what of it can be mended", async () => {
    const orders = world.file(
      "orders.ndjson",
      `${ndjson([
        ...[own("o1", "2024-05-10T09:00:00Z"), own("o2", "2024-05-11T09:00:00Z", "EUR")],
        ...[own("o3", "2025-01-01T00:00:00Z"), shopify],
      ])}\nnot json\n`,
    )
    const refunds = world.file(
      "refunds.ndjson",
      ndjson([
        { order_id: "o1", item_id: "1", quantity: 1, refunded_at: "2024-06-02T09:00:00Z" },
        { order_id: "o1", item_id: "9", quantity: 1, refunded_at: "2024-06-02T09:00:00Z" },
        { order_id: "o9", item_id: "1", quantity: 1, refunded_at: "2024-06-02T09:00:00Z" },
      ]),
    )
    const { code, err, counts } = await importing(orders, "--refunds", refunds)
    expect(counts).toEqual({
      ...{ account: "default", paid_until: Date.UTC(2025, 0, 1) / 1_000 },
      sales: { imported: 2, recorded: 1, known: 0, left_out: 0, refused: 2 },
      refunds: { imported: 2, recorded: 0, known: 0, refused: 2 },
    })
    expect(code).toBe(1)
    expect(err).toMatch(/orders\.ndjson:2: order o2: .*EUR/)
    expect(err).toMatch(/orders\.ndjson:5: /)
    expect(err).toMatch(/refunds\.ndjson:2: no item "9" of order "o1"/)
    // What is no JSON is kept as it stands.
    const [broken, last = "", ...none] = readFileSync(refused, "utf8").trim().split("\n")
    expect([broken, none]).toEqual(["not json", []])
    expect(JSON.parse(last)).toEqual(own("o2", "2024-05-11T09:00:00Z", "EUR"))
    expect(err).toMatch(/refunds\.ndjson:3: order_id: there is no order "o9"/)
    const kept = readFileSync(join(world.path, "refused.refunds.ndjson"), "utf8").trim().split("\n")
    expect(kept.map((line) => JSON.parse(line).order_id)).toEqual(["o1", "o9"])
  }, 60_000)

  it("goes on when it is started again, and takes what was mended", async () => {
    const orders = join(world.path, "orders.ndjson")
    const refunds = ["--refunds", join(world.path, "refunds.ndjson")]
    const again = await importing(orders, ...refunds)
    expect(again.counts).toMatchObject({
      sales: { imported: 0, recorded: 0, known: 3, refused: 2 },
      refunds: { imported: 0, known: 2, refused: 2 },
    })
    const rates = world.file("rates.csv", "from,to,rate,from_date\nEUR,USD,1.10,2024-01-01\n")
    const other = await importing(refused)
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringMatching(/--refused: must be another/),
    ])
    const mended = world.file("mended.ndjson", readFileSync(refused, "utf8").split("\n")[1] ?? "")
    const { code, counts } = await importing(mended, "--rates", rates)
    expect([code, counts.sales.imported]).toEqual([0, 1])
    // Nothing was refused by this run, so nothing of an earlier one is left.
    const isThere = (name: string) => existsSync(join(world.path, name))
    expect(["refused.ndjson", "refused.refunds.ndjson"].filter(isThere)).toEqual([])
  }, 60_000)

  it("reads files of Shopify's bulk operations, and the statement has all of it", async () => {
    const { counts } = await importing(world.file("bulk.jsonl", ndjson(bulk)))
    expect(counts.sales).toMatchObject({ imported: 1, refused: 0 })
    const year = ["--from", "2024-01-01", "--until", "2025-01-31", "--format", "json"]
    const { out } = await run(["statement", "--data", data, "--account", "default", ...year])
    const [{ statements }] = JSON.parse(out).data
    const sales = 1_000 + 1_100 + 1_000 + 900
    expect(statements).toMatchObject([
      { currency: "USD", opening: 0, sales, refunds: -1_000, paid: sales - 1_000, closing: 0 },
    ])
  }, 60_000)

  it("records a refund once that a file tells twice", async () => {
    const refund = { id: "x", order_id: "o1", item_id: "1", refunded_at: "2024-06-03T09:00:00Z" }
    const told = [
      { ...refund, amount: 100 },
      { ...refund, amount: 100 },
      { ...refund, amount: 99 },
    ]
    const orders = world.file("once.ndjson", ndjson([own("o1", "2024-05-10T09:00:00Z")]))
    const file = world.file("twice.ndjson", ndjson(told))
    const { counts, err } = await importing(orders, "--refunds", file)
    expect(counts.refunds).toMatchObject({ imported: 1, known: 0, refused: 1 })
    expect(err).toMatch(/twice\.ndjson:2: id: refund "x" of item "1" was given before: .*left out/)
    expect(err).toMatch(/twice\.ndjson:3: id: refund "x" of item "1" was given before, otherwise/)
    expect(existsSync(refused)).toBe(false)
    const kept = readFileSync(join(world.path, "refused.refunds.ndjson"), "utf8")
    expect(JSON.parse(kept)).toEqual(told[2])
    const again = await importing(orders, "--refunds", file)
    expect(again.counts.refunds).toMatchObject({ imported: 0, known: 1, refused: 1 })
  }, 60_000)

  it("refuses a date that is none, and an account that is not there, before it reads orders", async () => {
    const orders = join(world.path, "orders.ndjson")
    const args = ["import", "--data", data, "--orders", orders, "--paid-until"]
    const wrong = await run([...args, "someday"])
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringMatching(/--paid-until: must be a day/),
    ])
    const ahead = await run([...args, "2999-01-01"])
    expect([ahead.code, ahead.err]).toEqual([
      2,
      expect.stringMatching(/^apportion: --paid-until: must be in the past, got 2999-01-01/),
    ])
    const nobody = await run([...args, "2025-01-01", "--account", "other"])
    expect([nobody.code, nobody.err]).toEqual([
      2,
      expect.stringMatching(/nothing of an account "other"/),
    ])
  }, 60_000)
})
