import { ProductGroups } from "apportion/service"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { groups, openStocked } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
})
afterAll(() => shop.close())

const flat = { itemType: "products.all", type: "flat", amount: 100 }

const create = (body: unknown) => shop.ask("PUT", groups, { body })

const errorsOf = async (body: unknown) => {
  const { status, json } = await create(body)
  expect(status).toBe(422)
  expect(Object.keys(json)).toEqual(["message", "errors"])
  return json.errors
}

describe("a misspelt field of a group", () => {
  it("is refused, since the group would pay where it was not meant to", async () => {
    const errors = await errorsOf({ ...flat, splitConditonType: "referer", startAt: 5 })
    expect(errors).toEqual({
      splitConditonType: ["is no field and would have no effect, did you mean splitConditionType?"],
      startAt: ["is no field and would have no effect, did you mean starts_at?"],
    })
  })

  it("is told together with everything else that is wrong", async () => {
    const body = { itemType: "products.tag", items: [], type: "percentage", percnt: "12.50" }
    expect(await errorsOf(body)).toEqual({
      percnt: ["is no field and would have no effect, did you mean percent?"],
      items: ["must be a list of at least one value, got an empty list"],
      percent: [expect.stringContaining("is missing")],
    })
  })

  it("is refused in a change, too, and the group stays as it is", async () => {
    const { json } = await create(flat)
    const path = `${groups}/${json.data.id}`
    const { status, json: refusal } = await shop.ask("PUT", path, { body: { amout: 5 } })
    expect([status, Object.keys(refusal.errors)]).toEqual([422, ["amout"]])
    expect((await shop.ask("GET", path)).json.data.amount).toBe(100)
  })

  it("is not one that is no field at all: those are ignored", async () => {
    expect((await create({ ...flat, note: "from the spring sale" })).status).toBe(201)
  })
})

describe("a group to be made", () => {
  it.each([
    ["percent", { percent: 12.5 }],
    ["percentage", { percentage: 12.5 }],
    ["percent as a text", { percent: "12.5" }],
    ["percentage as a text", { percentage: "12.50" }],
  ])("can have its percentage as %s", async (_, pay) => {
    const { status, json } = await create({ itemType: "products.all", type: "percentage", ...pay })
    expect(status).toBe(201)
    expect(json.data.percent).toBe(12.5)
    const { json: listed } = await shop.ask("GET", `${groups}/${json.data.id}`)
    expect(listed.data.percent).toBe("12.50")
  })

  it("keeps what an answer does not show", async () => {
    const body = { ...flat, type_modifier: "NOT", itemType: "product.tag", items: ["art"] }
    const { json } = await create({ ...body, min_amount: 5, ends_at: "2030-01-01T00:00:00Z" })
    const stored = await shop.run(
      Effect.gen(function* () {
        const service = yield* ProductGroups
        return yield* service.get("store", "ada", json.data.id)
      }),
    )
    expect(stored.group).toMatchObject({
      link: { modifier: "NOT" },
      minAmount: 5,
      endsAt: 1_893_456_000,
    })
  })

  it("gets its id, its collaborator and its time from the service, whatever it says", async () => {
    const own = { id: {}, collaborator_id: "sam", collaborator: 5, created_at: "soon", meta: 1 }
    const { status, json } = await create({ ...flat, ...own })
    expect(status).toBe(201)
    expect(json.data.collaborator.id).toBe("ada")
    expect(json.data.created_at).toBe(1_700_000_000)
  })

  it.each([
    [{}, ["itemType", "type"]],
    [{ ...flat, itemType: "products.brand" }, ["itemType"]],
    [{ ...flat, itemType: 5 }, ["itemType"]],
    [{ ...flat, itemType: "products.tag" }, ["items"]],
    [{ ...flat, itemType: "products.tag", items: [] }, ["items"]],
    [{ ...flat, itemType: "products.tag", items: "art" }, ["items"]],
    [{ ...flat, itemType: "products.tag", items: ["art", 5, " "] }, ["items[1]", "items[2]"]],
    [{ ...flat, itemType: "products.tag", items: ["art", " "] }, ["items[1]"]],
    [{ ...flat, type: "neither" }, ["type"]],
    [{ ...flat, type: "both" }, ["percent"]],
    [{ ...flat, amount: undefined }, ["amount"]],
    [{ ...flat, amount: -1 }, ["amount"]],
    [{ ...flat, amount: 1.5 }, ["amount"]],
    [{ ...flat, amount: "100" }, ["amount"]],
    [{ ...flat, amount: 2 ** 53 }, ["amount"]],
    [{ ...flat, type: "percentage" }, ["percent"]],
    [{ ...flat, type: "percentage", percent: 100.01 }, ["percent"]],
    [{ ...flat, type: "percentage", percent: "12.345" }, ["percent"]],
    [{ ...flat, type: "percentage", percent: "1e1" }, ["percent"]],
    [{ ...flat, type: "percentage", percent: 5, percentage: 6 }, ["percentage"]],
    [{ ...flat, type_modifier: "WITHOUT" }, ["type_modifier"]],
    [{ ...flat, type_modifier: ["WITH", "NOT"] }, ["type_modifier"]],
    [{ ...flat, splitConditions: ["x"] }, ["splitConditionType"]],
    [{ ...flat, splitConditionType: "weather", splitConditions: ["x"] }, ["splitConditionType"]],
    [{ ...flat, splitConditionType: "referer" }, ["splitConditions"]],
    [
      { ...flat, splitConditionType: "country.code", splitConditions: ["Germany"] },
      ["splitConditions[0]"],
    ],
    [{ ...flat, deduct_for_other_splits: "yes" }, ["deduct_for_other_splits"]],
    [{ ...flat, min_amount: 5, max_amount: 4 }, ["max_amount"]],
    [{ ...flat, starts_at: 5, ends_at: 5 }, ["ends_at"]],
  ])("is refused for %j", async (body, fields) => {
    expect(Object.keys(await errorsOf(body))).toEqual(fields)
  })

  it("is refused with numbers that JSON can write and nobody can hold", async () => {
    const body = '{"itemType":"products.all","type":"flat","amount":1e400}'
    expect(await errorsOf(body)).toEqual({ amount: [expect.stringContaining("got Infinity")] })
  })

  it("is refused for a collaborator that the account does not have", async () => {
    const { status } = await shop.ask("PUT", "/v1/collaborators/eve/products", { body: flat })
    expect(status).toBe(404)
  })

  it("has its products linked a little later", async () => {
    const { json } = await create({ ...flat, itemType: "products.tag", items: ["art"] })
    const { id } = json.data
    expect(json.data.products.meta.total).toBe(0)
    const watch = Effect.flatMap(ProductGroups, (service) =>
      Stream.runDrain(service.watch("store", id)),
    )
    await shop.run(watch)
    const { json: view } = await shop.ask("GET", `${groups}/${id}`)
    expect(view.data.products.meta.total).toBe(2)
    const { json: list } = await shop.ask("GET", `${groups}?per_page=100`)
    const entry = list.data.find((group: { id: string }) => group.id === id)
    expect(entry.products_count).toBe(2)
  })
})

