import * as Result from "effect/Result"
import { firstSecond, lastSecond } from "../../internal/seconds.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import * as Collaborator from "../../payouts/Collaborator.js"
import * as Payment from "../../payouts/Payment.js"
import type { Entry, Sale } from "../../payouts/PayoutItem.js"
import * as PayoutStatus from "../../payouts/PayoutStatus.js"
import type { StoredCollaborator } from "../../ports/CollaboratorStore.js"
import type { StoredAnswer } from "../../ports/KeyStore.js"
import type { LinkJob } from "../../ports/LinkStore.js"
import type { StoredPayout } from "../../ports/PayoutStore.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { ResplitBatch, ResplitRun } from "../../ports/ResplitStore.js"
import type { RecordedAdjustment, RecordedRefund, RecordedSale } from "../../ports/SaleStore.js"
import type { SettingsChange } from "../../ports/SettingsStore.js"
import * as ProductGroup from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import * as Adjustment from "../../shares/Adjustment.js"
import * as Refund from "../../shares/Refund.js"
import * as Split from "../../shares/Split.js"
import * as SplitPolicy from "../../shares/SplitPolicy.js"

/** A row before a store has given it a version. */
export type New<Row> = Omit<Row, "version">

/** The largest possible amount. */
export const largest: number = Number.MAX_SAFE_INTEGER

/** The first and the last possible time. */
export const earliest: number = firstSecond
export const latest: number = lastSecond

/** Ids that a careless store confuses, mangles or fails on; in the order of lists. */
export const oddIds: ReadonlyArray<string> = [
  " a",
  "%",
  "%41",
  "' OR 1=1; --",
  "10",
  "9",
  "A",
  "Ab",
  "__proto__",
  "a",
  "a ",
  "a b",
  "a/b",
  "a\\b",
  "a_b",
  "aXb",
  "constructor",
  "e\u0301",
  "é",
  "ключ",
  "🎨",
  "ｚ",
].sort()

export const collaborator = (
  id: string,
  fields: Partial<Collaborator.CollaboratorInput> = {},
): New<StoredCollaborator> => ({
  collaborator: Collaborator.make({
    currency: "USD",
    payoutThreshold: 5_000,
    permissions: { seeProductPrice: true },
    account: { name: `Account of ${id}`, paypalEmail: null },
    ...fields,
    id,
  }),
  createdAt: 1_700_000_000,
  updatedAt: 1_700_000_100,
})

export const group = (
  id: string,
  fields: Partial<ProductGroup.GroupInput> = {},
): New<StoredGroup> => ({
  group: ProductGroup.make({
    collaboratorId: "ada",
    link: { type: "products.tag", values: ["art", "Café"] },
    condition: { type: "country.code", modifier: "NOT", values: ["DE", "FR"] },
    percent: "12.50",
    createdAt: 1_700_000_000,
    ...fields,
    id,
  }),
  updatedAt: 1_700_000_100,
})

export const product = (id: string, fields: Partial<Product> = {}): Product => ({
  externalId: `external-${id}`,
  name: `Product ${id}`,
  sku: null,
  vendor: "North",
  price: 2_500,
  cost: 900,
  tags: ["art", "blue"],
  inventoryQuantity: -3,
  ...fields,
  id,
})

/** What a payout has of its way, by how far it came. */
const wayTo = (status: PayoutStatus.PayoutStatus) => ({
  closedAt: status === "active" ? null : 1_702_000_000,
  payableAt: status === "active" ? null : 1_703_000_000,
  paidAt: PayoutStatus.isSettled(status) ? 1_703_500_000 : null,
  failureReason: status === "failed" ? "no such account" : null,
})

/** A payout that is pending, by default, with the times that belong to its status. */
export const payout = (id: string, fields: Partial<StoredPayout> = {}): New<StoredPayout> => ({
  collaboratorId: "ada",
  currency: "USD",
  status: "pending",
  openedAt: 1_700_000_000,
  toBePaidAt: 1_702_000_000,
  total: 0,
  itemsCount: 0,
  paymentId: null,
  ...wayTo(fields.status ?? "pending"),
  ...fields,
  id,
})

