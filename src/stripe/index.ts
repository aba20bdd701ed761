/**
 * Stripe's checkout sessions, invoices, refunds and products as the core reads them.
 *
 * @packageDocumentation
 */

export { NotASale, type Reason } from "../internal/sales.js"
export { Unreadable } from "../Unreadable.js"
export { recognise, type StripeObject } from "./Document.js"
export * as Order from "./Order.js"
export * as Refund from "./Refund.js"
export * as Webhook from "./Webhook.js"
