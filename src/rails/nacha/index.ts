/**
 * Payments through the ACH network of the United States: credit files for a bank, and the files that it returns.
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
