import { Storage } from "apportion/ports"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { openStocked } from "./Shop.js"

describe.each(["expense", "income"])("an %s", (kind) => {
  it.each([
    [{}, ["amount", "name"]],
    [{ amount: 0, name: "x" }, ["amount"]],
    [{ amount: -5, name: "x" }, ["amount"]],
    [{ amount: 1.5, name: "x" }, ["amount"]],
    [{ amount: "5", name: "x" }, ["amount"]],
    [{ amount: [5], name: "x" }, ["amount"]],
    [{ amount: 2 ** 53, name: "x" }, ["amount"]],
    [{ amount: null, name: null }, ["amount", "name"]],
    [{ amount: 5, name: "" }, ["name"]],
    [{ amount: 5, name: "  \n" }, ["name"]],
    [{ amount: 5, name: 5 }, ["name"]],
    [{ amount: 5, name: { toString: "x" } }, ["name"]],
    [{ amount: 5, name: "x".repeat(201) }, ["name"]],
  ])("is refused for %j", async (body, fields) => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    const { status, json } = await shop.ask("POST", `${path}/${kind}`, { body })
    expect(status).toBe(422)
    expect(Object.keys(json.errors)).toEqual(fields)
    expect((await shop.ask("GET", path)).json.data.items).toHaveLength(1)
    await shop.close()
  })

  it("has a name of 200 characters at most, however they are written", async () => {
    const shop = await openStocked()
    const body = { amount: 5, name: ` ${"🎨".repeat(200)} ` }
    const path = `/v1/payouts/${shop.payoutId}/${kind}`
    const { status, json } = await shop.ask("POST", path, { body })
    expect(status).toBe(200)
    expect(json.data.items.at(-1).expense_name).toBe("🎨".repeat(200))
    await shop.close()
  })

  it("that would make the total inexact is refused, and nothing is kept", async () => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    const most = { amount: Number.MAX_SAFE_INTEGER, name: "All" }
    if (kind === "expense") await shop.ask("POST", `${path}/${kind}`, { body: most })
    const { status, json } = await shop.ask("POST", `${path}/${kind}`, { body: most })
    expect(status).toBe(422)
    expect(json.errors).toEqual({ amount: [expect.stringContaining("9007199254740991")] })
    const items = kind === "expense" ? 2 : 1
    expect((await shop.ask("GET", path)).json.data.items).toHaveLength(items)
    await shop.close()
  })

  it("is refused on a payout that is paid", async () => {
    const shop = await openStocked()
    const path = `/v1/payouts/${shop.payoutId}`
    await shop.ask("POST", `${path}/set-paid`)
    const body = { amount: 5, name: "Late" }
    const { status, json } = await shop.ask("POST", `${path}/${kind}`, { body })
    expect(status).toBe(409)
    expect(json).toStrictEqual({ message: "Payout has already been paid" })
    await shop.close()
  })
})

it("expenses that come at the same time are all kept", async () => {
  const shop = await openStocked()
  const path = `/v1/payouts/${shop.payoutId}`
  const body = { amount: 1, name: "One of many" }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => shop.ask("POST", `${path}/expense`, { body })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const { json } = await shop.ask("GET", path)
  expect(json.data.items).toHaveLength(51)
  expect(json.data.total).toBe(1_125 - 50)
  await shop.close()
})

/** A payout with one item of a sale, and so many extra incomes of a cent. */
const openLong = async (incomes: number) => {
  const shop = await openStocked()
  const put = Array.from({ length: incomes }, (_, index) => ({
    ...{ id: `e${String(index).padStart(6, "0")}`, kind: "income" as const },
    ...{ name: `Number ${index}`, createdAt: 1_700_000_000, amount: 1, originalAmount: 1 },
    ...{ originalCurrency: "EUR", currencyExchangeRate: null },
  }))
  const fill = Effect.flatMap(Storage, (storage) =>
    storage.transaction("store", ({ payouts }) =>
      Effect.gen(function* () {
        const payout = yield* payouts.get(shop.payoutId)
        if (payout === undefined) throw new RangeError("there is no payout")
        const total = payout.total + incomes
        const itemsCount = payout.itemsCount + incomes
        yield* payouts.update({ payout: { ...payout, total, itemsCount }, put })
      }),
    ),
  )
  await shop.run(fill)
  return { ...shop, path: `/v1/payouts/${shop.payoutId}` }
}

