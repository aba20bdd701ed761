import { Storage } from "apportion/ports"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { missingPlaces } from "./OpenApiConformance.js"
import { openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
})
afterEach(() => shop.close())

const ada = "/v1/collaborators/ada"
const post = (path: string, body: object, key?: string) =>
  shop.ask("POST", `${ada}/${path}`, {
    body,
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  })
const get = (path: string) => shop.ask("GET", path)

/** What Ada has from the sale of the stock. */
const earned = 1_125

describe("what is booked for a collaborator", () => {
  it("goes to the active payout, and the payout comes to that much more or less", async () => {
    const { status, json } = await post("expense", { id: "e1", amount: 25, name: " Frames " })
    expect(status).toBe(201)
    expect(json.data).toEqual([
      {
        ...{ payout_id: shop.payoutId, id: "e1", kind: "expense", purpose: null, amount: -25 },
        ...{ asked: null, currency: "EUR", name: "Frames", created_at: 1_700_000_000 },
      },
    ])
    await post("income", { amount: 100, name: "Bonus" })
    const view = await get(`/v1/payouts/${shop.payoutId}`)
    expect(view.json.data.total).toBe(earned - 25 + 100)
  })

  it("has one effect for each id, and for each key", async () => {
    const first = await post("expense", { id: "e1", amount: 25, name: "Frames" })
    const again = await post("expense", { id: "e1", amount: 25, name: "Frames" })
    expect(again.json).toEqual(first.json)
    const other = await post("expense", { id: "e1", amount: 26, name: "Frames" })
    expect([other.status, Object.keys(other.json.errors)]).toEqual([422, ["id"]])
    const keyed = await post("income", { amount: 5, name: "Bonus" }, "k1")
    expect((await post("income", { amount: 5, name: "Bonus" }, "k1")).text).toBe(keyed.text)
    expect((await post("income", { amount: 6, name: "Bonus" }, "k1")).status).toBe(409)
    const view = await get(`/v1/payouts/${shop.payoutId}`)
    expect(view.json.data.total).toBe(earned - 25 + 5)
  })

  it("is refused with everything that is wrong with it", async () => {
    const { status, json } = await post("income", { amount: 0, name: " ", currency: "euros" })
    expect(status).toBe(422)
    expect(Object.keys(json.errors).toSorted()).toEqual(["amount", "currency", "name"])
    const misspelt = await post("income", { amount: 5, name: "Bonus", curency: "USD" })
    expect(Object.keys(misspelt.json.errors)).toEqual(["curency"])
  })
})

describe("a balance below zero", () => {
  const debt = 5_000
  beforeEach(() => post("expense", { id: "e1", amount: earned + debt, name: "Samples" }))

  it("is listed with its age by pages, and its owner's balances say what they owe", async () => {
    await shop.pass(3 * 86_400)
    const { json } = await get("/v1/balances/below-zero")
    expect(json.data).toEqual([
      {
        ...{ collaborator_id: "ada", collaborator_name: "Ada", currency: "EUR", balance: -debt },
        ...{ since: 1_700_000_000, days: 3 },
      },
    ])
    expect(json.meta).toMatchObject({ total: 1, current_page: 1, per_page: 15 })
    expect((await get("/v1/balances/below-zero?page=2")).json.data).toEqual([])
    const balances = await get(`${ada}/balances`)
    expect(balances.json.data).toMatchObject([{ currency: "EUR", total: -debt, paid: 0 }])
  })

  it("is asked back, written off in part, and repaid to exactly zero", async () => {
    const asked = await post("request", { name: "Please pay" })
    expect(asked.json.data).toMatchObject([{ purpose: "request", amount: 0, asked: debt }])
    const written = await post("write-off", { amount: 2_000, name: "Half of it" })
    expect(written.json.data).toMatchObject([{ purpose: "write-off", amount: 2_000, asked: null }])
    await post("repayment", { amount: debt - 2_000, name: "By bank" })
    expect((await get(`${ada}/balances`)).json.data).toMatchObject([{ total: 0 }])
    expect((await get("/v1/balances/below-zero")).json.meta.total).toBe(0)
  })

  it("is not written off beyond what is owed, nor where nothing is owed", async () => {
    const { status, json } = await post("write-off", { amount: debt + 1, name: "Too much" })
    expect([status, json.message]).toEqual([409, expect.stringContaining("ada owes 5000")])
    const sam = await shop.ask("POST", "/v1/collaborators/sam/write-off", { body: { name: "x" } })
    expect([sam.status, sam.json.message]).toEqual([409, expect.stringContaining("owes nothing")])
  })
})