/** An active payout: it is not closed. */
export const active = (id: string, fields: Partial<StoredPayout> = {}): New<StoredPayout> =>
  payout(id, { status: "active", ...fields })

/** A payment that is claimed, by default, with the times that belong to its status. */
export const payment = (
  id: string,
  fields: Partial<Payment.Payment> & { readonly payoutId: string },
): Payment.Payment => {
  const { status = "claimed" } = fields
  return {
    ...Payment.claim({
      ...{ id, payoutId: fields.payoutId, collaboratorId: "ada", currency: "USD", amount: 5_000 },
      ...{ payoutVersion: 2, rail: "bank", at: 1_703_000_000 },
    }),
    sentAt: status === "claimed" || status === "released" ? null : 1_703_000_060,
    endedAt: Payment.isOpen(status) ? null : 1_703_000_120,
    returnedAt: status === "returned" ? 1_703_600_000 : null,
    ...fields,
  }
}

const money = (id: string, amount: number) => ({
  id,
  createdAt: 1_700_000_000,
  amount,
  originalAmount: amount,
  originalCurrency: "USD",
  currencyExchangeRate: null,
})

export const income = (id: string, amount = 100): Entry => ({
  ...money(id, amount),
  kind: "income",
  name: `Income ${id}`,
})

/** An item with every possible field. */
export const soldItem = (id: string): Sale => ({
  ...money(id, 1_250),
  kind: "sale",
  originalCurrency: "EUR",
  currencyExchangeRate: "1.0834",
  orderItem: {
    orderId: "1001",
    itemId: "1",
    groupId: "g1",
    amount: 10_000,
    discount: 500,
    quantity: 2,
    taxPercent: 19.5,
    taxName: "MwSt",
    taxTotal: null,
    grams: 0,
    product: {
      id: "p1",
      externalId: "",
      externalVariantId: "v/1",
      name: "Größe “M” 🎨",
      sku: null,
      vendor: "",
      price: 5_000,
      cost: 0,
      tags: ["art", ""],
      inventoryQuantity: -1,
    },
    externalId: "7001",
    splitAt: 1_700_000_000,
    refundedAt: null,
    details: { customerName: "Zoë", status: null },
  },
})

export const answer = (key: string, fields: Partial<StoredAnswer> = {}): StoredAnswer => ({
  fingerprint: "0f".repeat(32),
  answer: '{"status":201,"body":{"name":"Zoë 🎨"}}',
  createdAt: 1_700_000_000,
  ...fields,
  key,
})

export const job = (groupId: string, fields: Partial<LinkJob> = {}): LinkJob => ({
  groupVersion: 1,
  after: null,
  scanned: 0,
  status: "running",
  startedAt: 1_700_000_000,
  updatedAt: 1_700_000_000,
  ...fields,
  groupId,
})

const order = (id: string, itemIds: ReadonlyArray<string> = ["1", "2"]): Order => ({
  id,
  currency: "EUR",
  createdAt: 1_700_000_000,
  tags: ["gift"],
  billingCountry: null,
  items: itemIds.map((itemId) => ({
    id: itemId,
    product: product(`p${itemId}`),
    quantity: 4,
    amount: 10_000,
    discount: 400,
    taxTotal: null,
  })),
  details: { customerEmail: "zoë@example.com", billingAddress: null },
})

interface SalePart {
  readonly part?: number
  readonly recordedAt?: number
  readonly itemIds?: ReadonlyArray<string>
  /** Whose share it is; `ada` when absent. */
  readonly of?: string
  /** The only product of which there is a share; of all when absent. */
  readonly only?: string
}

