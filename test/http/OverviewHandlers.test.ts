import { PastSales, Sales } from "apportion/service"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { groups, openStocked, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1_000

const view = (query: Record<string, string | number>, token = "ada-token") => {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) written.set(name, String(value))
  return shop.ask("GET", `/v1/overview?${written}`, { token })
}

/** The month of the stock's sale of 100.00 USD, of which Ada has 12.50. */
const november = { from: seconds("2023-11-01T00:00:00"), until: seconds("2023-12-01T00:00:00") }

const recordPast = (id: string, at: number, amount: number, currency = "USD") =>
  shop.run(
    Effect.gen(function* () {
      const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount }]
      const order = { id, currency, createdAt: at, items }
      return yield* (yield* PastSales).record("store", order, { paidUntil: start - 1 })
    }),
  )

describe("the overview of a period", () => {
  it("has what came in, what collaborators and the store have of it, by month", async () => {
    const { status, json } = await view(november)
    expect(status).toBe(200)
    const figures = { sales: 1, refunds: 0, came_in: 10_000, shares: 1_250, store: 8_750 }
    expect(json.data).toEqual({
      ...november,
      ...{ time_zone: "UTC", first_sale_at: start, last_sale_at: start },
      currencies: [
        {
          ...{ currency: "USD", ...figures, others: null },
          months: [{ month: "2023-11", ...figures }],
          collaborators: [
            { collaborator_id: "ada", collaborator_name: "Ada", amount: 1_250, months: [1_250] },
          ],
        },
      ],
    })
  })

  it("is of the sales that were recorded in it: its last second is the one before its end", async () => {
    const salesOf = async (from: number, until: number) =>
      (await view({ from, until })).json.data.currencies.map(
        ({ sales }: { sales: number }) => sales,
      )
    expect(await salesOf(start, start + 1)).toEqual([1])
    expect(await salesOf(start - 9, start)).toEqual([])
    expect(await salesOf(start + 1, start + 9)).toEqual([])
  })

  it("is of the month so far when nothing is said", async () => {
    const { json } = await view({})
    expect(json.data).toMatchObject({ from: november.from, until: start + 1 })
    expect(json.data.currencies[0].sales).toBe(1)
  })

  it("goes by the months of a time zone, with those in which nothing was sold", async () => {
    await recordPast("p1", seconds("2023-08-31T22:30:00"), 800)
    const period = { from: seconds("2023-08-01T00:00:00"), until: november.until }
    const monthsOf = async (time_zone: string) =>
      (await view({ ...period, time_zone })).json.data.currencies[0].months.map(
        ({ month, came_in }: { month: string; came_in: number }) => [month, came_in],
      )
    expect(await monthsOf("UTC")).toEqual([
      ...[
        ["2023-08", 800],
        ["2023-09", 0],
        ["2023-10", 0],
        ["2023-11", 10_000],
      ],
    ])
    expect(await monthsOf("Europe/Berlin")).toEqual([
      ...[
        ["2023-08", 0],
        ["2023-09", 800],
        ["2023-10", 0],
        ["2023-11", 10_000],
        ["2023-12", 0],
      ],
    ])
    expect((await monthsOf("Asia/Kathmandu")).at(1)).toEqual(["2023-09", 800])
  })

  it("is without what was refunded, and after re-splits", async () => {
    const refund = { id: "r1", orderId: "o1", itemId: "i1", amount: 4_000 }
    await shop.run(Effect.flatMap(Sales, (sales) => sales.refund("store", refund)))
    const figuresOf = async () => {
      const [{ sales, refunds, came_in, shares, store }] = (await view(november)).json.data
        .currencies
      return [sales, refunds, came_in, shares, store]
    }
    expect(await figuresOf()).toEqual([1, 1, 6_000, 750, 5_250])
    await shop.ask("PUT", `${groups}/${shop.groupId}`, {
      body: { type: "percentage", percent: 50 },
    })
    const run = await shop.ask("POST", "/v1/resplits", { body: { id: "more" } })
    await shop.ask("POST", "/v1/resplits/more/approve", { body: { digest: run.json.data.digest } })
    await shop.ask("POST", "/v1/resplits/more/book")
    expect(await figuresOf()).toEqual([1, 1, 6_000, 3_000, 3_000])
  })

  it("lists those with the most, and all others together", async () => {
    const link = { itemType: "products.all", type: "percentage" }
    for (const [id, percent] of [
      ["sam", 20],
      ["kim", 5],
      ["lee", 2],
    ] as const) {
      if (id !== "sam")
        await shop.ask("POST", "/v1/collaborators", { body: { id, currency: "EUR" } })
      const path = `/v1/collaborators/${id}/products`
      await shop.ask("PUT", path, { body: { ...link, percent } })
    }
    const items = [{ id: "1", product: { id: "p1" }, quantity: 1, amount: 1_000 }]
    await shop.run(
      Effect.flatMap(Sales, (sales) => sales.record("store", { id: "o2", currency: "EUR", items })),
    )
    const { json } = await view({ ...november, collaborators: 2 })
    const [euros] = json.data.currencies
    expect(euros.collaborators).toEqual([
      { collaborator_id: "sam", collaborator_name: "sam", amount: 200, months: [200] },
      { collaborator_id: "ada", collaborator_name: "Ada", amount: 125, months: [125] },
    ])
    expect(euros.others).toEqual({ collaborators: 2, amount: 70, months: [70] })
    expect([euros.shares, euros.came_in]).toEqual([395, 1_000])
  })

  it("is exact, and refused where a sum can't be", async () => {
    const most = Number.MAX_SAFE_INTEGER
    const at = seconds("2023-06-15T12:00:00")
    await shop.ask("DELETE", `${groups}/${shop.groupId}`)
    await recordPast("big", at, most, "JPY")
    const period = { from: at, until: at + 60 }
    expect((await view(period)).json.data.currencies[0].came_in).toBe(most)
    await recordPast("one", at + 1, 1, "JPY")
    const refused = await view(period)
    expect(refused.status).toBe(422)
    expect(refused.json.message).toContain("9007199254740992")
  })

  it("names what is wrong with a request", async () => {
    const errorsOf = async (query: Record<string, string | number>) => {
      const { status, json } = await view(query)
      return [status, Object.keys(json.errors ?? {})]
    }
    expect(await errorsOf({ from: "x", until: "y" })).toEqual([422, ["from", "until"]])
    expect(await errorsOf({ from: 5, until: 5 })).toEqual([422, ["from"]])
    expect(await errorsOf({ from: 0, until: start })).toEqual([422, ["until"]])
    expect(await errorsOf({ ...november, time_zone: "Mars/Olympus" })).toEqual([422, ["time_zone"]])
  })

  it("has nothing of another account, and needs a token that reads", async () => {
    const { json } = await view(november, "other-token")
    expect(json.data).toMatchObject({ first_sale_at: null, last_sale_at: null, currencies: [] })
    expect((await view(november, "eyes-token")).status).toBe(200)
    expect((await view(november, "till-token")).status).toBe(403)
  })
})
