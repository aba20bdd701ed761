import type { PaymentRail } from "apportion/ports"
import { PayPalRail } from "apportion/rails/api"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runAt } from "./FakeClock.js"
import { FakePayPal } from "./FakePayPal.js"
import { FakeServer, type Trouble } from "./FakeServer.js"

const instruction = {
  key: "0199a3c2-71aa-7c3e-8a50-1f9d6f0c2b11",
  amount: 1_999,
  currency: "EUR",
  reference: "Payout p1",
  collaboratorId: "ada",
}

let paypal: FakePayPal
let server: FakeServer
let baseUrl: string
let rail: PaymentRail
/** What the host has stored of its payments, by their keys. */
const stored = new Map<string, PayPalRail.SentPayment>()

const makeRail = (options: Partial<PayPalRail.PayPalRailOptions> = {}): Promise<PaymentRail> =>
  Effect.runPromise(
    PayPalRail.make({
      clientId: "shop",
      clientSecret: Redacted.make("heron"),
      recipientOf: (id) => Effect.succeed(id === "ada" ? { email: "ada@example.com" } : undefined),
      paymentOf: (key) => Effect.succeed(stored.get(key)),
      baseUrl,
      ...options,
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

beforeEach(async () => {
  stored.clear()
  paypal = new FakePayPal()
  server = new FakeServer(paypal.carryOut)
  baseUrl = await server.listen()
  rail = await makeRail()
})

afterEach(() => server.close())

const run = <A, E>(effect: Effect.Effect<A, E>) => runAt(effect, paypal.now, server)

const note = (key: string, reference: string | null) =>
  stored.set(key, {
    ...instruction,
    payoutId: "p1",
    reference,
    sentAt: stored.get(key)?.sentAt ?? paypal.now,
  })

const send = async (changes: object = {}) => {
  const sent = { ...instruction, ...changes }
  note(sent.key, null)
  const answer = await run(rail.send(sent))
  if (answer._tag === "Success" && answer.success.type === "accepted") {
    note(sent.key, answer.success.reference)
  }
  return answer
}
const find = (key = instruction.key) => run(rail.find(key))

const accepted = (reference: string) => ({
  _tag: "Success",
  success: { type: "accepted", reference },
})
const unclear = { _tag: "Failure", failure: { _tag: "RailUnclear", rail: "paypal" } }

const settle = (status: string) => {
  for (const batch of paypal.batches) batch.status = status
}

describe("paying by PayPal", () => {
  it("is accepted first, and confirmed when the item is", async () => {
    expect(await send()).toMatchObject(accepted("BATCH1"))
    expect(await find()).toMatchObject(accepted("BATCH1"))
    settle("UNCLAIMED")
    expect(await find()).toMatchObject(accepted("ITEM1"))
    note(instruction.key, "ITEM1")
    settle("SUCCESS")
    expect(await find()).toMatchObject({
      success: { type: "confirmed", at: 1_767_225_600, reference: "ITEM1", fee: 25 },
    })
  })

  it("pays once when it is sent again, as long as PayPal remembers", async () => {
    await send()
    paypal.now += 29 * 86_400
    expect(await send()).toMatchObject(accepted("BATCH1"))
    expect(paypal.batches).toHaveLength(1)
  })

  it("rejects what PayPal clearly refuses, and what came back unclaimed", async () => {
    paypal.isFunded = false
    expect(await send()).toMatchObject({
      success: {
        type: "rejected",
        reason: "INSUFFICIENT_FUNDS: INSUFFICIENT_FUNDS, says the fake",
      },
    })
    paypal.isFunded = true
    await send({ key: "at-2" })
    settle("RETURNED")
    expect(await find("at-2")).toMatchObject({ success: { type: "rejected", reason: "RETURNED" } })
    settle("REFUNDED")
    expect(await find("at-2")).toMatchObject({
      success: { type: "rejected", reason: "it came back: REFUNDED" },
    })
  })

  it("rejects without asking what PayPal could not take", async () => {
    expect(await send({ collaboratorId: "eve" })).toMatchObject({ success: { type: "rejected" } })
    expect(await send({ currency: "ISK" })).toMatchObject({ success: { type: "rejected" } })
    expect(server.asked.filter(({ path }) => path.includes("payouts"))).toEqual([])
  })

  it("finds a payment of which no answer came by sending it again, which PayPal does not pay again", async () => {
    for (const [index, trouble] of (["late", "lost", "failed", "garbled"] as const).entries()) {
      server.troubles.push(trouble)
      const key = `at-${index}`
      expect(await send({ key }), trouble).toMatchObject(unclear)
      expect(await find(key), trouble).toMatchObject(accepted(`BATCH${index + 1}`))
    }
    for (const trouble of ["refused", "busy"] as const) {
      server.troubles.push(trouble)
      expect(await send({ key: trouble }), trouble).toMatchObject(unclear)
      // It had not arrived: now it has.
      expect(await find(trouble), trouble).toMatchObject({ success: { type: "accepted" } })
    }
    expect(paypal.batches).toHaveLength(6)
  })

  it("leaves open what came before when it is refused to be sent again", async () => {
    server.troubles.push("refused")
    await send()
    paypal.isFunded = false
    expect(await find()).toMatchObject(unclear)
    paypal.isFunded = true
    expect(await find()).toMatchObject(accepted("BATCH1"))
  })

  it("is not sent again when PayPal may have forgotten it", async () => {
    server.troubles.push("lost")
    await send()
    paypal.now += 29 * 86_400
    expect(await find()).toMatchObject(unclear)
    paypal.now += 2 * 86_400
    expect(await find()).toMatchObject(unclear)
    expect(paypal.batches).toHaveLength(1)
  })

  it("never says that there is no payment", async () => {
    expect(await find("at-9")).toMatchObject(unclear)
    note("at-9", "BATCH9")
    expect(await find("at-9")).toMatchObject(unclear)
    expect(paypal.batches).toEqual([])
  })

  it("asks for a token once, and again when it is not good any more", async () => {
    await send()
    await send({ key: "at-2" })
    const tokens = () => server.asked.filter(({ path }) => path.includes("oauth2")).length
    expect(tokens()).toBe(1)
    paypal.token = "A21-2"
    expect(await send({ key: "at-3" })).toMatchObject(accepted("BATCH3"))
    expect(tokens()).toBe(2)
    paypal.now += 32_400
    await send({ key: "at-4" })
    expect(tokens()).toBe(3)
  })

  it("leaves it open when the item is of another amount, or has no known status", async () => {
    await send()
    settle("BLOCKED")
    expect(await find()).toMatchObject(unclear)
    settle("SUCCESS")
    stored.set(instruction.key, {
      ...instruction,
      amount: 5,
      payoutId: "p1",
      reference: "ITEM1",
      sentAt: 0,
    })
    expect(await find()).toMatchObject(unclear)
  })

  it("never pays twice and knows in the end, whatever goes wrong", async () => {
    const trouble = fc.constantFrom<Trouble | null>(
      ...(["late", "lost", "refused", "failed", "busy", "garbled", null] as const),
    )
    const step = fc.record({ trouble, days: fc.constantFrom(0, 1, 4), isSent: fc.boolean() })
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        count += 1
        const key = `run-${count}`
        server.troubles.push(steps[0]?.trouble ?? null)
        await send({ key })
        for (const { trouble: next, days, isSent } of steps.slice(1)) {
          server.troubles.length = 0
          paypal.now += days * 86_400
          server.troubles.push(next)
          if (isSent) await send({ key })
          else await find(key)
        }
        server.troubles.length = 0
        expect(await find(key)).toMatchObject({ success: { type: "accepted" } })
        expect(paypal.batches.filter(({ senderId }) => senderId === key)).toHaveLength(1)
      }),
      { numRuns: 25 },
    )
    expect(count).toBe(25)
  })
})

describe("the payments that PayPal's rail asks for", () => {
  it("are those of the host's storage", async () => {
    const { MemoryStorage } = await import("apportion/memory")
    const { Storage } = await import("apportion/ports")
    const found = Effect.gen(function* () {
      const storage = yield* Storage
      const paymentOf = PayPalRail.storedPayments(storage, "my-shop")
      return yield* paymentOf("at-1")
    })
    expect(await Effect.runPromise(Effect.provide(found, MemoryStorage.layer))).toBeUndefined()
  })
})
