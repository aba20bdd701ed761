/**
 * Shopify's orders, refunds and products as the core reads them.
 *
 * @packageDocumentation
 */

export type { LeftOut } from "../internal/sales.js"
export { NotASale, type Reason } from "../internal/sales.js"
export { Unreadable } from "../Unreadable.js"
export * as BulkExport from "./BulkExport.js"
export { type Kind, recognise } from "./Document.js"
export * as Order from "./Order.js"
export * as Products from "./Products.js"
export * as Refund from "./Refund.js"
export * as Sale from "./Sale.js"
export * as Webhook from "./Webhook.js"
