/** Sales and refunds of the past over HTTP, one a line. */
import { StorageFailure, type StorageService } from "apportion/ports"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { open, openStocked, requestOf } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const sale = (id: string, changes: object = {}) => ({
  sale: {
    ...{ id, currency: "EUR", created_at: "2023-05-20T12:00:00Z" },
    items: [{ id: "1", amount: 10_000, product: { id: "p1", tags: ["art"] } }],
    ...changes,
  },
})

const refund = (id: string, orderId: string, changes: object = {}) => ({
  refund: {
    ...{ id, order_id: orderId, item_id: "1", amount: 5_000 },
    refunded_at: "2023-05-25T12:00:00Z",
    ...changes,
  },
})

const until = Date.UTC(2023, 9, 1) / 1_000

const send = (lines: ReadonlyArray<unknown>, query = `?paid_until=${until}`) => {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  return shop.api.handler(requestOf("POST", `/v1/sales/past/lines${query}`, { body }))
}

const answersOf = async (lines: ReadonlyArray<unknown>) => {
  const text = await (await send(lines)).text()
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

const settled = async () => {
  const { json } = await shop.ask("GET", "/v1/payouts?status=manually+paid&per_page=100")
  const ids: ReadonlyArray<string> = json.data.map(({ id }: { id: string }) => id)
  const views = await Promise.all(ids.map((id) => shop.ask("GET", `/v1/payouts/${id}`)))
  return views.map((view) => view.json.data.total)
}

const owed = async () => (await shop.ask("GET", "/v1/payouts?status=active&per_page=100")).text

describe("sales of the past that come one a line", () => {
  it("are paid already, and their refunds are taken off what was paid", async () => {
    const [before, open] = [await settled(), await owed()]
    const answers = await answersOf([sale("a"), refund("r1", "a"), sale("b")])
    expect(answers).toStrictEqual([
      { line: 1, order_id: "a", refund_id: null, outcome: "imported", refusal: null },
      { line: 2, order_id: "a", refund_id: "r1", outcome: "imported", refusal: null },
      { line: 3, order_id: "b", refund_id: null, outcome: "imported", refusal: null },
    ])
    // 12.50 % of 200.00, less the same of 50.00.
    expect([before, await settled()]).toEqual([[], [1_875]])
    expect(await owed()).toBe(open)
    const { json } = await shop.ask("GET", "/v1/sales/a")
    expect(json.data.parts[0].refunds).toHaveLength(1)
  })

  it("are known when they come again, so that what was cut off is sent again as it was", async () => {
    const lines = [sale("a"), refund("r1", "a")]
    await answersOf(lines)
    const before = await settled()
    expect((await answersOf(lines)).map(({ outcome }) => outcome)).toEqual(["known", "known"])
    expect(await settled()).toEqual(before)
  })

  it("are recorded as usual when they are later than what was paid", async () => {
    const late = sale("late", { created_at: until })
    expect((await answersOf([late]))[0].outcome).toBe("recorded")
  })

  it("are refused each by itself, with what is wrong of which field", async () => {
    const lines = [
      ...[sale("a"), sale("a", { items: [{ id: "1", amount: 5, product: { id: "p1" } }] })],
      ...[sale("b", { created_at: null }), refund("r1", "nowhere"), refund("r2", "a", { id: [] })],
      ...[{}, { ...sale("c"), ...refund("r3", "a") }, { sail: {} }, refund("r4", "a")],
    ]
    const answers = await answersOf(lines)
    expect(
      answers.map(
        ({ outcome, refusal }) => outcome ?? [refusal.status, ...Object.keys(refusal.errors ?? {})],
      ),
    ).toEqual([
      ...["imported", [409], [422, "created_at"], [404], [422, "refund.id"]],
      ...[[422, "sale"], [422, "sale"], [422, "sale"], "imported"],
    ])
  })
})

it("a time until when all was paid is needed, of the past, and nothing is imported without it", async () => {
  const asked = ["", "?paid_until=x", "?paid_until=99999999999", "?paid_until=1&paid_until=2"]
  for (const query of asked) {
    const response = await send([sale("a")], query)
    const { errors } = JSON.parse(await response.text())
    expect([query, response.status, Object.keys(errors)]).toEqual([query, 422, ["paid_until"]])
  }
  expect((await shop.ask("GET", "/v1/sales/a")).status).toBe(404)
})

/** A storage that refuses sales by their ids, and counts what is committed. */
const refusing = async (isRefused: (orderId: string) => boolean) => {
  let committed = 0
  const change = (storage: StorageService): StorageService => ({
    ...storage,
    transaction: (account, work, options) =>
      Effect.tap(
        storage.transaction(
          account,
          (stores) => {
            const insertAll: typeof stores.sales.insertAll = (sales) =>
              sales.some(({ orderId }) => isRefused(orderId))
                ? Effect.fail(StorageFailure.of("insert sales", "an id is too long"))
                : stores.sales.insertAll(sales)
            return work({ ...stores, sales: { ...stores.sales, insertAll } })
          },
          options,
        ),
        () =>
          Effect.sync(() => {
            if (options?.mode !== "read") committed += 1
          }),
      ),
  })
  const api = await open({}, change)
  const body = ["a", "b", "bad", "c"].map((id) => JSON.stringify(sale(id))).join("\n")
  const path = `/v1/sales/past/lines?paid_until=${until}`
  const answer = await api.api.handler(requestOf("POST", path, { body: `${body}\n` }))
  const answers = (await answer.text()).trim().split("\n")
  await api.close()
  return { committed, outcomes: answers.map((text) => JSON.parse(text).outcome) }
}

it("lines that are there at the same time are imported together, and alone when that fails", async () => {
  const outcomes = ["imported", "imported", "imported", "imported"]
  expect(await refusing(() => false)).toEqual({ committed: 1, outcomes })
  const some = await refusing((id) => id === "bad")
  expect(some).toEqual({ committed: 2, outcomes: ["imported", "imported", null] })
})
