import { Collaborators, ProductGroups, Sales } from "apportion/service"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { groups, openStocked, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
  // Of two equal groups the newer one counts.
  await shop.pass(1)
})
afterEach(() => shop.close())

const post = (path: string, body: object, token = "ada-token") =>
  shop.ask("POST", `/v1/groups${path}`, { body, token })
const get = (path: string, token = "ada-token") => shop.ask("GET", `/v1/groups${path}`, { token })

const byTag = (percent: number, tag = "art") => ({
  ...{ itemType: "products.tag", items: [tag], type: "percentage", percent },
})

const draft = (group: object | null, group_id: string | null = null) => ({
  ...{ collaborator_id: "ada", group_id, group },
})

describe("the groups of the account", () => {
  it("are listed whoever they belong to, the newest first", async () => {
    const { json } = await shop.ask("PUT", "/v1/collaborators/sam/products", {
      body: { itemType: "products", items: ["p1", "p2"], type: "flat", amount: 30 },
    })
    const listed = await get("?per_page=100")
    expect(listed.json.meta).toMatchObject({ total: 2, per_page: 100 })
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual([
      json.data.id,
      shop.groupId,
    ])
    expect(listed.json.data[1]).toMatchObject({
      collaborator: { id: "ada", name: "Ada" },
      group: { itemType: "products.tag", items: ["art"], type: "percentage", percent: "12.50" },
      ...{ products_count: 2, items_count: 1, split_conditions_count: 0 },
    })
    expect((await get("?page=2&per_page=1")).json.data[0].id).toBe(shop.groupId)
  })

  it("are found by their collaborator, and by what is in them", async () => {
    const idsOf = async (query: string) =>
      (await get(query)).json.data.map(({ id }: { id: string }) => id)
    expect(await idsOf("?collaborator=ada")).toEqual([shop.groupId])
    expect(await idsOf("?collaborator=sam")).toEqual([])
    expect(await idsOf("?search=%20ART")).toEqual([shop.groupId])
    expect(await idsOf("?search=heron")).toEqual([])
    expect((await get("?collaborator=")).status).toBe(422)
  })

  it("show twenty of their values in the list, and all of them one by one", async () => {
    const items = Array.from({ length: 30 }, (_, place) => `tag ${place}`)
    await shop.ask("PUT", `${groups}/${shop.groupId}`, {
      body: { itemType: "products.tag", items },
    })
    const [listed] = (await get("")).json.data
    expect([listed.group.items, listed.items_count]).toEqual([items.slice(0, 20), 30])
    expect((await get(`/${shop.groupId}`)).json.data.group.items).toEqual(items)
  })

  it("have the fields that a request takes: saved as they are they stay the same", async () => {
    const body = {
      ...{ itemType: "products.tag", items: ["art", "wall"], type_modifier: "NOT" },
      ...{ splitConditionType: "referer", splitConditions: ["blog"], type: "flat", amount: 40 },
      ...{ deduct_for_other_splits: true, min_amount: 1, max_amount: 90, starts_at: 5, ends_at: 9 },
    }
    const created = await shop.ask("PUT", groups, { body })
    const { id } = created.json.data
    const { group } = (await get(`/${id}`)).json.data
    expect(group).toMatchObject(body)
    const again = await shop.ask("PUT", `${groups}/${id}`, { body: group })
    expect(again.status).toBe(200)
    expect((await get(`/${id}`)).json.data.group).toEqual(group)
  })

  it("of another account are not there", async () => {
    expect((await get("", "other-token")).json.data).toEqual([])
    expect((await get(`/${shop.groupId}`, "other-token")).status).toBe(404)
    const asked = await post("/preview", draft(null, shop.groupId), "other-token")
    expect([asked.status, asked.text.includes("Ada")]).toEqual([404, false])
  })
})

