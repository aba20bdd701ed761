/**
 * The JSON of the service and of the command line: tolerant input, exact output.
 *
 * @packageDocumentation
 */

export { Unreadable } from "../Unreadable.js"
export * as Agreement from "./Agreement.js"
export * as Collaborator from "./Collaborator.js"
export * as Counters from "./Counters.js"
export * as Entry from "./Entry.js"
export * as Group from "./Group.js"
export * as Json from "./Json.js"
export * as Order from "./Order.js"
export * as Outcome from "./Outcome.js"
export * as Page from "./Page.js"
export * as Payment from "./Payment.js"
export * as Payout from "./Payout.js"
export * as Policy from "./Policy.js"
export * as Product from "./Product.js"
export * as Refund from "./Refund.js"
export * as Remainder from "./Remainder.js"
export * as Seen from "./Seen.js"
export * as Split from "./Split.js"
export * as Store from "./Store.js"
