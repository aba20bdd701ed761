/** Of the endpoints of agreements. */
import { type Ids, idsOf, type Samples, type Stocked } from "./Sample.js"

const ofAda = { collaborator_id: "ada", groups: null }

const advance = { id: "a1", ...ofAda, currency: "EUR", amount: 500, granted_at: 1_600_000_000 }

const steps = [
  { days: 30, percent: "50" },
  { days: 60, percent: 50 },
]

const reserve = { id: 7, ...ofAda, percent: "20.5", schedule: steps }

const period = { from: "2026-01-01T00:00:00Z", until: 1_800_000_000 }

const guarantee = { id: "m1", ...ofAda, currency: "USD", amount: 900, ...period }

const override = { id: "o1", collaborator_id: "sam", percent: 15 }

/** With each documented field and value. */
const bodies = [
  { kind: "advance", agreement: advance },
  { kind: "advance", agreement: { ...advance, purpose: "advance", percent: 50 } },
  {
    kind: "advance",
    agreement: { ...advance, purpose: "expense", also_from: ["sam", 7], groups: ["g1"] },
  },
  { kind: "reserve", agreement: reserve },
  { kind: "guarantee", agreement: guarantee },
  { kind: "override", agreement: { ...override, of: "share", from: "ada", paid_by: "share" } },
  { kind: "override", agreement: { ...override, of: "sale", from: null, paid_by: "store" } },
]

const usual = { kind: "advance", agreement: advance }

/** The account has the advance, and the collaborators whom agreements name. */
const withAdvance = async (shop: Stocked): Promise<Ids> => {
  await shop.ask("POST", "/v1/collaborators", { body: { id: 7, currency: "EUR" } })
  await shop.ask("PUT", "/v1/agreements", { body: usual })
  return { ...idsOf(shop), kind: "advance", agreement_id: "a1" }
}

/** Something was booked for the advance, so that it can't be put otherwise. */
const withUsed = async (shop: Stocked): Promise<void> => {
  const smaller = { kind: "advance", agreement: { ...advance, amount: 400 } }
  await shop.ask("PUT", "/v1/agreements", { body: smaller })
  const items = [{ id: "i1", amount: 9_000, product: { id: "p1", tags: ["art"] } }]
  await shop.ask("POST", "/v1/sales", { body: { id: "used", currency: "USD", items } })
}

const unknown = { ...usual, agreement: { ...advance, id: "new", collaborator_id: "nobody" } }

const refusals = { 404: { body: JSON.stringify(unknown) } }

/** Of an unknown kind there is no agreement, without asking the storage. */
const known = { ids: { kind: "advance", agreement_id: "none" } }

const ofStorage = { 500: known, 503: known }

export const agreementSamples: Samples = {
  putAgreement: { body: usual, bodies, ready: withAdvance, contradict: withUsed, refusals },
  previewAgreement: { body: usual, bodies, ready: withAdvance, contradict: withUsed, refusals },
  viewAgreement: { ready: withAdvance, refusals: ofStorage },
  listAgreementBookings: { ready: withAdvance, refusals: ofStorage },
  endAgreement: { ready: withAdvance, refusals: ofStorage },
}
