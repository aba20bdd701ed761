import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { groups, open, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  shop = await open()
  for (const id of ["ada", "kim"]) {
    await shop.ask("POST", "/v1/collaborators", { body: { id, currency: "USD" } })
  }
  const body = { itemType: "products.all", percentage: 50 }
  await shop.ask("PUT", groups, { body })
})
afterEach(() => shop.close())

const advance = {
  ...{ id: "a1", collaborator_id: "ada", currency: "USD", amount: 700 },
  granted_at: "2023-11-01T00:00:00Z",
}

const reserve = {
  ...{ id: "r1", collaborator_id: "ada", percent: "20" },
  schedule: [
    { days: 1, percent: 50 },
    { days: 30, percent: 50 },
  ],
}

const put = (kind: string, agreement: object, asked = {}) =>
  shop.ask("PUT", "/v1/agreements", { body: { kind, agreement }, ...asked })

const preview = (kind: string, agreement: object) =>
  shop.ask("POST", "/v1/agreements/preview", { body: { kind, agreement } })

const sell = (id: string, amount: number) => {
  const items = [{ id: "1", amount, product: { id: "p1" } }]
  const body = { id, currency: "USD", created_at: start, items }
  return shop.ask("POST", "/v1/sales", { body })
}

const wholeAdvance = {
  ...{ ...advance, granted_at: 1_698_796_800, purpose: "advance", percent: "100.00" },
  ...{ groups: null, also_from: [] },
}

