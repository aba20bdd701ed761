import type { PaymentRail } from "apportion/ports"
import { StripeRail } from "apportion/rails/api"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runAt } from "./FakeClock.js"
import { FakeServer, type Trouble } from "./FakeServer.js"
import { FakeStripe } from "./FakeStripe.js"

const instruction = {
  key: "0199a3c2-71aa-7c3e-8a50-1f9d6f0c2b11",
  amount: 12_345,
  currency: "EUR",
  reference: "Payout p1",
  collaboratorId: "ada",
}

const accounts: Readonly<Record<string, { readonly account: string }>> = {
  ada: { account: "acct_1Heron" },
  bob: { account: "acct_Closed" },
}

let stripe: FakeStripe
let server: FakeServer
let baseUrl: string
let rail: PaymentRail

const makeRail = (options: Partial<StripeRail.StripeRailOptions> = {}): Promise<PaymentRail> =>
  Effect.runPromise(
    StripeRail.make({
      secretKey: Redacted.make("sk_test_heron"),
      recipientOf: (id) => Effect.succeed(accounts[id]),
      baseUrl,
      ...options,
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

beforeEach(async () => {
  stripe = new FakeStripe()
  server = new FakeServer(stripe.carryOut)
  baseUrl = await server.listen()
  rail = await makeRail()
})

afterEach(() => server.close())

const run = <A, E>(effect: Effect.Effect<A, E>) => runAt(effect, stripe.now, server)
const send = (changes: object = {}) => run(rail.send({ ...instruction, ...changes }))
const find = (key = instruction.key) => run(rail.find(key))

const confirmed = {
  _tag: "Success",
  success: { type: "confirmed", at: 1_767_225_600, reference: "tr_1", fee: null },
}
const unclear = { _tag: "Failure", failure: { _tag: "RailUnclear", rail: "stripe" } }

describe("paying by Stripe", () => {
  it("makes one transfer under the key, and finds it by that", async () => {
    expect(await find()).toMatchObject({ _tag: "Success", success: { type: "absent" } })
    expect(await send()).toMatchObject(confirmed)
    expect(await find()).toMatchObject(confirmed)
    expect(stripe.transfers).toMatchObject([{ amount: 12_345, destination: "acct_1Heron" }])
  })

  it("pays once when it is sent again, within the day and after it", async () => {
    await send()
    expect(await send()).toMatchObject(confirmed)
    stripe.now += 86_401
    expect(await send()).toMatchObject(confirmed)
    expect(stripe.transfers).toHaveLength(1)
  })

  it("rejects what Stripe clearly refuses, and pays nothing", async () => {
    expect(await send({ collaboratorId: "bob" })).toMatchObject({
      success: { type: "rejected", reason: "account_invalid: account_invalid, says the fake" },
    })
    stripe.balance = 0
    expect(await send({ key: "at-2" })).toMatchObject({ success: { type: "rejected" } })
    expect(stripe.transfers).toEqual([])
  })

  it("rejects without asking for a transfer what Stripe could not take", async () => {
    const words = async (changes: object) => {
      const sent = await send(changes)
      return sent._tag === "Success" && sent.success.type === "rejected" && sent.success.reason
    }
    expect(await words({ collaboratorId: "eve" })).toBe("collaborator eve has no account at Stripe")
    expect(await words({ amount: 0 })).toContain("amount: must be a whole number")
    expect(await words({ reference: "a\nb" })).toContain("reference: must be in")
    expect(server.asked.filter(({ method }) => method === "POST")).toEqual([])
  })

  it("leaves open what came of a request without a clear answer", async () => {
    const troubles: ReadonlyArray<Trouble> = ["late", "lost", "failed", "garbled"]
    for (const [index, trouble] of troubles.entries()) {
      server.troubles.push(trouble)
      const key = `at-${index}`
      expect(await send({ key }), trouble).toMatchObject(unclear)
      expect(await find(key), trouble).toMatchObject({ success: { type: "confirmed" } })
    }
    expect(stripe.transfers).toHaveLength(4)
    for (const trouble of ["refused", "busy"] as const) {
      server.troubles.push(trouble)
      expect(await send({ key: trouble }), trouble).toMatchObject(unclear)
      expect(await find(trouble), trouble).toMatchObject({ success: { type: "absent" } })
    }
    expect(stripe.transfers).toHaveLength(4)
  })

  it("leaves it open, and pays nothing, when it can't look first", async () => {
    const [wrongKey, broken] = [
      await makeRail({ secretKey: Redacted.make("sk_test_other") }),
      await makeRail({ recipientOf: () => Effect.fail("the address book is closed") }),
    ]
    for (const other of [wrongKey, broken]) {
      expect(await run(other.send(instruction))).toMatchObject(unclear)
    }
    await server.close()
    expect(await send()).toMatchObject(unclear)
    expect(stripe.transfers).toEqual([])
  })

  it("does not take a refusal for a rejection when another one has sent it meanwhile", async () => {
    const other = await makeRail()
    // Between the look and the transfer, another process pays, the account is empty then, and a day passes.
    const meanwhile = Effect.gen(function* () {
      yield* other.send(instruction)
      stripe.balance = 0
      stripe.now += 86_401
    })
    const slow = await makeRail({ recipientOf: (id) => Effect.as(meanwhile, accounts[id]) })
    expect(await run(slow.send(instruction))).toMatchObject({
      success: { type: "confirmed", reference: "tr_1" },
    })
    expect(stripe.transfers).toHaveLength(1)
  })

  it("says of a transfer that was taken back that it did not arrive", async () => {
    await send()
    stripe.reverse("tr_1")
    expect(await find()).toMatchObject({
      success: { type: "rejected", reason: "it came back: the transfer was reversed" },
    })
  })

  it("leaves it open when the transfer under the key is of another amount", async () => {
    await send()
    expect(await send({ amount: 12_346 })).toMatchObject(unclear)
    expect(stripe.transfers).toHaveLength(1)
  })

  it("pays what is due in steps that banks take, and says which", () => {
    const steps = rail.terms.currencies?.filter(({ step }) => step > 1)
    expect(steps?.map(({ currency, step }) => `${currency} ${step}`).sort()).toEqual([
      ..."BHD 10,HUF 100,JOD 10,KWD 10,MGA 100,OMR 10,TND 10,TWD 100".split(","),
    ])
  })

  it("never pays twice and knows in the end, whatever goes wrong and whenever it is asked again", async () => {
    const trouble = fc.constantFrom<Trouble | null>(
      ...(["late", "lost", "refused", "failed", "busy", "garbled", null] as const),
    )
    const step = fc.record({ trouble, hours: fc.constantFrom(0, 1, 25), look: fc.boolean() })
    let [run, paid, again] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        run += 1
        const key = `run-${run}`
        for (const { trouble: next, hours, look } of steps) {
          stripe.now += hours * 3_600
          if (next !== null) server.troubles.push(next)
          if (look) await find(key)
          await send({ key })
          server.troubles.length = 0
        }
        const end = await send({ key })
        const own = stripe.transfers.filter(({ transfer_group }) => transfer_group === key)
        expect(own).toHaveLength(1)
        expect(end).toMatchObject({ success: { type: "confirmed", reference: own[0]?.id } })
        paid += own.length
        again += steps.length
      }),
      { numRuns: 25 },
    )
    expect(paid).toBe(25)
    expect(again).toBeGreaterThan(25)
  })
})
