/**
 * The definition of the API, from which its routes, its OpenAPI document and its client are made.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { show } from "../internal/problems.js"
import type { IdempotencyService } from "../service/Idempotency.js"
import * as Schemas from "../wire/Schemas.js"
import { PageOf } from "../wire/Schemas.js"
import type { Failure } from "./Answer.js"
import { completeDocument } from "./OpenApiDetails.js"
import * as Query from "./Query.js"

// The bodies of refused requests. They carry a message and, for 422, what is wrong by field; the tag by
// which a client tells them apart stands for the status and is not sent.

const Message = Schema.Struct({ message: Schema.String }).annotate({
  identifier: "ErrorBody",
  description: "Why a request was refused",
})

const refusal = <const Tag extends string>(tag: Tag, status: number, description: string) =>
  Message.pipe(
    Schema.decodeTo(
      Schema.TaggedStruct(tag, { message: Schema.String }),
      SchemaTransformation.transform({
        decode: ({ message }) => ({ _tag: tag, message }),
        encode: ({ message }) => ({ message }),
      }),
    ),
  ).annotate({ httpApiStatus: status, description })

const Malformed = refusal("Malformed", 400, "The body is no JSON")
const Unauthorized = refusal("Unauthorized", 401, "The access token is missing or unknown")
const NotFound = refusal("NotFound", 404, "The account has no such thing")
const Conflicting = refusal(
  "Conflicting",
  409,
  "It can't be done any more, or the idempotency key was used for something else",
)
const TooLarge = refusal("TooLarge", 413, "The body is too large")
const TooMany = refusal(
  "TooMany",
  429,
  "Too many requests in a minute, or as many idempotency keys as are kept",
)
const InternalError = refusal("InternalError", 500, "An error of the service")
const Unavailable = refusal("Unavailable", 503, "Temporarily unavailable; try again")

const Errors = Schema.Record(Schema.String, Schema.Array(Schema.String))

const InvalidBody = Schema.Struct({ message: Schema.String, errors: Errors }).annotate({
  identifier: "ValidationErrorBody",
  description: "What is wrong, by field",
})

const Invalid = InvalidBody.pipe(
  Schema.decodeTo(
    Schema.TaggedStruct("Invalid", { message: Schema.String, errors: Errors }),
    SchemaTransformation.transform({
      decode: ({ message, errors }) => ({ _tag: "Invalid" as const, message, errors }),
      encode: ({ message, errors }) => ({ message, errors }),
    }),
  ),
).annotate({ httpApiStatus: 422, description: "What was sent can't be used" })

/** What any request can meet. */
const always = [Unauthorized, TooMany, InternalError, Unavailable] as const

/** What a request with a body can meet too. */
const ofBody = [Malformed, TooLarge, Invalid] as const

// How requests say who they are, and what is known of them then.

/** What is known of a request that was let in. */
export interface CallerService {
  readonly accountId: string
  /** The URL that was asked, without its query. */
  readonly url: string
  /** The body as JSON; `undefined` for endpoints that take none. */
  readonly body: unknown
  readonly query: Query.Given
  readonly keys: IdempotencyService
  /** The answer of work, or the one to its failure. */
  readonly settle: <R>(
    work: Effect.Effect<HttpServerResponse, Failure, R>,
  ) => Effect.Effect<HttpServerResponse, never, R>
}

export class Caller extends Context.Service<Caller, CallerService>()("apportion/http/Caller") {}

/** How it is answered what the definition finds wrong with a request. */
export class Malformations extends HttpApiMiddleware.Service<Malformations>()(
  "apportion/http/Malformations",
) {}

/** An access token as `Authorization: Bearer …`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "apportion/http/Authorization",
  {
    error: Unauthorized,
    security: {
      accessToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "An access token, which belongs to one account",
        ),
      ),
    },
  },
) {}

// What requests say and answers show, where HTTP adds to the formats.

/** The envelope of a single thing. */
const One = <S extends Schema.Top>(thing: S) => Schema.Struct({ data: thing })

const counted = (what: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).annotate({
    description: `How many ${what} there are; only when max_values is given. Not in the original API`,
  })

const ListedGroup = Schema.Struct({
  ...Schemas.ListedGroup.fields,
  type_values_count: counted("type_values"),
  condition_values_count: counted("condition_values"),
}).annotate({ identifier: "ListedProductGroup", description: "A product group in a list" })

const ViewedPayout = Schema.Struct({
  ...Schemas.WholePayout.fields,
  items_meta: Schema.optionalKey(Schemas.MetaView).annotate({
    description:
      "Where the items stand among all of them; only when items_page or items_per_page is given, and in the answer to a POST when there are more than 10000. Not in the original API",
  }),
}).annotate({ identifier: "Payout", description: "A payout with its items" })

const Key = Schema.String.check(
  Schema.makeFilter((key: string) =>
    /^[\x20-\x7e]{1,255}$/.test(key)
      ? undefined
      : `must be 1 to 255 characters of printable ASCII, got ${show(key)}`,
  ),
)

