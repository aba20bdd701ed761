/**
 * What can happen in an account, as data: each type of event with the fields that it has.
 *
 * @since 0.6.0
 */

/** What a field of an event's data can be. */
interface Kinds {
  /** The id of something that is stored. */
  readonly id: string
  /** At most {@link mostIds} of them. */
  readonly ids: ReadonlyArray<string>
  /** ISO 4217 code. */
  readonly currency: string
  /** In the lowest unit of the event's currency. */
  readonly cents: number
  /** For each of `payoutIds`, by how much its total has changed, in cents of that payout's currency. */
  readonly amounts: ReadonlyArray<number>
  readonly "cents or null": number | null
  readonly count: number
  /** Unix seconds. */
  readonly seconds: number
  readonly "seconds or null": number | null
  readonly text: string
  readonly "text or null": string | null
}

/**
 * The maximum number of ids in a list of an event: an event stays small, however much it reports.
 *
 * @since 0.6.0
 * @category constants
 */
export const mostIds = 100

interface TypeDefinition {
  /** The message in the log. */
  readonly message: string
  /** The fields that the log shows: no amounts, and nothing about people. */
  readonly logs: ReadonlyArray<string>
  readonly data: Readonly<Record<string, keyof Kinds>>
}

const payout = {
  payoutId: "id",
  collaboratorId: "id",
  currency: "currency",
  total: "cents",
} as const

const entry = {
  payoutId: "id",
  itemId: "id",
  collaboratorId: "id",
  currency: "currency",
  amount: "cents",
} as const

const payment = {
  paymentId: "id",
  payoutId: "id",
  collaboratorId: "id",
  currency: "currency",
  amount: "cents",
  rail: "text",
} as const

/** Only the host of its URL: the rest is often a secret, and every receiver of events reads this. */
const endpoint = { endpointId: "id", host: "text" } as const

/**
 * What a sale brought in, the sum of its shares, and what stays with the store; of a refund: what is taken back of
 * each, with the sign of the sale. In the lowest unit of the event's currency; `null`: too large to be exact.
 */
const totals = {
  distributable: "cents or null",
  sharesTotal: "cents or null",
  storeTotal: "cents or null",
} as const

/** A link with which a collaborator reads what they may see; never its token. */
const pass = { passId: "id", collaboratorId: "id" } as const

/** `kind`: `advance`, `reserve`, `guarantee` or `override`. */
const agreement = { kind: "text", agreementId: "id", collaboratorId: "id" } as const

const group = { groupId: "id", collaboratorId: "id" } as const

/**
 * Every type of event. Types are never renamed, and no field is ever removed: readers of events rely on them.
 *
 * @since 0.6.0
 * @category constants
 * @example
 * ```ts
 * import { EventType } from "apportion"
 *
 * EventType.types["payout.closed"].message // => "payout closed"
 * Object.keys(EventType.types["expense.added"].data)
 * // => ["payoutId", "itemId", "collaboratorId", "currency", "amount"]
 * ```
 */
