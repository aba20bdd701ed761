import { Deliveries, Sales } from "apportion/service"
import { Webhook } from "apportion/stripe"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import {
  creditLine,
  creditNote,
  event,
  invoice,
  invoiceLine,
  product,
  refund,
  session,
  sessionLine,
  withoutLines,
} from "../stripe/Documents.js"
import { account, earned, open, run } from "./Shop.js"
import { fetched, sendEvent, sendEvents, signed, stripe, waiting } from "./StripeShop.js"

const completed = "checkout.session.completed"

const outcomes = (received: ReadonlyArray<{ readonly outcome: string }>) =>
  received.map(({ outcome }) => outcome)

/** A sale of 40.00 with products of which everything is known: Ada gets 4.00, Sam 8.00. */
const print = { id: "price_1", product: product("prod_1") }
const sold = session("cs_1", [sessionLine("li_1", { price: print })])

/** A paid invoice of two lines, each known: of 30.00 and 10.00. */
const known = (id: string, amount: number) =>
  invoiceLine(`il_${id}`, {
    ...{ amount, pricing: undefined, price: { id: "price_1", product: "prod_1" } },
  })
const billed = invoice("in_1", [known("1", 3_000), known("2", 1_000)])

describe("a session that is completed", () => {
  test("waits for its lines, says how to get them, and is recorded when the host brings them", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const early = yield* sendEvent(event(completed, withoutLines(sold)))
        const before = yield* waiting
        const late = yield* fetched(completed, sold)
        return [early, before, late.outcome, yield* waiting, yield* earned("cs_1")] as const
      }),
    )
    expect(found[0]).toMatchObject({ outcome: "waiting", key: "stripe/order/cs_1/lines" })
    expect(found[0].told[0]).toContain("GET /v1/checkout/sessions/cs_1?expand[]=line_items")
    expect(found.slice(1)).toEqual([
      ["stripe/order/cs_1/lines waiting"],
      "done",
      [],
      { ada: 400, sam: 800 },
    ])
  })

  test("is for a person when nobody brings its lines", async () => {
    const found = await run(
      Effect.gen(function* () {
        yield* sendEvent(event(completed, withoutLines(sold)))
        yield* TestClock.adjust("61 minutes")
        yield* (yield* Deliveries).sweep(account, stripe)
        return yield* waiting
      }),
    )
    expect(found).toEqual(["stripe/order/cs_1/lines refused"])
  })

  test("has one effect, whether it is told once, twice, or again when its payment succeeds", async () => {
    const [all, total] = await run(
      Effect.gen(function* () {
        yield* open
        const one = event(completed, sold)
        const later = event("checkout.session.async_payment_succeeded", sold)
        return [yield* sendEvents(one, one, later), yield* earned("cs_1")]
      }),
    )
    expect(outcomes(all)).toEqual(["done", "known", "done"])
    expect(all[2]?.told).toContain("nothing of the order is new")
    expect(total).toEqual({ ada: 400, sam: 800 })
  })

  test("is no sale until it is paid; nor is one that expired, or of the test mode", async () => {
    const unpaid = { ...sold, payment_status: "unpaid" }
    const events = [
      event(completed, withoutLines(unpaid)),
      event("checkout.session.async_payment_failed", withoutLines(unpaid)),
      event("checkout.session.expired", withoutLines({ ...sold, status: "expired" })),
      event(completed, sold, { livemode: false }),
    ]
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const all = yield* sendEvents(...events)
        const before = yield* earned("cs_1")
        yield* sendEvent(event("checkout.session.async_payment_succeeded", sold))
        return [outcomes(all), before, yield* earned("cs_1"), yield* waiting]
      }),
    )
    expect(found).toEqual([Array(4).fill("nothing"), {}, { ada: 400, sam: 800 }, []])
  })

  test("and has an invoice is told by that, unless sales are read from sessions alone", async () => {
    const invoiced = { ...sold, invoice: "in_1", mode: "subscription" }
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const { told } = yield* sendEvent(event(completed, invoiced))
        const onlySessions = {
          ...stripe,
          ...Webhook.platform({ secrets: stripe.secrets, sales: "sessions" }),
        }
        const paid = event("invoice.paid", billed)
        const { told: passed } = yield* sendEvent(paid, onlySessions)
        yield* sendEvent(event(completed, invoiced), onlySessions)
        return [told, passed, yield* earned("cs_1"), yield* earned("in_1")]
      }),
    )
    expect(found).toEqual([
      ["the invoice of the session tells of it"],
      ["sales are read from checkout sessions"],
      { ada: 400, sam: 800 },
      {},
    ])
  })
})

