/**
 * Handling requests with the token of a pass. All of them name the pass's account and collaborator themselves: no
 * parameter of a request says whose data is read. What of it may be seen is for the services and `Visibility` to say.
 */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Page from "../pagination/Page.js"
import type { Permissions } from "../payouts/Permissions.js"
import * as Visibility from "../payouts/Visibility.js"
import { AccountSettings } from "../service/AccountSettings.js"
import { Collaborators } from "../service/Collaborators.js"
import type { OpenedPass } from "../service/Passes.js"
import { ChosenItems, type ListedPayout, Payouts } from "../service/Payouts.js"
import { Sales } from "../service/Sales.js"
import { NotFound } from "../service/ServiceError.js"
import { type PayoutLine, Statements } from "../service/Statements.js"
import { UnitOfWork } from "../service/UnitOfWork.js"
import { write as writePage } from "../wire/Page.js"
import * as Seen from "../wire/Seen.js"
import type { Failure } from "./Answer.js"
import { Api } from "./Api.js"
import { type Caller, type CallerService, Visitor } from "./Caller.js"
import { type BodyOf, type Call, respond } from "./Endpoint.js"
import { itemsPageOf } from "./PassApi.js"
import { pageOf } from "./Query.js"
import { linesOf, writePlace } from "./StatementApi.js"
import { writeExplanation, writeSeenStatement } from "./StatementViews.js"

/** Answers a visitor. */
const answer = <C extends Call>(
  call: C,
  work: (visitor: OpenedPass, caller: CallerService) => Effect.Effect<BodyOf<C>, Failure>,
): Effect.Effect<Effect.Success<ReturnType<typeof respond>>, never, Caller | Visitor> =>
  Effect.flatMap(Visitor, (visitor) => respond(call, (caller) => work(visitor, caller)))

const seenLine =
  (permissions: Permissions) =>
  ({ item, ...line }: PayoutLine): Seen.SeenLineView =>
    Seen.writeLine({
      ...line,
      item: item === undefined ? undefined : Visibility.itemAsSeenBy(item, permissions),
    })

const listed = ({ payout }: ListedPayout): Seen.SeenPayoutEntry => Seen.writePayout(payout, payout)

/** Whose pass it is. */
const viewPass = Effect.fnUntraced(function* ({
  accountId,
  collaboratorId,
  language,
  expiresAt,
}: OpenedPass) {
  const stored = yield* (yield* Collaborators).get(accountId, collaboratorId)
  const { id, currency, account } = Visibility.collaboratorAsSeen(stored.collaborator)
  const { timeZone } = (yield* (yield* AccountSettings).get(accountId)).settings
  const collaborator = { id, name: account.name, currency }
  return { data: { collaborator, language, expires_at: expiresAt, time_zone: timeZone } }
})

/** Lines of the statements, and the permissions that they are seen with, of one moment. */
const listLines = Effect.fnUntraced(function* (
  { accountId, collaboratorId }: OpenedPass,
  asked: ReturnType<typeof linesOf>,
) {
  const { collaborator } = yield* (yield* Collaborators).get(accountId, collaboratorId)
  const found = yield* (yield* Statements).lines(accountId, collaboratorId, asked)
  return {
    data: found.lines.map(seenLine(collaborator.permissions)),
    meta: { next: found.next === null ? null : writePlace(found.next) },
  }
})

/** A payout with a page of its items; that of another collaborator is not found. */
const viewPayout = Effect.fnUntraced(function* (
  { accountId, collaboratorId }: OpenedPass,
  payoutId: string,
  { page, perPage }: ReturnType<typeof itemsPageOf>,
) {
  const slice = { offset: (page - 1) * perPage, limit: perPage }
  const payouts = yield* Payouts
  const seen = yield* Effect.provideService(
    payouts.getAsSeen(accountId, payoutId),
    ChosenItems,
    () => slice,
  )
  if (seen.payout.collaboratorId !== collaboratorId) return yield* NotFound.of("payout", payoutId)
  const items = seen.payout.items.map(Seen.writeItem)
  return {
    data: {
      ...Seen.writePayout(seen.payout, seen),
      items,
      items_page: page,
      items_per_page: perPage,
    },
  }
})

type SeenServices = Collaborators | AccountSettings | Payouts | Sales | Statements | UnitOfWork

export const layer = HttpApiBuilder.group(
  Api,
  "seen",
  Effect.fnUntraced(function* (handlers) {
    const context = yield* Effect.context<SeenServices>()
    const [payouts, sales] = [yield* Payouts, yield* Sales]
    const [statements, unit] = [yield* Statements, yield* UnitOfWork]
    return handlers
      .handle("pass", (call) =>
        answer(call, (visitor) => Effect.provideContext(viewPass(visitor), context)),
      )
      .handle("statement", (call) =>
        answer(call, ({ accountId, collaboratorId }) =>
          Effect.map(statements.of(accountId, collaboratorId, call.query), (statement) => ({
            data: writeSeenStatement(statement),
          })),
        ),
      )
      .handle("lines", (call) =>
        answer(call, (visitor) => {
          const listed = Effect.provideContext(listLines(visitor, linesOf(call.query)), context)
          return unit.read(visitor.accountId, listed)
        }),
      )
      .handle("payouts", (call) =>
        answer(call, ({ accountId, collaboratorId }, { url }) => {
          const page = pageOf(call.query)
          const filter = { collaboratorId, status: call.query.status }
          return Effect.map(payouts.list(accountId, filter, page), ({ entries, total }) => {
            const meta = Page.meta(total, page, { path: url })
            return writePage({ data: entries, meta }, listed)
          })
        }),
      )
      .handle("payout", (call) =>
        answer(call, (visitor) => {
          const page = itemsPageOf(call.query)
          const viewed = viewPayout(visitor, call.params.payout_id, page)
          return Effect.provideContext(viewed, context)
        }),
      )
      .handle("explanation", (call) =>
        answer(call, (visitor) => {
          const { language = visitor.language } = call.query
          const { accountId, collaboratorId } = visitor
          const explained = sales.explain(accountId, call.params.order_id, collaboratorId, {
            language,
          })
          return Effect.map(explained, (parts) => ({ data: parts.map(writeExplanation) }))
        }),
      )
  }),
)
