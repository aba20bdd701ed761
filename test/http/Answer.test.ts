/** Every answer has the fields of the specification, and no others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { groups, openStocked } from "./Shop.js"

const permissions = [
  "see_product_price",
  "see_product_quantity",
  "see_product_discount",
  "see_product_tax",
  "see_customer_email",
  "see_customer_name",
  "see_order_status",
  "see_order_payment_gateway",
  "see_order_shipping_address",
  "see_order_billing_address",
  "see_product_cost",
  "see_product_stock",
]

const collaborator = {
  id: "ada",
  currency: "EUR",
  payout_measurement: "month",
  payout_frequency: 1,
  payout_threshold: 100,
  permissions: Object.fromEntries(permissions.map((name) => [name, false])),
  account: { name: "Ada", paypal_email: "ada@example.com" },
}

const wholeCollaborator = {
  ...collaborator,
  should_pay_automatically: expect.any(Boolean),
  payout_holding_days: null,
  notes: null,
  account: { ...collaborator.account, is_managed: expect.any(Boolean) },
}

const product = (id: string, tags: ReadonlyArray<string>) => ({
  id,
  external_id: `x-${id}`,
  external_variant_id: `v-${id}`,
  name: `Product ${id}`,
  sku: `SKU-${id}`,
  vendor: "North",
  price: 2_500,
  cost: 900,
  tags,
  inventory_quantity: 7,
})

const meta = (path: string, total: number, page = {}) => ({
  current_page: 1,
  from: total === 0 ? null : 1,
  last_page: 1,
  path: `http://shop.test${path}`,
  per_page: 15,
  to: total === 0 ? null : total,
  total,
  ...page,
})

const group = (id: unknown) => ({
  id,
  type: "product.tag",
  type_values: ["art"],
  condition: null,
  condition_values: null,
  amount: null,
  shipping_amount: null,
  percent: "12.50",
  shipping_percent: null,
  created_at: 1_700_000_000,
  updated_at: 1_700_000_000,
  collaborator: wholeCollaborator,
})

const payout = {
  id: expect.any(String),
  currency: "EUR",
  collaborator,
  status: "active",
  to_be_paid_at: expect.any(Number),
  paid_at: null,
}

const soldItem = {
  amount: 1_125,
  original_amount: 1_250,
  original_currency: "USD",
  currency_exchange_rate: "0.9",
  is_expenses: false,
  expense_name: null,
  orderItem: {
    amount: 10_000,
    discount: 0,
    quantity: 1,
    tax_percent: null,
    tax_name: null,
    tax_total: null,
    grams: 0,
    product: product("p1", ["art"]),
    external_id: expect.any(String),
    split_at: 1_700_000_000,
    refunded_at: null,
  },
}

const entry = (amount: number, name: string) => ({
  amount,
  original_amount: amount,
  original_currency: "EUR",
  currency_exchange_rate: null,
  is_expenses: amount < 0,
  expense_name: name,
  orderItem: null,
})

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
})
afterAll(() => shop.close())

describe.each(["/api/v1", "/v1"])("under %s", (prefix) => {
  const list = `${prefix}/collaborators/ada/products`

  it("a list of groups has counts and no products", async () => {
    const { status, json } = await shop.ask("GET", list)
    expect(status).toBe(200)
    expect(json).toStrictEqual({
      data: [{ ...group(shop.groupId), products_count: 2 }],
      meta: meta(list, 1),
    })
  })

  it("a group has a page of its products and no count", async () => {
    const path = `${list}/${shop.groupId}`
    const { status, json } = await shop.ask("GET", path)
    expect(status).toBe(200)
    const data = [product("p1", ["art"]), product("p2", ["art", "wall"])]
    expect(json).toStrictEqual({
      data: { ...group(shop.groupId), products: { data, meta: meta(path, 2) } },
    })
    const second = await shop.ask("GET", `${path}?per_page=1&page=2`)
    expect(second.json.data.products).toStrictEqual({
      data: [product("p2", ["art", "wall"])],
      meta: meta(path, 2, { current_page: 2, from: 2, last_page: 2, per_page: 1 }),
    })
  })

  it("a group that was made or changed has its percentage as a number", async () => {
    const body = { itemType: "products.tag", items: ["none"], type: "percentage", percent: "7.5" }
    const made = await shop.ask("PUT", list, { body })
    expect(made.status).toBe(201)
    const id = String(made.json.data.id)
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const own = { ...group(id), type_values: ["none"], percent: 7.5 }
    const products = { data: [], meta: meta(`${list}/${id}`, 0) }
    expect(made.json).toStrictEqual({ data: { ...own, products } })

    const changed = await shop.ask("PUT", `${list}/${id}`, { body: { shipping_percent: 3.25 } })
    expect(changed.status).toBe(200)
    expect(changed.json).toStrictEqual({ data: { ...own, shipping_percent: 3.25, products } })

    const removed = await shop.ask("DELETE", `${list}/${id}`)
    expect(removed).toMatchObject({ status: 204, text: "" })
    expect(removed.headers.get("content-type")).toBeNull()
    expect((await shop.ask("GET", `${list}/${id}`)).status).toBe(404)
  })

  it("a list of payouts has neither items nor totals", async () => {
    const { status, json } = await shop.ask("GET", `${prefix}/payouts`)
    expect(status).toBe(200)
    expect(json).toStrictEqual({ data: [payout], meta: meta(`${prefix}/payouts`, 1) })
  })

  it("a payout has its items, with what is added to it", async () => {
    const path = `${prefix}/payouts/${shop.payoutId}`
    const before = await shop.ask("GET", path)
    expect(before.status).toBe(200)
    const items = before.json.data.items
    expect(before.json).toStrictEqual({ data: { ...payout, total: expect.any(Number), items } })
    expect(items[0]).toStrictEqual(soldItem)

    const body = { amount: 200, name: "Frames" }
    const expense = await shop.ask("POST", `${path}/expense`, { body })
    expect(expense.status).toBe(200)
    expect(expense.json).toStrictEqual({
      data: {
        ...payout,
        total: before.json.data.total - 200,
        items: [...items, entry(-200, "Frames")],
      },
    })
    const income = await shop.ask("POST", `${path}/income`, { body: { amount: 50, name: "Talk" } })
    expect(income.json.data.items.at(-1)).toStrictEqual(entry(50, "Talk"))
    expect(income.json.data.total).toBe(before.json.data.total - 150)
  })

  it("a list of products has collaborators when they are asked for", async () => {
    const path = `${prefix}/products`
    const { status, json } = await shop.ask("GET", path)
    expect(status).toBe(200)
    const first = product("p1", ["art"])
    const data = [first, product("p2", ["art", "wall"]), product("p3", [])]
    expect(json).toStrictEqual({ data, meta: meta(path, 3) })
    const query = "include_collaborators=true&search=p1"
    expect((await shop.ask("GET", `${path}?${query}`)).json).toStrictEqual({
      data: [{ ...first, collaborators: [wholeCollaborator] }],
      meta: meta(path, 1),
    })
  })
})

it("a payout that is set as paid says so, once more too", async () => {
  const own = await openStocked()
  const path = `/v1/payouts/${own.payoutId}`
  const { status, json } = await own.ask("POST", `${path}/set-paid`)
  expect(status).toBe(200)
  const paid = { ...payout, status: "manually paid", paid_at: 1_700_000_000 }
  expect(json).toStrictEqual({ data: { ...paid, total: 1_125, items: [soldItem] } })
  expect((await own.ask("POST", `${path}/set-paid`)).json).toStrictEqual(json)
  const refused = await own.ask("POST", `${path}/expense`, { body: { amount: 1, name: "Late" } })
  expect(refused).toMatchObject({ status: 409, json: { message: "Payout has already been paid" } })
  await own.close()
})

it.each([
  [{ itemType: "products.all" }, "products.all", []],
  [{ itemType: "product.all", items: ["ignored"] }, "products.all", []],
  [{ itemType: "product.tag", items: ["x"] }, "product.tag", ["x"]],
  [{ itemType: "products.vendor", items: ["North"] }, "products.vendor", ["North"]],
  [{ itemType: "products", items: [5, "p1"] }, "products", ["5", "p1"]],
])("answers %j with the one spelling of its type", async (request, type, values) => {
  const body = { ...request, type: "flat", amount: 250, type_modifier: ["NOT"] }
  const { json } = await shop.ask("PUT", groups, { body })
  expect(json.data).toMatchObject({ type, type_values: values, amount: 250, percent: null })
})

it("a group with a condition shows it", async () => {
  const body = {
    itemType: "products.all",
    type: "percentage",
    percentage: 10,
    splitConditionType: "referer",
    splitConditions: ["blog"],
    condition_modifier: "NOT",
    deduct_for_other_splits: true,
  }
  const { json } = await shop.ask("PUT", groups, { body })
  expect(json.data).toMatchObject({ condition: "referer", condition_values: ["blog"], percent: 10 })
})
