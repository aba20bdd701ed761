/**
 * Payments through Wise: the batch file that is uploaded, and the list of transactions that answers it.
 *
 * @packageDocumentation
 */

export { Unreadable } from "../../Unreadable.js"
export * as Fields from "../Fields.js"
export type { Instruction, Transfer } from "../Instruction.js"
export type { Outcome, OutcomeType } from "../Outcome.js"
export { Unwritable } from "../Unwritable.js"
export * as BatchFile from "./BatchFile.js"
export * as TransactionHistory from "./TransactionHistory.js"
