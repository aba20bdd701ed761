import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openStocked, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const item = { external_id: "1", amount: 10_000, quantity: 4, product: { id: "p1" } }
const order = { id: "1001", currency: "EUR", items: [item] }

const record = (body: object, headers = {}) => shop.ask("POST", "/v1/sales", { body, headers })

const refund = (body: object, headers = {}) =>
  shop.ask("POST", "/v1/sales/1001/refunds", { body, headers })

const total = async () => (await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)).json.data.total

describe("recording a sale", () => {
  it("splits it by the rules, with what the catalogue knows, and says where each share went", async () => {
    const { status, json } = await record(order)
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ id: "1001", new_item_ids: ["1"], known_item_ids: [] })
    const [part] = json.data.parts
    expect(part.order.items[0].product).toMatchObject({ name: "Product p1", tags: ["art"] })
    expect(part.shares).toStrictEqual([
      {
        ...{ item_id: "1", group_id: shop.groupId, collaborator_id: "ada", amount: 1_250 },
        ...{ shipping_amount: 0, base: 10_000, percent: "12.50", flat_amount: null },
        ...{ payout_id: shop.payoutId, payout_item_id: `1001/1/${shop.groupId}` },
        ...{ payout_currency: "EUR", rate: null },
      },
    ])
    expect(part.store).toEqual([{ item_id: "1", amount: 8_750 }])
    expect(await total()).toBe(1_125 + 1_250)
  })

  it("has one effect when the order comes again, and new items are a part of their own", async () => {
    await record(order)
    const again = await record(order)
    expect(again.json.data).toMatchObject({ new_item_ids: [], known_item_ids: ["1"] })
    const more = { ...order, items: [item, { ...item, external_id: "2", amount: 400 }] }
    const grown = await record(more)
    expect(grown.json.data).toMatchObject({ new_item_ids: ["2"], known_item_ids: ["1"] })
    expect(grown.json.data.parts.map(({ part }: { part: number }) => part)).toEqual([1, 2])
    expect(await total()).toBe(1_125 + 1_250 + 50)
  })

  it("gives the same answer for the same key, and refuses the key for another order", async () => {
    const key = { "Idempotency-Key": "k1" }
    const first = await record(order, key)
    const second = await record(order, key)
    expect([second.status, second.text]).toEqual([200, first.text])
    expect((await record({ ...order, id: "1002" }, key)).status).toBe(409)
    expect(await total()).toBe(1_125 + 1_250)
  })

  it("is refused with everything that is wrong with the order", async () => {
    const items = [{ ...item, amount: "x", discout: 5 }]
    const { status, json } = await record({ id: "", currency: "EURO", items })
    expect(status).toBe(422)
    expect(Object.keys(json.errors).sort()).toEqual([
      ...["currency", "id", "items[0].amount", "items[0].discout"],
    ])
  })

  it("is refused when an item was recorded with other figures, or no rate is known", async () => {
    await record(order)
    const changed = await record({ ...order, items: [{ ...item, amount: 9_000 }] })
    expect(changed.status).toBe(409)
    expect(changed.json.message).toContain("was recorded as 10000, got 9000")
    const foreign = await record({ ...order, id: "1002", currency: "CHF" })
    expect([foreign.status, foreign.json.message]).toEqual([
      409,
      expect.stringContaining("no exchange rate from CHF to EUR"),
    ])
  })

  it("is refused when the rules share out more than there is", async () => {
    const all = { itemType: "products.all", type: "percentage", percent: 95 }
    await shop.ask("PUT", "/v1/collaborators/sam/products", { body: all })
    const { status, json } = await record(order)
    expect([status, json.message]).toEqual([409, expect.stringContaining("item 1")])
    const preview = await shop.ask("POST", "/v1/sales/preview", { body: order })
    expect([preview.status, preview.json.message]).toEqual([409, json.message])
  })
})

it("a preview says who would get what and why, and leaves nothing behind", async () => {
  const { status, json } = await shop.ask("POST", "/v1/sales/preview", { body: order })
  expect(status).toBe(200)
  expect(json.data.shares.map(({ amount }: { amount: number }) => amount)).toEqual([1_250])
  expect(json.data.text).toContain("Ada gets 12.50 EUR")
  expect(json.data.order.items[0].product.name).toBe("Product p1")
  expect((await shop.ask("GET", "/v1/sales/1001")).status).toBe(404)
  expect(await total()).toBe(1_125)
})

it("the words about a sale name collaborators as they are called", async () => {
  await shop.ask("PUT", "/v1/collaborators/ada", { body: { account: { name: "Ada Byron" } } })
  const preview = await shop.ask("POST", "/v1/sales/preview", { body: order })
  expect(preview.json.data.text).toContain("Ada Byron gets 12.50 EUR")
  await record(order)
  const { json } = await shop.ask("GET", "/v1/sales/1001")
  expect(json.data.parts[0].text).toContain("Ada Byron gets 12.50 EUR")
  expect(json.data.parts[0].explanation[0].shares[0].collaborator_id).toBe("ada")
})

it("a recorded sale is shown with the whole computation of each share", async () => {
  await record({ ...order, items: [{ ...item, discount: 1_000 }] })
  const { status, json } = await shop.ask("GET", "/v1/sales/1001")
  expect(status).toBe(200)
  const [part] = json.data.parts
  expect(part.explanation[0]).toMatchObject({
    base_steps: [
      { what: "price", amount: 10_000 },
      { what: "discount", amount: -1_000 },
    ],
    shares: [{ collaborator_id: "ada", amount: 1_125, exact: "1125", rounded: "exactly" }],
    store: 7_875,
  })
  expect(part.text).toContain("Product p1")
  expect((await shop.ask("GET", "/v1/sales/none")).status).toBe(404)
})