/** A part of an order as it is recorded; a second part needs items of its own. */
export const sale = (orderId: string, options: SalePart = {}): New<RecordedSale> => {
  const { part = 1, recordedAt = 1_700_000_000, itemIds = ["1", "2"], of = "ada", only } = options
  const link: ProductGroup.GroupInput["link"] =
    only === undefined
      ? { type: "products.all" }
      : { type: "products", modifier: "WITH", values: [only] }
  const groups = [group("g1", { collaboratorId: of, link, condition: null }).group]
  const sold = order(orderId, itemIds)
  const split = Split.order(RuleSet.make(groups), sold)
  return {
    orderId,
    part,
    order: sold,
    groups,
    policy: SplitPolicy.defaults,
    split,
    postings: split.shares.map(({ itemId }) => ({
      itemId,
      groupId: "g1",
      collaboratorId: of,
      payoutId: "payout",
      payoutItemId: `${orderId}/${itemId}/g1`,
      currency: "USD",
      rate: "1.0834",
      reversed: 0,
      refunds: 0,
    })),
    refunds: [],
    recordedAt,
  }
}

/** A refund of a part of a sale's first item. */
export const refund = (id: string, of: New<RecordedSale>, amount = 100): RecordedRefund => {
  const itemId = of.order.items[0]?.id ?? ""
  const asked = { orderId: of.orderId, itemId, amount, refundedAt: 1_700_100_000 }
  const reversal = Result.getOrThrow(Refund.reverse(of.split, asked))
  return { id, refund: asked, reversal, recordedAt: 1_700_100_001 }
}

/** What a re-split with another percentage changed of a part of a sale. */
export const adjustment = (
  runId: string,
  of: New<RecordedSale>,
  percent = "20",
): RecordedAdjustment => {
  const groups = of.groups.map(({ id, collaboratorId, link }) =>
    ProductGroup.make({ id, collaboratorId, link, percent }),
  )
  const next = Split.order(RuleSet.make(groups), of.order)
  const recorded = {
    split: of.split,
    refunds: of.refunds.map((known) => known.refund),
    adjustments: (of.adjustments ?? []).map((known) => known.adjustment),
  }
  const adjusted = Result.getOrThrow(Adjustment.between(recorded, next))
  const { orderId, currency } = of.split
  const refunds = of.refunds.length
  const none = { orderId, currency, split: next, refunds, shares: [], items: [] }
  return { runId, adjustment: adjusted ?? none, order: of.order, groups, recordedAt: 1_700_200_000 }
}

/** A run of a re-split that was proposed, by default. */
export const resplitRun = (id: string, fields: Partial<ResplitRun> = {}): New<ResplitRun> => ({
  reason: "the “new” contract",
  status: "proposed",
  request: { sales: { collaboratorId: "ada", recorded: { from: 0 } }, completes: true },
  digest: "0f".repeat(32),
  ...{ sales: 3, changed: 2, batches: 2, bookedBatches: 0, adjusted: 0, leftOut: [] },
  totals: [
    {
      collaboratorId: null,
      currency: "EUR",
      month: "2023-11",
      before: 9,
      after: 7,
      difference: -2,
    },
  ],
  ...{ proposedAt: 1_700_000_000, proposedBy: "zoë", approvedAt: null, approvedBy: null },
  bookedAt: null,
  ...fields,
  id,
})

/** A batch of a run. */
export const resplitBatch = (number: number): ResplitBatch => ({
  number,
  sales: [{ orderId: `o${number}`, part: 1, fingerprint: "ab".repeat(32) }],
})

/** A change of an account's settings. */
export const settingsChange = (
  version: number,
  fields: Partial<SettingsChange> = {},
): SettingsChange => {
  const before = { policy: SplitPolicy.defaults, timeZone: "UTC", maturityDays: 0 }
  const chosen = {
    policy: { tax: "keep" },
    timeZone: "Europe/Berlin",
    maturityDays: version,
  } as const
  const policy = SplitPolicy.make(chosen.policy)
  return {
    ...{ version, since: 1_700_000_000 + version, actor: "zoë", chosen, before },
    ...{ after: { ...chosen, policy }, ...fields },
  }
}
