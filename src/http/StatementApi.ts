/** The endpoints of statements, histories and explanations, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { all as languages } from "../languages/Language.js"
import type { LinePlace } from "../service/Statements.js"
import * as Ledger from "../wire/LedgerSchemas.js"
import { documentTypes } from "./Answer.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, id, One } from "./EndpointParts.js"
import {
  aTime,
  aWhole,
  bounded,
  note,
  parsed,
  type QueryFields,
  queryOf,
  secondsOf,
} from "./QueryFields.js"
import { always, Invalid, NotFound } from "./RefusalSchemas.js"

const optional = Schema.optional

const periodFields = { from: optional(Schema.Int), until: optional(Schema.Int) }

const readPeriod = (fields: QueryFields) => {
  const from = parsed(fields, "from", aTime)
  const until = parsed(fields, "until", aTime)
  if (from !== undefined && until !== undefined && from >= until) {
    note(fields, "from", from, `must be before until, which is ${until}, got ${from}`)
  }
  return { from, until }
}

/** A period. */
export const PeriodQuery = queryOf(Schema.Struct(periodFields), readPeriod)

/** The formats of a statement; the first is the default. */
const formats = ["json", "csv", "html"] as const

const aFormat = {
  parse: (text: string) => formats.find((format) => format === text),
  expected: "json, csv or html",
}

const aLanguage = {
  parse: (text: string) => languages.find((language) => language === text),
  expected: `one of ${languages.join(", ")}`,
}

const StatementQuery = queryOf(
  Schema.Struct({
    ...periodFields,
    format: optional(Schema.Literals(formats)),
    language: optional(Schema.Literals(languages)),
  }),
  (fields) => ({
    ...readPeriod(fields),
    format: parsed(fields, "format", aFormat),
    language: parsed(fields, "language", aLanguage),
  }),
)

/** A text with a type of its own, in place of JSON. */
const document = (contentType: string, description: string) =>
  Schema.String.annotate({ description }).pipe(HttpApiSchema.asText({ contentType }))

const readPlace = (text: string): LinePlace | undefined => {
  const [, version, payoutId] = /^(\d{1,15})\.(.+)$/s.exec(text) ?? []
  return payoutId === undefined ? undefined : { payoutId, version: Number(version) }
}

/** The place of a line, as a text that clients send back. */
export const writePlace = ({ payoutId, version }: LinePlace): string => `${version}.${payoutId}`

const aPlace = {
  parse: (text: string) => (readPlace(text) === undefined ? undefined : text),
  expected: "the next of an answer before",
}

/** A period, and the place from which its lines are listed. */
export const LinesQuery = queryOf(
  Schema.Struct({ ...periodFields, after: optional(Schema.String) }),
  (fields) => ({ ...readPeriod(fields), after: parsed(fields, "after", aPlace) }),
)

/** The lines that a query selects. */
export const linesOf = ({ from, until, after }: typeof LinesQuery.Type) => ({
  period: { from, until },
  after: after === undefined ? undefined : readPlace(after),
})

/** The language of the words of an explanation. */
export const ExplanationQuery = queryOf(
  Schema.Struct({ language: optional(Schema.Literals(languages)) }),
  (fields) => ({ language: parsed(fields, "language", aLanguage) }),
)

const mostEntries = 1_000

const HistoryQuery = queryOf(
  Schema.Struct({
    after: optional(Schema.Int),
    limit: optional(Schema.Int),
    last: optional(Schema.Int),
  }),
  (fields) => {
    const after = parsed(fields, "after", aWhole)
    const limit = parsed(fields, "limit", aWhole)
    const last = parsed(fields, "last", aWhole)
    return {
      after: after === undefined ? undefined : Math.max(0, after),
      limit: limit === undefined ? undefined : bounded(limit, 1, mostEntries),
      last: last === undefined ? undefined : bounded(last, 1, mostEntries),
    }
  },
)

