/** Handling requests about statements, histories and explanations. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { PayoutItem } from "../payouts/PayoutItem.js"
import type { SeenShare } from "../payouts/SeenExplanation.js"
import type { PayoutHistoryEntry } from "../ports/PayoutStore.js"
import { Payouts } from "../service/Payouts.js"
import { Sales, type SeenPart } from "../service/Sales.js"
import { type CollaboratorStatement, type PayoutLine, Statements } from "../service/Statements.js"
import { UnitOfWork } from "../service/UnitOfWork.js"
import type * as Ledger from "../wire/LedgerSchemas.js"
import { ofJson } from "./Answer.js"
import { Api } from "./Api.js"
import { respond, respondWith } from "./Endpoint.js"
import * as StatementApi from "./StatementApi.js"
import * as StatementDocument from "./StatementDocument.js"

type StatementView = (typeof Ledger.StatementView)["Type"]
type LineView = (typeof StatementApi.lines)["~Success"]["Type"]["data"][number]
type EntryView = (typeof StatementApi.history)["~Success"]["Type"]["data"][number]
type ExplanationView = (typeof StatementApi.explanation)["~Success"]["Type"]["data"][number]

const writeStatement = ({
  collaborator,
  period,
  statements,
}: CollaboratorStatement): StatementView => ({
  collaborator: { id: collaborator.id, name: collaborator.account.name },
  from: period.from ?? null,
  until: period.until ?? null,
  statements,
})

const writeItem = (item: PayoutItem): LineView["item"] => {
  if (!("orderItem" in item)) {
    const { id, name } = item
    const noSale = { order_id: null, order_item_id: null, group_id: null, quantity: null }
    return { id, name, ...noSale, adjustment: null }
  }
  const { orderId, itemId, groupId, quantity, product } = item.orderItem
  const sold = { order_id: orderId, order_item_id: itemId, group_id: groupId }
  const { id, adjustment } = { adjustment: undefined, ...item }
  const change = adjustment && {
    run_id: adjustment.runId,
    ...{ before: adjustment.before, after: adjustment.after },
  }
  return { id, name: product.name, ...sold, quantity, adjustment: change ?? null }
}

const writeLine = ({ payoutId, currency, at, kind, amount, item }: PayoutLine): LineView => ({
  payout_id: payoutId,
  ...{ currency, at, kind, amount },
  item: item === undefined ? null : writeItem(item),
})

const writeEntry = (entry: PayoutHistoryEntry): EntryView => ({
  version: entry.version,
  at: entry.at,
  actor: entry.actor,
  status: entry.after.status,
  total: entry.after.total,
  before: entry.before?.total ?? null,
  items_count: entry.after.itemsCount,
  put: entry.put.map(({ id, kind, amount }) => ({ id, kind, amount })),
  removed: entry.removed,
  hash: entry.hash,
})

const writeShare = ({ groupId, amount, percent, steps, base }: SeenShare) => ({
  group_id: groupId,
  ...{ amount, percent, steps },
  base: base ?? null,
})

const writeExplanation = ({ explanation, text }: SeenPart): ExplanationView => ({
  order_id: explanation.orderId,
  currency: explanation.currency,
  flat_scope: explanation.policy.flatScope,
  shipping: explanation.policy.shipping,
  items: explanation.items.map(({ itemId, quantity, shares, outranked }) => ({
    item_id: itemId,
    quantity: quantity ?? null,
    shares: shares.map(writeShare),
    outranked: outranked.map((one) => ({
      ...{ group_id: one.groupId, by_group_id: one.byGroupId },
    })),
  })),
  text,
})

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
          const { format = "json", from, until } = query
          const asked = { accountId, collaboratorId, period: { from, until } }
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
          const part = StatementApi.partOf(call.query)
          const found = payouts.history(accountId, call.params.payout_id, part)
          return Effect.map(found, (entries) => ({ data: entries.map(writeEntry) }))
        }),
      )
      .handle("explanation", (call) =>
        respond(call, ({ accountId }) => {
          const { order_id, collaborator_id } = call.params
          return Effect.map(sales.explain(accountId, order_id, collaborator_id), (parts) => ({
            data: parts.map(writeExplanation),
          }))
        }),
      )
  }),
)