describe("a draft of a group", () => {
  it("says how many products it would take, and shows some", async () => {
    const { status, json } = await post("/preview", draft(byTag(5)))
    expect([status, json.data.group_id, json.data.products_before]).toEqual([200, "draft", null])
    expect(json.data).toMatchObject({ products_count: 2, products_are_whole: true })
    expect(json.data.products).toEqual([
      { id: "p1", name: "Product p1" },
      { id: "p2", name: "Product p2" },
    ])
    const all = await post("/preview", draft({ itemType: "products.all", type: "flat", amount: 1 }))
    expect(all.json.data.products_count).toBe(3)
    const none = await post("/preview", draft(byTag(5, "heron")))
    expect([none.json.data.products_count, none.json.data.products]).toEqual([0, []])
  })

  it("is compared with the group that it replaces", async () => {
    const changed = await post(
      "/preview",
      draft({ items: ["wall"], itemType: "products.tag" }, shop.groupId),
    )
    expect(changed.json.data).toMatchObject({
      ...{ group_id: shop.groupId, products_before: 2, products_count: 1, findings: [] },
    })
    const removed = await post("/preview", draft(null, shop.groupId))
    expect(removed.json.data).toMatchObject({
      ...{ group_id: null, products_before: 2, products_count: null, products: [] },
    })
  })

  it("brings the findings of the linter, beside those that are there already and those that go", async () => {
    const twice = { ...byTag(10), items: ["art", "Art"] }
    const other = await shop.ask("PUT", "/v1/collaborators/sam/products", { body: twice })
    const of = async (group: object | null, id: string | null = null) => {
      const { json } = await post("/preview", draft(group, id))
      const { findings, gone, checked } = json.data
      expect(checked).toBe("all")
      const told = (all: ReadonlyArray<Record<string, unknown>>) =>
        all.map(({ rule, group_ids, is_new }) => [rule, group_ids, is_new])
      return { findings: told(findings), gone: told(gone) }
    }
    const repeated = ["repeated-value", [other.json.data.id]]
    expect(await of(byTag(95))).toEqual({
      findings: [
        ["over-allocation", [expect.any(String), expect.any(String)], true],
        expect.anything(),
        [...repeated, false],
      ],
      gone: [],
    })
    expect(await of({ ...byTag(8), percent: 90.5 }, shop.groupId)).toMatchObject({
      findings: [
        ["over-allocation", expect.anything(), true],
        [...repeated, false],
      ],
    })
    const sams = { collaborator_id: "sam", group_id: other.json.data.id, group: null }
    const { json } = await post("/preview", sams)
    expect([json.data.findings, json.data.gone.map(({ rule }: { rule: string }) => rule)]).toEqual([
      [],
      ["repeated-value"],
    ])
  })

  it("is refused as the group itself would be, with the fields named", async () => {
    const refused = async (body: object) => {
      const { status, json } = await post("/preview", body)
      return [status, Object.keys(json.errors ?? {})]
    }
    expect(await refused(draft({ ...byTag(5), percnt: 5, percent: "x" }))).toEqual([
      422,
      ["group.percnt", "group.percent"],
    ])
    expect(await refused(draft({ ...byTag(5), items: [] }))).toEqual([422, ["group.items"]])
    expect(await refused({ collaborator_id: "ada" })).toEqual([422, ["group"]])
    expect(await refused({ group: byTag(5), colaborator_id: "ada" })).toEqual([
      422,
      ["colaborator_id", "collaborator_id"],
    ])
    expect(await refused({ ...draft(byTag(5)), collaborator_id: "nobody" })).toEqual([404, []])
    expect(await refused({ ...draft(byTag(5), shop.groupId), collaborator_id: "sam" })).toEqual([
      404,
      [],
    ])
  })

  it("changes nothing, and needs no more than to read", async () => {
    const before = (await get("")).text
    const asked = [draft(byTag(50)), draft(null, shop.groupId)]
    for (const body of asked) {
      expect((await post("/preview", body, "eyes-token")).status).toBe(200)
      expect((await post("/backtest/preview", body, "eyes-token")).status).toBe(200)
      expect((await post("/preview", body, "desk-token")).status).toBe(403)
    }
    expect((await get("")).text).toBe(before)
    expect((await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)).json.data.total).toBe(1_125)
  })
})

