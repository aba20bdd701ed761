import { Resplits } from "apportion/service"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { groups, openStocked, start } from "./Shop.js"

let shop: Awaited<ReturnType<typeof openStocked>>
beforeEach(async () => {
  shop = await openStocked()
  const body = { type: "percentage", percent: 20 }
  await shop.ask("PUT", `${groups}/${shop.groupId}`, { body })
})
afterEach(() => shop.close())

const post = (path: string, body?: object, key?: string) =>
  shop.ask("POST", `/v1/resplits${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  })
const get = (path: string, token = "ada-token") => shop.ask("GET", `/v1/resplits${path}`, { token })
const totalOfPayout = async () =>
  (await shop.ask("GET", `/v1/payouts/${shop.payoutId}`)).json.data.total

/** Of 100.00 USD, at 0.9 EUR. */
const [before, more] = [1_125, 675]

const propose = async (id: string, key?: string) => {
  const preview = await post("/preview", {})
  const { json } = await post("", { id, reason: "20 % from the beginning" }, key)
  return { run: json.data, digest: String(preview.json.data.digest) }
}

describe("a preview", () => {
  it("is that of the service, and writes nothing", async () => {
    const asked = { collaborator: "ada", order_ids: ["o1"], sold_from: start - 1, biggest: 1 }
    const { status, json } = await post("/preview", asked)
    const expected = await shop.run(
      Effect.flatMap(Resplits, (resplits) =>
        resplits.preview(
          "store",
          { sales: { collaboratorId: "ada" }, orderIds: ["o1"], sold: { from: start - 1 } },
          { biggest: 1 },
        ),
      ),
    )
    const { digest, sales, changed, totals, biggest } = expected
    expect([status, changed, totals.length]).toEqual([200, 1, 2])
    expect(json.data).toMatchObject({ digest, sales, changed, refused: [] })
    expect(json.data.totals).toEqual(
      totals.map(({ collaboratorId, ...total }) => ({ collaborator_id: collaboratorId, ...total })),
    )
    expect(json.data.biggest).toMatchObject([
      {
        ...{ order_id: "o1", part: 1, currency: "USD", refunds: 0 },
        differences: [{ collaborator_id: "ada", difference: 750 }],
        before: { text: biggest[0]?.texts.before },
        after: { text: biggest[0]?.texts.after },
      },
    ])
    expect(json.data.biggest[0].after.explanation[0].shares[0].amount).toBe(2_000)
    expect((await get("")).json.data).toEqual([])
    expect(await totalOfPayout()).toBe(before)
  })

  it("is of the sales that are asked for", async () => {
    const changed = async (body: object) => (await post("/preview", body)).json.data.changed
    expect(await changed({ order_ids: ["o2"] })).toBe(0)
    expect(await changed({ collaborator: "sam" })).toBe(0)
    expect(await changed({ product: "p2" })).toBe(0)
    expect(await changed({ recorded_to: start - 1 })).toBe(0)
    expect(await changed({ recorded_from: start, recorded_to: start, product: "p1" })).toBe(1)
    expect(await changed({ sold_from: start + 1 })).toBe(0)
  })

  it("is by the rules that are given, in place of the account's", async () => {
    const link = { itemType: "products.all", type: "percentage" }
    const mine = { ...link, id: "mine", collaborator_id: "ada", percentage: "30.00" }
    const differencesOf = async (body: object) => {
      const { json } = await post("/preview", body)
      return json.data.totals.map(({ difference }: { difference: number }) => difference)
    }
    expect(await differencesOf({ groups: [mine] })).toEqual([1_750, -1_750])
    expect(await differencesOf({ groups: [] })).toEqual([-1_250, 1_250])
    const doubled = [mine, { ...mine, id: "more", collaborator_id: "sam", percentage: 80 }]
    expect(await differencesOf({ groups: doubled })).toEqual([0, 0])
    const scaled = { groups: doubled, policy: { over_allocation: "scale" } }
    expect((await differencesOf(scaled)).reduce((sum: number, one: number) => sum + one)).toBe(0)

    const digest = (await post("/preview", { groups: [mine] })).json.data.digest
    await post("", { id: "mine", groups: [mine] })
    await post("/mine/approve", { digest })
    expect((await post("/mine/book", {})).json.data).toMatchObject({
      ...{ status: "booked", adjusted: 1, request: { has_groups: true, has_policy: false } },
    })
    expect(await differencesOf({ groups: [mine] })).toEqual([0, 0])
  })

  it("has rules that are right, each with its own id", async () => {
    const all = { itemType: "products.all", type: "flat", amount: 1, collaborator_id: "ada" }
    const groups = [
      { ...all, id: "a" },
      { ...all, id: "a" },
    ]
    const errorsOf = async (body: object) => {
      const { status, json } = await post("/preview", body)
      return [status, Object.keys(json.errors)]
    }
    expect(await errorsOf({ groups })).toEqual([422, ["groups[1].id"]])
    expect(await errorsOf({ groups: [all, { ...all, id: "b", amount: -1 }] })).toEqual([
      422,
      ["groups[0].id", "groups[1].amount"],
    ])
    const nobodys = { ...all, id: "c", collaborator_id: "nobody" }
    expect(await errorsOf({ groups: [nobodys] })).toEqual([422, ["groups"]])
    expect((await post("", { id: "c", groups: [nobodys] })).status).toBe(422)
    expect(await errorsOf({ policy: { tax: "no", time_zone: "UTC", shiping: "all" } })).toEqual([
      422,
      ["policy.time_zone", "policy.shiping", "policy.tax"],
    ])
  })

  it("has no field that is wrong or misspelt: all of them are told at once", async () => {
    const wrong = { collaborator: "", sold_from: "yesterday", order_ids: [{}], completes: "yes" }
    const { status, json } = await post("/preview", { ...wrong, biggest: -1, recorded_form: 5 })
    expect(status).toBe(422)
    expect(Object.keys(json.errors).toSorted()).toEqual([
      ...["biggest", "collaborator", "completes", "order_ids[0]", "recorded_form", "sold_from"],
    ])
    const ends = { recorded_from: 5, recorded_to: 4, sold_from: 5, sold_to: 4 }
    const proposed = await post("", { ...ends, id: " ", reason: "x".repeat(501) })
    expect(proposed.status).toBe(422)
    expect(Object.keys(proposed.json.errors).toSorted()).toEqual([
      ...["id", "reason", "recorded_from", "sold_from"],
    ])
  })
})

describe("a run", () => {
  it("is proposed, approved and booked once: the payout has the difference then", async () => {
    const { run, digest } = await propose("raise")
    expect(run).toMatchObject({
      ...{ id: "raise", reason: "20 % from the beginning", status: "proposed", digest },
      ...{ changed: 1, proposed_at: start, approved_at: null, booked_at: null, adjusted: 0 },
      request: { collaborator: null, order_ids: null, completes: false, has_groups: false },
    })
    expect((await post("/raise/book")).status).toBe(409)
    const approved = await post("/raise/approve", { digest })
    expect([approved.status, approved.json.data.status]).toEqual([200, "approved"])
    expect(await totalOfPayout()).toBe(before)
    const sale = async () => (await shop.ask("GET", "/v1/sales/o1")).json.data.parts[0]
    expect(await sale()).not.toHaveProperty("adjustments")
    const booked = await post("/raise/book")
    expect((await sale()).adjustments).toEqual([
      {
        ...{ run_id: "raise", recorded_at: start, store: [{ item_id: "i1", amount: -750 }] },
        shares: [{ item_id: "i1", group_id: shop.groupId, collaborator_id: "ada", amount: 750 }],
      },
    ])
    expect(booked.json.data).toMatchObject({ status: "booked", adjusted: 1, left_out: [] })
    expect((await post("/raise/book")).text).toBe(booked.text)
    expect(await totalOfPayout()).toBe(before + more)
    expect((await get("/raise")).json).toEqual(booked.json)
    expect((await post("/preview", {})).json.data.changed).toBe(0)
    const path = "/v1/collaborators/ada/sales/o1/explanation"
    const [part] = (await shop.ask("GET", path)).json.data
    expect(part.items[0].shares[0].percent).toBe("12.50")
    expect(part.adjustments).toMatchObject([{ items: [{ shares: [{ percent: "20.00" }] }] }])
    expect(Object.keys(part.adjustments[0])).not.toContain("run_id")
  })

  it("has one effect for each id, and for each key", async () => {
    const { run } = await propose("raise", "k1")
    expect((await propose("raise", "k1")).run).toEqual(run)
    expect((await post("", { id: "other" }, "k1")).status).toBe(409)
    expect((await post("", { id: "raise", reason: "another" })).status).toBe(409)
    const { digest } = run
    const approved = await post("/raise/approve", { digest }, "k2")
    await post("/raise/book", undefined, "k3")
    expect((await post("/raise/approve", { digest }, "k2")).text).toBe(approved.text)
    await post("/raise/book", undefined, "k3")
    expect(await totalOfPayout()).toBe(before + more)
  })

  it("is not approved by another digest, and not booked once something else would change", async () => {
    const { digest } = await propose("raise")
    const wrong = await post("/raise/approve", { digest: "of something else" })
    expect([wrong.status, wrong.json.message]).toEqual([409, expect.stringContaining(digest)])
    expect((await get("/raise")).json.data.status).toBe("proposed")
    expect(Object.keys((await post("/raise/approve", {})).json.errors)).toEqual(["digest"])
    await post("/raise/approve", { digest })
    const refund = { id: "r1", item_id: "i1", amount: 1_000 }
    await shop.ask("POST", "/v1/sales/o1/refunds", { body: refund })
    const total = await totalOfPayout()
    const late = await post("/raise/book")
    expect([late.status, late.json.message]).toEqual([409, expect.stringContaining("orders o1")])
    expect(await totalOfPayout()).toBe(total)
  })

  it("is not there for another account, and listed with the latest first for its own", async () => {
    await propose("first")
    await shop.pass(1)
    const { digest } = await propose("second")
    const ids = async (path: string) =>
      (await get(path)).json.data.map(({ id }: { readonly id: string }) => id)
    expect(await ids("")).toEqual(["second", "first"])
    expect(await ids("?per_page=1&page=2")).toEqual(["first"])
    const ofOther = { token: "other-token" }
    expect((await get("", "other-token")).json.data).toEqual([])
    expect((await get("/first", "other-token")).status).toBe(404)
    const approval = await shop.ask("POST", "/v1/resplits/first/approve", {
      ...{ ...ofOther, body: { digest } },
    })
    const booking = await shop.ask("POST", "/v1/resplits/first/book", ofOther)
    expect([approval.status, booking.status]).toEqual([404, 404])
  })

  it("is looked at by who may read, and proposed, approved and booked by who may manage", async () => {
    const statuses = async (token: string) => [
      (await shop.ask("POST", "/v1/resplits/preview", { token, body: {} })).status,
      (await get("", token)).status,
      (await shop.ask("POST", "/v1/resplits", { token, body: { id: "one" } })).status,
      (await shop.ask("POST", "/v1/resplits/none/approve", { token, body: { digest: "" } })).status,
      (await shop.ask("POST", "/v1/resplits/none/book", { token })).status,
    ]
    expect(await statuses("eyes-token")).toEqual([200, 200, 403, 403, 403])
    expect(await statuses("desk-token")).toEqual([403, 403, 201, 404, 404])
  })
})