describe("statements", () => {
  beforeEach(async () => {
    await shop.pass(100)
    await post("income", { id: "i1", amount: 500, name: "Bonus" })
  })

  it("have figures that add up, of all times and of a period, and periods chain", async () => {
    const all = (await get(`${ada}/statement`)).json.data
    expect(all).toEqual({
      ...{ collaborator: { id: "ada", name: "Ada" }, from: null, until: null, agreements: [] },
      terms: [],
      statements: [
        {
          ...{ currency: "EUR", opening: 0, sales: earned, refunds: 0, expenses: 0, incomes: 500 },
          ...{ adjustments: 0, removed: 0, paid: 0, closing: earned + 500 },
        },
      ],
    })
    const before = (await get(`${ada}/statement?until=1700000050`)).json.data.statements[0]
    const after = (await get(`${ada}/statement?from=1700000050`)).json.data.statements[0]
    expect([before.closing, after.opening, after.incomes]).toEqual([earned, earned, 500])
  })

  it("have lines that come to the figures", async () => {
    const { json } = await get(`${ada}/statement/lines?from=1700000000`)
    expect(json.meta).toEqual({ next: null })
    expect(json.data).toMatchObject([
      { kind: "sale", amount: earned, item: { order_id: "o1", name: "Product p1", quantity: 1 } },
      { kind: "income", amount: 500, item: { id: "i1", name: "Bonus", order_id: null } },
    ])
  })

  it("go on after a place, and are refused for one that is none", async () => {
    const place = encodeURIComponent(`2.${shop.payoutId}`)
    const { json } = await get(`${ada}/statement/lines?after=${place}`)
    expect(json.data.map(({ kind }: { kind: string }) => kind)).toEqual(["income"])
    expect((await get(`${ada}/statement/lines?after=nowhere`)).status).toBe(422)
    const turned = await get(`${ada}/statement?from=20&until=20`)
    expect([turned.status, Object.keys(turned.json.errors)]).toEqual([422, ["from"]])
  })

  it("a payout's history has each of its versions, and who changed it", async () => {
    const { json } = await get(`/v1/payouts/${shop.payoutId}/history`)
    const last = json.data.at(-1)
    expect(json.data.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3])
    expect(last).toMatchObject({ before: earned, total: earned + 500, status: "active" })
    expect(last.actor).toMatch(/^token:/)
    expect(last.put).toEqual([{ id: "i1", kind: "income", amount: 500 }])
    const rest = await get(`/v1/payouts/${shop.payoutId}/history?after=2&limit=5`)
    expect(rest.json.data).toEqual([last])
    const latest = await get(`/v1/payouts/${shop.payoutId}/history?last=1`)
    expect(latest.json.data).toEqual([last])
  })
})

it("a sale is explained to a collaborator, and only to one who has a share of it", async () => {
  const { json } = await get(`${ada}/sales/o1/explanation`)
  expect(json.data[0].items[0].shares[0]).toMatchObject({
    group_id: shop.groupId,
    percent: "12.50",
  })
  expect(json.data[0].text).toContain("12.50")
  const german = await get(`${ada}/sales/o1/explanation?language=de`)
  expect(german.json.data[0].text).toContain("12,50\u00a0%")
  expect({ ...german.json.data[0], text: json.data[0].text }).toEqual(json.data[0])
  const unknown = await get(`${ada}/sales/o1/explanation?language=xx`)
  expect([unknown.status, Object.keys(unknown.json.errors)]).toEqual([422, ["language"]])
  expect((await get("/v1/collaborators/sam/sales/o1/explanation")).status).toBe(404)
  expect((await get(`${ada}/sales/o2/explanation`)).status).toBe(404)
})

it("whatever an answer can say of a collaborator's money, it says at some time", async () => {
  const hidden = await get(`${ada}/sales/o1/explanation`)
  const permissions = { seeProductPrice: true, seeProductQuantity: true }
  await shop.run(
    Effect.flatMap(Storage, (storage) =>
      storage.transaction("store", ({ collaborators }) =>
        Effect.gen(function* () {
          const found = yield* collaborators.get("ada")
          if (found === undefined) return
          const { collaborator, version } = found
          const seen = { ...collaborator.permissions, ...permissions }
          yield* collaborators.update({
            ...found,
            collaborator: { ...collaborator, permissions: seen },
            version,
          })
        }),
      ),
    ),
  )
  const seen = await get(`${ada}/sales/o1/explanation`)
  const booked = await post("expense", { amount: 9_000, name: "Samples" })
  const asked = await post("request", { name: "Please pay" })
  const answers = [
    { operationId: "bookExpense", answer: booked },
    { operationId: "requestBalance", answer: asked },
    { operationId: "listBalances", answer: await get(`${ada}/balances`) },
    { operationId: "listAllBalances", answer: await get("/v1/balances") },
    { operationId: "listBalancesBelowZero", answer: await get("/v1/balances/below-zero") },
    { operationId: "viewStatement", answer: await get(`${ada}/statement?from=0&until=1800000000`) },
    { operationId: "listStatementLines", answer: await get(`${ada}/statement/lines`) },
    {
      operationId: "listPayoutHistory",
      answer: await get(`/v1/payouts/${shop.payoutId}/history`),
    },
    { operationId: "explainSale", answer: hidden },
    { operationId: "explainSale", answer: seen },
  ]
  const { known, missing } = missingPlaces(answers)
  expect(known).toBeGreaterThan(60)
  // One story has not every kind of everything: only listed values may be missing, and what has no case here.
  const isValue = (place: string) => place.includes(" = ")
  // Sales that are split again, agreements and terms have tests of their own.
  const later = [
    "SeenAdjustment.",
    "StatementAgreement.",
    "AdvanceBalance.",
    "AgreementLine.",
    "StatementTerm.",
  ]
  const isLater = (place: string) => later.some((part) => place.startsWith(part))
  expect(missing.filter((place) => !isValue(place) && !isLater(place))).toEqual([
    "StatementLine.item.adjustment",
    "StatementLine.item.adjustment.run_id",
    "StatementLine.item.adjustment.before",
    "StatementLine.item.adjustment.after",
    "StatementLine.item.agreement",
    "listStatementLines.meta.next",
    "SeenExplanation.items.outranked.group_id",
    "SeenExplanation.items.outranked.by_group_id",
  ])
})
