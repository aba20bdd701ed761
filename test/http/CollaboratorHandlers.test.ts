import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const create = (body: object, headers = {}) =>
  shop.ask("POST", "/v1/collaborators", { body, headers })

const update = (body: object, id = "ada") => shop.ask("PUT", `/v1/collaborators/${id}`, { body })

describe("a collaborator", () => {
  it("is created with the terms that were left out, and found by its id and in the list", async () => {
    const made = await create({ id: 7, currency: "usd", account: { name: "Theo" } })
    expect(made.status).toBe(201)
    expect(made.json.data).toMatchObject({
      ...{ id: "7", currency: "USD", payout_measurement: "month", payout_threshold: 0 },
      account: { name: "Theo", paypal_email: null, is_managed: false },
    })
    const viewed = await shop.ask("GET", "/v1/collaborators/7")
    expect(viewed.json).toStrictEqual(made.json)
    const { json } = await shop.ask("GET", "/v1/collaborators?per_page=2")
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(["7", "ada"])
    expect(json.meta).toMatchObject({ total: 3, last_page: 2 })
  })

  it("is created once for one key, and once for one id", async () => {
    const key = { "Idempotency-Key": "k1" }
    const first = await create({ id: "theo", currency: "USD" }, key)
    expect((await create({ id: "theo", currency: "USD" }, key)).text).toBe(first.text)
    const again = await create({ id: "theo", currency: "USD" })
    expect([again.status, again.json.message]).toEqual([
      409,
      "there is a collaborator with the id theo already",
    ])
  })

  it("is refused with all that is wrong, misspelt fields too", async () => {
    const { status, json } = await create({
      ...{ id: "", currency: "EURO", payout_frequenzy: 2, payout_measurement: "year" },
    })
    expect(status).toBe(422)
    expect(Object.keys(json.errors).sort()).toEqual([
      ...["currency", "id", "payout_frequenzy", "payout_measurement"],
    ])
  })

  it("keeps what an update leaves out, field by field, and null clears what can be cleared", async () => {
    await update({ notes: "pays late", payout_holding_days: 5, account: { name: "Ada L" } })
    const { status, json } = await update({
      ...{ payout_measurement: "month_day", payout_frequency: -1, notes: null },
      ...{ payout_holding_days: null, payout_threshold: null },
      permissions: { see_product_price: true },
      account: { paypal_email: null },
    })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      ...{ id: "ada", currency: "EUR", payout_threshold: 100, notes: null },
      ...{ payout_measurement: "monthly_date", payout_frequency: -1, payout_holding_days: null },
      permissions: { see_product_price: true, see_product_cost: false },
      account: { name: "Ada L", paypal_email: null },
    })
  })

  it("is not updated to what no collaborator can be, and keeps its id", async () => {
    const late = await update({ payout_measurement: "monthly_date", payout_frequency: 29 })
    expect(Object.keys(late.json.errors)).toEqual(["payout_frequency"])
    const { json } = await update({
      ...{ id: "eve", currency: "EURO", nots: "x", payout_threshold: -1 },
      permissions: { see_product_prize: true, see_product_cost: "yes" },
      account: { name: 5 },
    })
    expect(Object.keys(json.errors).sort()).toEqual([
      ...["account.name", "currency", "id", "nots", "payout_threshold"],
      ...["permissions.see_product_cost", "permissions.see_product_prize"],
    ])
    expect((await update({}, "nobody")).status).toBe(404)
  })
})

describe("the catalogue", () => {
  const put = (products: ReadonlyArray<unknown>) =>
    shop.ask("PUT", "/v1/products", { body: { products } })

  const keys = async () => {
    const { json } = await shop.ask("GET", "/v1/products?include_collaborators=true")
    return json.data.map(
      (product: { id: string; collaborators: ReadonlyArray<{ id: string }> }) =>
        `${product.id}: ${product.collaborators.map(({ id }) => id).join()}`,
    )
  }

  it("gets products, each under its key, and links them", async () => {
    const { status, json } = await put([
      { id: "p3", name: "Product p3", external_variant_id: "v-p3", tags: ["Art"] },
      { external_id: 4, name: "Zebra" },
      { id: "p5", external_variant_id: "red/blue", name: "Zoo" },
    ])
    expect(status).toBe(200)
    expect(json.data.map(({ key }: { key: string }) => key)).toEqual([
      ...["p3/v-p3", "4", "p5/red%2Fblue"],
    ])
    expect(await keys()).toEqual(["p1: ada", "p2: ada", "p3: ada", "4: ", "p5: "])
  })

  it("stores none when one can't be used, and says everything that is wrong", async () => {
    const { status, json } = await put([{ id: "p9" }, { name: "x" }, 5, { id: "p8", prize: 5 }])
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(["products[2]", "products[1].id", "products[3].prize"])
    expect(await keys()).toHaveLength(3)
  })

  it("takes 1 to 1000 products at a time", async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ id: `m${index}` }))
    expect((await put(many)).json.errors).toEqual({
      products: ["must be a list of 1 to 1000 products, got 1001"],
    })
    expect((await put([])).status).toBe(422)
    expect((await put(many.slice(1))).status).toBe(200)
  })

  it("shows a product by its key", async () => {
    await put([{ id: "p1", external_variant_id: "red", tags: ["art"] }])
    const { status, json } = await shop.ask("GET", "/v1/products/p1%2Fred")
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ key: "p1/red", id: "p1", tags: ["art"] })
    expect((await shop.ask("GET", "/v1/products/p1")).status).toBe(404)
  })

  it("gets products one a line, of which one that is wrong harms no other", async () => {
    const lines = ['{"id": "l1", "tags": ["art"]}', "", '{"id": "l2", "prize": 5}', '{"id": "l3"}']
    const { status, text } = await shop.ask("POST", "/v1/products/lines", {
      body: lines.join("\n"),
    })
    expect(status).toBe(200)
    const answers = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(answers.map(({ line, key }) => [line, key])).toEqual([
      [1, "l1"],
      [3, null],
      [4, "l3"],
    ])
    expect(answers[1].refusal).toMatchObject({
      status: 422,
      errors: { prize: [expect.anything()] },
    })
    expect(await keys()).toEqual(expect.arrayContaining(["l1: ada", "l3: "]))
  })

  it("loses a product by its key; one that is not there is no failure", async () => {
    const remove = (key: string) =>
      shop.ask("DELETE", `/v1/products/${encodeURIComponent(key)}`).then(({ status }) => status)
    expect([await remove("p1/v-p1"), await remove("p1/v-p1"), await remove("p2")]).toEqual([
      ...[204, 204, 204],
    ])
    expect(await keys()).toEqual(["p2: ada", "p3: "])
  })
})
