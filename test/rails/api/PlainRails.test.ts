import { fromPlainRail } from "apportion/ports"
import { PlainRails } from "apportion/rails/api"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { FakePayPal } from "./FakePayPal.js"
import { FakeServer } from "./FakeServer.js"
import { FakeStripe } from "./FakeStripe.js"

const instruction = {
  key: "at-1",
  amount: 1_999,
  currency: "EUR",
  reference: "Payout p1",
  collaboratorId: "ada",
}

const { signal } = new AbortController()

describe("a rail as plain async functions", () => {
  it("pays by Stripe once, and rejects with why nobody knows", async () => {
    const stripe = new FakeStripe()
    const server = new FakeServer(stripe.carryOut)
    const rail = PlainRails.stripe({
      secretKey: "sk_test_heron",
      recipientOf: async () => ({ account: "acct_1Heron" }),
      baseUrl: await server.listen(),
      name: "our-stripe",
    })
    server.troubles.push("failed")
    await expect(rail.send(instruction, signal)).rejects.toMatchObject({
      _tag: "RailUnclear",
      message: "Stripe answered 500",
    })
    expect(await rail.send(instruction, signal)).toMatchObject({ type: "confirmed" })
    expect(await rail.find("at-2", signal)).toEqual({ type: "absent" })
    expect(stripe.transfers).toHaveLength(1)
    expect(rail.name).toBe("our-stripe")
    // As the services take it: what nobody knows is said once.
    await server.close()
    const unclear = await Effect.runPromise(Effect.flip(fromPlainRail(rail).find("at-1")))
    expect(unclear.message.match(/nobody knows/g)).toHaveLength(1)
  })

  it("pays by PayPal, and looks up the recipient and the payment with the host's functions", async () => {
    const paypal = new FakePayPal()
    const server = new FakeServer(paypal.carryOut)
    const rail = PlainRails.paypal({
      clientId: "shop",
      clientSecret: "heron",
      recipientOf: async (id) => {
        if (id === "ada") return { email: "ada@example.com" }
        throw new TypeError("the address book is closed")
      },
      paymentOf: async () => ({ ...instruction, payoutId: "p1", reference: "BATCH1", sentAt: 0 }),
      baseUrl: await server.listen(),
    })
    expect(await rail.send(instruction, signal)).toEqual({ type: "accepted", reference: "BATCH1" })
    expect(await rail.find("at-1", signal)).toEqual({ type: "accepted", reference: "BATCH1" })
    const closed = rail.send({ ...instruction, key: "at-2", collaboratorId: "bob" }, signal)
    await expect(closed).rejects.toMatchObject({ _tag: "RailUnclear" })
    expect(paypal.batches).toHaveLength(1)
    await server.close()
  })

  it("stops asking when nobody waits for the answer any more", async () => {
    const stripe = new FakeStripe()
    const server = new FakeServer(stripe.carryOut)
    const rail = PlainRails.stripe({
      secretKey: "sk_test_heron",
      recipientOf: async () => ({ account: "acct_1Heron" }),
      baseUrl: await server.listen(),
    })
    const waiting = new AbortController()
    server.troubles.push("late")
    const isLate = server.untilLate()
    const sent = rail.send(instruction, waiting.signal)
    await isLate
    waiting.abort()
    await expect(sent).rejects.toBeDefined()
    await server.close()
  })
})
