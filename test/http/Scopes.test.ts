/** What a token may be used for. */
import { Api } from "apportion/http"
import { tokenScopes } from "apportion/ports"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scopeOf } from "../../src/http/Scopes.js"
import { groups, openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
})
afterAll(() => shop.close())

const ask = async (token: string, method: string, path: string, body?: object) => {
  const asked = { token: `${token}-token`, ...(body === undefined ? {} : { body }) }
  const { status, json } = await shop.ask(method, path, asked)
  return status === 403 ? json.message : status
}

const lacks = (scope: string) => `the access token has no scope "${scope}", which this needs`

const sale = { id: "s1", currency: "EUR", items: [{ id: "1", amount: 500, product: { id: "p1" } }] }
const entry = { amount: 5, name: "Tea" }
const group = { itemType: "products.all", type: "flat", amount: 5 }

describe("a token with scopes", () => {
  it("that only reads sees everything and changes nothing", async () => {
    expect(await ask("eyes", "GET", "/v1/payouts")).toBe(200)
    expect(await ask("eyes", "POST", "/v1/sales/preview", sale)).toBe(200)
    expect(await ask("eyes", "POST", "/v1/sales", sale)).toBe(lacks("record"))
    expect(await ask("eyes", "PUT", groups, group)).toBe(lacks("manage"))
    expect(await ask("eyes", "GET", "/v1/sales/s1")).toBe(404)
  })

  it("that only records can't see payouts, pay them, or decide who gets what", async () => {
    expect(await ask("till", "POST", "/v1/sales", { ...sale, id: "s2" })).toBe(200)
    expect(await ask("till", "PUT", "/v1/products", { products: [{ id: "p9" }] })).toBe(200)
    expect(await ask("till", "GET", "/v1/payouts")).toBe(lacks("read"))
    const { payoutId } = shop
    expect(await ask("till", "POST", `/v1/payouts/${payoutId}/set-paid`)).toBe(lacks("payouts"))
    expect(await ask("till", "POST", "/v1/collaborators", { id: "me" })).toBe(lacks("manage"))
    const past = "/v1/sales/past/lines?paid_until=1"
    expect(await ask("till", "POST", past, { sale })).toBe(lacks("payouts"))
    const fetched = { topic: "products/create", document: { id: 7, title: "Print", variants: [] } }
    expect(await ask("till", "POST", "/v1/deliveries/north/fetched", fetched)).toBe(200)
    expect(await ask("eyes", "POST", "/v1/deliveries/north/fetched", fetched)).toBe(lacks("record"))
    expect(await ask("till", "POST", "/v1/webhooks", { url: "https://a.example" })).toBe(
      lacks("manage"),
    )
  })

  it("that pays is told of in the history, and records no sale", async () => {
    const { payoutId } = shop
    expect(await ask("bank", "POST", `/v1/payouts/${payoutId}/expense`, entry)).toBe(200)
    const { json } = await shop.ask("GET", `/v1/payouts/${payoutId}/history`)
    expect(json.data.at(-1).actor).toBe("the bank")
    expect(await ask("bank", "POST", "/v1/sales", sale)).toBe(lacks("record"))
  })

  it("that manages decides who gets what, and neither reads nor pays", async () => {
    expect(await ask("desk", "PUT", groups, group)).toBe(201)
    expect(await ask("desk", "GET", groups)).toBe(lacks("read"))
  })

  it("without any opens nothing, and one without a list of them opens everything", async () => {
    expect(await ask("idle", "GET", "/v1/settings")).toBe(lacks("read"))
    expect(await ask("ada", "GET", "/v1/settings")).toBe(200)
  })
})

describe("every endpoint", () => {
  it("needs one scope: to see something is to read, to change something never is", () => {
    const needed = new Set<string>()
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        const scope = scopeOf({ endpoint, group })
        needed.add(scope)
        const isSeen = endpoint.method === "GET" || endpoint.path.endsWith("/preview")
        expect(scope === "read", `${endpoint.method} ${endpoint.path}`).toBe(isSeen)
      },
    })
    expect([...needed].toSorted()).toEqual([...tokenScopes].toSorted())
  })
})
