import { Fields, type Instruction, Transfers } from "apportion/rails/stripe"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const payment: Instruction = {
  key: "0199a3c2-71aa-7c3e-8a50-1f9d6f0c2b11",
  amount: 12_345,
  currency: "EUR",
  reference: "Royalties, May & June",
  collaboratorId: "ada",
}
const transfer = { ...payment, recipient: { account: "acct_1PaperHeron" } }

/** Stripe's transfer object, with the fields that its documentation lists. */
const stripeTransfer = (changes: object = {}) => ({
  id: "tr_1Heron",
  object: "transfer",
  amount: 12_345,
  amount_reversed: 0,
  balance_transaction: "txn_1Heron",
  created: 1_767_225_600,
  currency: "eur",
  description: "Royalties, May & June",
  destination: "acct_1PaperHeron",
  destination_payment: "py_1Heron",
  livemode: false,
  metadata: { apportion_key: payment.key, apportion_collaborator: "ada" },
  reversals: { object: "list", data: [], has_more: false, total_count: 0 },
  reversed: false,
  source_transaction: null,
  source_type: "card",
  transfer_group: payment.key,
  ...changes,
})

const answer = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })
const list = (...data: ReadonlyArray<object>) =>
  answer(200, { object: "list", url: "/v1/transfers", has_more: false, data })
const error = (status: number, fields: object) => answer(status, { error: fields })

const fieldsOf = (body: string | null) => Object.fromEntries(new URLSearchParams(body ?? ""))
const problemsOf = (changes: object) => {
  const made = Transfers.create({ ...transfer, ...changes })
  return Result.isFailure(made) ? made.failure.problems.map(({ path }) => path) : []
}

describe("a transfer to a connected account", () => {
  it("carries the key where Stripe forgets it after a day, and where it never does", () => {
    const request = Result.getOrThrow(
      Transfers.create(transfer, { apiVersion: "2025-06-30.basil" }),
    )
    expect([request.method, request.path]).toEqual(["POST", "/v1/transfers"])
    expect(request.headers).toEqual({
      "content-type": "application/x-www-form-urlencoded",
      "idempotency-key": payment.key,
      "stripe-version": "2025-06-30.basil",
    })
    expect(fieldsOf(request.body)).toEqual({
      amount: "12345",
      currency: "eur",
      destination: "acct_1PaperHeron",
      transfer_group: payment.key,
      description: "Royalties, May & June",
      "metadata[apportion_key]": payment.key,
      "metadata[apportion_collaborator]": "ada",
    })
  })

  it("is counted as Stripe counts the currency, which is not always how ISO 4217 does", () => {
    const counted = (amount: number, currency: string) => {
      const made = Transfers.create({ ...transfer, amount, currency })
      if (Result.isFailure(made)) return made.failure.problems[0]?.path
      return fieldsOf(made.success.body).amount
    }
    // Two decimals, no decimals, three decimals of which the last is a zero.
    expect(counted(1, "USD")).toBe("1")
    expect(counted(5, "JPY")).toBe("5")
    expect(counted(5_120, "KWD")).toBe("5120")
    expect(counted(5_125, "KWD")).toBe("amount")
    // No decimals in ISO 4217, and two zeros at Stripe.
    expect(counted(5, "ISK")).toBe("500")
    expect(counted(7, "UGX")).toBe("700")
    // Two decimals in ISO 4217, none at Stripe.
    expect(counted(1_200, "MGA")).toBe("12")
    expect(counted(1_250, "MGA")).toBe("amount")
    // Two decimals, and banks get whole units only.
    expect(counted(1_200, "HUF")).toBe("1200")
    expect(counted(1_250, "HUF")).toBe("amount")
    expect(counted(1_250, "TWD")).toBe("amount")
    expect(counted(100, "CLF")).toBe("currency")
  })

  it("comes back in the same cents, in every currency that Stripe pays", () => {
    for (const [currency, { least, step }] of Object.entries(Fields.stripe.amount.currencies)) {
      const amount = least + 6 * step
      const made = Result.getOrThrow(Transfers.create({ ...transfer, amount, currency }))
      const body = stripeTransfer({
        amount: Number(fieldsOf(made.body).amount),
        currency: currency.toLowerCase(),
      })
      expect(
        Transfers.readCreated(answer(200, body), { ...payment, amount, currency }),
      ).toMatchObject({
        type: "confirmed",
        amount,
        currency,
      })
    }
  })

  it("is refused with every field that Stripe would not take, and nothing is sent", () => {
    expect(problemsOf({})).toEqual([])
    expect(
      problemsOf({
        key: "with blank",
        amount: 0,
        reference: "a\nb",
        recipient: { account: "ba_1" },
        collaboratorId: "",
      }),
    ).toEqual(["key", "amount", "recipient.account", "reference", "collaboratorId"])
    expect(problemsOf({ key: "k".repeat(256) })).toEqual(["key"])
    expect(problemsOf({ recipient: { account: "acct_1/../charges" } })).toEqual([
      "recipient.account",
    ])
    expect(problemsOf({ recipient: undefined })).toEqual([""])
  })
})

