/** The endpoint of overviews of what was sold, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { OverviewView } from "../wire/OverviewSchemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, One } from "./EndpointParts.js"
import { aTime, aWhole, bounded, parsed, queryOf, secondsOf, single } from "./QueryFields.js"
import { always, Invalid } from "./RefusalSchemas.js"

const usualCollaborators = 100
const mostCollaborators = 1_000

const OverviewQuery = queryOf(
  Schema.Struct({
    from: Schema.optional(Schema.Int),
    until: Schema.optional(Schema.Int),
    time_zone: Schema.optional(Schema.String),
    collaborators: Schema.optional(Schema.Int),
  }),
  (fields) => {
    const collaborators = parsed(fields, "collaborators", aWhole)
    return {
      from: parsed(fields, "from", aTime),
      until: parsed(fields, "until", aTime),
      time_zone: single(fields, "time_zone"),
      collaborators:
        collaborators === undefined ? undefined : bounded(collaborators, 1, mostCollaborators),
    }
  },
)

/** The OpenAPI document's descriptions of its parameters. */
export const overviewParameters: Readonly<Record<string, object>> = {
  "viewOverview from": secondsOf(
    "the first second of the period; that of the month in which it ends when absent",
  ),
  "viewOverview until": secondsOf(
    "the first second past the period, which has at most 120 months; that after now when absent",
  ),
  "viewOverview time_zone": {
    schema: { type: "string" },
    description: "An IANA time zone, by which months go; the account's when absent",
  },
  "viewOverview collaborators": {
    schema: { type: "integer", default: usualCollaborators },
    description: `How many collaborators of each currency are listed, limited to 1 to ${mostCollaborators}`,
  },
}

export const viewOverview = HttpApiEndpoint.get("view", "/overview", {
  query: OverviewQuery,
  success: One(OverviewView),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "viewOverview",
    "View what was sold in a period",
    "By currency, month and collaborator: what is left of the sales that were recorded in it, without refunds and after re-splits",
  ),
)

export class OverviewEndpoints extends HttpApiGroup.make("overview")
  .add(viewOverview)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Overview",
      description: "What was sold, and who has what of it",
    }),
  ) {}
