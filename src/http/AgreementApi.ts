/** The endpoints of agreements, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { kinds } from "../agreements/Agreement.js"
import {
  AgreementBookingView,
  AgreementPreviewView,
  AgreementRequest,
  AgreementView,
} from "../wire/AgreementSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, IdempotencyKey, id, One } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { aFlag, anId, pageFields, parsed, queryOf, readPage } from "./QueryFields.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const aKind = {
  parse: (text: string) => kinds.find((kind) => kind === text),
  expected: `one of ${kinds.join(", ")}`,
}

const AgreementsQuery = queryOf(
  Schema.Struct({
    ...pageFields,
    collaborator: Schema.optional(Schema.String),
    kind: Schema.optional(Schema.Literals(kinds)),
    ended: Schema.optional(Schema.Boolean),
  }),
  (fields) => ({
    ...readPage(fields),
    collaborator: parsed(fields, "collaborator", anId),
    kind: parsed(fields, "kind", aKind),
    ended: parsed(fields, "ended", aFlag),
  }),
)

/** The OpenAPI document's descriptions of their parameters. */
export const agreementParameters: Readonly<Record<string, object>> = {
  "listAgreements collaborator": {
    schema: { type: "string", minLength: 1 },
    description: "Only agreements with the collaborator with this id",
  },
  "listAgreements kind": {
    schema: { type: "string", enum: kinds },
    description: "Only agreements of this kind",
  },
  "listAgreements ended": {
    schema: { type: "boolean", default: false },
    description: "Whether ended ones are listed too",
  },
  ...Object.fromEntries(
    ["viewAgreement", "listAgreementBookings", "endAgreement"].map((operation) => [
      `${operation} kind`,
      { schema: { type: "string", enum: kinds } },
    ]),
  ),
}

/** Ids are unique among the agreements of a kind. Of an unknown kind there is none, which is no mistake in form. */
const agreement = {
  kind: id("The agreement's kind"),
  agreement_id: id("The agreement's id"),
}

const path = "/agreements/:kind/:agreement_id" as const

export const listAgreements = HttpApiEndpoint.get("list", "/agreements", {
  query: AgreementsQuery,
  success: PageOf(AgreementView),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listAgreements",
    "List the agreements",
    "Advances, reserves, guarantees and overrides, in this order, then by id, each with its balance",
  ),
)

export const putAgreement = HttpApiEndpoint.put("put", "/agreements", {
  payload: AgreementRequest,
  success: One(AgreementView),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "putAgreement",
    "Make an agreement, or change it",
    "One of this kind with this id is replaced, unless something was booked for it or it is ended: then it is refused with 409. The same again changes nothing",
  ),
)

export const previewAgreement = HttpApiEndpoint.post("preview", "/agreements/preview", {
  payload: AgreementRequest,
  success: One(AgreementPreviewView),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "previewAgreement",
    "Preview an agreement",
    "What putting it would do, and what the linter says of the account with it, within some seconds. It is refused as putting it would be. Nothing is stored",
  ),
)

export const viewAgreement = HttpApiEndpoint.get("view", path, {
  params: agreement,
  success: One(AgreementView),
  error: [...always, NotFound],
}).annotateMerge(beside("viewAgreement", "View an agreement", "With its balance"))

export const listAgreementBookings = HttpApiEndpoint.get("bookings", `${path}/bookings`, {
  params: agreement,
  query: Query.Page,
  success: PageOf(AgreementBookingView),
  error: [...always, Invalid, NotFound],
}).annotateMerge(
  beside(
    "listAgreementBookings",
    "List what was booked for an agreement",
    "The latest first: each item of a sale, refund or release with its lines that are about the agreement, of which its balance is the sum. Of a guarantee, the shares that count for it and what was paid on top",
  ),
)

export const endAgreement = HttpApiEndpoint.post("end", `${path}/end`, {
  params: agreement,
  headers: IdempotencyKey,
  success: One(AgreementView),
  error: [...always, Invalid, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "endAgreement",
    "End an agreement",
    "From then on nothing more is booked for it, except that what a reserve holds is released as agreed and that refunds take back what was booked. One that is ended stays as it is",
  ),
)

export class AgreementEndpoints extends HttpApiGroup.make("agreements")
  .add(listAgreements, putAgreement, previewAgreement, viewAgreement)
  .add(listAgreementBookings, endAgreement)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Agreements",
      description:
        "What is agreed with collaborators beside their product groups: advances, reserves, guarantees and overrides",
    }),
  ) {}
