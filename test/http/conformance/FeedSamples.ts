/** Of the endpoints of events, webhooks, entries, balances and statements. */
import { Storage } from "apportion/ports"
import { Effect } from "effect"
import { start } from "../Shop.js"
import { type Ids, idsOf, type Sample, type Samples, type Stocked } from "./Sample.js"

const entry = { amount: 5, name: "Frames" }
const full = { id: "e 1", amount: 7, name: " é ", currency: "EUR", note: "of no meaning here" }
const unsaid = { id: null, currency: null, amount: 9, name: "Frames" }

let debts = 0

/** Ada owes so much that each of the requests can be about it. */
const owing = async (shop: Stocked): Promise<Ids> => {
  const body = { id: `debt ${++debts}`, amount: 90_000_000, name: "Samples" }
  await shop.ask("POST", "/v1/collaborators/ada/expense", { body })
  return idsOf(shop)
}

/** Sam has two payouts, whose sum is beyond what is exact in cents. */
const beyond = async (shop: Stocked): Promise<Ids> => {
  await shop.run(
    Effect.flatMap(Storage, (storage) =>
      storage.transaction("store", ({ payouts }) =>
        Effect.forEach(["one", "two"], (id) =>
          payouts.insert({
            payout: {
              ...{ id, collaboratorId: "sam", currency: "EUR", status: "pending", openedAt: start },
              ...{ toBePaidAt: start, closedAt: start, payableAt: start, paidAt: null },
              ...{ failureReason: null, itemsCount: 1, paymentId: null },
              total: Number.MAX_SAFE_INTEGER,
            },
            put: [
              {
                ...{ id: "e1", kind: "income", name: "Bonus", createdAt: start },
                ...{ amount: Number.MAX_SAFE_INTEGER, originalAmount: Number.MAX_SAFE_INTEGER },
                ...{ originalCurrency: "EUR", currencyExchangeRate: null },
              },
            ],
          }),
        ),
      ),
    ),
  )
  return { ...idsOf(shop), collaborator_id: "sam" }
}

const url = "https://example.com/hooks"

/** An endpoint with a dead letter. */
const withEndpoint = async (shop: Stocked): Promise<Ids> => {
  const { json } = await shop.ask("POST", "/v1/webhooks", { body: { url, after: 0 } })
  const endpointId = String(json.data.id)
  await shop.run(
    Effect.flatMap(Storage, (storage) =>
      storage.transaction("store", ({ endpoints, events }) =>
        Effect.gen(function* () {
          const found = yield* events.after({ after: 0, limit: 1 })
          const letters = found.map((event) => ({
            ...{ endpointId, event, failure: "status 500", setAsideAt: start, isReplayed: false },
          }))
          yield* endpoints.putDeadLetters(letters)
        }),
      ),
    ),
  )
  return { ...idsOf(shop), endpoint_id: endpointId }
}

const ofEndpoint = (body: object, ...bodies: ReadonlyArray<object>): Sample => ({
  ready: withEndpoint,
  body,
  bodies: [body, ...bodies],
})

const key = `whsec_${"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`

export const feedSamples: Samples = {
  bookExpense: { body: entry, bodies: [entry, full, unsaid] },
  bookIncome: { body: entry, bodies: [entry, { ...full, id: "e 2" }, unsaid] },
  bookRepayment: { body: entry, bodies: [entry, { ...full, id: "e 3" }, unsaid] },
  writeOffBalance: {
    ready: owing,
    body: { name: "Closed her shop" },
    bodies: [{ ...full, id: "e 4" }, unsaid, { name: "All", amount: null }],
  },
  requestBalance: {
    ready: owing,
    body: { name: "Closed her shop" },
    bodies: [{ ...full, id: "e 5" }, unsaid, { name: "All", amount: null }],
  },
  listBalances: { unusable: beyond },
  explainSale: { ready: async (shop) => ({ ...idsOf(shop), order_id: "o1" }) },
  createWebhook: {
    body: { url },
    bodies: [
      { url },
      { url, types: ["payout.paid", "sale.recorded"], key, after: 0 },
      { url, types: null, key: null, after: null },
    ],
  },
  viewWebhook: { ready: withEndpoint },
  updateWebhook: ofEndpoint(
    { is_active: false },
    {},
    { url, types: null },
    { types: ["payout.paid"] },
  ),
  deleteWebhook: { ready: withEndpoint },
  rotateWebhookKey: ofEndpoint(
    {},
    { key, overlap_seconds: 0 },
    { key: null, overlap_seconds: null },
  ),
  replayWebhook: ofEndpoint({ after: 0 }),
  listDeadLetters: { ready: withEndpoint },
  replayDeadLetters: { ready: withEndpoint },
}
