import { describe, expect, it } from "vitest"
import { groups, openStocked } from "./Shop.js"

const withKey = (key: string) => ({ "Idempotency-Key": key })
const body = { itemType: "products.all", type: "flat", amount: 100 }

describe("a request with an idempotency key", () => {
  it("asked twice at once has one effect and one answer", async () => {
    const shop = await openStocked()
    const headers = withKey("k1")
    const [first, second] = await Promise.all([
      shop.ask("PUT", groups, { body, headers }),
      shop.ask("PUT", groups, { body, headers }),
    ])
    expect(first.status).toBe(201)
    expect(second).toMatchObject({ status: 201, text: first.text })
    expect((await shop.ask("GET", groups)).json.meta.total).toBe(2)
    await shop.close()
  })

  it("gets the first answer, whatever happened since, in any spelling of the same", async () => {
    const shop = await openStocked()
    const path = `payouts/${shop.payoutId}/expense`
    const headers = withKey("k2")
    const entry = { amount: 10, name: "Frames" }
    const first = await shop.ask("POST", `/v1/${path}`, { body: entry, headers })
    await shop.ask("POST", `/v1/${path}`, { body: entry })
    const spaced = '{ "name": "Frames",\n "amount": 10 }'
    const again = await shop.ask("POST", `/api/v1/${path}`, { body: spaced, headers })
    expect(again).toMatchObject({ status: 200, text: first.text })
    const { json } = await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)
    expect(json.data.total).toBe(1_125 - 20)
    await shop.close()
  })

  it.each([
    ["another body", { amount: 11, name: "Frames" }, "expense"],
    ["another field", { amount: 10, name: "Frames", more: 1 }, "expense"],
    ["another path", { amount: 10, name: "Frames" }, "income"],
  ])("is refused for %s", async (_, entry, action) => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    const headers = withKey("k3")
    const sent = { body: { amount: 10, name: "Frames" }, headers }
    await shop.ask("POST", `${path}/expense`, sent)
    const { status, json } = await shop.ask("POST", `${path}/${action}`, { body: entry, headers })
    expect(status).toBe(409)
    expect(json).toStrictEqual({ message: "the idempotency key k3 was used for another request" })
    await shop.close()
  })

  it("that is refused can be asked again with the same key", async () => {
    const shop = await openStocked()
    const headers = withKey("k4")
    const wrong = { body: { ...body, amount: -1 }, headers }
    expect((await shop.ask("PUT", groups, wrong)).status).toBe(422)
    expect((await shop.ask("PUT", groups, { body, headers })).status).toBe(201)
    await shop.close()
  })

  it("keeps its keys apart by account", async () => {
    const shop = await openStocked()
    const headers = withKey("k5")
    await shop.ask("PUT", groups, { body, headers })
    const path = "/v1/collaborators/eve/products"
    const other = await shop.ask("PUT", path, { body, headers, token: "other-token" })
    expect(other.status).toBe(201)
    await shop.close()
  })

  it("has the key for setting a payout as paid, which takes no body", async () => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}/set-paid`
    const first = await shop.ask("POST", path, { headers: withKey("k6") })
    await shop.pass(10)
    const again = await shop.ask("POST", path, { headers: withKey("k6"), body: "ignored" })
    expect(again).toMatchObject({ status: 200, text: first.text })
    await shop.close()
  })

  it.each(["", "x".repeat(256), "naïve", "a\tb"])("is refused with the key %j", async (key) => {
    const shop = await openStocked()
    const { status, json } = await shop.ask("PUT", groups, { body, headers: withKey(key) })
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(["Idempotency-Key"])
    const fine = { body, headers: withKey("x".repeat(255)) }
    expect((await shop.ask("PUT", groups, fine)).status).toBe(201)
    await shop.close()
  })

  it("is one like any other where asking twice does no harm", async () => {
    const shop = await openStocked()
    const path = `${groups}/${shop.groupId}`
    const headers = withKey("x".repeat(300))
    expect((await shop.ask("GET", path, { headers })).status).toBe(200)
    expect((await shop.ask("PUT", path, { headers, body: { percent: 5 } })).status).toBe(200)
    expect((await shop.ask("DELETE", path, { headers })).status).toBe(204)
    await shop.close()
  })
})
