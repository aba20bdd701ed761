import { beforeAll, describe, expect, it } from "vitest"
import { openStocked, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeAll(async () => {
  shop = await openStocked()
})

const get = (path = "", token = "ada-token") => shop.ask("GET", `/v1/settings${path}`, { token })
const put = (body: unknown, asked: { token?: string; headers?: Record<string, string> } = {}) =>
  shop.ask("PUT", "/v1/settings", { body, ...asked })

describe("the settings of an account", () => {
  it("are those of the host until it changes them", async () => {
    const { status, json } = await get()
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      policy: { discount: "deduct", over_allocation: "reject", time_zone: "UTC" },
      ...{ payment_fees: "store", group_values: 10_000, event_days: 33, maturity_days: 0 },
      ...{ idempotency_seconds: 86_400, version: 0, since: null },
    })
    expect((await get("/changes")).json).toMatchObject({ data: [], meta: { total: 0 } })
  })

  it("are changed by field, and the others stay; the same change again changes nothing", async () => {
    const { status, json } = await put({ policy: { tax: "keep", time_zone: "Europe/Berlin" } })
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      policy: { discount: "deduct", tax: "keep", time_zone: "Europe/Berlin" },
      ...{ maturity_days: 0, version: 1, since: start },
    })
    expect((await put({ policy: { tax: "keep" } })).json).toEqual(json)
    expect((await get()).json).toEqual(json)
    const next = await put({ maturity_days: 14, policy: { tax: null } })
    expect(next.json.data).toMatchObject({
      policy: { tax: "remove", time_zone: "Europe/Berlin" },
      ...{ maturity_days: 14, version: 2 },
    })
    const none = await put({ policy: null, maturity_days: null })
    expect(none.json.data).toMatchObject({ policy: { time_zone: "UTC" }, maturity_days: 0 })
  })

  it("are listed with who changed them, since when, and what was in force before and after", async () => {
    const { json } = await get("/changes")
    expect(json.meta).toMatchObject({ total: 3 })
    const [third, second, first] = json.data
    expect(first).toMatchObject({
      ...{ version: 1, since: start, before: { maturity_days: 0, policy: { time_zone: "UTC" } } },
      after: { policy: { tax: "keep", time_zone: "Europe/Berlin" } },
    })
    expect(second).toMatchObject({ version: 2, after: { maturity_days: 14 } })
    expect(third.after).toEqual(first.before)
    expect((await get("/changes?per_page=1&page=2")).json.data).toEqual([second])
  })

  it("that can't be chosen are refused with their names and values, and nothing is kept", async () => {
    const wrong = {
      policy: { tax: "eat", time_zone: "Mars/Olympus", gateway: "deduct" },
      ...{ maturity_days: 3_651, rates: "ecb.csv", payment_fees: "store" },
    }
    const { status, json } = await put(wrong)
    expect(status).toBe(422)
    expect(Object.keys(json.errors).toSorted()).toEqual([
      ...["maturity_days", "payment_fees", "policy.gateway", "policy.tax", "policy.time_zone"],
      "rates",
    ])
    expect(json.errors.maturity_days).toEqual(["must be a whole number from 0 to 3650, got 3651"])
    expect(json.errors["policy.time_zone"][0]).toContain("Mars/Olympus")
    for (const body of [[], { policy: [] }, { maturity_days: "3" }, { policy: { taxes: null } }]) {
      expect((await put(body)).status, JSON.stringify(body)).toBe(422)
    }
    expect((await get()).json.data.version).toBe(3)
  })

  it("are changed once for a key", async () => {
    const headers = { "Idempotency-Key": "settings" }
    const first = await put({ maturity_days: 7 }, { headers })
    await put({ maturity_days: 8 })
    expect((await put({ maturity_days: 7 }, { headers })).json).toEqual(first.json)
    expect((await get()).json.data.maturity_days).toBe(8)
    expect((await put({ maturity_days: 9 }, { headers })).status).toBe(409)
  })

  it("are not those of another account, which sees no change and changes its own", async () => {
    const before = (await get()).json
    expect((await get("", "other-token")).json.data).toMatchObject({ version: 0 })
    expect((await get("/changes", "other-token")).json.data).toEqual([])
    await put({ maturity_days: 99 }, { token: "other-token" })
    expect((await get()).json).toEqual(before)
  })
})
