/**
 * The endpoint of sales of the past, which were paid before they are imported, and which the original API does not
 * have.
 */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { NewPastEntry, PastLine } from "../wire/SaleSchemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside } from "./EndpointParts.js"
import { aTime, note, parsed, queryOf } from "./QueryFields.js"
import { atTheDoor, Invalid } from "./RefusalSchemas.js"

const PaidQuery = queryOf(Schema.Struct({ paid_until: Schema.Int }), (fields) => {
  const until = parsed(fields, "paid_until", aTime)
  if (fields.given.paid_until === undefined) note(fields, "paid_until", undefined, "is required")
  return { paid_until: until ?? 0 }
})

/** The OpenAPI document's description of its parameter. */
export const pastParameters: Readonly<Record<string, object>> = {
  paid_until: {
    schema: { type: "integer" },
    required: true,
    description:
      "Unix seconds, in the past: what was sold or refunded before then was paid. What is later is recorded as usual",
  },
}

export const importPast = HttpApiEndpoint.post("importMany", "/sales/past/lines", {
  query: PaidQuery,
  payload: HttpApiSchema.StreamNdjson({ schema: NewPastEntry }),
  success: HttpApiSchema.StreamNdjson({ schema: PastLine }),
  error: [...atTheDoor, Invalid],
}).annotateMerge(
  beside(
    "importPastSales",
    "Import sales and refunds of the past, one a line",
    "What lies before paid_until counts for statements and refunds, and nobody is paid for it again. Each line is imported by itself, and has an answer of one line, in their order: one that is refused harms no other. What is here already stays as it is, so that a request that was cut off is sent again as it was. After a line that is answered with 500 or 503 no more are read",
  ),
)

export class PastSaleEndpoints extends HttpApiGroup.make("pastSales")
  .add(importPast)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Sales of the past",
      description: "What was sold and paid before it is told",
    }),
  ) {}
