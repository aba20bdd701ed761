/** The endpoints that change the catalogue, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { KeyedProduct, mostProducts, NewProducts } from "../wire/AccountSchemas.js"
import { beside, id } from "./EndpointParts.js"
import { always, ofBody } from "./RefusalSchemas.js"

export const putProducts = HttpApiEndpoint.put("put", "/products", {
  payload: NewProducts,
  success: Schema.Struct({ data: Schema.Array(KeyedProduct) }),
  error: [...always, ...ofBody],
}).annotateMerge(
  beside(
    "putProducts",
    "Put products into the catalogue",
    `1 to ${mostProducts} of them: each is added, or replaces the one with its key. When one can't be used, none is stored. Recorded sales stay as they are`,
  ),
)

export const removeProduct = HttpApiEndpoint.delete("remove", "/products/:product_key", {
  params: {
    product_key: id("The product's key, escaped as any name in a path: p1/red as p1%2Fred"),
  },
  success: HttpApiSchema.NoContent,
  error: always,
}).annotateMerge(
  beside(
    "removeProduct",
    "Remove a product from the catalogue",
    "With its links to groups. One that is not there is no failure. Recorded sales stay as they are",
  ),
)
