/** Handling requests about products. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import * as reader from "../internal/reader.js"
import { type Product as CoreProduct, keyOf } from "../orders/Product.js"
import * as Page from "../pagination/Page.js"
import { Products, type ProductsService } from "../service/Products.js"
import type { Unreadable } from "../Unreadable.js"
import { mostProducts } from "../wire/AccountSchemas.js"
import { write as writePage } from "../wire/Page.js"
import * as Product from "../wire/Product.js"
import { Api } from "./Api.js"
import type { CallerService } from "./Caller.js"
import { respond } from "./Endpoint.js"
import * as ProductLines from "./ProductLines.js"
import { pageOf } from "./Query.js"

const count = `a list of 1 to ${mostProducts} products`

const readProduct = (node: reader.Node): CoreProduct | undefined => {
  const read = Product.read(node.fields)
  if (Result.isSuccess(read)) return read.success
  const within = (path: string) => (path === "" ? node.path : `${node.path}.${path}`)
  node.problems.push(...read.failure.problems.map((each) => ({ ...each, path: within(each.path) })))
  return undefined
}

const readProducts = (body: unknown): Result.Result<ReadonlyArray<CoreProduct>, Unreadable> =>
  reader.read(body, {
    what: "list of products",
    known: ["products"],
    read: (node) => {
      const nodes = reader.neededChildren(node, "products")
      const given = node.fields.products
      if (Array.isArray(given) && (given.length === 0 || given.length > mostProducts)) {
        reader.note(node, "products", `must be ${count}, got ${given.length}`)
        return []
      }
      return nodes.flatMap((each) => readProduct(each) ?? [])
    },
  })

/** Products by their keys: of two with one key, the later one counts. */
const put = (products: ProductsService) =>
  Effect.fnUntraced(function* ({ accountId, body }: CallerService) {
    const given = yield* Effect.fromResult(readProducts(body))
    yield* products.put(accountId, given)
    const kept = new Map(given.map((product) => [keyOf(product), product]))
    return { data: Array.from(kept, ([key, product]) => ({ key, ...Product.writeWhole(product) })) }
  })

export const layer = HttpApiBuilder.group(
  Api,
  "products",
  Effect.fnUntraced(function* (handlers) {
    const products = yield* Products
    return handlers
      .handleRaw("put", (call) => respond(call, put(products)))
      .handleRaw("putMany", (call) => ProductLines.respond(call.request, products))
      .handle("view", (call) =>
        respond(call, ({ accountId }) => {
          const key = call.params.product_key
          return Effect.map(products.get(accountId, key), (product) => ({
            data: { key, ...Product.writeWhole(product) },
          }))
        }),
      )
      .handle("remove", (call) =>
        respond(call, ({ accountId }) => products.remove(accountId, [call.params.product_key])),
      )
      .handle("list", (call) =>
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