describe("agreements", () => {
  it("are made, and viewed with their balance as sales are recorded", async () => {
    const made = await put("advance", advance)
    expect(made.status).toBe(200)
    expect(made.json.data).toEqual({
      ...{ kind: "advance", agreement: wholeAdvance, balance: { recouped: 0, open: 700 } },
      ...{ made_at: start, made_by: expect.stringMatching(/^token:/) },
      ...{ ended_at: null, ended_by: null, is_used: false },
    })
    await sell("1", 1_000)
    const { json } = await shop.ask("GET", "/v1/agreements/advance/a1")
    expect(json.data).toMatchObject({ balance: { recouped: 500, open: 200 }, is_used: true })
  })

  it("of each kind are listed with where they stand, a page at a time", async () => {
    await put("override", {
      ...{ id: "o1", collaborator_id: "kim", of: "share", from: "ada", paid_by: "share" },
      percent: 10,
    })
    const period = { from: start - 5, until: start + 86_400 }
    await put("guarantee", {
      ...{ id: "m1", collaborator_id: "ada", currency: "USD", amount: 900, ...period },
    })
    await put("reserve", reserve)
    await put("advance", advance)
    await sell("1", 1_000)
    const { json } = await shop.ask("GET", "/v1/agreements")
    const found = json.data.map(({ kind, balance }: { kind: string; balance: unknown }) => [
      kind,
      balance,
    ])
    // Of 500, 50 go to Kim, 90 are withheld, 360 recouped; Ada has earned 500 less what Kim got.
    expect(found).toEqual([
      ["advance", { recouped: 360, open: 340 }],
      ["reserve", [{ currency: "USD", reserved: 90, released: 0, reversed: 0, held: 90 }]],
      ["guarantee", { earned: 500, shortfall: 400, is_closed: false }],
      ["override", null],
    ])
    const view = await shop.ask("GET", "/v1/agreements/reserve/r1")
    expect(view.json.data.balance[0].next_release_at).toBe(start + 86_400)
    const second = await shop.ask("GET", "/v1/agreements?per_page=1&page=2")
    expect(second.json.data[0].agreement.id).toBe("r1")
    expect(second.json.meta).toMatchObject({ total: 4, current_page: 2, last_page: 4 })
    const ofKim = await shop.ask("GET", "/v1/agreements?collaborator=kim&kind=override")
    expect(ofKim.json.meta.total).toBe(1)
  })

  it("are changed until something was booked for them, and then only ended", async () => {
    await put("advance", advance)
    const changed = await put("advance", { ...advance, amount: 800 })
    expect(changed.json.data.balance.open).toBe(800)
    await sell("1", 1_000)
    const refused = await put("advance", { ...advance, amount: 900 })
    expect(refused.status).toBe(409)
    expect(refused.json.message).toContain("something was booked for it: amount")
    expect((await preview("advance", { ...advance, amount: 900 })).status).toBe(409)
    const headers = { "Idempotency-Key": "k1" }
    const ended = await shop.ask("POST", "/v1/agreements/advance/a1/end", { headers })
    expect(ended.json.data).toMatchObject({ ended_at: start, balance: { open: 300 } })
    await shop.pass(60)
    const again = await shop.ask("POST", "/v1/agreements/advance/a1/end", { headers })
    expect(again.json).toEqual(ended.json)
    await sell("2", 1_000)
    expect((await shop.ask("GET", "/v1/agreements")).json.data).toEqual([])
    const { json } = await shop.ask("GET", "/v1/agreements?ended=true")
    expect(json.data[0].balance).toEqual({ recouped: 500, open: 300 })
  })

  it("have what was booked for them, the latest first, with the payout in which it is", async () => {
    await put("advance", advance)
    await put("guarantee", {
      ...{ id: "m1", collaborator_id: "ada", currency: "USD", amount: 900 },
      ...{ from: start - 5, until: start + 86_400 },
    })
    for (const id of ["1", "2"]) await sell(id, 1_000)
    const { status, json } = await shop.ask("GET", "/v1/agreements/advance/a1/bookings?per_page=1")
    expect([status, json.meta.total, json.meta.last_page]).toEqual([200, 2, 2])
    const [{ lines, ...booking }] = json.data
    expect(booking).toEqual({ order_id: "2", item_id: "1", at: start })
    const { data } = (await shop.ask("GET", "/v1/payouts?collaborator=ada")).json
    expect(lines).toEqual([
      {
        ...{ kind: "recoupment", event: "sale", collaborator_id: "ada", currency: "USD" },
        ...{ group_id: expect.any(String), amount: -200, payout_id: data[0].id },
      },
    ])
    const counted = await shop.ask("GET", "/v1/agreements/guarantee/m1/bookings")
    expect(counted.json.data[0].lines).toMatchObject([
      { kind: "share", event: "sale", collaborator_id: "ada", amount: 500, payout_id: null },
    ])
    const wrong = await shop.ask("GET", "/v1/agreements/advance/a1/bookings?page=x")
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["page"]])
  })

  it("are refused field by field, in the names of the request", async () => {
    const wrong = { ...advance, amount: -1, granted_at: "soon", also_from: ["ada"] }
    const { status, json } = await put("advance", wrong)
    expect(status).toBe(422)
    const ofReading = ["agreement.amount", "agreement.granted_at"]
    expect(Object.keys(json.errors).toSorted()).toEqual(ofReading)
    const misspelt = await put("advance", { ...advance, grantedat: 5 })
    expect(Object.keys(misspelt.json.errors)).toEqual(["agreement.grantedat"])
    const unkind = await put("loan", advance)
    expect(Object.keys(unkind.json.errors)).toEqual(["kind"])
    const own = await put("advance", { ...advance, also_from: ["ada"] })
    expect(Object.keys(own.json.errors)).toEqual(["agreement.also_from[0]"])
    const unknown = await put("advance", { ...advance, collaborator_id: "nobody" })
    expect(unknown.status).toBe(404)
  })

  it("are refused beside others, under the field of the one that is put", async () => {
    const override = { of: "share", paid_by: "share", percent: 10 }
    await put("override", { id: "o1", collaborator_id: "kim", from: "ada", ...override })
    const circle = { id: "o2", collaborator_id: "ada", from: "kim", ...override }
    const { status, json } = await put("override", circle)
    expect([status, Object.keys(json.errors)]).toEqual([422, ["agreement.from"]])
    await put("reserve", reserve)
    const much = await put("reserve", { ...reserve, id: "r2", percent: 81 })
    expect(Object.keys(much.json.errors)).toEqual(["agreement.percent"])
  })

  it("of another account, of another kind and of an unknown kind are not found", async () => {
    await put("advance", advance)
    const token = "other-token"
    const paths = ["advance/a1", "reserve/a1", "loan/a1"]
    for (const path of paths) {
      const other = path === "advance/a1" ? { token } : {}
      expect((await shop.ask("GET", `/v1/agreements/${path}`, other)).status).toBe(404)
      expect((await shop.ask("GET", `/v1/agreements/${path}/bookings`, other)).status).toBe(404)
      expect((await shop.ask("POST", `/v1/agreements/${path}/end`, other)).status).toBe(404)
    }
    expect((await shop.ask("GET", "/v1/agreements?ended=1", { token })).json.data).toEqual([])
    // Nothing tells that the other account has a collaborator or an agreement of these ids.
    expect((await put("advance", advance, { token })).status).toBe(404)
    await shop.ask("POST", "/v1/collaborators", { token, body: { id: "ada", currency: "USD" } })
    const { json } = await put("advance", { ...advance, amount: 5 }, { token })
    expect(json.data.balance.open).toBe(5)
    const { json: mine } = await shop.ask("GET", "/v1/agreements/advance/a1")
    expect(mine.data.balance.open).toBe(700)
  })
})

