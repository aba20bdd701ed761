import { MemoryStorage } from "apportion/memory"
import { type PaymentRail, Storage } from "apportion/ports"
import { PayPalRail, StripeRail } from "apportion/rails/api"
import * as StripeHooks from "apportion/rails/stripe"
import { Audit, Payments } from "apportion/service"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterEach, describe, expect, it } from "vitest"
import {
  addCollaborator,
  addPayout,
  runWith,
  setTime,
  shop,
  start,
  stored,
} from "../../service/PayoutFixture.js"
import { FakePayPal } from "./FakePayPal.js"
import { FakeServer, type Trouble } from "./FakeServer.js"
import { FakeStripe } from "./FakeStripe.js"

const servers: Array<FakeServer> = []

afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))

const serve = async (carryOut: FakeServer["carryOut"]) => {
  const server = new FakeServer(carryOut)
  servers.push(server)
  return { server, baseUrl: await server.listen() }
}

const count = 12
const ids = Array.from({ length: count }, (_, index) => `p${index + 1}`)

/** Every third request is lost in some way. */
const troubles = (server: FakeServer) => {
  const kinds: ReadonlyArray<Trouble> = ["lost", "failed", "refused", "garbled"]
  const list = ids.map((_, index) => (index % 3 === 0 ? (kinds[(index / 3) % 4] ?? null) : null))
  server.troubles.push(...list)
}

const addPayouts = Effect.gen(function* () {
  yield* addCollaborator()
  for (const [index, id] of ids.entries()) {
    yield* addPayout({ id, total: 1_000 + index, status: "pending" })
  }
})

/** What the payouts add up to: 1000 to 1011 cents. */
const total = ids.reduce((sum, _, index) => sum + 1_000 + index, 0)

const statusesOf = Effect.gen(function* () {
  const payouts = yield* Effect.forEach(ids, (id) => stored(id))
  return payouts.map(({ status }) => status)
})

const differences = Effect.gen(function* () {
  return (yield* (yield* Audit).payouts(shop)).differences
})

/** Pays until the rail has told what became of each, 15 minutes apart. */
const payAll = (rail: string, rounds: number) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    for (let round = 0; round < rounds; round++) {
      yield* payments.run(shop, { rail, concurrency: 3 })
      yield* setTime(start + (round + 1) * 900)
    }
  })

describe("payouts that are paid by the services over an API that loses answers", () => {
  it("are paid once each by Stripe's own book, and noted as paid", async () => {
    const stripe = new FakeStripe()
    stripe.now = start
    const { server, baseUrl } = await serve(stripe.carryOut)
    const rail = await Effect.runPromise(
      StripeRail.make({
        secretKey: Redacted.make("sk_test_heron"),
        recipientOf: () => Effect.succeed({ account: "acct_1Heron" }),
        baseUrl,
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    )
    troubles(server)
    const [statuses, found] = await runWith(
      Effect.gen(function* () {
        yield* addPayouts
        yield* payAll("stripe", 3)
        return [yield* statusesOf, yield* differences] as const
      }),
      { rails: [rail] },
    )
    expect(statuses).toEqual(ids.map(() => "paid"))
    expect(found).toEqual([])
    expect(stripe.transfers).toHaveLength(count)
    expect(stripe.transfers.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
    expect(server.troubles).toEqual([])
  })

  it("come back when Stripe says so, which has one effect however often it says so", async () => {
    const stripe = new FakeStripe()
    stripe.now = start
    const { baseUrl } = await serve(stripe.carryOut)
    const rail = await Effect.runPromise(
      StripeRail.make({
        secretKey: Redacted.make("sk_test_heron"),
        recipientOf: () => Effect.succeed({ account: "acct_1Heron" }),
        baseUrl,
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    )
    const keys = await runWith(
      Effect.gen(function* () {
        yield* addCollaborator()
        yield* addPayout({ id: "p1", total: 5_000, status: "pending" })
        const payments = yield* Payments
        const first = yield* payments.claim(shop, "p1", "stripe")
        yield* payments.send(shop, first.id)
        stripe.reverse("tr_1")
        const event = { id: "evt_1", type: "transfer.reversed", created: start + 60 }
        const body = JSON.stringify({ ...event, data: { object: stripe.transfers[0] } })
        const notice = StripeHooks.Webhook.read(body)
        if (notice._tag === "Failure" || notice.success.outcome === null) throw new RangeError(body)
        yield* payments.answer(shop, notice.success.outcome)
        // It comes twice.
        const returned = yield* payments.answer(shop, notice.success.outcome)
        expect(returned).toMatchObject({ status: "returned", reason: "the transfer was reversed" })
        expect((yield* stored("p1")).status).toBe("failed")
        return [first.id, returned.id]
      }),
      { rails: [rail] },
    )
    expect(keys[0]).toBe(keys[1])
    expect(stripe.transfers).toHaveLength(1)
  })

  it("are paid once each by PayPal's own book, and noted as paid", async () => {
    const paypal = new FakePayPal()
    paypal.now = start
    const { server, baseUrl } = await serve(paypal.carryOut)
    troubles(server)
    const made = Effect.gen(function* () {
      const storage = yield* Storage
      const rail: PaymentRail = yield* PayPalRail.make({
        clientId: "shop",
        clientSecret: Redacted.make("heron"),
        recipientOf: () => Effect.succeed({ email: "ada@example.com" }),
        paymentOf: PayPalRail.storedPayments(storage, shop),
        baseUrl,
      })
      return { storage, rail }
    }).pipe(Effect.provide([MemoryStorage.layer, FetchHttpClient.layer]))
    const { storage, rail } = await Effect.runPromise(made)
    const [statuses, found] = await runWith(
      Effect.gen(function* () {
        yield* addPayouts
        yield* payAll("paypal", 2)
        for (const batch of paypal.batches) batch.status = "SUCCESS"
        const payments = yield* Payments
        for (const { id } of yield* payments.list(shop, { limit: 100 })) {
          yield* payments.resolve(shop, id)
        }
        return [yield* statusesOf, yield* differences] as const
      }),
      { rails: [rail], storage },
    )
    expect(statuses).toEqual(ids.map(() => "paid"))
    expect(found).toEqual([])
    expect(paypal.batches).toHaveLength(count)
    expect(new Set(paypal.batches.map(({ senderId }) => senderId)).size).toBe(count)
    expect(server.troubles).toEqual([])
  })
})
