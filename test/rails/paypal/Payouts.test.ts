import { AccessToken, ItemStatus, Payouts } from "apportion/rails/paypal"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const transfer = {
  key: "0199a3c2-71aa-7c3e-8a50-1f9d6f0c2b11",
  amount: 987,
  currency: "USD",
  reference: "Royalties of May",
  collaboratorId: "ada",
  recipient: { email: "ada@example.com" },
}

const answer = (status: number, body: unknown) => ({ status, body: JSON.stringify(body) })

const itemOf = (status: string, changes: object = {}) => ({
  payout_item_id: "8AELMXH8UB2P8",
  transaction_id: "0C413693MN970190K",
  activity_id: "0E158638XS0329106",
  transaction_status: status,
  payout_item_fee: { currency: "USD", value: "0.35" },
  payout_batch_id: "Q8KVJG9TZTNN4",
  sender_batch_id: transfer.key,
  payout_item: {
    recipient_type: "EMAIL",
    amount: { value: "9.87", currency: "USD" },
    note: "Royalties of May",
    receiver: "ada@example.com",
    sender_item_id: transfer.key,
    recipient_wallet: "PAYPAL",
    purpose: "GOODS",
  },
  time_processed: "2026-01-27T10:17:41Z",
  links: [],
  ...changes,
})

/** What PayPal says when a batch was sent under an id before: with the original beside what is wrong. */
const duplicate = {
  name: "USER_BUSINESS_ERROR",
  message: "User business error.",
  debug_id: "f701090abdcb2",
  details: [
    {
      field: "SENDER_BATCH_ID",
      location: "body",
      issue: "Batch with given sender_batch_id already exists",
      link: [
        {
          href: "https://api.sandbox.paypal.com/v1/payments/payouts/Q6K2CE4GQ36MQ",
          rel: "self",
          method: "GET",
        },
      ],
    },
  ],
  links: [],
}

describe("a batch of PayPal's payouts", () => {
  const bodyOf = (batch: Payouts.PayoutBatch) =>
    JSON.parse(Result.getOrThrow(Payouts.create(batch)).body ?? "")
  const problemsOf = (batch: Payouts.PayoutBatch) => {
    const made = Payouts.create(batch)
    return Result.isFailure(made) ? made.failure.problems.map(({ path }) => path) : []
  }

  it("has each payment under its key, and an id that PayPal pays once", () => {
    const payer = { ...transfer, key: "at-2", recipient: { payerId: "G83JXTJ5EHCQ2" } }
    const phone = { ...transfer, key: "at-3", recipient: { phone: "91-734-234-1234" } }
    const batch = { id: "run-1", subject: "Your share", transfers: [transfer, payer, phone] }
    expect(bodyOf(batch)).toEqual({
      sender_batch_header: { sender_batch_id: "run-1", email_subject: "Your share" },
      items: [
        {
          recipient_type: "EMAIL",
          receiver: "ada@example.com",
          amount: { value: "9.87", currency: "USD" },
          note: "Royalties of May",
          sender_item_id: transfer.key,
        },
        expect.objectContaining({ recipient_type: "PAYPAL_ID", receiver: "G83JXTJ5EHCQ2" }),
        expect.objectContaining({ recipient_type: "PHONE", receiver: "91-734-234-1234" }),
      ],
    })
  })

  it("writes amounts with the decimals that PayPal takes, and none where it takes none", () => {
    const writtenValue = (amount: number, currency: string) => {
      const one = { ...transfer, amount, currency }
      const made = Payouts.create({ id: "run-1", transfers: [one] })
      return Result.isFailure(made)
        ? made.failure.problems[0]?.path
        : JSON.parse(made.success.body ?? "").items[0].amount.value
    }
    expect(writtenValue(1, "EUR")).toBe("0.01")
    expect(writtenValue(500, "JPY")).toBe("500")
    expect(writtenValue(150_000, "HUF")).toBe("1500")
    expect(writtenValue(150_050, "HUF")).toBe("transfers[0].amount")
    expect(writtenValue(100, "TWD")).toBe("1")
    expect(writtenValue(100, "ISK")).toBe("transfers[0].currency")
  })

  it("is refused with every field that PayPal would not take, at once", () => {
    const wrong = { ...transfer, key: "k".repeat(64), amount: -1, reference: "\u202egnp.exe" }
    const mail = { ...transfer, key: "at-2", recipient: { email: "ada" }, currency: "EUR" }
    const payer = { ...transfer, key: "at-2", recipient: { payerId: "short" } }
    expect(problemsOf({ id: "", transfers: [wrong, mail, payer] })).toEqual([
      "transfers[2].key",
      "transfers[1].currency",
      "id",
      "transfers[0].amount",
      "transfers[0].reference",
      "transfers[0].key",
      "transfers[1].recipient.email",
      "transfers[2].recipient.payerId",
    ])
    expect(problemsOf({ id: "run-1", transfers: [] })).toEqual(["transfers"])
    const many = Array.from({ length: 15_001 }, (_, index) => ({ ...transfer, key: `at-${index}` }))
    expect(problemsOf({ id: "run-1", transfers: many })).toEqual(["transfers"])
  })
})

