/** What is done for requests about products. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Page from "../pagination/Page.js"
import { Products } from "../service/Products.js"
import { write as writePage } from "../wire/Page.js"
import * as Product from "../wire/Product.js"
import { Api } from "./Api.js"
import { respond } from "./Endpoint.js"
import { pageOf } from "./Query.js"

export const layer = HttpApiBuilder.group(
  Api,
  "products",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    return handlers.handle("list", (call) =>
      respond(
        call,
        Effect.fnUntraced(function* ({ accountId, url }) {
          const { search, collaborator, include_collaborators } = call.query
          const page = pageOf(call.query)
          const filter = {
            search,
            collaboratorId: collaborator,
            includeCollaborators: include_collaborators,
          }
          const { entries, total } = yield* products.list(accountId, filter, page)
          const meta = Page.meta(total, page, { path: url })
          return writePage({ data: entries, meta }, ({ product, collaborators }) =>
            include_collaborators === true
              ? Product.writeShared(product, collaborators)
              : Product.write(product),
          )
        }),
      ),
    )
  }),
)
