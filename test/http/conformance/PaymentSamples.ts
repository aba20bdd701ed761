/** Of the endpoints of payments, and of payouts that are paid outside. */
import { bringTo, putPayout, type State } from "../Payable.js"
import { start } from "../Shop.js"
import { type Ids, idsOf, type Sample, type Samples, type Stocked } from "./Sample.js"

const outcomes = (["accepted", "confirmed", "rejected", "returned", "unknown"] as const).map(
  (type) => ({
    ...{ type, key: "none", rail_reference: "T-1", at: start, amount: 5_000, currency: "EUR" },
    ...{ fee: 5, reason: "in its own words" },
  }),
)

let made = 0

const ofPayout =
  (status: "pending" | "failed") =>
  async (shop: Stocked): Promise<Ids> => ({
    ...idsOf(shop),
    payout_id: await putPayout(shop, `made ${++made}`, { status }),
  })

/** A payment that is so far. */
const ofPayment =
  (state: State) =>
  async (shop: Stocked): Promise<Ids> => {
    const ids = await ofPayout("pending")(shop)
    return { ...ids, payment_id: await bringTo(shop, String(ids.payout_id), state) }
  }

const saying = (
  ready: NonNullable<Sample["ready"]>,
  body: object,
  ...bodies: ReadonlyArray<object>
): Sample => ({ ready, body, bodies: [body, ...bodies] })

const pending = ofPayout("pending")

export const paymentSamples: Samples = {
  claimPayout: saying(pending, { rail: "bank" }, { rail: "bank", note: "of no meaning here" }),
  payPayout: saying(
    pending,
    { total: 5_000 },
    { total: 5_000, reference: " T-1 ", fee: 0 },
    { total: 5_000, fee: null },
  ),
  failPayout: saying(pending, { reason: "timeout" }),
  retryPayout: { ready: ofPayout("failed") },
  viewPayment: { ready: ofPayment("claimed") },
  sendPayment: { ready: ofPayment("claimed") },
  notePaymentSent: saying(ofPayment("claimed"), {}, { reference: null }, { reference: "F-1" }),
  resolvePayment: { ready: ofPayment("sent") },
  settlePayment: { ready: ofPayment("unknown") },
  confirmPayment: saying(
    ofPayment("sent"),
    {},
    { at: start, reference: "T-1", fee: 5, amount: 5_000 },
    { at: "2024-03-01T12:00:00Z", reference: null, fee: null, amount: null },
  ),
  rejectPayment: saying(ofPayment("sent"), { reason: "no account" }, { reason: " no account " }),
  returnPayment: saying(ofPayment("confirmed"), { reason: "account closed" }),
  releasePayment: saying(ofPayment("claimed"), {}, { reason: null }, { reason: "not today" }),
  answerPayments: {
    body: { outcomes: [{ key: "none", type: "accepted" }] },
    bodies: [
      { outcomes },
      { outcomes: [{ type: "unknown", at: null, note: "of no meaning here" }] },
    ],
  },
}
