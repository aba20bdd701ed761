import { Storage } from "apportion/ports"
import { Events } from "apportion/service"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { putPayout } from "./Payable.js"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const get = (path: string, token = "ada-token") => shop.ask("GET", path, { token })
const url = "https://example.com/hooks"
const create = (body: object = { url }, headers: Record<string, string> = {}) =>
  shop.ask("POST", "/v1/webhooks", { body, headers })
const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  shop.ask("POST", path, { headers, ...(body && { body }) })

describe("events", () => {
  it("come by number without gaps, as many as are asked for, with the last number", async () => {
    const { json } = await get("/v1/events")
    const { data, meta } = json
    expect(data.map((event: { number: number }) => event.number)).toEqual(
      data.map((_: unknown, index: number) => index + 1),
    )
    expect(meta).toEqual({ limit: 100, last: data.length })
    const part = await get(`/v1/events?after=${data.length - 2}&limit=1`)
    expect(part.json.data).toEqual([data.at(-2)])
    expect(part.json.meta).toEqual({ limit: 1, last: data.length })
    expect((await get(`/v1/events?after=${data.length}`)).json.data).toEqual([])
  })

  it("are those that the service tells, as webhooks have them", async () => {
    const { json } = await get("/v1/events")
    const told = await shop.run(Effect.flatMap(Events, (events) => events.after("store", 0)))
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(told.map(({ id }) => id))
    const sale = json.data.find(({ type }: { type: string }) => type === "sale.recorded")
    expect(sale).toMatchObject({
      ...{ actor: "system", timestamp: "2023-11-14T22:13:20.000Z" },
      data: { order_id: "o1", payout_ids: [shop.payoutId] },
    })
  })

  it("of another account are not seen", async () => {
    const { json } = await get("/v1/events", "other-token")
    expect(json.data.map(({ type }: { type: string }) => type)).toEqual(["collaborator.created"])
    expect(json.meta.last).toBe(1)
  })

  it("are refused with everything that is wrong with the request", async () => {
    const { status, json } = await get("/v1/events?after=x&limit=1.5")
    expect([status, Object.keys(json.errors).toSorted()]).toEqual([422, ["after", "limit"]])
    expect((await get("/v1/events?after=-5&limit=0")).json.meta.limit).toBe(1)
  })
})

describe("the key of a webhook endpoint", () => {
  it("is shown when it is made and when it is replaced, and never again", async () => {
    const { status, json } = await create()
    expect(status).toBe(201)
    const { key, id } = json.data
    expect(key).toMatch(/^whsec_/)
    const rotated = await post(`/v1/webhooks/${id}/rotate`, {})
    const newKey = rotated.json.data.key
    expect(newKey).toMatch(/^whsec_/)
    expect(newKey).not.toBe(key)
    const texts = [
      await get("/v1/webhooks"),
      await get(`/v1/webhooks/${id}`),
      await shop.ask("PUT", `/v1/webhooks/${id}`, { body: { is_active: false } }),
      await post(`/v1/webhooks/${id}/replay`, { after: 0 }),
      await get("/v1/events"),
    ].map(({ text }) => text)
    expect(texts.join("")).not.toContain("whsec_")
    expect(JSON.stringify(shop.log)).not.toContain("whsec_")
  })

  it("is not kept for an idempotency key: the same request again has one effect and no key", async () => {
    const first = await create({ url }, { "Idempotency-Key": "k1" })
    const again = await create({ url }, { "Idempotency-Key": "k1" })
    expect(again.json.data).toEqual({ ...first.json.data, key: null })
    expect((await get("/v1/webhooks")).json.data).toHaveLength(1)
    const path = `/v1/webhooks/${first.json.data.id}/rotate`
    const rotated = await post(path, {}, { "Idempotency-Key": "k2" })
    const repeated = await post(path, {}, { "Idempotency-Key": "k2" })
    expect(repeated.json.data).toEqual({ ...rotated.json.data, key: null })
    expect(repeated.json.data.keys).toHaveLength(2)
  })

  it("of one's own is refused without being told", async () => {
    for (const key of ["secret stuff", 5]) {
      const { status, text, json } = await create({ url, key })
      expect([status, Object.keys(json.errors)]).toEqual([422, ["key"]])
      expect(text).not.toContain("secret stuff")
    }
  })
})