describe("a delivery of Stripe", () => {
  test("that is not signed, by somebody else, changed or signed long ago has no effect", async () => {
    const messages = await run(
      Effect.gen(function* () {
        const service = yield* Deliveries
        yield* TestClock.adjust("1 hour")
        const one = event(completed, sold)
        const good = yield* Effect.promise(() => signed(one, { at: 3_600 }))
        const tries = [
          { ...good, headers: {} },
          { ...good, headers: { "stripe-signature": "t=3600" } },
          { ...good, body: `${good.body} ` },
          yield* Effect.promise(() => signed(one, { at: 3_600, key: "whsec_of_another" })),
          yield* Effect.promise(() => signed(one, { at: 3_299 })),
          // The time is signed too.
          {
            ...good,
            headers: {
              "stripe-signature": String(good.headers["Stripe-Signature"]).replace(
                "t=3600",
                "t=3601",
              ),
            },
          },
        ]
        const failed = yield* Effect.forEach(tries, (raw) =>
          Effect.flip(service.receive(account, stripe, raw)),
        )
        return [failed.map(({ message }) => message), yield* earned("cs_1")] as const
      }),
    )
    const none = "the delivery of stripe is not signed"
    const wrong = `${none} with any of the secrets`
    const old = "the delivery of stripe was signed 301 seconds ago"
    expect(messages).toEqual([[none, none, wrong, wrong, old, wrong], {}])
  })

  test("of another account, an unknown type or an unknown shape is refused with its reason", async () => {
    const found = await run(
      Effect.gen(function* () {
        const tries = [
          event(completed, sold, { account: "acct_1" }),
          event("customer.created", { id: "cus_1", object: "customer" }),
          event(completed, { ...sold, payment_status: "odd" }),
          event(completed, billed),
          { id: "evt_1", object: "v2.core.event", type: "v1.billing.meter.no_meter_found" },
        ]
        const failed = yield* Effect.forEach(tries, (one) => Effect.flip(sendEvent(one)))
        return failed.map(({ message }) => message)
      }),
    )
    expect(found).toEqual([
      expect.stringContaining("account: must be absent"),
      expect.stringContaining('"customer.created" is no type of event'),
      expect.stringContaining("payment_status"),
      expect.stringContaining("data.object.object: must be checkout.session"),
      expect.stringContaining("object: must be event"),
    ])
  })

  test("of the connected account that was named is taken", async () => {
    const connected = Webhook.platform({ secrets: stripe.secrets, account: "acct_1" })
    const found = await run(
      Effect.gen(function* () {
        const { outcome } = yield* sendEvent(
          event(completed, sold, { account: "acct_1" }),
          connected,
        )
        const other = yield* Effect.flip(sendEvent(event(completed, sold), connected))
        return [outcome, other.message]
      }),
    )
    expect(found).toEqual(["done", expect.stringContaining("account: is missing")])
  })
})

