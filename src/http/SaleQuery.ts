/** The parameters of queries for sales. */
import * as Schema from "effect/Schema"
import type { SaleQuery } from "../service/Sales.js"
import { rangeOf, readRange } from "./Query.js"
import {
  anId,
  anOrder,
  orders,
  pageFields,
  parsed,
  queryOf,
  readPage,
  secondsOf,
} from "./QueryFields.js"

const optional = Schema.optional

/** The OpenAPI document's descriptions of them. */
export const parameterDocuments: Readonly<Record<string, object>> = {
  product: {
    schema: { type: "string", minLength: 1 },
    description: "Only sales of the product with this id or external_id",
  },
  "listSales collaborator": {
    schema: { type: "string", minLength: 1 },
    description: "Only sales in which the collaborator with this id has a share",
  },
  "recordedDate[start_date]": secondsOf("only sales recorded then or later"),
  "recordedDate[end_date]": secondsOf("only sales recorded then or before"),
  "listSales order": {
    schema: { type: "string", enum: orders, default: "asc" },
    description: "By the time of their recording: asc for the earliest first, desc for the latest",
  },
}

/** A filter of sales. */
export const Sales = queryOf(
  Schema.Struct({
    collaborator: optional(Schema.String),
    product: optional(Schema.String),
    "recordedDate[start_date]": optional(Schema.Int),
    "recordedDate[end_date]": optional(Schema.Int),
    order: optional(Schema.Literals(orders)),
    ...pageFields,
  }),
  (fields) => {
    const recorded = readRange(fields, "recordedDate")
    return {
      collaborator: parsed(fields, "collaborator", anId),
      product: parsed(fields, "product", anId),
      "recordedDate[start_date]": recorded.from,
      "recordedDate[end_date]": recorded.to,
      order: parsed(fields, "order", anOrder),
      ...readPage(fields),
    }
  },
)

/** The sales that a query selects, and their order. */
export const askedOf = (query: typeof Sales.Type): SaleQuery => ({
  collaboratorId: query.collaborator,
  productId: query.product,
  recorded: rangeOf(query["recordedDate[start_date]"], query["recordedDate[end_date]"]),
  order: query.order === "desc" ? "latest first" : "earliest first",
})
