/** What is done for requests about products. */
import * as Effect from "effect/Effect"
import * as Page from "../pagination/Page.js"
import { Products, type ProductsService } from "../service/Products.js"
import { write as writePage } from "../wire/Page.js"
import * as Product from "../wire/Product.js"
import type { ProductEndpoints } from "./Api.js"
import type { HandlersOf } from "./Handler.js"
import * as Query from "./Query.js"

type Handlers = HandlersOf<typeof ProductEndpoints>

const list = (products: ProductsService): Handlers["list"] =>
  Effect.fnUntraced(function* (call) {
    const { filter, page } = yield* Effect.fromResult(Query.readProducts(call.query))
    const { entries, total } = yield* products.list(call.accountId, filter, page)
    const meta = Page.meta(total, page, { path: call.url })
    return writePage({ data: entries, meta }, ({ product, collaborators }) =>
      filter.includeCollaborators === true
        ? Product.writeShared(product, collaborators)
        : Product.write(product),
    )
  })

export const make: Effect.Effect<Handlers, never, Products> = Effect.map(Products, (products) => ({
  list: list(products),
}))
