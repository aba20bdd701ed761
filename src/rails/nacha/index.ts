/**
 * Payments through the ACH network of the United States: files of credits for a bank, and what comes back.
 *
 * @packageDocumentation
 */

export { Unreadable } from "../../Unreadable.js"
export * as Fields from "../Fields.js"
export type { Instruction, Transfer } from "../Instruction.js"
export type { Outcome, OutcomeType } from "../Outcome.js"
export { Unwritable } from "../Unwritable.js"
export * as CreditFile from "./CreditFile.js"
export * as ReturnFile from "./ReturnFile.js"
export * as RoutingNumber from "./RoutingNumber.js"
