import { Webhook } from "apportion/rails/paypal"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const resource = {
  payout_item_id: "8AELMXH8UB2P8",
  transaction_id: "0C413693MN970190K",
  transaction_status: "SUCCESS",
  payout_item_fee: { currency: "EUR", value: "0.25" },
  payout_batch_id: "Q8KVJG9TZTNN4",
  sender_batch_id: "at-1",
  payout_item: {
    recipient_type: "EMAIL",
    amount: { currency: "EUR", value: "19.99" },
    receiver: "ada@example.com",
    sender_item_id: "at-1",
  },
  time_processed: "2026-01-27T10:17:41Z",
}

const eventOf = (type: string, changes: object = {}) =>
  JSON.stringify({
    id: "WH-2W4268237L9436",
    event_version: "1.0",
    create_time: "2026-01-27T10:18:00.000Z",
    resource_type: "payouts_item",
    event_type: type,
    summary: "A payout item",
    resource: { ...resource, ...changes },
  })

const outcomeOf = (type: string, changes: object = {}) =>
  Result.getOrThrow(Webhook.read(eventOf(type, changes))).outcome

describe("a webhook of PayPal about an item", () => {
  it("says what became of the payment, by the item's own status", () => {
    expect(outcomeOf("PAYMENT.PAYOUTS-ITEM.SUCCEEDED")).toEqual({
      key: "at-1",
      railReference: "8AELMXH8UB2P8",
      type: "confirmed",
      at: Date.UTC(2026, 0, 27, 10, 17, 41) / 1000,
      amount: 1999,
      currency: "EUR",
      fee: 25,
      reason: null,
    })
    const meanings = {
      UNCLAIMED: "accepted",
      HELD: "accepted",
      FAILED: "rejected",
      DENIED: "rejected",
      CANCELED: "rejected",
      RETURNED: "rejected",
      REFUNDED: "returned",
      BLOCKED: "unknown",
    }
    for (const [name, type] of Object.entries(meanings)) {
      const status = name === "HELD" ? "ONHOLD" : name
      const outcome = outcomeOf(`PAYMENT.PAYOUTS-ITEM.${name}`, { transaction_status: status })
      expect(outcome?.type, name).toBe(type)
    }
  })

  it("has the event's time when the item has none", () => {
    const outcome = outcomeOf("PAYMENT.PAYOUTS-ITEM.SUCCEEDED", { time_processed: undefined })
    expect(outcome?.at).toBe(Date.UTC(2026, 0, 27, 10, 18) / 1000)
  })
})

describe("any other webhook of PayPal", () => {
  it("says nothing of a payment, that of a whole batch neither", () => {
    expect(outcomeOf("PAYMENT.PAYOUTSBATCH.SUCCESS")).toBeNull()
    expect(outcomeOf("PAYMENT.SALE.COMPLETED")).toBeNull()
  })

  it("is refused with the field when it can't be read", () => {
    const pathOf = (body: string) => {
      const result = Webhook.read(body)
      return Result.isFailure(result) && result.failure.problems.map(({ path }) => path)
    }
    for (const body of ["", "no", "[]", "null"]) expect(pathOf(body)).toEqual([""])
    expect(pathOf("{}")).toEqual(["id"])
    expect(pathOf('{"id":"WH-1"}')).toEqual(["event_type"])
    const without = eventOf("PAYMENT.PAYOUTS-ITEM.SUCCEEDED", { payout_item_id: undefined })
    expect(pathOf(without)).toEqual(["resource"])
  })
})
