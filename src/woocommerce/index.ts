/**
 * WooCommerce's orders and refunds as the core reads them.
 *
 * @packageDocumentation
 */

export type { LeftOut } from "../LeftOut.js"
export { NotASale, type Reason } from "../NotASale.js"
export { Unreadable } from "../Unreadable.js"
export { type Kind, recognise } from "./Document.js"
export * as Order from "./Order.js"
export * as Refund from "./Refund.js"
export * as Sale from "./Sale.js"