export const types = {
  "sale.recorded": {
    message: "sale recorded",
    logs: ["orderId", "part", "items", "shares"],
    data: {
      ...{ orderId: "id", part: "count", currency: "currency", items: "count", shares: "count" },
      ...totals,
      payoutIds: "ids",
      payoutAmounts: "amounts",
    },
  },
  "refund.recorded": {
    message: "refund recorded",
    logs: ["refundId", "orderId", "itemId"],
    data: {
      ...{ refundId: "id", orderId: "id", itemId: "id", currency: "currency", shares: "count" },
      ...totals,
      payoutIds: "ids",
      payoutAmounts: "amounts",
    },
  },
  "sale.imported": {
    message: "sale of the past imported",
    logs: ["orderId", "part", "items", "shares"],
    data: {
      ...{ orderId: "id", part: "count", currency: "currency", items: "count", shares: "count" },
      ...totals,
      soldAt: "seconds",
      payoutIds: "ids",
      payoutAmounts: "amounts",
    },
  },
  "refund.imported": {
    message: "refund of the past imported",
    logs: ["refundId", "orderId", "itemId"],
    data: {
      ...{ refundId: "id", orderId: "id", itemId: "id", currency: "currency", shares: "count" },
      ...totals,
      refundedAt: "seconds",
      payoutIds: "ids",
      payoutAmounts: "amounts",
    },
  },
  "sale.adjusted": {
    message: "sale adjusted by a re-split",
    logs: ["orderId", "part", "runId", "shares"],
    data: {
      ...{ orderId: "id", part: "count", runId: "id", currency: "currency", shares: "count" },
      ...totals,
      payoutIds: "ids",
      payoutAmounts: "amounts",
    },
  },
  "resplit.proposed": {
    message: "re-split of past sales proposed",
    logs: ["runId", "sales", "changed"],
    data: { runId: "id", digest: "text", sales: "count", changed: "count" },
  },
  "resplit.approved": {
    message: "re-split of past sales approved",
    logs: ["runId"],
    data: { runId: "id", digest: "text", changed: "count" },
  },
  "resplit.booked": {
    message: "re-split of past sales booked",
    logs: ["runId", "adjusted", "leftOut"],
    data: { runId: "id", adjusted: "count", leftOut: "count" },
  },
  "payout.imported": {
    message: "payout of the past noted as paid",
    logs: ["payoutId", "collaboratorId"],
    data: { payoutId: "id", collaboratorId: "id", currency: "currency", paidAt: "seconds" },
  },
  "payout.opened": {
    message: "payout opened",
    logs: ["payoutId", "collaboratorId"],
    data: { payoutId: "id", collaboratorId: "id", currency: "currency", toBePaidAt: "seconds" },
  },
  "payout.closed": {
    message: "payout closed",
    logs: ["payoutId"],
    data: { ...payout, payableAt: "seconds or null" },
  },
  "payout.rolled": {
    message: "payout rolled to its next due date",
    logs: ["payoutId", "toBePaidAt"],
    data: { ...payout, toBePaidAt: "seconds" },
  },
  "payout.carried": {
    message: "what was not mature moved to the next payout",
    logs: ["payoutId", "toPayoutId", "items"],
    data: {
      ...{ payoutId: "id", collaboratorId: "id", currency: "currency", toPayoutId: "id" },
      ...{ amount: "cents", items: "count" },
    },
  },
  "payout.paid": { message: "payout paid", logs: ["payoutId"], data: payout },
  "payout.failed": {
    message: "payment of payout failed",
    logs: ["payoutId"],
    data: { ...payout, reason: "text or null" },
  },
  "payout.retried": {
    message: "payment of payout to be tried again",
    logs: ["payoutId"],
    data: payout,
  },
  "payout.returned": {
    message: "payment of payout came back",
    logs: ["payoutId"],
    data: { ...payout, reason: "text or null" },
  },
  "payout.set-paid": { message: "payout set as paid", logs: ["payoutId"], data: payout },
  "expense.added": { message: "expense added", logs: ["payoutId", "itemId"], data: entry },
  "income.added": { message: "income added", logs: ["payoutId", "itemId"], data: entry },
  "entry.removed": { message: "entry removed", logs: ["payoutId", "itemId"], data: entry },
  "balance.written-off": {
    message: "balance below zero written off",
    logs: ["payoutId", "itemId"],
    data: entry,
  },
  "balance.requested": {
    message: "balance below zero asked back",
    logs: ["payoutId", "itemId"],
    data: entry,
  },
  "balance.repaid": {
    message: "balance below zero repaid",
    logs: ["payoutId", "itemId"],
    data: entry,
  },
  "payment.claimed": { message: "payment claimed", logs: ["paymentId", "payoutId"], data: payment },
  "payment.sent": { message: "payment sent", logs: ["paymentId", "payoutId"], data: payment },
  "payment.accepted": {
    message: "payment accepted",
    logs: ["paymentId", "payoutId"],
    data: { ...payment, reference: "text or null" },
  },
  "payment.unknown": {
    message: "nobody knows whether a payment was made",
    logs: ["paymentId", "payoutId"],
    data: { ...payment, reason: "text or null" },
  },
  "payment.absent": {
    message: "payment not known to its rail",
    logs: ["paymentId", "payoutId"],
    data: payment,
  },
  "payment.confirmed": {
    message: "payment confirmed",
    logs: ["paymentId", "payoutId"],
    data: { ...payment, reference: "text or null", fee: "cents or null" },
  },
  "payment.rejected": {
    message: "payment rejected",
    logs: ["paymentId", "payoutId"],
    data: { ...payment, reason: "text or null" },
  },
  "payment.released": {
    message: "payment given up before it was sent",
    logs: ["paymentId", "payoutId"],
    data: payment,
  },
  "payment.returned": {
    message: "payment came back",
    logs: ["paymentId", "payoutId"],
    data: { ...payment, reason: "text or null" },
  },
  "payment.contradicted": {
    message: "payment contradicted",
    logs: ["paymentId", "payoutId"],
    data: { ...payment, reason: "text or null" },
  },
  "payment.settled": {
    message: "contradiction of payment settled",
    logs: ["paymentId", "payoutId"],
    data: payment,
  },
  "group.created": {
    message: "product group created",
    logs: ["collaboratorId", "groupId"],
    data: group,
  },
  "group.updated": {
    message: "product group updated",
    logs: ["collaboratorId", "groupId"],
    data: group,
  },
  "group.deleted": {
    message: "product group removed",
    logs: ["collaboratorId", "groupId"],
    data: group,
  },
  "group.linked": {
    message: "product group linked",
    logs: ["groupId", "scanned"],
    data: { ...group, scanned: "count" },
  },
  "product.put": {
    message: "products put",
    logs: ["count"],
    data: { count: "count", productIds: "ids" },
  },
  "product.removed": {
    message: "products removed",
    logs: ["count"],
    data: { count: "count", productKeys: "ids" },
  },
  "collaborator.created": {
    message: "collaborator created",
    logs: ["collaboratorId"],
    data: { collaboratorId: "id", currency: "currency" },
  },
  "collaborator.updated": {
    message: "collaborator updated",
    logs: ["collaboratorId"],
    data: { collaboratorId: "id", currency: "currency" },
  },
  "delivery.set-aside": {
    message: "delivery of a platform set aside",
    logs: ["key", "topic", "state"],
    data: { key: "id", platform: "text", topic: "text", state: "text", reason: "text" },
  },
  "delivery.dropped": {
    message: "delivery of a platform dropped",
    logs: ["key", "topic"],
    data: { key: "id", platform: "text", topic: "text", reason: "text" },
  },
  "app.uninstalled": {
    message: "app uninstalled from a platform",
    logs: ["platform"],
    data: { platform: "text" },
  },
  "privacy.requested": {
    message: "privacy request of a platform",
    logs: ["platform", "request", "orders"],
    data: { platform: "text", request: "text", requestId: "text or null", orders: "count" },
  },
  "settings.changed": {
    message: "settings changed",
    logs: ["version", "changed"],
    data: { version: "count", changed: "ids" },
  },
  "pass.created": {
    message: "pass of a collaborator created",
    logs: ["passId", "collaboratorId"],
    data: { ...pass, expiresAt: "seconds", language: "text" },
  },
  "pass.revoked": {
    message: "pass of a collaborator revoked",
    logs: ["passId", "collaboratorId"],
    data: pass,
  },
  "agreement.made": { message: "agreement made", logs: ["kind", "agreementId"], data: agreement },
  "agreement.changed": {
    message: "agreement changed before it was used",
    logs: ["kind", "agreementId"],
    data: agreement,
  },
  "agreement.ended": { message: "agreement ended", logs: ["kind", "agreementId"], data: agreement },
  "reserve.released": {
    message: "parts of reserves released",
    logs: ["parts"],
    data: { parts: "count", reserveIds: "ids", payoutIds: "ids", payoutAmounts: "amounts" },
  },
  "guarantee.closed": {
    message: "periods of guarantees closed",
    logs: ["guaranteeIds"],
    data: { guaranteeIds: "ids", payoutIds: "ids", payoutAmounts: "amounts" },
  },
  "endpoint.created": {
    message: "webhook endpoint created",
    logs: ["endpointId"],
    data: endpoint,
  },
  "endpoint.updated": {
    message: "webhook endpoint updated",
    logs: ["endpointId"],
    data: endpoint,
  },
  "endpoint.rotated": {
    message: "key of webhook endpoint replaced",
    logs: ["endpointId"],
    data: endpoint,
  },
  "endpoint.deleted": {
    message: "webhook endpoint removed",
    logs: ["endpointId"],
    data: endpoint,
  },
} as const satisfies Readonly<Record<string, TypeDefinition>>

/**
 * The name of a type of event: the thing that changed, and the change.
 *
 * @since 0.6.0
 * @category models
 */
export type EventType = keyof typeof types

/**
 * The data of a type of event: ids, amounts in cents, counts and Unix seconds; never a secret.
 *
 * @since 0.6.0
 * @category models
 */
export type EventData<Type extends EventType> = {
  readonly [Name in keyof (typeof types)[Type]["data"]]: (typeof types)[Type]["data"][Name] extends keyof Kinds
    ? Kinds[(typeof types)[Type]["data"][Name]]
    : never
}

/**
 * Whether a text is a type of event.
 *
 * @since 0.6.0
 * @category guards
 * @example
 * ```ts
 * import { EventType } from "apportion"
 *
 * EventType.isEventType("sale.recorded") // => true
 * EventType.isEventType("sale.made") // => false
 * ```
 */
export const isEventType = (value: unknown): value is EventType =>
  typeof value === "string" && Object.hasOwn(types, value)
