import { Webhook } from "apportion/rails/stripe"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const transfer = {
  id: "tr_1Heron",
  object: "transfer",
  amount: 12_345,
  amount_reversed: 0,
  created: 1_767_225_600,
  currency: "eur",
  destination: "acct_1PaperHeron",
  metadata: { apportion_key: "at-1" },
  reversed: false,
  transfer_group: "at-1",
}

const payout = {
  id: "po_1Heron",
  object: "payout",
  amount: 50_000,
  arrival_date: 1_767_312_000,
  currency: "isk",
  failure_code: "account_closed",
  failure_message: "The bank account has been closed",
  status: "failed",
}

const eventOf = (type: string, object: object, changes: object = {}) =>
  JSON.stringify({
    id: "evt_1Heron",
    object: "event",
    api_version: "2025-06-30.basil",
    created: 1_767_225_700,
    data: { object },
    livemode: false,
    type,
    ...changes,
  })

const read = (type: string, object: object, changes: object = {}) =>
  Result.getOrThrow(Webhook.read(eventOf(type, object, changes)))

describe("a webhook of Stripe about a transfer", () => {
  it("says that the money moved when the transfer was made or described anew", () => {
    expect(read("transfer.created", transfer)).toEqual({
      id: "evt_1Heron",
      type: "transfer.created",
      at: 1_767_225_700,
      isLive: false,
      outcome: {
        key: "at-1",
        railReference: "tr_1Heron",
        type: "confirmed",
        at: 1_767_225_600,
        amount: 12_345,
        currency: "EUR",
        fee: null,
        reason: null,
      },
      bankPayout: null,
    })
    expect(read("transfer.updated", transfer).outcome?.type).toBe("confirmed")
  })

  it("says that it came back when it was reversed, at the event's time when there is no other", () => {
    const reversed = { ...transfer, amount_reversed: 12_345, reversed: true }
    expect(read("transfer.reversed", reversed).outcome).toMatchObject({
      key: "at-1",
      type: "returned",
      at: 1_767_225_700,
      reason: "the transfer was reversed",
    })
    const some = { ...transfer, amount_reversed: 45 }
    expect(read("transfer.reversed", some).outcome?.type).toBe("unknown")
  })

  it("has no key when the transfer was made in another way", () => {
    expect(read("transfer.created", { ...transfer, metadata: {} }).outcome?.key).toBeNull()
  })
})

describe("a webhook of Stripe about a connected account's payout to its bank", () => {
  it("is about no payment of the host: when it fails, the money is in the owner's balance", () => {
    const failed = read("payout.failed", payout, { account: "acct_1PaperHeron" })
    expect(failed.outcome).toBeNull()
    expect(failed.bankPayout).toEqual({
      account: "acct_1PaperHeron",
      id: "po_1Heron",
      status: "failed",
      amount: 500,
      currency: "ISK",
      reason: "account_closed: The bank account has been closed",
    })
    const paid = { ...payout, failure_code: null, failure_message: null, status: "paid" }
    expect(read("payout.paid", paid).bankPayout).toMatchObject({ status: "paid", reason: null })
  })
})

describe("any other webhook of Stripe", () => {
  it("says nothing of payments", () => {
    const other = read("customer.created", { id: "cus_1", object: "customer" }, { livemode: true })
    expect(other).toMatchObject({ isLive: true, outcome: null, bankPayout: null })
  })

  it("is refused with the field when it can't be read", () => {
    const pathOf = (body: string) => {
      const result = Webhook.read(body)
      return Result.isFailure(result) && result.failure.problems.map(({ path }) => path)
    }
    for (const body of ["", "no", "[]", "null", "5"]) expect(pathOf(body)).toEqual([""])
    expect(pathOf("{}")).toEqual(["id"])
    expect(pathOf('{"id":"evt_1"}')).toEqual(["type"])
    expect(pathOf(eventOf("transfer.created", {}))).toEqual(["data.object"])
    expect(pathOf(eventOf("transfer.created", { ...transfer, amount: "5" }))).toEqual([
      "data.object",
    ])
    expect(pathOf(eventOf("payout.failed", {}))).toEqual(["data.object"])
  })
})