describe("PayPal's answer to a batch", () => {
  const read = (status: number, body: unknown) => Payouts.readCreated(answer(status, body))

  it("says that it was taken", () => {
    const header = { payout_batch_id: "5UXD2E8A7EBQJ", batch_status: "PENDING" }
    expect(read(201, { batch_header: header })).toEqual({
      type: "created",
      batchId: "5UXD2E8A7EBQJ",
    })
  })

  it("names the batch that was sent before under the same id, and no place to ask for it", () => {
    expect(read(400, duplicate)).toEqual({ type: "duplicate", batchId: "Q6K2CE4GQ36MQ" })
    const elsewhere = JSON.stringify(duplicate).replace("/v1/payments/payouts/", "/v1/other/")
    expect(Payouts.readCreated({ status: 400, body: elsewhere }).type).toBe("unknown")
  })

  it("rejects it when the error is PayPal's and clear, with its name and words", () => {
    expect(read(422, { name: "INSUFFICIENT_FUNDS", message: "Add funds and retry." })).toEqual({
      type: "rejected",
      reason: "INSUFFICIENT_FUNDS: Add funds and retry.",
    })
    const details = [{ field: "items[0].receiver", issue: "Receiver is invalid" }]
    expect(read(400, { name: "VALIDATION_ERROR", message: "Invalid request", details })).toEqual({
      type: "rejected",
      reason: "VALIDATION_ERROR: Invalid request (items[0].receiver: Receiver is invalid)",
    })
    expect(read(403, { name: "AUTHORIZATION_ERROR", message: "?" }).type).toBe("rejected")
  })

  it("leaves it open when the request may have gone through", () => {
    const named = { name: "INTERNAL_ERROR", message: "?" }
    for (const status of [500, 502, 503, 401, 408, 409, 429, 302]) {
      expect(read(status, named).type, `${status}`).toBe("unknown")
    }
    for (const body of ["", "<html></html>", "[]", "{}"]) {
      expect(Payouts.readCreated({ status: 400, body }).type).toBe("unknown")
      expect(Payouts.readCreated({ status: 201, body }).type).toBe("unknown")
    }
    const other = { name: "USER_BUSINESS_ERROR", details: [{ issue: "DUPLICATE request id" }] }
    expect(read(400, other).type).toBe("unknown")
  })
})