describe("the items of a payout", () => {
  it("are shown by pages when somebody asks for that, with where they stand", async () => {
    const { ask, path, close } = await openLong(249)
    const { json } = await ask("GET", `${path}?items_page=3`)
    expect(json.data.items).toHaveLength(50)
    expect(json.data.total).toBe(1_125 + 249)
    expect(json.data.items_meta).toEqual({
      ...{ current_page: 3, from: 201, last_page: 3, to: 250, per_page: 100, total: 250 },
      path: expect.stringMatching(/\/v1\/payouts\/[^?]+$/),
    })
    const some = await ask("GET", `${path}?items_per_page=2&items_page=-5`)
    expect(some.json.data.items).toHaveLength(2)
    expect(some.json.data.items_meta).toMatchObject({ current_page: 1, per_page: 2 })
    const whole = await ask("GET", path)
    expect(whole.json.data.items).toHaveLength(250)
    expect(whole.json.data).not.toHaveProperty("items_meta")
    const wrong = await ask("POST", `${path}/set-paid?items_per_page=x`)
    expect(wrong.status).toBe(422)
    expect((await ask("GET", path)).json.data.status).toBe("active")
    await close()
  })

  it("are not shown all at once when they are more than ten thousand, and what was added to them is", async () => {
    const { ask, path, close } = await openLong(10_000)
    const { status, json } = await ask("GET", path)
    expect(status).toBe(422)
    expect(json.errors.items_page).toEqual([
      "is needed for a payout of 10001 items: more than 10000 are only shown by pages (items_page, and items_per_page up to 1000)",
    ])
    const page = await ask("GET", `${path}?items_page=2&items_per_page=99999`)
    expect(page.json.data.items).toHaveLength(1_000)
    const headers = { "Idempotency-Key": "k1" }
    const body = { amount: 5, name: "Newest" }
    const added = await ask("POST", `${path}/income`, { body, headers })
    expect(added.status).toBe(200)
    expect(added.json.data.items).toHaveLength(2)
    expect(added.json.data.items.at(-1).expense_name).toBe("Newest")
    expect(added.json.data.items_meta).toMatchObject({ current_page: 101, total: 10_002 })
    expect((await ask("POST", `${path}/income`, { body, headers })).text).toBe(added.text)
    await close()
  })
})

it("an answer that is too long to be kept under its key is the payout as it is now", async () => {
  const { ask, path, close } = await openLong(1_000)
  const headers = { "Idempotency-Key": "k2" }
  const body = { amount: 5, name: "Once" }
  const first = await ask("POST", `${path}/income`, { body, headers })
  expect(first.text.length).toBeGreaterThan(65_536)
  await ask("POST", `${path}/expense`, { body: { amount: 1, name: "Later" } })
  const again = await ask("POST", `${path}/income`, { body, headers })
  expect(again.status).toBe(200)
  expect(again.json.data.total).toBe(first.json.data.total - 1)
  expect(again.text).toBe((await ask("GET", path)).text)
  await close()
})

describe("the list of payouts", () => {
  it("has totals when they are asked for, and else the fields of the original alone", async () => {
    const shop = await openStocked()
    const [listed] = (await shop.ask("GET", "/v1/payouts")).json.data
    const [full] = (await shop.ask("GET", "/v1/payouts?include_totals=true")).json.data
    expect(full).toEqual({ ...listed, total: 1_125, items_count: 1 })
    expect(listed).not.toHaveProperty("total")
    expect((await shop.ask("GET", "/v1/payouts?include_totals=maybe")).status).toBe(422)
    await shop.close()
  })
})
