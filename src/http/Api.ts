/**
 * The definition of the API, from which its routes, its OpenAPI document and its client are made.
 *
 * @since 0.2.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as endpoints from "./Endpoints.js"
import { Authorization } from "./ErrorSchemas.js"
import { completeDocument } from "./OpenApiDetails.js"

export class ProductGroupEndpoints extends HttpApiGroup.make("productGroups")
  .add(
    endpoints.listGroups,
    endpoints.createGroup,
    endpoints.updateGroup,
    endpoints.viewGroup,
    endpoints.removeGroup,
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Product groups",
      description: "What links a collaborator to products, and says what they are paid",
    }),
  ) {}

export class PayoutEndpoints extends HttpApiGroup.make("payouts")
  .add(
    endpoints.listPayouts,
    endpoints.viewPayout,
    endpoints.addExpense,
    endpoints.addIncome,
    endpoints.setPaid,
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Payouts",
      description: "What collaborators are owed or were paid",
    }),
  ) {}

export class ProductEndpoints extends HttpApiGroup.make("products")
  .add(endpoints.listProducts)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Products", description: "The catalogue of the account" }),
  ) {}

/**
 * Every endpoint with what it takes and answers. Paths have no prefix here: both `/api/v1` and `/v1`
 * serve all of them.
 *
 * @since 0.2.0
 * @category definition
 * @example
 * ```ts
 * import { Api } from "apportion/http"
 *
 * Object.keys(Api.groups) // => ["productGroups", "payouts", "products"]
 * ```
 */
export class Api extends HttpApi.make("apportion")
  .add(ProductGroupEndpoints, PayoutEndpoints, ProductEndpoints)
  .annotateMerge(
    OpenApi.annotations({
      title: "Apportion",
      version: "1",
      description:
        "Product groups link collaborators to products; payouts say what collaborators are owed.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      servers: [{ url: "/api/v1" }, { url: "/v1" }],
      transform: completeDocument,
    }),
  ) {}
