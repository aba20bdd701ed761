/** The endpoint of counters, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CounterView } from "../wire/CounterSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { always, Invalid } from "./RefusalSchemas.js"

export const listCounters = HttpApiEndpoint.get("list", "/counters", {
  query: Query.Page,
  success: PageOf(CounterView),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listCounters",
    "List the counters",
    "By key: how far the terms of product groups have counted, and what rounding carries from sale to sale",
  ),
)

export class CounterEndpoints extends HttpApiGroup.make("counters")
  .add(listCounters)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Counters",
      description: "What terms of product groups have counted",
    }),
  ) {}
