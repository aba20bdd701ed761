import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { groups, open, start } from "./Shop.js"

// DOMAIN "Terms that depend on what came before": balances are in the statement, and nothing of anybody else's.

let shop: Awaited<ReturnType<typeof open>>
const tokens = new Map<string, string>()

const put = (kind: string, agreement: object) =>
  shop.ask("PUT", "/v1/agreements", { body: { kind, agreement } })

beforeAll(async () => {
  shop = await open()
  for (const id of ["ada", "kim"]) {
    await shop.ask("POST", "/v1/collaborators", { body: { id, currency: "USD" } })
    const { json } = await shop.ask("POST", `/v1/collaborators/${id}/passes`, { body: {} })
    tokens.set(id, String(json.data.token))
  }
  await shop.ask("PUT", groups, { body: { itemType: "products.all", percentage: 50 } })
  const money = { currency: "USD", amount: 700 }
  await put("advance", { id: "loan", collaborator_id: "ada", ...money, granted_at: 0 })
  const schedule = [{ days: 30, percent: 100 }]
  await put("reserve", { id: "returns", collaborator_id: "ada", percent: 20, schedule })
  const period = { from: start - 5, until: start + 86_400 }
  await put("guarantee", { id: "floor", collaborator_id: "kim", ...money, ...period })
  const of = { of: "share", from: "ada", paid_by: "share" }
  await put("override", { id: "agency", collaborator_id: "kim", ...of, percent: 10 })
  const items = [{ id: "1", amount: 1_000, product: { id: "p1" }, quantity: 2 }]
  await shop.ask("POST", "/v1/sales", { body: { id: "1001", currency: "USD", items } })
  const refund = { id: "r1", item_id: "1", quantity: 1 }
  await shop.ask("POST", "/v1/sales/1001/refunds", { body: refund })
})
afterAll(() => shop.close())

/** Of 500 of which half is back: 25 to Kim, 45 held, 180 recouped. */
const ofAda = [
  {
    kind: "advance",
    id: "loan",
    currency: "USD",
    amount: 700,
    balance: { recouped: 180, open: 520 },
  },
  {
    ...{ kind: "reserve", id: "returns" },
    balance: [
      {
        ...{ currency: "USD", reserved: 90, released: 0, reversed: 45, held: 45 },
        next_release_at: start + 30 * 86_400,
      },
    ],
  },
]

it("items of a payout come with what they are about, when that is asked for", async () => {
  const { json } = await shop.ask("GET", "/v1/payouts?collaborator=ada")
  const path = `/v1/payouts/${json.data[0].id}`
  const sourced = await shop.ask("GET", `${path}?include_sources=true`)
  const found = sourced.json.data.items.map(({ source }: { source: object }) => source)
  const sold = { order_id: "1001", order_item_id: "1", agreement: null, adjustment: null }
  expect(found).toContainEqual(expect.objectContaining(sold))
  const booked = { kind: "recoupment", event: "sale", agreement_id: "loan", order_id: "1001" }
  expect(found).toContainEqual(expect.objectContaining({ order_id: null, agreement: booked }))
  expect(sourced.json.data.failure_reason).toBe(null)
  const plain = await shop.ask("GET", path)
  expect("failure_reason" in plain.json.data).toBe(false)
  expect(plain.json.data.items.some((item: object) => "source" in item)).toBe(false)
  const wrong = await shop.ask("GET", `${path}?include_sources=perhaps`)
  expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["include_sources"]])
})

describe("agreements in statements", () => {
  it("are the collaborator's own, with what is open and held of each, whatever the period", async () => {
    const paths = ["statement", `statement?until=${start - 86_400}`]
    for (const path of paths) {
      const { json } = await shop.ask("GET", `/v1/collaborators/ada/${path}`)
      expect(json.data.agreements).toEqual(ofAda)
    }
    const { json } = await shop.ask("GET", "/v1/collaborators/kim/statement")
    const [guarantee, ...others] = json.data.agreements
    expect(guarantee.balance).toEqual({ earned: 25, shortfall: 675, is_closed: false })
    expect(others).toEqual([])
  })

  it("are shown to their collaborator, and nothing of anybody else's", async () => {
    const seen = async (id: string) => {
      const token = tokens.get(id) ?? ""
      const statement = await shop.ask("GET", "/v1/seen/statement", { token })
      const lines = await shop.ask("GET", "/v1/seen/statement/lines", { token })
      return {
        agreements: statement.json.data.agreements,
        lines: lines.json.data,
        text: `${statement.text}${lines.text}`,
      }
    }
    const [ada, kim] = [await seen("ada"), await seen("kim")]
    expect(ada.agreements).toEqual(ofAda)
    expect(kim.agreements).toMatchObject([{ kind: "guarantee", id: "floor" }])
    // The agent's override comes out of Ada's share: neither reads the other's name, groups or agreements.
    expect(kim.text).not.toMatch(/\bada\b|loan|returns|group_id":"[^"]/)
    expect(ada.text).not.toMatch(/kim|floor/)
    const about = { agreement_id: "agency", order_id: "1001" }
    const overrides = kim.lines.map(
      ({
        amount,
        item,
      }: {
        readonly amount: number
        readonly item: { readonly agreement: object }
      }) => [amount, item.agreement],
    )
    expect(overrides).toEqual([
      [50, { kind: "override", event: "sale", ...about }],
      [-25, { kind: "override", event: "refund", ...about }],
    ])
  })

  it("stand on the page in the language of its reader, as their entries do", async () => {
    const page = async (id: string, language: string) =>
      (await shop.ask("GET", `/v1/collaborators/${id}/statement?format=html&language=${language}`))
        .text
    const english = await page("ada", "en")
    expect(english).toContain("1.80 USD of 7.00 USD earned back, 5.20 USD to go")
    expect(english).toContain(
      "0.45 USD held, the next part until 2023-12-14, 0.00 USD released, 0.45 USD given back",
    )
    expect(english).toContain("Earned back of advance loan<small>Order 1001 · taken back</small>")
    expect(english).toContain("Override agency, paid to another<small>Order 1001</small>")
    const german = await page("kim", "de")
    expect(german).toContain("Beteiligung agency<small>Bestellung 1001 · zurückgenommen</small>")
    expect(german).toMatch(/0,25 USD von 7,00 USD bis [^<]*2023[^<]* verdient, es fehlen 6,75 USD/)
    const arabic = await page("ada", "ar")
    expect(arabic).toContain("محتجز بموجب الاحتياطي")
    expect(arabic).not.toMatch(/withheld|recouped/i)
  })
})
