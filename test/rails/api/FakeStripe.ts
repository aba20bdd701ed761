import type { Asked, Reply } from "./FakeServer.js"

interface FakeTransfer {
  readonly id: string
  readonly object: "transfer"
  readonly amount: number
  amount_reversed: number
  reversed: boolean
  readonly created: number
  readonly currency: string
  readonly destination: string
  readonly metadata: Readonly<Record<string, string>>
  readonly transfer_group: string | null
}

interface Remembered {
  readonly at: number
  readonly body: string
  readonly reply: Reply
}

const day = 86_400

const refuse = (status: number, code: string, type = "invalid_request_error"): Reply => ({
  status,
  body: { error: { type, code, message: `${code}, says the fake` } },
})

/** Stripe as its documentation has it: transfers, a balance, and keys that it forgets after a day. */
export class FakeStripe {
  /** In Unix seconds; moved by the test. */
  now = 1_767_225_600
  /** In the smallest unit of every currency. */
  balance = 1_000_000_000
  /** Its own book: what has really moved. */
  readonly transfers: Array<FakeTransfer> = []
  private readonly keys = new Map<string, Remembered>()

  readonly carryOut = (asked: Asked): Reply => {
    if (asked.headers.authorization !== "Bearer sk_test_heron") {
      return { status: 401, body: { error: { type: "invalid_request_error", message: "key" } } }
    }
    if (asked.method === "GET") return this.list(asked.query)
    const key = String(asked.headers["idempotency-key"])
    const known = this.keys.get(key)
    if (known !== undefined && this.now - known.at < day) {
      return known.body === asked.body ? known.reply : refuse(400, "x", "idempotency_error")
    }
    const reply = this.transfer(new URLSearchParams(asked.body))
    this.keys.set(key, { at: this.now, body: asked.body, reply })
    return reply
  }

  private list(query: URLSearchParams): Reply {
    const group = query.get("transfer_group")
    const data = this.transfers.filter(({ transfer_group }) => transfer_group === group)
    return { status: 200, body: { object: "list", has_more: false, url: "/v1/transfers", data } }
  }

  private transfer(fields: URLSearchParams): Reply {
    const amount = Number(fields.get("amount"))
    const destination = fields.get("destination") ?? ""
    if (destination === "acct_Closed") return refuse(400, "account_invalid")
    if (amount > this.balance) return refuse(400, "balance_insufficient")
    this.balance -= amount
    const transfer: FakeTransfer = {
      id: `tr_${this.transfers.length + 1}`,
      object: "transfer",
      amount,
      amount_reversed: 0,
      reversed: false,
      created: this.now,
      currency: fields.get("currency") ?? "",
      destination,
      metadata: { apportion_key: fields.get("metadata[apportion_key]") ?? "" },
      transfer_group: fields.get("transfer_group"),
    }
    this.transfers.push(transfer)
    return { status: 200, body: { ...transfer } }
  }

  /** Takes a transfer back whole, as a platform can. */
  reverse(id: string): void {
    const transfer = this.transfers.find((one) => one.id === id)
    if (transfer === undefined) throw new RangeError(`no transfer ${id}`)
    transfer.amount_reversed = transfer.amount
    transfer.reversed = true
  }
}