describe("webhook endpoints", () => {
  it("are made, changed and removed", async () => {
    const made = (await create({ url, types: ["payout.paid"] })).json.data
    expect(made).toMatchObject({ url, types: ["payout.paid"], is_active: true, attempts: 0 })
    const path = `/v1/webhooks/${made.id}`
    const changed = await shop.ask("PUT", path, { body: { types: null, is_active: false } })
    expect(changed.json.data).toMatchObject({ url, types: null, is_active: false })
    expect((await get(path)).json).toEqual(changed.json)
    expect((await shop.ask("DELETE", path)).status).toBe(204)
    expect((await get(path)).status).toBe(404)
    expect((await shop.ask("DELETE", path)).status).toBe(404)
  })

  it("lead to no network of one's own, and all that is wrong is told at once", async () => {
    const { status, json } = await create({
      ...{ url: "https://127.0.0.1/x", types: ["payout.made"], after: 0 },
    })
    expect([status, Object.keys(json.errors)]).toEqual([422, ["url", "types[0]"]])
    const misspelt = await create({ url, type: ["payout.paid"] })
    expect(Object.keys(misspelt.json.errors)).toEqual(["type"])
  })

  it("of another account are not there", async () => {
    const { id } = (await create()).json.data
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
      ["GET", "/dead-letters"],
      ["POST", "/dead-letters/replay"],
    ] as const) {
      const body = method === "GET" ? {} : { body: {} }
      const asked = { token: "other-token", ...body }
      const { status, text } = await shop.ask(method, `/v1/webhooks/${id}${path}`, asked)
      expect([method, path, status]).toEqual([method, path, 404])
      expect(text).not.toContain(url)
    }
    expect((await get("/v1/webhooks", "other-token")).json.data).toEqual([])
  })

  it("get their dead letters again when that is asked for", async () => {
    const { id: endpointId } = (await create({ url, after: 0 })).json.data
    const put = Effect.flatMap(Storage, (storage) =>
      storage.transaction("store", ({ endpoints, events }) =>
        Effect.gen(function* () {
          const found = yield* events.after({ after: 0, limit: 2 })
          const letters = found.map((event) => ({
            ...{ endpointId, event, failure: "status 500", setAsideAt: 5, isReplayed: false },
          }))
          yield* endpoints.putDeadLetters(letters)
        }),
      ),
    )
    await shop.run(put)
    const path = `/v1/webhooks/${endpointId}/dead-letters`
    const { json } = await get(path)
    expect(json.data).toMatchObject([
      { event: { number: 1 }, failure: "status 500", set_aside_at: 5, is_replayed: false },
      { event: { number: 2 } },
    ])
    expect((await get(`${path}?after=1`)).json.data).toHaveLength(1)
    const key = { "Idempotency-Key": "k1" }
    expect((await post(`${path}/replay`, undefined, key)).json).toEqual({ data: { count: 2 } })
    expect((await post(`${path}/replay`, undefined, key)).json).toEqual({ data: { count: 2 } })
    expect((await get(path)).json.data[0].is_replayed).toBe(true)
  })

  it("are sent events again from a number on", async () => {
    const { id, delivered } = (await create()).json.data
    expect(delivered).toBeGreaterThan(3)
    const replayed = await post(`/v1/webhooks/${id}/replay`, { after: 2 })
    expect(replayed.json.data).toMatchObject({ id, delivered: 2 })
    const wrong = await post(`/v1/webhooks/${id}/replay`, { after: -1 })
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["after"]])
  })
})

describe("a payment of a file rail", () => {
  it("is noted as sent with what its file is called, and then is not given up any more", async () => {
    const payout = await putPayout(shop, "p-file")
    const claimed = await post(`/v1/payouts/${payout}/claim`, { rail: "files" })
    const path = `/v1/payments/${claimed.json.data.id}`
    const sent = await post(`${path}/note-sent`, { reference: " 2024-03-01.xml " })
    expect(sent.json.data).toMatchObject({ status: "sent", reference: "2024-03-01.xml" })
    expect((await post(`${path}/release`, {})).status).toBe(409)
    const confirmed = await post(`${path}/confirm`, {})
    expect(confirmed.json.data.status).toBe("confirmed")
    const late = await post(`${path}/note-sent`, {})
    expect(late.status).toBe(409)
  })
})
