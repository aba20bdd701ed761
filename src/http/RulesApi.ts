/** The endpoints of an account's rules as a whole, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  DraftBacktestRequest,
  DraftBacktestView,
  DraftPreviewView,
  DraftRequest,
  ListedOwnedGroup,
  OwnedGroupView,
} from "../wire/RulesSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, id, One } from "./EndpointParts.js"
import { anId, pageFields, parsed, queryOf, readPage, single } from "./QueryFields.js"
import { always, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const RulesQuery = queryOf(
  Schema.Struct({
    ...pageFields,
    collaborator: Schema.optional(Schema.String),
    search: Schema.optional(Schema.String),
  }),
  (fields) => ({
    ...readPage(fields),
    collaborator: parsed(fields, "collaborator", anId),
    search: single(fields, "search"),
  }),
)

/** The OpenAPI document's descriptions of their parameters. */
export const rulesParameters: Readonly<Record<string, object>> = {
  "listAllProductGroups collaborator": {
    schema: { type: "string", minLength: 1 },
    description: "Only groups of the collaborator with this id",
  },
  "listAllProductGroups search": {
    schema: { type: "string" },
    description: "Only groups with this text in their id, their collaborator's id or a value",
  },
}

export const listRules = HttpApiEndpoint.get("list", "/groups", {
  query: RulesQuery,
  success: PageOf(ListedOwnedGroup),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listAllProductGroups",
    "List the product groups of all collaborators",
    "The newest first, with all fields, named as in the request that makes a group",
  ),
)

export const viewRule = HttpApiEndpoint.get("view", "/groups/:group_id", {
  params: { group_id: id("The product group's id") },
  success: One(OwnedGroupView),
  error: [...always, NotFound],
}).annotateMerge(
  beside(
    "viewWholeProductGroup",
    "View a product group with all its fields",
    "Whoever it belongs to, with its fields named as in the request that makes it",
  ),
)

export const previewDraft = HttpApiEndpoint.post("preview", "/groups/preview", {
  payload: DraftRequest,
  success: One(DraftPreviewView),
  error: [...always, ...ofBody, NotFound],
}).annotateMerge(
  beside(
    "previewProductGroup",
    "Preview a product group",
    "How many products a draft of a group would take, and what the linter says of the rules with it, within some seconds. Nothing is stored",
  ),
)

export const backtestDraft = HttpApiEndpoint.post("backtest", "/groups/backtest/preview", {
  payload: DraftBacktestRequest,
  success: One(DraftBacktestView),
  error: [...always, ...ofBody, NotFound],
}).annotateMerge(
  beside(
    "backtestProductGroup",
    "Try a product group on past sales",
    "What sales of a period, the last month when nothing is said, would have come to with a draft of a group, compared with the rules as they are. Nothing is stored",
  ),
)

export class RulesEndpoints extends HttpApiGroup.make("rules")
  .add(listRules, viewRule, previewDraft, backtestDraft)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Rules",
      description: "All product groups of the account, and what a change of one would do",
    }),
  ) {}
