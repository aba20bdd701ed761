import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { open } from "./Shop.js"

// Issue "Terms over time": a statement says which tier is reached; a collaborator sees their own, as far as they may.

let shop: Awaited<ReturnType<typeof open>>
const tokens = new Map<string, string>()

const bands = [
  { from: 0, percent: 10 },
  { from: 3, percent: 20 },
]

beforeAll(async () => {
  shop = await open()
  for (const id of ["ada", "kim"]) {
    await shop.ask("POST", "/v1/collaborators", { body: { id, currency: "USD" } })
    const { json } = await shop.ask("POST", `/v1/collaborators/${id}/passes`, { body: {} })
    tokens.set(id, String(json.data.token))
  }
  const terms = {
    tiers: { counted: "units", bands },
    cap: { amount: 500, period: "month", per: "collaborator" },
  }
  const body = { id: "book", itemType: "products.all", terms }
  expect((await shop.ask("PUT", "/v1/collaborators/ada/products", { body })).status).toBe(201)
  const items = [{ id: "1", amount: 1_000, product: { id: "p1" }, quantity: 4 }]
  await shop.ask("POST", "/v1/sales", { body: { id: "1001", currency: "USD", items } })
  const refund = { id: "r1", item_id: "1", quantity: 2 }
  await shop.ask("POST", "/v1/sales/1001/refunds", { body: refund })
})
afterAll(() => shop.close())

const statementOf = async (id: string, query = "") =>
  (await shop.ask("GET", `/v1/collaborators/${id}/statement${query}`)).json.data

const seenBy = async (id: string) =>
  (await shop.ask("GET", "/v1/seen/statement", { token: tokens.get(id) ?? "" })).json.data

describe("terms in statements", () => {
  it("say which band is reached, and what is left under a cap, whatever the period", async () => {
    const [{ group_id: groupId, period }] = (await statementOf("ada")).terms.filter(
      ({ kind }: { readonly kind: string }) => kind === "cap",
    )
    expect(period).toMatch(/^\d{4}-\d\d$/)
    const tiers = {
      kind: "tiers",
      group_id: groupId,
      period: "lifetime",
      per: "group",
      counted: "units",
    }
    const cap = { kind: "cap", group_id: groupId, period, per: "collaborator", amount: 500 }
    const terms = [
      {
        ...tiers,
        currency: "USD",
        count: 2,
        percent: "10.00",
        next: { from: 3, percent: "20.00" },
      },
      { ...cap, currency: "USD", count: 50, left: 450 },
    ]
    expect((await statementOf("ada")).terms).toEqual(terms)
    expect((await statementOf("ada", "?until=86400")).terms).toEqual(terms)
  })

  it("are nobody else's", async () => {
    expect((await statementOf("kim")).terms).toEqual([])
    expect((await seenBy("kim")).terms).toEqual([])
  })

  it("hide from their collaborator how many units were sold, unless quantities may be seen", async () => {
    const counts = async () =>
      (await seenBy("ada")).terms.map((one: { readonly count?: number }) => one.count)
    expect(await counts()).toEqual([undefined, 50])
    const page = await shop.ask("GET", "/v1/collaborators/ada/statement?format=html")
    expect(page.text).toContain("20.00% from 3 on")
    expect(page.text).toContain("0.50 USD of 5.00 USD paid, 4.50 USD left")
    expect(page.text).not.toContain("counted so far")
    const body = { permissions: { see_product_quantity: true } }
    await shop.ask("PUT", "/v1/collaborators/ada", { body })
    expect(await counts()).toEqual([2, 50])
    const open = await shop.ask("GET", "/v1/collaborators/ada/statement?format=html&language=de")
    expect(open.text).toContain("bisher 2 gezählt")
  })
})