describe("an item of a batch", () => {
  const read = (body: unknown) => Result.getOrThrow(Payouts.readItem(answer(200, body)))

  it("is confirmed by SUCCESS alone, with PayPal's time and fee", () => {
    expect(read(itemOf("SUCCESS"))).toEqual({
      key: transfer.key,
      railReference: "8AELMXH8UB2P8",
      type: "confirmed",
      at: Date.UTC(2026, 0, 27, 10, 17, 41) / 1000,
      amount: 987,
      currency: "USD",
      fee: 35,
      reason: null,
    })
  })

  it("has the meaning of its status, and a reason where there is one", () => {
    const types = (...statuses: ReadonlyArray<string>) =>
      statuses.map((one) => read(itemOf(one)).type)
    expect(types("PENDING", "ONHOLD", "UNCLAIMED")).toEqual(["accepted", "accepted", "accepted"])
    expect(types("FAILED", "DENIED", "RETURNED")).toEqual(["rejected", "rejected", "rejected"])
    expect(types("REFUNDED", "REVERSED")).toEqual(["returned", "returned"])
    expect(types("BLOCKED", "SOMETHING_NEW", "toString")).toEqual(["unknown", "unknown", "unknown"])
    expect(Object.keys(ItemStatus.meanings)).toHaveLength(11)
    const errors = { name: "RECEIVER_UNREGISTERED", message: "No account." }
    expect(read(itemOf("UNCLAIMED", { errors })).reason).toBe("RECEIVER_UNREGISTERED: No account.")
    expect(read(itemOf("RETURNED")).reason).toBe("RETURNED")
  })

  it("has no fee while that is an estimate, or of another currency", () => {
    expect(read(itemOf("PENDING")).fee).toBeNull()
    expect(read(itemOf("FAILED")).fee).toBeNull()
    const fee = { currency: "EUR", value: "0.35" }
    expect(read(itemOf("SUCCESS", { payout_item_fee: fee })).fee).toBeNull()
  })

  it("leaves out what is not there, and what is there but wrong", () => {
    const bare = { payout_item_id: "8AELMXH8UB2P8", transaction_status: "SUCCESS" }
    expect(read(bare)).toMatchObject({
      key: null,
      at: null,
      amount: null,
      currency: null,
      fee: null,
    })
    expect(read(itemOf("SUCCESS", { time_processed: "2014-46-14T06:46:23Z" })).at).toBeNull()
  })

  it("is not read from anything else", () => {
    for (const other of [
      answer(404, { name: "INVALID_RESOURCE_ID" }),
      answer(200, {}),
      answer(200, []),
    ]) {
      expect(Result.isFailure(Payouts.readItem(other))).toBe(true)
    }
    const refused = Payouts.readItem(answer(404, { name: "INVALID_RESOURCE_ID", message: "?" }))
    expect(Result.isFailure(refused) && refused.failure.message).toContain(
      "must be 200, got 404: INVALID_RESOURCE_ID",
    )
  })
})

describe("a batch that is asked for", () => {
  const header = {
    payout_batch_id: "Q8KVJG9TZTNN4",
    batch_status: "SUCCESS",
    sender_batch_header: { sender_batch_id: "run-1" },
  }

  it("says of each item what became of it, for the batch says nothing of them", () => {
    const items = [itemOf("SUCCESS"), itemOf("UNCLAIMED", { payout_item_id: "C9K5LFQ3E8P7W" })]
    const body = { total_items: 2, total_pages: 1, batch_header: header, items }
    const batch = Result.getOrThrow(Payouts.readBatch(answer(200, body)))
    expect(batch).toMatchObject({
      batchId: "Q8KVJG9TZTNN4",
      id: "run-1",
      status: "SUCCESS",
      pages: 1,
    })
    expect(batch.outcomes.map(({ type }) => type)).toEqual(["confirmed", "accepted"])
  })

  it("is not read in part", () => {
    const body = { batch_header: header, items: [itemOf("SUCCESS"), { payout_item_id: "x" }] }
    const refused = Payouts.readBatch(answer(200, body))
    expect(Result.isFailure(refused) && refused.failure.problems[0]?.path).toBe("items[1]")
    expect(Result.isFailure(Payouts.readBatch(answer(200, { items: [] })))).toBe(true)
  })

  it("is asked for by pages, under names that can't leave their place", () => {
    expect(Payouts.getBatch("../x", 2).path).toContain("/payouts/..%2Fx?page=2&")
    expect(Payouts.getItem("a/b").path).toBe("/v1/payments/payouts-item/a%2Fb")
    expect(Payouts.cancelItem("a").method).toBe("POST")
  })
})

describe("PayPal's access token", () => {
  it("is asked for with the id and the secret, whatever is in them", () => {
    const { headers, body } = AccessToken.request({ clientId: "shop", clientSecret: "schön" })
    const [, code = ""] = headers.authorization?.split(" ") ?? []
    expect(Buffer.from(code, "base64").toString("utf8")).toBe("shop:schön")
    expect(body).toBe("grant_type=client_credentials")
  })

  it("is not read from a refusal, and not repeated in an error", () => {
    const refused = AccessToken.read(answer(401, { access_token: "A21", error: "invalid_client" }))
    expect(Result.isFailure(refused) && refused.failure.message).not.toContain("A21")
  })
})
