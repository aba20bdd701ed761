/**
 * Shopify's orders, refunds and products as the core reads them.
 *
 * @packageDocumentation
 */

export { Unreadable } from "../Unreadable.js"
export { type Kind, recognise } from "./Document.js"
export * as Order from "./Order.js"
export * as Products from "./Products.js"
export * as Refund from "./Refund.js"
