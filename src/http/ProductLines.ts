/** Products that come one a line, of any number, with an answer of one line each. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import { keyOf } from "../orders/Product.js"
import type { ProductsService } from "../service/Products.js"
import type { ProductLine } from "../wire/AccountSchemas.js"
import * as Product from "../wire/Product.js"
import type { Failure } from "./Answer.js"
import type { CallerService } from "./Caller.js"
import { type LineWork, respondLines } from "./Lines.js"

type ProductLineAnswer = (typeof ProductLine)["Type"]

/** Puts the product of each line. */
const workOf =
  (products: ProductsService) =>
  ({ accountId }: CallerService): LineWork<ProductLineAnswer> => ({
    take: Effect.fnUntraced(function* ({
      number,
      content,
    }): Effect.fn.Return<ProductLineAnswer, Failure> {
      const product = yield* Effect.fromResult(
        Result.flatMap(content, (body) => Product.read(body)),
      )
      yield* products.put(accountId, [product])
      return { line: number, key: keyOf(product), refusal: null }
    }),
    refuse: ({ number }, refusal) => ({ line: number, key: null, refusal }),
  })

/** Answers line by line. */
export const respond = (request: HttpServerRequest.HttpServerRequest, products: ProductsService) =>
  respondLines(request, workOf(products))
