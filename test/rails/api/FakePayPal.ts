import type { Asked, Reply } from "./FakeServer.js"

interface FakeBatch {
  readonly batchId: string
  readonly itemId: string
  readonly senderId: string
  readonly at: number
  readonly item: { readonly sender_item_id: string; readonly amount: object }
  status: string
}

const remembered = 30 * 86_400

const refuse = (status: number, name: string): Reply => ({
  status,
  body: { name, message: `${name}, says the fake`, debug_id: "1" },
})

const viewOf = ({ batchId, itemId, senderId, item, status, at }: FakeBatch) => ({
  payout_item_id: itemId,
  transaction_status: status,
  payout_item_fee: { currency: "EUR", value: "0.25" },
  payout_batch_id: batchId,
  sender_batch_id: senderId,
  payout_item: item,
  time_processed: new Date(at * 1000).toISOString(),
})

/** PayPal as its documentation has it: batches of one item, and ids of batches that it forgets after 30 days. */
export class FakePayPal {
  /** In Unix seconds; moved by the test. */
  now = 1_767_225_600
  /** Whether there is money on the account. */
  isFunded = true
  /** The token that is good; another one is refused. */
  token = "A21-1"
  /** Its own book: what it has really taken. */
  readonly batches: Array<FakeBatch> = []

  readonly carryOut = (asked: Asked): Reply => {
    if (asked.path === "/v1/oauth2/token") {
      return { status: 200, body: { access_token: this.token, expires_in: 32_400 } }
    }
    if (asked.headers.authorization !== `Bearer ${this.token}`) {
      return { status: 401, body: { name: "AUTHENTICATION_FAILURE", message: "token" } }
    }
    if (asked.method === "POST") return this.create(JSON.parse(asked.body))
    const id = asked.path.split("/").at(-1)
    if (asked.path.includes("payouts-item")) {
      const batch = this.batches.find(({ itemId }) => itemId === id)
      return batch === undefined
        ? refuse(404, "INVALID_RESOURCE_ID")
        : { status: 200, body: viewOf(batch) }
    }
    const batch = this.batches.find(({ batchId }) => batchId === id)
    if (batch === undefined) return refuse(404, "INVALID_RESOURCE_ID")
    const header = { payout_batch_id: batch.batchId, batch_status: "PROCESSING" }
    const items = batch.status === "" ? [] : [viewOf(batch)]
    return { status: 200, body: { batch_header: header, items } }
  }

  private create(body: {
    readonly sender_batch_header: { readonly sender_batch_id: string }
    readonly items: ReadonlyArray<FakeBatch["item"]>
  }): Reply {
    const senderId = body.sender_batch_header.sender_batch_id
    const known = this.batches.find(
      (batch) => batch.senderId === senderId && this.now - batch.at < remembered,
    )
    if (known !== undefined) {
      const href = `https://api.paypal.com/v1/payments/payouts/${known.batchId}`
      const issue = "Batch with given sender_batch_id already exists"
      const details = [{ field: "SENDER_BATCH_ID", location: "body", issue, link: [{ href }] }]
      return {
        status: 400,
        body: { name: "USER_BUSINESS_ERROR", message: "User business error.", details },
      }
    }
    if (!this.isFunded) return refuse(422, "INSUFFICIENT_FUNDS")
    const number = this.batches.length + 1
    const [item] = body.items
    if (item === undefined) return refuse(400, "VALIDATION_ERROR")
    const batch = {
      batchId: `BATCH${number}`,
      itemId: `ITEM${number}`,
      senderId,
      at: this.now,
      item,
      status: "",
    }
    this.batches.push(batch)
    const header = { payout_batch_id: batch.batchId, batch_status: "PENDING" }
    return { status: 201, body: { batch_header: header } }
  }
}
