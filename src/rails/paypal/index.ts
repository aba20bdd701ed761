/**
 * Payments through PayPal: the file to upload, requests to the Payouts API, answers and webhooks.
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
export * as AccessToken from "./AccessToken.js"
export * as ActivityReport from "./ActivityReport.js"
export * as CustomerId from "./CustomerId.js"
export * as ItemStatus from "./ItemStatus.js"
export * as MassPayment from "./MassPayment.js"
export * as Payouts from "./Payouts.js"
export * as Signature from "./Signature.js"
export * as Webhook from "./Webhook.js"