describe("Stripe's answer to a transfer", () => {
  const outcome = (status: number, body: unknown) =>
    Transfers.readCreated(answer(status, body), payment)

  it("confirms it with Stripe's own time and name", () => {
    expect(outcome(200, stripeTransfer())).toEqual({
      key: payment.key,
      railReference: "tr_1Heron",
      type: "confirmed",
      at: 1_767_225_600,
      amount: 12_345,
      currency: "EUR",
      fee: null,
      reason: null,
    })
  })

  it("rejects it when the error is Stripe's and clear, with its code and words", () => {
    const insufficient = {
      type: "invalid_request_error",
      code: "balance_insufficient",
      message: "Insufficient funds in your Stripe balance.",
    }
    expect(outcome(400, { error: insufficient })).toMatchObject({
      key: payment.key,
      type: "rejected",
      reason: "balance_insufficient: Insufficient funds in your Stripe balance.",
    })
    const missing = {
      type: "invalid_request_error",
      code: "resource_missing",
      message: "No such destination",
    }
    expect(outcome(404, { error: missing }).type).toBe("rejected")
    expect(outcome(402, { error: { type: "card_error", code: "x", message: "y" } }).type).toBe(
      "rejected",
    )
    expect(outcome(403, { error: { type: "invalid_request_error", message: "y" } }).type).toBe(
      "rejected",
    )
  })

  it("leaves it open when the same request may have gone through, or is under way", () => {
    const open: ReadonlyArray<readonly [number, object]> = [
      [500, { type: "api_error", message: "Something went wrong" }],
      [502, { type: "api_error", message: "Bad gateway" }],
      [409, { type: "idempotency_error", code: "idempotency_key_in_use", message: "in use" }],
      [409, { type: "invalid_request_error", code: "lock_timeout", message: "locked" }],
      [429, { type: "invalid_request_error", code: "lock_timeout", message: "locked" }],
      [429, { type: "rate_limit_error", code: "rate_limit", message: "too many" }],
      [401, { type: "invalid_request_error", message: "Invalid API Key provided" }],
      [400, { type: "idempotency_error", message: "another request had this key" }],
      [400, { type: "api_error", message: "?" }],
    ]
    for (const [status, fields] of open) {
      expect(Transfers.readCreated(error(status, fields), payment).type, `${status}`).toBe(
        "unknown",
      )
    }
    for (const body of ["", "<html>Bad request</html>", "[]", "null", '{"error":"x"}']) {
      expect(Transfers.readCreated({ status: 400, body }, payment).type).toBe("unknown")
      expect(Transfers.readCreated({ status: 200, body }, payment).type).toBe("unknown")
      expect(Transfers.readCreated({ status: 302, body }, payment).type).toBe("unknown")
    }
  })

  it("leaves it open when the transfer is of another amount or currency than was asked", () => {
    expect(outcome(200, stripeTransfer({ amount: 12_344 }))).toMatchObject({
      type: "unknown",
      reason: "the transfer tr_1Heron is of 12344 EUR, not of 12345 EUR",
    })
    expect(outcome(200, stripeTransfer({ currency: "usd" })).type).toBe("unknown")
  })
})

describe("a transfer that is looked for by its key", () => {
  const found = (reply: { status: number; body: string }) => Transfers.readFound(reply, payment)

  it("is asked for by its group, which Stripe keeps for good", () => {
    const { method, path, body } = Transfers.find("a b&c/\ud800")
    expect([method, body]).toEqual(["GET", null])
    expect(path).toBe("/v1/transfers?limit=100&transfer_group=a%20b%26c%2F%EF%BF%BD")
  })

  it("is the one that carries the key, or clearly not there", () => {
    expect(found(list(stripeTransfer()))).toMatchObject({
      type: "confirmed",
      railReference: "tr_1Heron",
    })
    expect(found(list())).toBeNull()
  })

  it("is not believed to be absent when Stripe did not say so", () => {
    expect(found(answer(503, {}))?.type).toBe("unknown")
    expect(
      found(answer(404, { error: { type: "invalid_request_error", message: "?" } }))?.type,
    ).toBe("unknown")
    expect(found(answer(200, {}))?.type).toBe("unknown")
    expect(found(list(stripeTransfer({ transfer_group: "other" })))?.type).toBe("unknown")
    expect(found(answer(200, { data: [], has_more: true }))?.type).toBe("unknown")
  })

  it("is for a person when two transfers carry the key", () => {
    expect(found(list(stripeTransfer(), stripeTransfer({ id: "tr_2Heron" })))).toMatchObject({
      type: "unknown",
      reason: "2 transfers carry the key: tr_1Heron, tr_2Heron",
    })
  })

  it("has come back when all of it was reversed, and is for a person when some was", () => {
    const reversals = {
      data: [
        { id: "trr_1", object: "transfer_reversal", amount: 345, created: 1_767_300_000 },
        { id: "trr_2", object: "transfer_reversal", amount: 12_000, created: 1_767_400_000 },
      ],
    }
    const whole = stripeTransfer({ amount_reversed: 12_345, reversed: true, reversals })
    expect(found(list(whole))).toMatchObject({ type: "returned", at: 1_767_400_000 })
    expect(found(list(stripeTransfer({ amount_reversed: 345 })))).toMatchObject({
      type: "unknown",
      reason: "345 of 12345 EUR were reversed",
    })
  })
})

describe("taking a transfer back", () => {
  it("asks for all of it or for a part, under a key of its own", () => {
    const whole = Result.getOrThrow(Transfers.reverse("tr_1Heron", { key: "back-1" }))
    expect([whole.path, whole.body]).toEqual(["/v1/transfers/tr_1Heron/reversals", ""])
    expect(whole.headers["idempotency-key"]).toBe("back-1")
    const part = { amount: 5, currency: "ISK" }
    const some = Result.getOrThrow(Transfers.reverse("tr_1Heron", { key: "back-2", part }))
    expect(some.body).toBe("amount=500")
  })

  it("is refused for what is no transfer and no amount", () => {
    const made = Transfers.reverse("../payouts", { key: "", part: { amount: 0, currency: "EUR" } })
    expect(Result.isFailure(made) && made.failure.problems.map(({ path }) => path)).toEqual([
      "part.amount",
      "transferId",
      "key",
    ])
  })
})
