/**
 * Payments through SEPA: files of credit transfers for a bank, and its answers.
 *
 * @packageDocumentation
 */

export { Unreadable } from "../../Unreadable.js"
export * as Fields from "../Fields.js"
export type { Instruction, Transfer } from "../Instruction.js"
export type { Outcome, OutcomeType } from "../Outcome.js"
export { Unwritable } from "../Unwritable.js"
export * as AccountStatement from "./AccountStatement.js"
export * as CreditTransfers from "./CreditTransfers.js"
export * as EndToEndId from "./EndToEndId.js"
export * as Iban from "./Iban.js"
export type { Party, PostalAddress } from "./Party.js"
export * as StatusReport from "./StatusReport.js"