describe("a draft that is tried on past sales", () => {
  const period = { from: start - 1, until: start + 2 }

  it("says what everybody would have got, and explains the biggest differences", async () => {
    const body = { ...draft({ type: "percentage", percent: 20 }, shop.groupId), ...period }
    const { status, json } = await post("/backtest/preview", body)
    expect([status, json.data.sales, json.data.changed, json.data.is_whole]).toEqual([
      ...[200, 1, 1, true],
    ])
    expect(json.data).toMatchObject({ ...period, time_zone: "UTC", refused: [] })
    expect(json.data.totals).toEqual([
      {
        ...{ currency: "USD", collaborator_id: "ada" },
        ...{ before: 1_250, after: 2_000, difference: 750 },
      },
      {
        ...{ currency: "USD", collaborator_id: null },
        ...{ before: 8_750, after: 8_000, difference: -750 },
      },
    ])
    const [biggest] = json.data.biggest
    expect(biggest.before_text).toContain("Ada gets 12.50 USD")
    expect(biggest).toMatchObject({
      ...{ order_id: "o1", part: 1, differences: [{ collaborator_id: "ada", difference: 750 }] },
    })
    expect(biggest.before_text).toContain("12.50%")
    expect(biggest.after_text).toContain("20.00%")
  })

  it("is compared with the rules as they are now, not with those of then", async () => {
    await shop.ask("PUT", `${groups}/${shop.groupId}`, {
      body: { type: "percentage", percent: 20 },
    })
    const body = { ...draft({ type: "percentage", percent: 20 }, shop.groupId), ...period }
    const { json } = await post("/backtest/preview", body)
    expect([json.data.sales, json.data.changed, json.data.totals]).toEqual([1, 0, []])
  })

  it("looks at the sales of the last month when nothing is said", async () => {
    const { json } = await post("/backtest/preview", draft(byTag(50)))
    const month = ["2023-10-01T00:00:00Z", "2023-11-01T00:00:00Z"].map(
      (time) => Date.parse(time) / 1_000,
    )
    expect([json.data.from, json.data.until, json.data.sales]).toEqual([...month, 0])
  })

  it("lists the sales that the rules would have refused", async () => {
    await shop.run(
      Effect.gen(function* () {
        const groups = yield* ProductGroups
        const link = { type: "products.all" } as const
        yield* groups.create("store", "sam", { link, percent: "80" })
      }),
    )
    const { json } = await post("/backtest/preview", { ...draft(byTag(30), null), ...period })
    expect(json.data.refused).toMatchObject([{ order_id: "o1", part: 1 }])
    expect(json.data.totals).toEqual([])
  })

  it("ends after so many sales, and says so", async () => {
    await shop.run(
      Effect.gen(function* () {
        yield* (yield* Collaborators).create("store", { id: "kim", currency: "USD" })
        const sales = yield* Sales
        for (const id of ["o2", "o3"]) {
          const items = [{ id: "1", product: { id: "p1" }, amount: 100, quantity: 1 }]
          yield* sales.record("store", { id, currency: "USD", items })
        }
      }),
    )
    const body = { ...draft(null, shop.groupId), ...period }
    const some = await post("/backtest/preview", { ...body, most: 2 })
    expect([some.json.data.sales, some.json.data.is_whole]).toEqual([2, false])
    const all = await post("/backtest/preview", body)
    expect([all.json.data.sales, all.json.data.is_whole]).toEqual([3, true])
    const wrong = await post("/backtest/preview", { ...body, from: start, until: start })
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["from"]])
  })
})

describe("the session", () => {
  it("says who asks, and what they may do", async () => {
    const of = async (token: string) => (await shop.ask("GET", "/v1/session", { token })).json
    const scopes = ["read", "record", "manage", "payouts"]
    expect((await of("ada-token")).data).toMatchObject({ scopes, time_zone: "UTC" })
    expect((await of("bank-token")).data).toEqual({
      ...{ actor: "the bank", scopes: ["read", "payouts"], time_zone: "UTC" },
    })
    expect((await shop.ask("GET", "/v1/session", { token: "nobody" })).status).toBe(401)
  })
})
