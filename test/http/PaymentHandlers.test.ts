import { describe, expect, it } from "vitest"
import { bringTo, putPayout, type State } from "./Payable.js"
import { openStocked, type Shop, start } from "./Shop.js"

type Opened = Awaited<ReturnType<typeof openStocked>>

/** Opens a shop in which Ada can be paid 50.00. */
const openPayable = async (): Promise<Opened> => {
  const shop = await openStocked()
  await putPayout(shop, "p1")
  return shop
}

const inShop = async (work: (shop: Opened) => Promise<void>): Promise<void> => {
  const shop = await openPayable()
  await work(shop)
  await shop.close()
}

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } })

const claimed = {
  ...{ id: expect.any(String), payout_id: "p1", collaborator_id: "ada", currency: "EUR" },
  ...{ amount: 5_000, payout_version: 1, rail: "bank", status: "claimed", claimed_at: start },
  ...{ sent_at: null, accepted_at: null, ended_at: null, returned_at: null },
  ...{ reference: null, fee: null, reason: null, contradiction: null },
}

describe.each(["/api/v1", "/v1"])("under %s", (prefix) => {
  it("a payout is claimed, sent, confirmed, and comes back", () =>
    inShop(async ({ ask, bank, pass }) => {
      const payout = `${prefix}/payouts/p1`
      const made = await ask("POST", `${payout}/claim`, { body: { rail: "bank" } })
      expect(made.status).toBe(201)
      expect(made.json).toStrictEqual({ data: claimed })
      const path = `${prefix}/payments/${made.json.data.id}`
      expect((await ask("GET", path)).json).toStrictEqual(made.json)
      expect((await ask("GET", `${payout}/payments`)).json).toStrictEqual({ data: [claimed] })
      const frozen = await ask("GET", payout)
      expect(frozen.json.data.status).toBe("pending")
      expect(Object.keys(frozen.json.data)).not.toContain("payment_id")

      const sent = await ask("POST", `${path}/send`)
      const accepted = { status: "sent", sent_at: start, accepted_at: start, reference: "T-1" }
      expect(sent).toMatchObject({ status: 200, json: { data: { ...claimed, ...accepted } } })
      expect(bank.sent).toEqual([
        expect.objectContaining({ key: made.json.data.id, amount: 5_000, currency: "EUR" }),
      ])
      await pass(60)
      const resolved = await ask("POST", `${path}/resolve`)
      expect(resolved.json.data).toMatchObject({ status: "sent", accepted_at: start + 60 })

      const body = { at: start + 50, reference: "T-2", fee: 25, amount: 5_000 }
      const confirmed = await ask("POST", `${path}/confirm`, { body })
      const noted = { status: "confirmed", ended_at: start + 50, reference: "T-2", fee: 25 }
      expect(confirmed).toMatchObject({ status: 200, json: { data: noted } })
      const paid = await ask("GET", payout)
      expect(paid.json.data).toMatchObject({ status: "paid", paid_at: start + 50 })

      const back = await ask("POST", `${path}/return`, { body: { reason: "account closed" } })
      const returned = { status: "returned", returned_at: start + 60, reason: "account closed" }
      expect(back).toMatchObject({ status: 200, json: { data: returned } })
      expect((await ask("GET", payout)).json.data.status).toBe("failed")
      expect((await ask("POST", `${payout}/retry`)).json.data.status).toBe("pending")
      const again = await ask("POST", `${payout}/claim`, { body: { rail: "bank" } })
      expect(again.json.data.id).not.toBe(made.json.data.id)
      const all = await ask("GET", `${payout}/payments`)
      expect(all.json.data.map(({ status }: { status: string }) => status)).toEqual([
        ...["returned", "claimed"],
      ])
    }))

  it("a payment is rejected or given up", () =>
    inShop(async ({ ask }) => {
      const ask1 = (id: string, step: string, body: object) =>
        ask("POST", `${prefix}/payments/${id}/${step}`, { body })
      const claim = async () => {
        const made = await ask("POST", `${prefix}/payouts/p1/claim`, { body: { rail: "bank" } })
        return String(made.json.data.id)
      }
      const released = await ask1(await claim(), "release", { reason: "not today" })
      expect(released.json.data).toMatchObject({ status: "released", reason: "not today" })
      expect((await ask("GET", "/v1/payouts/p1")).json.data.status).toBe("pending")
      const id = await claim()
      await ask("POST", `${prefix}/payments/${id}/send`)
      const rejected = await ask1(id, "reject", { reason: "no account" })
      expect(rejected.json.data).toMatchObject({ status: "rejected", reason: "no account" })
      expect((await ask("GET", "/v1/payouts/p1")).json.data.status).toBe("failed")
    }))

  it("a payout is paid outside, or paying it failed", () =>
    inShop(async (shop) => {
      const { ask } = shop
      const path = `${prefix}/payouts/p1`
      const failed = await ask("POST", `${path}/fail`, { body: { reason: "timeout" } })
      expect(failed).toMatchObject({ status: 200, json: { data: { id: "p1", status: "failed" } } })
      const why = async () =>
        (await ask("GET", `${path}?include_sources=true`)).json.data.failure_reason
      expect(await why()).toBe("timeout")
      expect((await ask("POST", `${path}/retry`)).json.data.status).toBe("pending")
      expect(await why()).toBe(null)
      const body = { total: 5_000, reference: "T-9", fee: 30 }
      const paid = await ask("POST", `${path}/pay`, { body })
      expect(paid).toMatchObject({ status: 200, json: { data: { total: 5_000, status: "paid" } } })
      const { json } = await ask("GET", `${path}/payments`)
      expect(json.data).toMatchObject([
        { rail: "outside", status: "confirmed", amount: 5_000, reference: "T-9", fee: 30 },
      ])
    }))
})