/** Only endpoints that can be asked twice for one effect have this header. */
const IdempotencyKey = Schema.Struct({ "Idempotency-Key": Schema.optionalKey(Key) }).pipe(
  Schema.encodeKeys({ "Idempotency-Key": "idempotency-key" }),
)

// The endpoints: method, path, what they take and what they answer. Paths have no prefix here.

const id = (description: string) => Schema.NonEmptyString.annotate({ description })
const collaborator = { collaborator_id: id("The collaborator's id") }
const group = { ...collaborator, group_id: id("The product group's id") }
const payout = { payout_id: id("The payout's id") }

const groups = "/collaborators/:collaborator_id/products" as const

const created = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.status(201))

export const listGroups = HttpApiEndpoint.get("list", groups, {
  params: collaborator,
  query: Query.Groups,
  success: PageOf(ListedGroup),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  OpenApi.annotations({ identifier: "listProductGroups", summary: "List product groups" }),
)

export const createGroup = HttpApiEndpoint.put("create", groups, {
  params: collaborator,
  headers: IdempotencyKey,
  payload: Schemas.NewGroup,
  success: created(One(Schemas.ChangedGroup)),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  OpenApi.annotations({ identifier: "createProductGroup", summary: "Create a product group" }),
)

export const updateGroup = HttpApiEndpoint.put("update", `${groups}/:group_id`, {
  params: group,
  query: Query.Page,
  payload: Schemas.GroupChanges,
  success: One(Schemas.ChangedGroup),
  error: [...always, ...ofBody, NotFound],
}).annotateMerge(
  OpenApi.annotations({ identifier: "updateProductGroup", summary: "Update a product group" }),
)

export const viewGroup = HttpApiEndpoint.get("view", `${groups}/:group_id`, {
  params: group,
  query: Query.Page,
  success: One(Schemas.ViewedGroup),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  OpenApi.annotations({ identifier: "viewProductGroup", summary: "View a product group" }),
)

export const removeGroup = HttpApiEndpoint.delete("remove", `${groups}/:group_id`, {
  params: group,
  success: HttpApiSchema.NoContent,
  error: [...always, NotFound],
}).annotateMerge(
  OpenApi.annotations({ identifier: "deleteProductGroup", summary: "Delete a product group" }),
)

export const listPayouts = HttpApiEndpoint.get("list", "/payouts", {
  query: Query.Payouts,
  success: PageOf(Schemas.PayoutEntry),
  error: [...always, Invalid],
}).annotateMerge(OpenApi.annotations({ identifier: "listPayouts", summary: "List payouts" }))

export const viewPayout = HttpApiEndpoint.get("view", "/payouts/:payout_id", {
  params: payout,
  success: One(ViewedPayout),
  error: [...always, NotFound, Invalid],
}).annotateMerge(OpenApi.annotations({ identifier: "viewPayout", summary: "View a payout" }))

const entryErrors = [...always, ...ofBody, NotFound, Conflicting] as const

export const addExpense = HttpApiEndpoint.post("addExpense", "/payouts/:payout_id/expense", {
  params: payout,
  headers: IdempotencyKey,
  payload: Schemas.EntryRequest,
  success: One(ViewedPayout),
  error: entryErrors,
}).annotateMerge(
  OpenApi.annotations({ identifier: "addExpense", summary: "Add an expense to a payout" }),
)

export const addIncome = HttpApiEndpoint.post("addIncome", "/payouts/:payout_id/income", {
  params: payout,
  headers: IdempotencyKey,
  payload: Schemas.EntryRequest,
  success: One(ViewedPayout),
  error: entryErrors,
}).annotateMerge(
  OpenApi.annotations({ identifier: "addIncome", summary: "Add extra income to a payout" }),
)

export const setPaid = HttpApiEndpoint.post("setPaid", "/payouts/:payout_id/set-paid", {
  params: payout,
  headers: IdempotencyKey,
  success: One(ViewedPayout),
  error: [...always, Invalid, NotFound, Conflicting],
}).annotateMerge(
  OpenApi.annotations({ identifier: "setPayoutPaid", summary: "Set a payout as manually paid" }),
)

export const listProducts = HttpApiEndpoint.get("list", "/products", {
  query: Query.Products,
  success: PageOf(Schemas.ListedProductView),
  error: [...always, Invalid],
}).annotateMerge(OpenApi.annotations({ identifier: "listProducts", summary: "List products" }))

class ProductGroupEndpoints extends HttpApiGroup.make("productGroups")
  .add(listGroups, createGroup, updateGroup, viewGroup, removeGroup)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Product groups",
      description: "What links a collaborator to products, and says what they are paid",
    }),
  ) {}

class PayoutEndpoints extends HttpApiGroup.make("payouts")
  .add(listPayouts, viewPayout, addExpense, addIncome, setPaid)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Payouts",
      description: "What collaborators are owed or were paid",
    }),
  ) {}

class ProductEndpoints extends HttpApiGroup.make("products")
  .add(listProducts)
  .middleware(Malformations)
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