const languageOf = (otherwise: string) => ({
  schema: { type: "string", enum: languages },
  description: `The language of the words; ${otherwise}`,
})

/** The OpenAPI document's descriptions of their parameters. */
export const statementParameters: Readonly<Record<string, object>> = {
  from: secondsOf("the first second of the period; from the beginning when absent"),
  until: secondsOf("the first second past the period; to the end when absent"),
  "viewStatement format": {
    schema: { type: "string", enum: formats, default: formats[0] },
    description:
      "The form of the answer: the figures as JSON, or the figures and lines as CSV or HTML",
  },
  "listStatementLines after": {
    schema: { type: "string" },
    description: "The next of the answer before; without it the list begins with the first",
  },
  "viewStatement language": languageOf("English when absent; JSON and CSV have none"),
  "explainSale language": languageOf("English when absent"),
  "explainSeenSale language": languageOf("that of the pass when absent"),
  "listPayoutHistory after": {
    schema: { type: "integer", default: 0 },
    description: "The version of the last entry that is known; 0: from the beginning",
  },
  "listPayoutHistory limit": {
    schema: { type: "integer" },
    description: `At most how many, limited to 1 to ${mostEntries}; last when absent, or 100`,
  },
  "listPayoutHistory last": {
    schema: { type: "integer" },
    description: `Only the last so many, limited to 1 to ${mostEntries}`,
  },
}

const collaborator = { collaborator_id: id("The collaborator's id") }
const path = "/collaborators/:collaborator_id" as const

export const statement = HttpApiEndpoint.get("statement", `${path}/statement`, {
  params: collaborator,
  query: StatementQuery,
  success: [
    One(Ledger.StatementView),
    document(
      documentTypes.csv,
      "A line for the opening balance and for each thing that was noted, with everything the store knows of it. Amounts in cents, times in Unix seconds",
    ),
    document(
      documentTypes.html,
      "A page that needs nothing else, with the figures and lines, without what the collaborator may not see. Days are in UTC",
    ),
  ],
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  beside(
    "viewStatement",
    "View the statements of a collaborator",
    "The figures of a period, by currency. What is noted counts when it was noted, so what they say of the past never changes",
  ),
)

export const lines = HttpApiEndpoint.get("lines", `${path}/statement/lines`, {
  params: collaborator,
  query: LinesQuery,
  success: Schema.Struct({
    data: Schema.Array(Ledger.StatementLine),
    meta: Schema.Struct({
      next: Schema.NullOr(Schema.String).annotate({
        description: "What after is for the lines that follow; null: there are no more",
      }),
    }),
  }),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  beside(
    "listStatementLines",
    "List the lines of the statements of a collaborator",
    "About a thousand at a time: by payout, the latest due first, and in each in the order in which things were noted",
  ),
)

export const history = HttpApiEndpoint.get("history", "/payouts/:payout_id/history", {
  params: { payout_id: id("The payout's id") },
  query: HistoryQuery,
  success: Schema.Struct({ data: Schema.Array(Ledger.HistoryEntryView) }),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  beside(
    "listPayoutHistory",
    "List the changes of a payout",
    "The earliest first, one for each version, with who made them",
  ),
)

export const explanation = HttpApiEndpoint.get(
  "explanation",
  `${path}/sales/:order_id/explanation`,
  {
    params: { ...collaborator, order_id: id("The order's id") },
    query: ExplanationQuery,
    success: Schema.Struct({ data: Schema.Array(Ledger.ExplanationView) }),
    error: [...always, NotFound, Invalid],
  },
).annotateMerge(
  beside(
    "explainSale",
    "Explain to a collaborator what they got of a sale",
    "Part by part; only their shares, and only what their permissions let them see. An order in which they have no share is not found",
  ),
)

export class StatementEndpoints extends HttpApiGroup.make("statements")
  .add(statement, lines, history, explanation)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Statements",
      description: "What collaborators earned and were paid, and why",
    }),
  ) {}