describe("what can't be any more is a 409, and says why:", () => {
  const states: ReadonlyArray<readonly [State, string, object | undefined, RegExp]> = [
    ["sent", "send", undefined, /"send" can't happen to payment .* which is sent/],
    ["confirmed", "send", undefined, /which is confirmed/],
    ["sent", "release", {}, /"release" can't happen/],
    ["unknown", "release", {}, /"release" can't happen/],
    ["claimed", "confirm", {}, /"confirm" can't happen/],
    ["claimed", "reject", { reason: "x" }, /"reject" can't happen/],
    ["sent", "return", { reason: "x" }, /"return" can't happen/],
    ["released", "send", undefined, /which is released/],
    ["sent", "confirm", { amount: 4_999 }, /is of 5000 EUR, and 4999 EUR is said to be paid/],
    ["rejected", "confirm", {}, /is rejected, and "confirm" says otherwise/],
    ["confirmed", "reject", { reason: "x" }, /is confirmed, and "reject" says otherwise/],
  ]
  it.each(states)("a payment that is %s: %s %j", (state, step, body, message) =>
    inShop(async (shop) => {
      const id = await bringTo(shop, "p1", state)
      const asked = body === undefined ? {} : { body }
      const { status, json } = await shop.ask("POST", `/v1/payments/${id}/${step}`, asked)
      expect(status).toBe(409)
      expect(json).toStrictEqual({ message: expect.stringMatching(message) })
      const { data } = (await shop.ask("GET", `/v1/payments/${id}`)).json
      expect(data.status).toBe(state)
    }),
  )

  it.each(["sent", "unknown"] as const)(
    "a payout whose payment is %s is not paid, failed or set as paid by hand",
    (state) =>
      inShop(async (shop) => {
        const id = await bringTo(shop, "p1", state)
        const steps = [
          ["set-paid", {}],
          ["pay", { body: { total: 5_000 } }],
          ["fail", { body: { reason: "timeout" } }],
          ["claim", { body: { rail: "bank" } }],
        ] as const
        for (const [step, asked] of steps) {
          const { status, json } = await shop.ask("POST", `/v1/payouts/p1/${step}`, asked)
          expect([step, status]).toEqual([step, 409])
          expect(json.message).toContain(`payment ${id} of payout p1 is under way`)
        }
        expect((await shop.ask("GET", "/v1/payouts/p1")).json.data.status).toBe("pending")
      }),
  )

  it("another total than the payout's, with both in the message", () =>
    inShop(async ({ ask }) => {
      const { status, json } = await ask("POST", "/v1/payouts/p1/pay", { body: { total: 4_000 } })
      expect(status).toBe(409)
      expect(json.message).toMatch(/5000.*4000/)
      expect((await ask("GET", "/v1/payouts/p1")).json.data.status).toBe("pending")
      expect((await ask("GET", "/v1/payouts/p1/payments")).json.data).toEqual([])
    }))

  it("a claim of what the rail does not pay, of a payout that is not closed, or twice", () =>
    inShop(async (shop) => {
      await putPayout(shop, "cents", { total: 99 })
      await putPayout(shop, "dollars", { currency: "USD" })
      await bringTo(shop, "p1", "claimed")
      const refusals = [
        ["cents", "is 99, and rail bank pays at least 100"],
        ["dollars", "is in USD, which rail bank does not pay"],
        [shop.payoutId, "active"],
        ["p1", "is under way"],
      ] as const
      for (const [id, words] of refusals) {
        const body = { rail: "bank" }
        const { status, json } = await shop.ask("POST", `/v1/payouts/${id}/claim`, { body })
        expect([id, status]).toEqual([id, 409])
        expect(json.message).toContain(words)
      }
    }))
})

describe("while a payment of a payout is under way", () => {
  it.each([
    ["expense", -200],
    ["income", 200],
  ])("an %s goes to the active payout, which is the answer", (kind, amount) =>
    inShop(async (shop) => {
      await bringTo(shop, "p1", "sent")
      const body = { amount: 200, name: "Frames" }
      const { status, json } = await shop.ask("POST", `/v1/payouts/p1/${kind}`, { body })
      expect(status).toBe(200)
      expect(json.data).toMatchObject({ id: shop.payoutId, status: "active" })
      expect(json.data.items.at(-1)).toMatchObject({ amount, expense_name: "Frames" })
      expect((await shop.ask("GET", "/v1/payouts/p1")).json.data.total).toBe(5_000)
    }),
  )

  it("set-paid gives up a claim, of which nothing was sent", () =>
    inShop(async (shop) => {
      const id = await bringTo(shop, "p1", "claimed")
      const { status, json } = await shop.ask("POST", "/v1/payouts/p1/set-paid")
      expect([status, json.data.status]).toEqual([200, "manually paid"])
      const payment = await shop.ask("GET", `/v1/payments/${id}`)
      expect(payment.json.data.status).toBe("released")
    }))
})

describe("a rail", () => {
  it("that gives no answer leaves the payment unknown, until it says what became of it", () =>
    inShop(async ({ ask, bank, pass, run: _ }) => {
      bank.answer = "nothing"
      const made = await ask("POST", "/v1/payouts/p1/claim", { body: { rail: "bank" } })
      const path = `/v1/payments/${made.json.data.id}`
      const lost = await ask("POST", `${path}/send`)
      expect(lost.status).toBe(200)
      expect(lost.json.data).toMatchObject({ status: "unknown", reason: "the connection broke" })
      expect((await ask("GET", "/v1/payments/stuck")).json.data).toEqual([])
      await pass(86_400)
      const { json } = await ask("GET", "/v1/payments/stuck")
      expect(json).toEqual({
        data: [expect.objectContaining({ id: made.json.data.id })],
        meta: { limit: 100, next: null },
      })
      bank.found = { type: "absent" }
      expect((await ask("POST", `${path}/resolve`)).json.data.status).toBe("claimed")
      bank.answer = { type: "confirmed", at: start + 9, reference: "T", fee: null }
      expect((await ask("POST", `${path}/send`)).json.data.status).toBe("confirmed")
      expect(new Set(bank.sent.map(({ key }) => key)).size).toBe(1)
      expect((await ask("GET", "/v1/payouts/p1")).json.data.paid_at).toBe(start + 9)
    }))

  it("that the service does not have is a 422 of the field that names it", () =>
    inShop(async ({ ask }) => {
      const { status, json } = await ask("POST", "/v1/payouts/p1/claim", { body: { rail: "cash" } })
      expect(status).toBe(422)
      expect(json.errors).toEqual({
        rail: ['must be the name of a rail that this service has, got "cash"'],
      })
    }))

  it("that gets files is not asked: the payment is sent with its file", () =>
    inShop(async ({ ask, bank }) => {
      const made = await ask("POST", "/v1/payouts/p1/claim", { body: { rail: "files" } })
      expect(made.status).toBe(201)
      const path = `/v1/payments/${made.json.data.id}`
      for (const asked of [{}, withKey("s1"), withKey("s1")]) {
        const { status, json } = await ask("POST", `${path}/send`, asked)
        expect(status).toBe(409)
        expect(json.message).toContain("which gets files")
      }
      expect((await ask("POST", `${path}/resolve`)).json).toEqual(made.json)
      expect([bank.sent, bank.asked]).toEqual([[], []])
    }))

  it("is asked once for a key, whatever the key is asked again", () =>
    inShop(async (shop) => {
      const { ask, bank, pass } = shop
      const id = await bringTo(shop, "p1", "claimed")
      const [first, second] = await Promise.all([
        ask("POST", `/v1/payments/${id}/send`, withKey("s1")),
        ask("POST", `/v1/payments/${id}/send`, withKey("s1")),
      ])
      expect([first.status, second.status]).toEqual([200, 200])
      expect(bank.sent).toHaveLength(1)
      const other = await ask("POST", `/v1/payments/${id}/send`, withKey("s2"))
      expect(other.status).toBe(409)
      const reused = await ask("POST", `/v1/payments/${id}/resolve`, withKey("s1"))
      expect(reused.json.message).toContain("was used for another request")
      await pass(1)
      await ask("POST", `/v1/payments/${id}/resolve`, withKey("r1"))
      const again = await ask("POST", `/v1/payments/${id}/resolve`, withKey("r1"))
      expect(again.json.data.status).toBe("sent")
      expect(bank.asked).toHaveLength(1)
    }))

  it("is not asked again with the key of a payment that it did not have, for it may be given up by now", () =>
    inShop(async (shop) => {
      const { ask, bank, pass } = shop
      const id = await bringTo(shop, "p1", "claimed")
      bank.answer = "nothing"
      await ask("POST", `/v1/payments/${id}/send`, withKey("s1"))
      await pass(700)
      bank.found = { type: "absent" }
      await ask("POST", `/v1/payments/${id}/resolve`)
      const late = await ask("POST", `/v1/payments/${id}/send`, withKey("s1"))
      expect([late.status, late.json.data.status]).toEqual([200, "claimed"])
      expect(bank.sent).toHaveLength(1)
      await ask("POST", `/v1/payments/${id}/send`, withKey("s2"))
      expect(bank.sent).toHaveLength(2)
    }))
})

describe("what is said of payments with a key", () => {
  it("is a claim, of which there is one", () =>
    inShop(async ({ ask }) => {
      const sent = { body: { rail: "bank" }, ...withKey("c1") }
      const first = await ask("POST", "/v1/payouts/p1/claim", sent)
      const again = await ask("POST", "/api/v1/payouts/p1/claim", sent)
      expect(again).toMatchObject({ status: 201, text: first.text })
      expect((await ask("GET", "/v1/payments")).json.data).toHaveLength(1)
    }))

  it("is refused as a contradiction each time, and the contradiction is noted and listed", () =>
    inShop(async (shop) => {
      const id = await bringTo(shop, "p1", "rejected")
      const sent = { body: { reference: "T-3" }, ...withKey("k1") }
      const first = await shop.ask("POST", `/v1/payments/${id}/confirm`, sent)
      expect(first.status).toBe(409)
      const again = await shop.ask("POST", `/v1/payments/${id}/confirm`, sent)
      expect(again).toMatchObject({ status: 409, text: first.text })
      const stuck = await shop.ask("GET", "/v1/payments/stuck")
      expect(stuck.json.data).toMatchObject([
        { id, contradiction: { at: start, event: "confirm", message: first.json.message } },
      ])
      const settled = await shop.ask("POST", `/v1/payments/${id}/settle`)
      expect(settled.json.data).toMatchObject({ id, status: "rejected", contradiction: null })
      await shop.ask("POST", `/v1/payments/${id}/confirm`, sent)
      expect((await shop.ask("GET", "/v1/payments/stuck")).json.data).toEqual([])
    }))
})

describe("outcomes of rails", () => {
  const path = "/v1/payments/answers"

  it("are answered one by one, and one that is wrong harms no other", () =>
    inShop(async (shop) => {
      for (const id of ["p2", "p3"]) await putPayout(shop, id)
      const good = await bringTo(shop, "p1", "sent")
      const contrary = await bringTo(shop, "p2", "rejected")
      const last = await bringTo(shop, "p3", "unknown")
      const outcomes = [
        { key: good, type: "confirmed", at: start + 5, fee: 7, rail_reference: "T-5" },
        { key: "nobody", type: "confirmed" },
        { key: contrary, type: "confirmed" },
        { key: last, type: "paid", amount: 1.5 },
        { type: "confirmed", rail_reference: "T-6" },
        { key: last, type: "returned", reason: "account closed" },
      ]
      const { status, json } = await shop.ask("POST", path, { body: { outcomes } })
      expect(status).toBe(200)
      expect(json.data).toMatchObject([
        { key: good, payment: { status: "confirmed", fee: 7, reference: "T-5" }, refusal: null },
        { key: "nobody", payment: null, refusal: { status: 404 } },
        { key: contrary, payment: null, refusal: { status: 409 } },
        { key: last, payment: null, refusal: { status: 422 } },
        { key: null, payment: null, refusal: { status: 404 } },
        { key: last, payment: { status: "returned" }, refusal: null },
      ])
      expect(Object.keys(json.data[3].refusal.errors)).toEqual(["type", "amount"])
      expect((await shop.ask("GET", "/v1/payouts/p1")).json.data.status).toBe("paid")
      expect((await shop.ask("GET", "/v1/payouts/p3")).json.data.status).toBe("failed")
      const stuck = await shop.ask("GET", "/v1/payments/stuck")
      expect(stuck.json.data).toMatchObject([{ id: contrary, status: "rejected" }])
    }))

  it("have one effect, however often they are told, and with a key one answer", () =>
    inShop(async (shop) => {
      const key = await bringTo(shop, "p1", "sent")
      const sent = { body: { outcomes: [{ key, type: "confirmed" }] }, ...withKey("a1") }
      const [first, second] = await Promise.all([
        shop.ask("POST", path, sent),
        shop.ask("POST", path, sent),
      ])
      expect(first.status).toBe(200)
      expect(second.text).toBe(first.text)
      await shop.ask("POST", `/v1/payments/${key}/return`, { body: { reason: "closed" } })
      expect((await shop.ask("POST", path, sent)).text).toBe(first.text)
      const other = { body: { outcomes: [{ key, type: "accepted" }] }, ...withKey("a1") }
      expect((await shop.ask("POST", path, other)).status).toBe(409)
      const unkeyed = await shop.ask("POST", path, { body: sent.body })
      expect(unkeyed.json.data[0].payment.status).toBe("returned")
      const history = await shop.ask("GET", "/v1/payouts/p1/payments")
      expect(history.json.data).toHaveLength(1)
    }))

  it.each([
    [{}, "outcomes"],
    [{ outcomes: [] }, "outcomes"],
    [{ outcomes: {} }, "outcomes"],
    [{ outcomes: [5] }, "outcomes[0]"],
    [{ outcomes: Array.from({ length: 501 }, () => ({ type: "accepted" })) }, "outcomes"],
  ])("are refused when they are no list of 1 to 500: %#", (body, field) =>
    inShop(async ({ ask }) => {
      const { status, json } = await ask("POST", path, { body })
      expect(status).toBe(422)
      expect(Object.keys(json.errors)).toEqual([field])
    }),
  )
})

describe("the list of payments", () => {
  it("comes in parts by the time of their claims, with nothing left out or shown twice", () =>
    inShop(async (shop) => {
      const ids: Array<string> = []
      for (let index = 0; index < 7; index++) {
        await putPayout(shop, `q${index}`)
        ids.push(await bringTo(shop, `q${index}`, index % 2 === 0 ? "claimed" : "sent"))
        if (index % 3 === 0) await shop.pass(1)
      }
      const found: Array<string> = []
      let after = ""
      for (let part = 0; part < 9; part++) {
        const { json } = await shop.ask("GET", `/v1/payments?limit=3${after}`)
        found.push(...json.data.map(({ id }: { id: string }) => id))
        expect(json.meta.limit).toBe(3)
        if (json.meta.next === null) break
        after = `&after=${encodeURIComponent(json.meta.next)}`
      }
      expect(found.toSorted()).toEqual(ids.toSorted())
      const listed = async (query: string) => {
        const { json } = await shop.ask("GET", `/v1/payments?${query}`)
        return json.data.map(({ payout_id }: { payout_id: string }) => payout_id).toSorted()
      }
      expect(await listed("status=sent")).toEqual(["q1", "q3", "q5"])
      expect(await listed("payout=q2")).toEqual(["q2"])
      expect(await listed("payout=q2&status=sent")).toEqual([])
      expect(await listed("payout=nobody")).toEqual([])
      const place = (await shop.ask("GET", "/v1/payments?payout=q2&limit=1")).json.meta.next
      expect(await listed(`payout=q2&after=${encodeURIComponent(place)}`)).toEqual([])
      expect(await listed("limit=-5")).toHaveLength(1)
    }))

  it.each(["status=paid", "status=", "payout=", "after=x", "after=", "limit=x", "limit=1&limit=2"])(
    "is refused for %s",
    (query) =>
      inShop(async ({ ask }) => {
        const { status, json } = await ask("GET", `/v1/payments?${query}`)
        expect(status).toBe(422)
        expect(Object.keys(json.errors)).toEqual([query.split("=")[0]])
      }),
  )
})

describe("an outcome without a key", () => {
  const tell = (shop: Pick<Shop, "ask">, rail_reference: string | null) =>
    shop.ask("POST", "/v1/payments/answers", {
      body: { outcomes: [{ type: "confirmed", rail_reference }] },
    })

  it("is of the only payment with the rail's reference", () =>
    inShop(async (shop) => {
      const id = await bringTo(shop, "p1", "sent")
      const { json } = await tell(shop, "T-1")
      expect(json.data).toMatchObject([
        { key: null, payment: { id, status: "confirmed" }, refusal: null },
      ])
    }))

  it("is refused with what was looked for, when no payment or more than one has the reference", () =>
    inShop(async (shop) => {
      const first = await bringTo(shop, "p1", "sent")
      const second = await bringTo(shop, await putPayout(shop, "p2"), "sent")
      const refusalOf = async (reference: string | null) => {
        const { json } = await tell(shop, reference)
        return json.data[0].refusal
      }
      expect(await refusalOf("t-1")).toEqual({
        ...{ status: 404, message: "there is no payment with the reference t-1" },
      })
      const [one, other] = [first, second].toSorted()
      expect(await refusalOf("T-1")).toEqual({
        status: 409,
        message: `more than one payment has the reference T-1, as ${one} and ${other}: name one by its key`,
      })
      expect((await refusalOf(null)).message).toBe("it has neither a key nor a reference")
      const { json } = await shop.ask("GET", "/v1/payments?status=confirmed")
      expect(json.data).toEqual([])
    }))
})

describe("a request that says too little or too much is a 422 of its fields:", () => {
  it.each([
    ["claim", {}, ["rail"]],
    ["claim", { rail: 5.5 }, ["rail"]],
    ["pay", {}, ["total"]],
    ["pay", { total: -1, reference: "", fee: "1" }, ["total", "reference", "fee"]],
    ["pay", { total: 5_000, referense: "T" }, ["referense"]],
    ["fail", {}, ["reason"]],
    ["fail", { reason: "x".repeat(501) }, ["reason"]],
  ])("%s of a payout: %j", (step, body, fields) =>
    inShop(async ({ ask }) => {
      const { status, json } = await ask("POST", `/v1/payouts/p1/${step}`, { body })
      expect(status).toBe(422)
      expect(Object.keys(json.errors)).toEqual(fields)
    }),
  )

  it.each([
    ["confirm", { at: "noon", fee: -1, amount: 0.5 }, ["at", "fee", "amount"]],
    ["reject", {}, ["reason"]],
    ["return", { reason: " " }, ["reason"]],
    ["release", { reason: 5 }, ["reason"]],
  ])("%s of a payment: %j", (step, body, fields) =>
    inShop(async (shop) => {
      const id = await bringTo(shop, "p1", "claimed")
      const { status, json } = await shop.ask("POST", `/v1/payments/${id}/${step}`, { body })
      expect(status).toBe(422)
      expect(Object.keys(json.errors)).toEqual(fields)
    }),
  )
})

describe("the payment run", () => {
  it("shows what could be paid and what would wait, to whoever may read, and changes nothing", async () => {
    const shop = await openStocked()
    const run = async (token = "eyes-token") =>
      (await shop.ask("GET", "/v1/payment-run", { token })).json.data
    expect(await run()).toMatchObject({ totals: [], pay: [], wait: [], is_whole: true })
    await shop.pass(60 * 86_400)
    const found = await run()
    expect(found.totals).toEqual([{ currency: "EUR", count: 1, amount: 1_125 }])
    expect(found.pay).toMatchObject([
      {
        ...{ payout_id: shop.payoutId, collaborator_id: "ada", collaborator_name: "Ada" },
        ...{ currency: "EUR", status: "active", total: 1_125, automatic: true },
      },
    ])
    expect((await run("other-token")).pay).toEqual([])
    const expense = { amount: 1_100, name: "Frames" }
    const path = `/v1/payouts/${shop.payoutId}`
    expect((await shop.ask("GET", path)).json.data.status).toBe("active")
    await shop.ask("POST", `${path}/expense`, { body: expense })
    expect((await run()).pay).toMatchObject([{ status: "pending", total: 25 }])
    await shop.close()
  })

  it("is paid with the totals that it shows, also what nothing has closed yet, and that can come back", async () => {
    const shop = await openStocked()
    await shop.pass(60 * 86_400)
    const [due] = (await shop.ask("GET", "/v1/payment-run", { token: "eyes-token" })).json.data.pay
    const path = `/v1/payouts/${shop.payoutId}`
    const paid = await shop.ask("POST", `${path}/pay`, { body: { total: due.total } })
    expect([paid.status, paid.json.data.status]).toEqual([200, "paid"])
    const [payment] = (await shop.ask("GET", `${path}/payments`)).json.data
    const body = { reason: "account closed" }
    await shop.ask("POST", `/v1/payments/${payment.id}/return`, { body })
    expect((await shop.ask("GET", path)).json.data.status).toBe("failed")
    await shop.close()
  })
})