describe("a refund", () => {
  test("finds the order by its payment, whichever comes first, and counts once", async () => {
    const back = refund("re_1", "pi_cs_1", 1_000)
    const events = [
      event("refund.created", back),
      event("charge.refunded", {
        ...{
          id: "ch_pi_cs_1",
          object: "charge",
          payment_intent: "pi_cs_1",
          amount_refunded: 1_000,
        },
        refunds: { data: [{ ...back, payment_intent: null }], has_more: false },
      }),
      event("refund.updated", back),
    ]
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const [early, inCharge] = yield* sendEvents(...events.slice(0, 2))
        yield* sendEvent(event(completed, sold))
        const last = yield* sendEvents(...events.slice(2))
        return [
          early?.told,
          outcomes([...(inCharge ? [inCharge] : []), ...last]),
          yield* earned("cs_1"),
          yield* waiting,
        ]
      }),
    )
    expect(found).toEqual([
      ["refund re_1 is of order pi_cs_1, which was not recorded yet"],
      ["waiting", "nothing"],
      { ada: 300, sam: 600 },
      [],
    ])
  })

  test("that is pending counts when it succeeds; one that failed never does", async () => {
    const back = refund("re_1", "pi_cs_1", 1_000, { status: "pending" })
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendEvents(event(completed, sold), event("refund.created", back))
        const pending = yield* earned("cs_1")
        yield* sendEvent(event("refund.updated", { ...back, status: "succeeded" }))
        const succeeded = yield* earned("cs_1")
        const failed = { ...back, id: "re_2", status: "failed" }
        yield* sendEvent(event("refund.failed", failed))
        const { told } = yield* sendEvent(
          event("refund.created", { ...failed, status: "succeeded" }),
        )
        return [pending, succeeded, told, yield* earned("cs_1")]
      }),
    )
    const less = { ada: 300, sam: 600 }
    expect(found).toEqual([{ ada: 400, sam: 800 }, less, ["the refund was withdrawn"], less])
  })

  test("that fails after it was taken back is for a person", async () => {
    const back = refund("re_1", "pi_cs_1", 1_000)
    const found = await run(
      Effect.gen(function* () {
        yield* sendEvents(event(completed, sold), event("refund.created", back))
        return yield* sendEvent(event("refund.failed", { ...back, status: "failed" }))
      }),
    )
    expect(found).toMatchObject({ outcome: "refused", key: "stripe/refund/re_1/withdrawn" })
    expect(found.told[0]).toContain("refund re_1 is failed; it was taken back before")
  })
})

describe("an invoice", () => {
  test("that is paid has one effect, though two events tell of it, and is known by its payment", async () => {
    const payment = { type: "payment_intent", payment_intent: "pi_9" }
    const paid = { id: "inpay_1", object: "invoice_payment", invoice: "in_1", payment }
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendEvent(event("product.created", product("prod_1")))
        const all = yield* sendEvents(
          event("invoice.created", { ...billed, status: "draft" }),
          event("invoice.payment_succeeded", billed),
          event("invoice.paid", billed),
          event("refund.created", refund("re_1", "pi_9", 2_000)),
          event("invoice_payment.paid", paid),
        )
        yield* TestClock.adjust("61 minutes")
        yield* (yield* Deliveries).sweep(account, stripe)
        return [outcomes(all), yield* earned("in_1"), yield* waiting]
      }),
    )
    expect(found).toEqual([
      ["nothing", "done", "nothing", "waiting", "nothing"],
      { ada: 200, sam: 400 },
      [],
    ])
  })

  test.each([
    ["the credit note first", [0, 1]],
    ["the refund first", [1, 0]],
  ])("has one effect of a credit note and its refund: %s", async (_, order) => {
    const older = { ...billed, payment_intent: "pi_9" }
    const lines = [creditLine("cnli_1", "il_2", 1_000)]
    const both = [
      event(
        "credit_note.created",
        creditNote("cn_1", "in_1", lines, { refunds: [{ refund: "re_1" }] }),
      ),
      event("refund.created", refund("re_1", "pi_9", 1_000)),
    ]
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendEvents(event("product.created", product("prod_1")), event("invoice.paid", older))
        yield* sendEvents(...order.flatMap((place) => both[place] ?? []))
        const { deliveries } = { deliveries: yield* Deliveries }
        yield* TestClock.adjust("2 hours")
        yield* deliveries.sweep(account, stripe)
        return [yield* earned("in_1"), yield* waiting]
      }),
    )
    expect(found).toEqual([{ ada: 300, sam: 600 }, []])
  })

  test("has one effect of both when the invoice itself waited for more than an hour", async () => {
    const older = { ...billed, payment_intent: "pi_9" }
    const lines = [creditLine("cnli_1", "il_2", 1_000)]
    const note = creditNote("cn_1", "in_1", lines, { refunds: [{ refund: "re_1" }] })
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendEvents(
          event("refund.created", refund("re_1", "pi_9", 1_000)),
          event("credit_note.created", note),
          event("invoice.paid", older),
        )
        const before = yield* waiting
        const deliveries = yield* Deliveries
        for (let turn = 0; turn < 2; turn += 1) {
          yield* TestClock.adjust("61 minutes")
          yield* deliveries.sweep(account, stripe)
        }
        const parts = yield* (yield* Sales).get(account, "in_1")
        const refunds = parts.flatMap((part) => part.refunds.map(({ id }) => id))
        return [before.length, refunds, yield* waiting]
      }),
    )
    expect(found).toEqual([3, ["cn_1/il_2"], []])
  })

  test("whose credit note comes when its refund was taken back by itself is for a person", async () => {
    const older = { ...billed, payment_intent: "pi_9" }
    const note = creditNote("cn_1", "in_1", [creditLine("cnli_1", "il_2", 1_000)], {
      refund: "re_1",
    })
    const at = Webhook.platform({ secrets: stripe.secrets, creditNotes: false })
    const found = await run(
      Effect.gen(function* () {
        yield* sendEvent(event("invoice.paid", older))
        const { outcome } = yield* sendEvent(
          event("refund.created", refund("re_1", "pi_9", 1_000)),
          at,
        )
        const late = yield* sendEvent(event("credit_note.created", note), at)
        return [outcome, late.outcome, late.told[0]]
      }),
    )
    expect(found).toEqual(["done", "refused", expect.stringContaining("stripe/refund/re_1")])
  })

  test("whose credit note was voided before it was paid takes nothing back", async () => {
    const note = creditNote("cn_1", "in_1", [creditLine("cnli_1", "il_2", 1_000)])
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendEvents(
          event("product.created", product("prod_1")),
          event("credit_note.created", note),
          event("credit_note.voided", { ...note, status: "void" }),
          event("invoice.paid", billed),
        )
        return [yield* earned("in_1"), yield* waiting]
      }),
    )
    expect(found).toEqual([{ ada: 400, sam: 800 }, []])
  })

  test("with more lines than a webhook has waits for all of them", async () => {
    const begun = { ...billed, lines: { ...billed.lines, has_more: true } }
    const received = await run(sendEvent(event("invoice.paid", begun)))
    expect(received).toMatchObject({ outcome: "waiting", key: "stripe/order/in_1/lines" })
    expect(received.told[0]).toContain("GET /v1/invoices/in_1/lines")
  })
})