describe("a preview of an agreement", () => {
  it("says what putting it would do, and stores nothing", async () => {
    const { status, json } = await preview("advance", advance)
    expect(status).toBe(200)
    const agreed = { kind: "advance", agreement: wholeAdvance }
    const none = { checked: "all", findings: [], gone: [] }
    expect(json.data).toEqual({ change: "made", agreed, before: null, ...none })
    expect((await shop.ask("GET", "/v1/agreements")).json.data).toEqual([])
    await put("advance", advance)
    expect((await preview("advance", advance)).json.data.change).toBe("nothing")
    const { json: other } = await preview("advance", { ...advance, amount: 1 })
    expect(other.data).toMatchObject({ change: "changed", before: agreed })
  })

  it("has what the linter finds with it and not without", async () => {
    const unfed = { ...advance, groups: ["gone"] }
    const { json } = await preview("advance", unfed)
    expect(json.data.findings).toMatchObject([
      { rule: "unfed-advance", agreement_ids: ["a1"], group_ids: [], is_new: true },
    ])
    await put("advance", unfed)
    const { json: mended } = await preview("advance", advance)
    expect(mended.data.gone).toMatchObject([{ rule: "unfed-advance", agreement_ids: ["a1"] }])
  })
})

describe("a preview of a product group", () => {
  it("has what becomes of agreements: an advance that nothing feeds any more", async () => {
    await put("advance", advance)
    const { json } = await shop.ask("GET", "/v1/groups")
    const body = { collaborator_id: "ada", group_id: json.data[0].id, group: null }
    const { json: found } = await shop.ask("POST", "/v1/groups/preview", { body })
    expect(found.data.findings).toMatchObject([
      { rule: "unfed-advance", agreement_ids: ["a1"], is_new: true },
    ])
  })

  it("looks at terms as they are: bands that all pay the same", async () => {
    const bands = [
      { from: 0, percent: 10 },
      { from: 100, percent: 10 },
    ]
    const group = { itemType: "products.all", terms: { tiers: { counted: "units", bands } } }
    const body = { collaborator_id: "kim", group }
    const { json } = await shop.ask("POST", "/v1/groups/preview", { body })
    const rules = json.data.findings.map(({ rule }: { rule: string }) => rule)
    expect(rules).toContain("equal-bands")
  })
})