describe("a change of a group", () => {
  const make = async () => String((await create(flat)).json.data.id)
  const change = async (id: string, body: unknown, query = "") =>
    shop.ask("PUT", `${groups}/${id}${query}`, { body })

  it("is laid over the group, which is checked whole", async () => {
    const id = await make()
    await shop.pass(5)
    const { status, json } = await change(id, { itemType: "products", items: ["p1"] })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ type: "products", type_values: ["p1"], amount: 100 })
    expect(json.data.updated_at).toBe(json.data.created_at + 5)
    expect((await change(id, { type: "percentage", percent: 5 })).json.data).toMatchObject({
      percent: 5,
      amount: null,
      type_values: ["p1"],
    })
    const refused = await change(id, { type: "flat", amount: null })
    expect(refused).toMatchObject({
      status: 422,
      json: { errors: { amount: [expect.any(String)] } },
    })
  })

  it("can be empty, and nothing changes", async () => {
    const id = await make()
    const before = (await shop.ask("GET", `${groups}/${id}`)).json.data
    const { status, json } = await change(id, {})
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ ...before, updated_at: expect.any(Number) })
  })

  it("needs no fields of its own, and ignores unknown ones", async () => {
    const id = await make()
    const { json } = await change(id, { id: "other", collaborator_id: "sam", unknown: 5 })
    expect(json.data).toMatchObject({ id, collaborator: { id: "ada" } })
  })

  it("shows the page of products that is asked for", async () => {
    const { json } = await change(shop.groupId, {}, "?per_page=1&page=2")
    expect(json.data.products.meta).toMatchObject({ current_page: 2, per_page: 1, total: 2 })
    expect((await change(shop.groupId, {}, "?page=x")).status).toBe(422)
  })
})

describe("groups with very many values", () => {
  const codes = Array.from({ length: 3 }, (_, index) => `CODE-${index}`)
  const long = (name: string) => ({
    ...{ itemType: "products", type: "percentage", percent: 1 },
    items: Array.from({ length: 9_000 }, (_, index) => `${name}-${"x".repeat(80)}-${index}`),
    ...{ splitConditionType: "discount.code", splitConditions: codes },
  })

  it("are listed with so many of them as are asked for, and their number", async () => {
    const { json: made } = await create(long("one"))
    const { json } = await shop.ask("GET", `${groups}?max_values=2&per_page=100`)
    const listed = json.data.find(({ id }: { id: string }) => id === made.data.id)
    expect(listed).toMatchObject({
      ...{ type_values_count: 9_000, condition_values_count: 3 },
      condition_values: codes.slice(0, 2),
    })
    expect(listed.type_values).toHaveLength(2)
    const { json: none } = await shop.ask("GET", `${groups}?max_values=0&per_page=100`)
    expect(none.data.every((group: { type_values: [] }) => group.type_values.length === 0)).toBe(
      true,
    )
  })

  it("are not listed when all of them are longer than an answer may be", async () => {
    for (let count = 0; count < 10; count += 1) await create(long(`more-${count}`))
    const { status, json } = await shop.ask("GET", `${groups}?per_page=100`)
    expect(status).toBe(422)
    expect(json.errors.per_page?.[0]).toMatch(/^must be smaller, for the answer would be longer/)
    expect((await shop.ask("GET", `${groups}?per_page=100&max_values=1`)).status).toBe(200)
    expect((await shop.ask("GET", `${groups}?per_page=1`)).status).toBe(200)
  })

  it("are made once for a key, and shown as they are when it comes again", async () => {
    const headers = { "Idempotency-Key": "long" }
    const first = await shop.ask("PUT", groups, { body: long("kept"), headers })
    const again = await shop.ask("PUT", groups, { body: long("kept"), headers })
    expect(again.status).toBe(201)
    expect(again.json.data.id).toBe(first.json.data.id)
    expect(again.json.data.type_values).toEqual(first.json.data.type_values)
    expect(again.json.data.percent).toBe(1)
  })
})
