import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { groups, open } from "./Shop.js"

let shop: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  shop = await open()
  await shop.ask("POST", "/v1/collaborators", { body: { id: "ada", currency: "USD" } })
})
afterEach(() => shop.close())

const terms = {
  tiers: {
    counted: "units",
    bands: [
      { from: 0, percent: 10 },
      { from: 10, percent: "12.5" },
    ],
  },
  cap: { amount: 50_000, period: "year" },
}

const complete = {
  tiers: {
    ...{ counted: "units", per: "group", period: "lifetime" },
    bands: [
      { from: 0, percent: "10.00" },
      { from: 10, percent: "12.50" },
    ],
  },
  cap: { amount: 50_000, per: "group", period: "year" },
}

const create = (body: object = { itemType: "products.all", terms }) =>
  shop.ask("PUT", groups, { body })

const record = (id: string, quantity: number) =>
  shop.ask("POST", "/v1/sales", {
    body: {
      ...{ id, currency: "USD", created_at: 1_700_000_000 },
      items: [{ id: "1", amount: quantity * 1_000, quantity, product: { id: "p1" } }],
    },
  })

describe("a group with terms", () => {
  it("is answered in the fields of the specification, and shown with its terms among all groups", async () => {
    const { status, json } = await create()
    expect(status).toBe(201)
    expect(json.data).not.toHaveProperty("terms")
    expect(json.data).toMatchObject({ percent: null, amount: null })
    const { id } = json.data
    const whole = await shop.ask("GET", `/v1/groups/${id}`)
    expect(whole.json.data.group).toMatchObject({ percent: null, terms: complete })
    const listed = await shop.ask("GET", "/v1/groups")
    expect(listed.json.data[0].group.terms).toEqual(complete)
    const changed = await shop.ask("PUT", `${groups}/${id}`, { body: { terms: null, percent: 5 } })
    expect(changed.status).toBe(200)
    const after = await shop.ask("GET", `/v1/groups/${id}`)
    expect(after.json.data.group).not.toHaveProperty("terms")
    expect(after.json.data.group.percent).toBe("5.00")
  })

  it("is refused with wrong terms, each problem under its path", async () => {
    const wrong = { cap: { amount: -1 } }
    const { status, json } = await create({ itemType: "products.all", percent: 5, terms: wrong })
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(["terms.cap.amount"])
  })
})

describe("counters", () => {
  it("are listed by key, with what the sale's shares say of them", async () => {
    await create()
    await record("1001", 8)
    const { json } = await record("1002", 4)
    const [part] = json.data.parts
    // Two at 10 % and two at 12.5 %.
    expect(part.shares[0]).toMatchObject({ amount: 450, percent: null })
    expect(part.shares[0].terms.tiers).toMatchObject({ before: 8, after: 12 })
    const { status, json: list } = await shop.ask("GET", "/v1/counters")
    expect(status).toBe(200)
    const about = { currency: "USD", per: "group", id: expect.any(String) }
    expect(list.data).toEqual([
      {
        ...{ ...about, key: expect.stringMatching(/^share\/USD\/2023\/group\//) },
        ...{ counted: "share", period: "2023", count: 1_250 },
      },
      {
        ...{ ...about, key: expect.stringMatching(/^units\/USD\/lifetime\/group\//) },
        ...{ counted: "units", period: "lifetime", count: 12 },
      },
    ])
    expect(list.meta).toMatchObject({ total: 2, current_page: 1 })
  })

  it("have the remainders of an account that carries, which can't have terms too", async () => {
    const body = { policy: { rounding: "carry" } }
    const chosen = await shop.ask("PUT", "/v1/settings", { body })
    expect(chosen.json.data.policy.rounding).toBe("carry")
    await create({ itemType: "products.all", percentage: "0.4" })
    const { json: sold } = await record("1001", 1)
    expect(sold.data.parts[0].shares[0].carried).toEqual({ before: 0, after: 0 })
    const refused = await create()
    expect(refused.status).toBe(422)
    expect(refused.json.errors.terms[0]).toContain('"carry"')
    const { json } = await shop.ask("GET", "/v1/counters?per_page=1&page=2")
    expect(json.data).toEqual([
      {
        ...{ key: "remainder/USD/store", counted: "remainder", currency: "USD" },
        ...{ period: null, per: "store", id: null, count: 0 },
      },
    ])
  })

  it("keep an account with terms from carrying", async () => {
    await create()
    const body = { policy: { rounding: "carry" } }
    const { status, json } = await shop.ask("PUT", "/v1/settings", { body })
    expect(status).toBe(422)
    expect(json.errors["policy.rounding"][0]).toContain("terms")
  })
})
