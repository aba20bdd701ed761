/** Handling requests about statements, histories and explanations. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Payouts } from "../service/Payouts.js"
import { Sales } from "../service/Sales.js"
import { Statements } from "../service/Statements.js"
import { UnitOfWork } from "../service/UnitOfWork.js"
import { ofJson } from "./Answer.js"
import { Api } from "./Api.js"
import { respond, respondWith } from "./Endpoint.js"
import * as StatementApi from "./StatementApi.js"
import * as StatementDocument from "./StatementDocument.js"
import { writeEntry, writeExplanation, writeLine, writeStatement } from "./StatementViews.js"

export const layer = HttpApiBuilder.group(
  Api,
  "statements",
  Effect.fnUntraced(function* (handlers) {
    const statements = yield* Statements
    const unit = yield* UnitOfWork
    const payouts = yield* Payouts
    const sales = yield* Sales
    return handlers
      .handle("statement", ({ params: { collaborator_id: collaboratorId }, query }) =>
        respondWith(({ accountId }) => {
          const { format = "json", from, until, language = "en" } = query
          const asked = { accountId, collaboratorId, period: { from, until }, language }
          return format === "json"
            ? Effect.map(statements.of(accountId, collaboratorId, asked.period), (statement) =>
                ofJson(200, { data: writeStatement(statement) }),
              )
            : StatementDocument.answer({ statements, unit }, asked, format)
        }),
      )
      .handle("lines", (call) =>
        respond(call, ({ accountId }) => {
          const asked = StatementApi.linesOf(call.query)
          const found = statements.lines(accountId, call.params.collaborator_id, asked)
          return Effect.map(found, ({ lines, next }) => ({
            data: lines.map(writeLine),
            meta: { next: next === null ? null : StatementApi.writePlace(next) },
          }))
        }),
      )
      .handle("history", (call) =>
        respond(call, ({ accountId }) => {
          const found = payouts.history(accountId, call.params.payout_id, call.query)
          return Effect.map(found, (entries) => ({ data: entries.map(writeEntry) }))
        }),
      )
      .handle("explanation", (call) =>
        respond(call, ({ accountId }) => {
          const { order_id, collaborator_id } = call.params
          return Effect.map(
            sales.explain(accountId, order_id, collaborator_id, call.query),
            (parts) => ({
              data: parts.map(writeExplanation),
            }),
          )
        }),
      )
  }),
)