describe("a dispute", () => {
  const dispute = (status: string) => ({
    ...{ id: "dp_1", object: "dispute", amount: 1_000, currency: "usd", status },
    ...{ created: 1_714_660_000, payment_intent: "pi_cs_1", charge: "ch_1" },
  })

  test("has no effect until it is lost; then a person is asked, or it is taken back if the host says so", async () => {
    const taking = Webhook.platform({ secrets: stripe.secrets, lostDisputes: "take back" })
    const found = await run(
      Effect.gen(function* () {
        yield* open
        yield* sendEvent(event(completed, sold))
        const begun = yield* sendEvent(event("charge.dispute.created", dispute("needs_response")))
        const lost = yield* sendEvent(event("charge.dispute.closed", dispute("lost")))
        const before = yield* earned("cs_1")
        yield* sendEvent(event("charge.dispute.closed", dispute("lost")), taking)
        return [begun.outcome, lost.outcome, lost.key, before, yield* earned("cs_1")]
      }),
    )
    const full = { ada: 400, sam: 800 }
    expect(found).toEqual([
      "nothing",
      "refused",
      "stripe/question/dp_1",
      full,
      { ada: 300, sam: 600 },
    ])
  })
})

describe("a product", () => {
  test("is in the catalogue with its metadata's tags, for orders that name it alone, until it is deleted", async () => {
    const bare = session("cs_2", [
      sessionLine("li_1", { price: { id: "price_1", product: "prod_1" } }),
    ])
    const found = await run(
      Effect.gen(function* () {
        yield* open
        const early = yield* sendEvent(event(completed, bare))
        yield* sendEvent(event("product.created", product("prod_1")))
        const deleted = yield* sendEvent(event("product.deleted", product("prod_1")))
        return [early.told, yield* earned("cs_2"), deleted.outcome]
      }),
    )
    expect(found).toEqual([
      ["order cs_2 has product prod_1, which the catalogue does not know yet"],
      { ada: 400, sam: 800 },
      "done",
    ])
  })
})
