/** The endpoints that change the catalogue, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import {
  KeyedProduct,
  mostProducts,
  NewProduct,
  NewProducts,
  ProductLine,
} from "../wire/AccountSchemas.js"
import { beside, id, One } from "./EndpointParts.js"
import { always, atTheDoor, NotFound, ofBody } from "./RefusalSchemas.js"

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

export const putProductLines = HttpApiEndpoint.post("putMany", "/products/lines", {
  payload: HttpApiSchema.StreamNdjson({ schema: NewProduct }),
  success: HttpApiSchema.StreamNdjson({ schema: ProductLine }),
  error: atTheDoor,
}).annotateMerge(
  beside(
    "putProductLines",
    "Put products into the catalogue, one a line",
    "Each line is stored by itself, and has an answer of one line, in their order: one that is refused harms no other. The same lines again change nothing. After a line that is answered with 500 or 503 no more are read",
  ),
)

const product = {
  product_key: id("The product's key, escaped as any name in a path: p1/red as p1%2Fred"),
}

export const viewProduct = HttpApiEndpoint.get("view", "/products/:product_key", {
  params: product,
  success: One(KeyedProduct),
  error: [...always, NotFound],
}).annotateMerge(beside("viewProduct", "View a product", "As the catalogue has it now"))

export const removeProduct = HttpApiEndpoint.delete("remove", "/products/:product_key", {
  params: product,
  success: HttpApiSchema.NoContent,
  error: always,
}).annotateMerge(
  beside(
    "removeProduct",
    "Remove a product from the catalogue",
    "With its links to groups. One that is not there is no failure. Recorded sales stay as they are",
  ),
)
