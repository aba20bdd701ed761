/** A statement as CSV or HTML, with its lines. */
import * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { csvForm } from "../documents/StatementCsv.js"
import { htmlForm } from "../documents/StatementHtml.js"
import type { Language } from "../languages/Language.js"
import type { Period } from "../payouts/Statement.js"
import type { LinePlace, StatementsService } from "../service/Statements.js"
import type { UnitOfWorkService } from "../service/UnitOfWork.js"
import { type Failure, InvalidRequest, ofDocument } from "./Answer.js"
import { longestAnswer } from "./Endpoint.js"

const formOf = { csv: csvForm, html: htmlForm }

/** The length is checked before the first part is sent. */
const tooLong = InvalidRequest.of([
  {
    path: "from",
    value: undefined,
    message: `must be later, or until earlier, for the answer would be longer than ${longestAnswer} characters`,
  },
])

/** The requested statement: its collaborator and its period. */
interface AskedStatement {
  readonly accountId: string
  readonly collaboratorId: string
  readonly period: Period
  readonly language: Language
}

/** Reads a statement with its lines. */
const read = Effect.fnUntraced(function* (
  statements: StatementsService,
  { accountId, collaboratorId, period, language }: AskedStatement,
  format: keyof typeof formOf,
): Effect.fn.Return<string, Failure> {
  const form = formOf[format]({ period, timeZone: "UTC", issuer: [], language })
  const statement = yield* statements.of(accountId, collaboratorId, period)
  let text = form.head + form.before(accountId, statement)
  for (let after: LinePlace | null | undefined; after !== null; ) {
    const page = yield* statements.lines(accountId, collaboratorId, { period, after })
    text += form.lines(accountId, statement, page.lines)
    if (text.length > longestAnswer) return yield* Effect.fail(tooLong)
    after = page.next
  }
  return text + form.after(statement) + form.tail()
})

/** Answers with a statement in this format, whose figures and lines are read at one moment. */
export const answer = (
  {
    statements,
    unit,
  }: { readonly statements: StatementsService; readonly unit: UnitOfWorkService },
  asked: AskedStatement,
  format: keyof typeof formOf,
): Effect.Effect<HttpServerResponse, Failure> =>
  Effect.map(unit.read(asked.accountId, read(statements, asked, format)), (text) =>
    ofDocument(format, text),
  )
