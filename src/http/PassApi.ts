/** The endpoints of passes, and of what is read with them, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as PayoutStatus from "../payouts/PayoutStatus.js"
import { ExplanationView, StatementView } from "../wire/LedgerSchemas.js"
import * as Passes from "../wire/PassSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations, PassAuthorization } from "./Caller.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import { aStatus, aWhole, bounded, pageFields, parsed, queryOf, readPage } from "./QueryFields.js"
import { always, Conflicting, Invalid, NotFound, ofBody, ofVisitors } from "./RefusalSchemas.js"
import { ExplanationQuery, LinesQuery, PeriodQuery } from "./StatementApi.js"

const collaborator = { collaborator_id: id("The collaborator's id") }
const pass = { ...collaborator, pass_id: id("The pass's id") }
const path = "/collaborators/:collaborator_id/passes" as const

export const listPasses = HttpApiEndpoint.get("list", path, {
  params: collaborator,
  success: Schema.Struct({ data: Schema.Array(Passes.PassView) }),
  error: [...always, NotFound],
}).annotateMerge(
  beside(
    "listPasses",
    "List the passes of a collaborator",
    "By id; of those that are over, the last 50",
  ),
)

export const createPass = HttpApiEndpoint.post("create", path, {
  params: collaborator,
  headers: IdempotencyKey,
  payload: Passes.PassRequest,
  success: created(One(Passes.PassWithToken)),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "createPass",
    "Create a pass for a collaborator",
    "Its token is shown in this answer and never again. Who has the token reads what the collaborator may see, until the pass expires or is revoked",
  ),
)

export const viewPass = HttpApiEndpoint.get("view", `${path}/:pass_id`, {
  params: pass,
  success: One(Passes.PassView),
  error: [...always, NotFound],
}).annotateMerge(beside("viewPass", "View a pass", "Without its token"))

export const revokePass = HttpApiEndpoint.delete("revoke", `${path}/:pass_id`, {
  params: pass,
  success: HttpApiSchema.NoContent,
  error: [...always, NotFound],
}).annotateMerge(
  beside(
    "revokePass",
    "Revoke a pass",
    "From then on its token opens nothing. It stays in the list, with who revoked it",
  ),
)

export class PassEndpoints extends HttpApiGroup.make("passes")
  .add(listPasses, createPass, viewPass, revokePass)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Passes",
      description: "Links with which collaborators read what they may see",
    }),
  ) {}

// What is read with the token of a pass.

const PayoutsQuery = queryOf(
  Schema.Struct({ ...pageFields, status: Schema.optional(Schema.Literals(PayoutStatus.statuses)) }),
  (fields) => ({ ...readPage(fields), status: parsed(fields, "status", aStatus) }),
)

const usualItems = 100
const mostItems = 1_000

const ItemsQuery = queryOf(
  Schema.Struct({
    items_page: Schema.optional(Schema.Int),
    items_per_page: Schema.optional(Schema.Int),
  }),
  (fields) => {
    const page = parsed(fields, "items_page", aWhole)
    const perPage = parsed(fields, "items_per_page", aWhole)
    return {
      items_page: page === undefined ? undefined : Math.max(1, page),
      items_per_page: perPage === undefined ? undefined : bounded(perPage, 1, mostItems),
    }
  },
)

/** The page of items that a query selects. */
export const itemsPageOf = (query: typeof ItemsQuery.Type) => ({
  page: query.items_page ?? 1,
  perPage: query.items_per_page ?? usualItems,
})

/** The OpenAPI document's descriptions of their parameters. */
export const passParameters: Readonly<Record<string, object>> = {
  "listSeenPayouts status": { schema: { type: "string", enum: PayoutStatus.statuses } },
  "listSeenLines after": {
    schema: { type: "string" },
    description: "The next of the answer before; without it the list begins with the first",
  },
  "viewSeenPayout items_page": {
    schema: { type: "integer", default: 1 },
    description: "The page of the items, counted from 1",
  },
  "viewSeenPayout items_per_page": {
    schema: { type: "integer", default: usualItems },
    description: `Items of a page, limited to 1 to ${mostItems}`,
  },
}

export const openedPass = HttpApiEndpoint.get("pass", "/seen", {
  success: One(Passes.OpenedPassView),
  error: ofVisitors,
}).annotateMerge(beside("viewOpenedPass", "View whose pass it is", "And until when it can be used"))

export const seenStatement = HttpApiEndpoint.get("statement", "/seen/statement", {
  query: PeriodQuery,
  success: One(StatementView),
  error: [...ofVisitors, Invalid],
}).annotateMerge(
  beside(
    "viewSeenStatement",
    "View one's own statements",
    "The figures of a period, by currency. What is noted counts when it was noted, so what they say of the past never changes",
  ),
)

export const seenLines = HttpApiEndpoint.get("lines", "/seen/statement/lines", {
  query: LinesQuery,
  success: Schema.Struct({
    data: Schema.Array(Passes.SeenLineView),
    meta: Schema.Struct({
      next: Schema.NullOr(Schema.String).annotate({
        description: "What after is for the lines that follow; null: there are no more",
      }),
    }),
  }),
  error: [...ofVisitors, Invalid],
}).annotateMerge(
  beside(
    "listSeenLines",
    "List the lines of one's own statements",
    "About a thousand at a time, without what may not be seen",
  ),
)

export const seenPayouts = HttpApiEndpoint.get("payouts", "/seen/payouts", {
  query: PayoutsQuery,
  success: PageOf(Passes.SeenPayoutEntry),
  error: [...ofVisitors, Invalid],
}).annotateMerge(beside("listSeenPayouts", "List one's own payouts", "The latest due first"))

export const seenPayout = HttpApiEndpoint.get("payout", "/seen/payouts/:payout_id", {
  params: { payout_id: id("The payout's id") },
  query: ItemsQuery,
  success: One(Passes.SeenPayoutView),
  error: [...ofVisitors, NotFound, Invalid],
}).annotateMerge(
  beside(
    "viewSeenPayout",
    "View one of one's own payouts",
    "With a page of its items, without what may not be seen",
  ),
)

export const seenExplanation = HttpApiEndpoint.get(
  "explanation",
  "/seen/sales/:order_id/explanation",
  {
    params: { order_id: id("The order's id") },
    query: ExplanationQuery,
    success: Schema.Struct({ data: Schema.Array(ExplanationView) }),
    error: [...ofVisitors, NotFound, Invalid],
  },
).annotateMerge(
  beside(
    "explainSeenSale",
    "Explain what one got of a sale",
    "Part by part; an order in which one has no share is not found",
  ),
)

export class SeenEndpoints extends HttpApiGroup.make("seen")
  .add(openedPass, seenStatement, seenLines, seenPayouts, seenPayout, seenExplanation)
  .middleware(Malformations)
  .middleware(PassAuthorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "What a collaborator sees",
      description: "Read with the token of a pass, and with no other token",
    }),
  ) {}
