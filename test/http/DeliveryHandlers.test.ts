/** What platforms send over HTTP: the signature stands for a token. */
import { InboxSweeps, Sales } from "apportion/service"
import { Effect, Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { lateRefund, signed } from "./conformance/DeliverySamples.js"
import { open, requestOf, type Shop } from "./Shop.js"

let shop: Shop
beforeEach(async () => {
  shop = await open({ addressOf: () => "192.0.2.7", ratePerMinute: 3 })
})
afterEach(() => shop.close())

const path = "/v1/deliveries/north"

const deliver = (topic: string, body: string, headers = signed(topic, body)) =>
  shop.ask("POST", path, { token: null, body, headers })

const product = JSON.stringify({
  ...{ id: 7, title: "Print", tags: "art", updated_at: "2024-05-01T08:00:00Z" },
  variants: [{ id: 70, price: "20.00" }],
})

describe("a delivery over HTTP", () => {
  it("is carried out in the shop's account, and its sender is told only what became of it", async () => {
    const { status, json } = await deliver("products/create", product)
    expect({ status, json }).toEqual({ status: 200, json: { data: { outcome: "done" } } })
    const { json: found } = await shop.ask("GET", "/v1/products")
    expect(found.data.map(({ tags }: { tags: unknown }) => tags)).toEqual([["art"]])
    const { json: others } = await shop.ask("GET", "/v1/products", { token: "other-token" })
    expect(others.data).toEqual([])
  })

  it("is recorded by the policy that the account has chosen by then", async () => {
    const order = (id: number) =>
      JSON.stringify({
        ...{ id, currency: "USD", financial_status: "paid", taxes_included: false },
        ...{ created_at: "2024-05-01T08:00:00Z", updated_at: "2024-05-01T08:00:00Z" },
        line_items: [{ id: id + 1, product_id: 7, variant_id: 70, quantity: 1, price: "20.00" }],
      })
    await deliver("products/create", product)
    await deliver("orders/create", order(100))
    await shop.ask("PUT", "/v1/settings", { body: { policy: { flat_scope: "item" } } })
    await deliver("orders/create", order(200))
    const { entries } = await shop.run(
      Effect.flatMap(Sales, (sales) => sales.list("store", {}, { page: 1, perPage: 9 })),
    )
    const scopes = entries.map(({ orderId, policy }) => [orderId, policy.flatScope])
    expect(scopes.toSorted()).toEqual([
      ["100", "unit"],
      ["200", "item"],
    ])
  })

  it("that comes again is answered as known", async () => {
    const headers = { ...signed("products/create", product), "x-shopify-webhook-id": "d1" }
    await deliver("products/create", product, headers)
    const { json } = await deliver("products/create", product, headers)
    expect(json).toEqual({ data: { outcome: "known" } })
  })

  it("is refused with 401 when a byte of it differs from what was signed, or nothing is signed", async () => {
    const headers = signed("products/create", product)
    const changed = await deliver("products/create", product.replace("20.00", "20.01"), headers)
    expect(changed.status).toBe(401)
    expect(changed.headers.get("www-authenticate")).toBe("Signature")
    const unsigned = await deliver("products/create", product, {})
    expect(unsigned.status).toBe(401)
    expect((await shop.ask("GET", "/v1/products")).json.data).toEqual([])
  })

  it("is not opened by an access token in place of a signature", async () => {
    expect((await shop.ask("POST", path, { body: product })).status).toBe(401)
  })

  it("is 404 for a shop or a topic that there is not, and 422 for what can't be read", async () => {
    const headers = signed("products/create", product)
    const asked = { token: null, body: product, headers }
    expect((await shop.ask("POST", "/v1/deliveries/south", asked)).status).toBe(404)
    expect((await deliver("themes/create", product)).status).toBe(404)
    const { status, json } = await deliver("products/create", '{"id":[]}')
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toContain("id")
  })

  it("counts for its address only when nobody knows whom it is from", async () => {
    for (let time = 0; time < 6; time++) {
      expect((await deliver("products/create", product)).status).toBe(200)
    }
    for (let time = 0; time < 3; time++) {
      expect((await deliver("products/create", product, {})).status).toBe(401)
    }
    const refused = await deliver("products/create", product)
    expect(refused.status).toBe(429)
    expect(refused.headers.get("retry-after")).toBe("60")
    await shop.pass(61)
    expect((await deliver("products/create", product)).status).toBe(200)
  })
})

describe("a fetched document over HTTP", () => {
  const bring = (document: unknown, topic: unknown = "products/create", options = {}) =>
    shop.ask("POST", `${path}/fetched`, { body: { topic, document }, ...options })

  it("is carried out for whoever has a token of the shop's account, and tells all that came of it", async () => {
    const { status, json } = await bring(JSON.parse(product))
    expect({ status, json }).toEqual({
      ...{ status: 200, json: { data: { outcome: "done", key: null, told: [] } } },
    })
    const late = await bring(JSON.parse(lateRefund(509)), "refunds/create")
    expect(late.json.data).toMatchObject({ outcome: "waiting", key: "shopify/refund/509" })
    expect((await bring(JSON.parse(product))).json.data.outcome).toBe("known")
  })

  it("is of no shop of another account, whatever it says", async () => {
    const refused = await bring(JSON.parse(product), "products/create", { token: "other-token" })
    expect(refused.status).toBe(404)
    const nowhere = { body: { topic: "x", document: {} }, token: "other-token" }
    expect((await shop.ask("POST", "/v1/deliveries/south/fetched", nowhere)).text).toBe(
      refused.text.replace("north", "south"),
    )
    expect((await bring(JSON.parse(product), "products/create", { token: null })).status).toBe(401)
    expect((await shop.ask("GET", "/v1/products")).json.data).toEqual([])
  })

  it("is refused where it can't be read, or has a topic that is not read", async () => {
    const { status, json } = await bring("text", 5)
    expect([status, Object.keys(json.errors)]).toEqual([422, ["topic", "document"]])
    expect((await bring({ id: [] })).status).toBe(422)
    expect((await bring({}, "themes/create")).status).toBe(404)
  })
})

describe("deliveries at the same time", () => {
  it("are all taken, however many a shop sends", async () => {
    const all = Array.from({ length: 40 }, () => deliver("products/create", product))
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it("are taken while others, with a made-up signature, send nothing to their end", async () => {
    const controllers: Array<ReadableStreamDefaultController> = []
    const slow = Array.from({ length: 40 }, () => {
      const body = new ReadableStream({
        start: (controller) => {
          controllers.push(controller)
          controller.enqueue(new TextEncoder().encode("{"))
        },
      })
      const headers = signed("products/create", "a guess")
      const { url } = requestOf("POST", path)
      return shop.api.handler(
        new Request(url, { method: "POST", headers, body, duplex: "half" as const }),
      )
    })
    expect((await deliver("products/create", product)).status).toBe(200)
    for (const controller of controllers) controller.close()
    const statuses = new Set((await Promise.all(slow)).map(({ status }) => status))
    expect(statuses).toEqual(new Set([401]))
    expect((await deliver("products/create", product)).status).toBe(429)
  })
})

describe("the inbox over HTTP", () => {
  it("lists what waits, tries it again, and drops it", async () => {
    const waiting = await deliver("refunds/create", lateRefund(509))
    expect(waiting.json).toEqual({ data: { outcome: "waiting" } })
    const { json } = await shop.ask("GET", "/v1/inbox")
    const entry = { key: "shopify/refund/509", platform: "shopify", state: "waiting" }
    expect(json.data).toMatchObject([{ ...entry, topic: "refunds/create" }])
    const after = await shop.ask("GET", `/v1/inbox?after=${encodeURIComponent(entry.key)}`)
    expect(after.json.data).toEqual([])

    const at = `/v1/inbox/${encodeURIComponent(entry.key)}`
    await shop.pass(61)
    const retried = await shop.ask("POST", `${at}/retry`, { body: {} })
    expect(retried.json.data).toEqual({
      ...{ outcome: "waiting", key: entry.key },
      told: ["refund 509 is of order 2002, which was not recorded yet"],
    })
    expect((await shop.ask("DELETE", at)).status).toBe(204)
    expect((await shop.ask("DELETE", at)).status).toBe(404)
  })

  it("of another account has nothing of it", async () => {
    await deliver("refunds/create", lateRefund(509))
    const other = { token: "other-token" }
    expect((await shop.ask("GET", "/v1/inbox", other)).json.data).toEqual([])
    const at = `/v1/inbox/${encodeURIComponent("shopify/refund/509")}`
    expect((await shop.ask("DELETE", at, other)).status).toBe(404)
    const body = { force: true }
    expect((await shop.ask("POST", `${at}/retry`, { ...other, body })).status).toBe(404)
  })

  it("is swept for all connected shops", async () => {
    await deliver("refunds/create", lateRefund(509))
    await shop.pass(31 * 86_400)
    const sweeps = Layer.provide(
      InboxSweeps.layer({ every: "1 day" }),
      Layer.succeedContext(shop.context),
    )
    const sweepAll = Effect.flatMap(InboxSweeps, (service) => service.sweepAll)
    await shop.run(Effect.scoped(Effect.provide(sweepAll, sweeps)))
    expect((await shop.ask("GET", "/v1/inbox")).json.data).toEqual([])
  })
})
