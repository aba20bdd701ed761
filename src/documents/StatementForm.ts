/** The formats of a stored statement, which are written piece by piece. */
import type { Language } from "../languages/Language.js"
import type { CollaboratorStatement, PayoutLine } from "../service/Statements.js"

/** The period of a statement, the time zone of its days, the lines that name its issuer, and the language of its words. */
export interface StatementFrame {
  readonly period: CollaboratorStatement["period"]
  readonly timeZone: string
  readonly issuer: ReadonlyArray<string>
  /** Of pages; figures for programs are in none. */
  readonly language: Language
}

/** The texts of a statement, in the order in which they are written. */
export interface StatementForm {
  readonly head: string
  readonly before: (accountId: string, statement: CollaboratorStatement) => string
  /** Whether it has the lines; otherwise they are not looked up. */
  readonly hasLines: boolean
  readonly lines: (
    accountId: string,
    statement: CollaboratorStatement,
    lines: ReadonlyArray<PayoutLine>,
  ) => string
  readonly after: (statement: CollaboratorStatement) => string
  readonly tail: () => string
}

/** The figures of a statement, in the order in which it adds them up. */
export const figures = [
  ...(["opening", "sales", "adjustments", "refunds", "expenses", "incomes"] as const),
  ...(["removed", "paid", "closing"] as const),
]
