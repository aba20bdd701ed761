/** The forms of a statement of what is stored, which are written piece by piece. */
import type { CollaboratorStatement, PayoutLine } from "../service/Statements.js"

/** Which time a statement is of, in which zone its days are, and the lines that say who makes it out. */
export interface StatementFrame {
  readonly period: CollaboratorStatement["period"]
  readonly timeZone: string
  readonly issuer: ReadonlyArray<string>
}

/** Texts of a statement, in the order in which they are asked for. */
export interface StatementForm {
  readonly head: string
  readonly before: (accountId: string, statement: CollaboratorStatement) => string
  /** Whether it has the lines; else they are not looked up. */
  readonly hasLines: boolean
  readonly lines: (
    accountId: string,
    statement: CollaboratorStatement,
    lines: ReadonlyArray<PayoutLine>,
  ) => string
  readonly after: (statement: CollaboratorStatement) => string
  readonly tail: () => string
}

/** The figures of a statement, in the order of its sum. */
export const figures = [
  ...(["opening", "sales", "adjustments", "refunds", "expenses", "incomes"] as const),
  ...(["removed", "paid", "closing"] as const),
]
