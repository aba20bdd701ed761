/**
 * Payments to the connected accounts of a Stripe platform: requests to Stripe's API, its answers and its webhooks.
 *
 * @packageDocumentation
 */

export { Unreadable } from "../../Unreadable.js"
export type { ApiAnswer, ApiRequest } from "../Api.js"
export * as Fields from "../Fields.js"
export type { Instruction, Transfer } from "../Instruction.js"
export { InvalidSignature } from "../InvalidSignature.js"
export type { Outcome, OutcomeType } from "../Outcome.js"
export { Unwritable } from "../Unwritable.js"
export * as Signature from "./Signature.js"
export * as Transfers from "./Transfers.js"
export * as Webhook from "./Webhook.js"