describe("the list of sales", () => {
  const ids = async (query: string) => {
    const { status, json } = await shop.ask("GET", `/v1/sales${query}`)
    expect(status).toBe(200)
    return json.data.map((part: { order_id: string }) => part.order_id)
  }

  it("is by time of recording, in pages, of one collaborator, one product or one time", async () => {
    await shop.pass(60)
    await record(order)
    await record({ ...order, id: "1002", items: [{ ...item, product: { id: "p3" } }] })
    expect(await ids("")).toEqual(["o1", "1001", "1002"])
    expect(await ids("?per_page=1&page=2")).toEqual(["1001"])
    expect(await ids("?order=desc")).toEqual(["1002", "1001", "o1"])
    expect(await ids("?order=desc&per_page=2&page=2")).toEqual(["o1"])
    expect(await ids("?order=asc&collaborator=ada")).toEqual(["o1", "1001"])
    expect(await ids("?collaborator=sam")).toEqual([])
    expect(await ids("?product=x-p3")).toEqual(["1002"])
    expect(await ids(`?recordedDate[start_date]=${start + 60}`)).toEqual(["1001", "1002"])
    expect(await ids(`?recordedDate[end_date]=${start + 59}`)).toEqual(["o1"])
  })

  it("is refused for a range that ends before it starts, and for parts of a range that there are not", async () => {
    const range = "?recordedDate[start_date]=5&recordedDate[end_date]=4&recordedDate[from]=1"
    const { status, json } = await shop.ask("GET", `/v1/sales${range}`)
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(["recordedDate[from]", "recordedDate[start_date]"])
  })
})

describe("a refund", () => {
  it("takes back units of an item, and says from whom", async () => {
    await record(order)
    const { status, json } = await refund({ id: "r1", item_id: 1, quantity: 1 })
    expect(status).toBe(201)
    expect(json.data).toStrictEqual({
      ...{ id: "r1", order_id: "1001", item_id: "1", quantity: 1, refunded_at: start },
      ...{ recorded_at: start, fully_refunded: false, store: 2_187 },
      shares: [{ group_id: shop.groupId, collaborator_id: "ada", amount: 313, shipping_amount: 0 }],
    })
    expect(await total()).toBe(1_125 + 1_250 - 313)
  })

  it("takes back an amount, what remains, and nothing more than there is", async () => {
    await record(order)
    await refund({ id: "r1", item_id: "1", amount: 5_000 })
    const rest = await refund({ id: "r2", item_id: "1", remaining: true })
    expect(rest.json.data).toMatchObject({ remaining: true, fully_refunded: true })
    expect(await total()).toBe(1_125)
    const beyond = await refund({ id: "r3", item_id: "1", amount: 1 })
    expect([beyond.status, beyond.json.message]).toEqual([
      409,
      expect.stringContaining("more than what remains"),
    ])
  })

  it("has one effect under one id, and another one with the id is refused", async () => {
    await record(order)
    const first = await refund({ id: "r1", item_id: "1", quantity: 1 })
    const again = await refund({ id: "r1", item_id: "1", quantity: 1 }, { "Idempotency-Key": "k" })
    expect(again.text).toBe(first.text)
    const other = await refund({ id: "r1", item_id: "2", quantity: 1 })
    expect(other.status).toBe(409)
    const differs = 'item_id: was recorded as "1", got "2"'
    expect(other.json).toEqual({ message: `refund r1 was recorded differently: ${differs}` })
    expect(await total()).toBe(1_125 + 937)
  })

  it("is refused with everything that is wrong with it, and for what was never sold", async () => {
    await record(order)
    const wrong = await refund({ id: "r1", item_id: "", amount: 5, quantity: 1, refunded_at: "x" })
    expect(wrong.status).toBe(422)
    expect(Object.keys(wrong.json.errors).sort()).toEqual(["item_id", "quantity", "refunded_at"])
    const fraction = await refund({ id: "r1", item_id: "1", amount: -5 })
    expect(Object.keys(fraction.json.errors)).toEqual(["amount"])
    expect((await refund({ id: "r1", item_id: "9", quantity: 1 })).status).toBe(404)
    const nowhere = await shop.ask("POST", "/v1/sales/9/refunds", {
      body: { id: "r1", item_id: "1", quantity: 1 },
    })
    expect(nowhere.status).toBe(404)
  })
})

describe("the preview of a refund", () => {
  const preview = (body: object) =>
    shop.ask("POST", "/v1/sales/1001/refunds/preview", { body, token: "eyes-token" })

  it("says of whom what would be taken back, with a token that only reads", async () => {
    await record(order)
    const body = { id: "r1", item_id: 1, quantity: 1 }
    const { status, json } = await preview(body)
    expect(status).toBe(200)
    const said = {
      ...{ id: "r1", order_id: "1001", item_id: "1", quantity: 1, refunded_at: start },
      ...{ currency: "EUR", fully_refunded: false, store: 2_187 },
      collaborators: [
        { collaborator_id: "ada", collaborator_name: "Ada", amount: 313, keeps: 937 },
      ],
    }
    expect(json.data).toStrictEqual({ ...said, recorded: false })
    expect(await total()).toBe(1_125 + 1_250)
    await refund(body)
    expect((await preview(body)).json.data).toStrictEqual({ ...said, recorded: true })
  })

  it("is refused as the refund itself is", async () => {
    await record(order)
    for (const body of [
      { id: "r1", item_id: "", amount: 5, quantity: 1, refunded_at: "x" },
      { id: "r1", item_id: "9", quantity: 1 },
      { id: "r1", item_id: "1", amount: 10_001 },
    ]) {
      const { status, json } = await preview(body)
      const refused = await refund(body)
      expect([status, json.errors]).toEqual([refused.status, refused.json.errors])
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })
})
