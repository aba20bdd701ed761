/**
 * The definition of the API, from which its routes, its OpenAPI document and its client are made.
 *
 * @since 0.2.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { LineItem } from "../wire/LedgerSchemas.js"
import * as PaymentSchemas from "../wire/PaymentSchemas.js"
import * as Schemas from "../wire/Schemas.js"
import { PageOf } from "../wire/Schemas.js"
import { AgreementEndpoints } from "./AgreementApi.js"
import { Authorization, Malformations } from "./Caller.js"
import { putProductLines, putProducts, removeProduct, viewProduct } from "./CatalogueApi.js"
import { CollaboratorEndpoints } from "./CollaboratorApi.js"
import { CounterEndpoints } from "./CounterApi.js"
import { DeliveryEndpoints, InboxEndpoints } from "./DeliveryApi.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import { EntryEndpoints } from "./EntryApi.js"
import { EventEndpoints, WebhookEndpoints } from "./EventApi.js"
import { completeDocument } from "./OpenApiDetails.js"
import { OverviewEndpoints } from "./OverviewApi.js"
import { PassEndpoints, SeenEndpoints } from "./PassApi.js"
import { PastSaleEndpoints } from "./PastSaleApi.js"
import { PaymentEndpoints } from "./PaymentApi.js"
import * as Query from "./Query.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"
import { ResplitEndpoints } from "./ResplitApi.js"
import { RulesEndpoints } from "./RulesApi.js"
import { SaleEndpoints } from "./SaleApi.js"
import { SettingsEndpoints } from "./SettingsApi.js"
import { StatementEndpoints } from "./StatementApi.js"

// Answers with fields that only HTTP adds to the formats.

const counted = (what: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).annotate({
    description: `How many ${what} there are; only when max_values is given. Not in the original API`,
  })

const ListedGroup = Schema.Struct({
  ...Schemas.ListedGroup.fields,
  type_values_count: counted("type_values"),
  condition_values_count: counted("condition_values"),
}).annotate({ identifier: "ListedProductGroup", description: "A product group in a list" })

const ListedPayout = Schema.Struct({
  ...Schemas.PayoutEntry.fields,
  total: Schema.optionalKey(Schema.Int).annotate({
    description: "In cents of its currency; only with include_totals. Not in the original API",
  }),
  items_count: Schema.optionalKey(Schema.Int).annotate({
    description: "How many items it has; only with include_totals. Not in the original API",
  }),
}).annotate({ identifier: "ListedPayout", description: "A payout in a list" })

const ViewedItem = Schema.Struct({
  ...Schemas.PayoutItem.fields,
  source: Schema.optionalKey(LineItem).annotate({
    description:
      "The sale or the agreement that it is about; only with include_sources. Not in the original API",
  }),
}).annotate({
  identifier: "PayoutItem",
  description: "A share of a sale, an expense or an extra income",
})

const ViewedPayout = Schema.Struct({
  ...Schemas.WholePayout.fields,
  items: Schema.Array(ViewedItem),
  failure_reason: Schema.optionalKey(Schemas.NullableText).annotate({
    description:
      "Why paying it failed or came back; null: it has not. Only with include_sources. Not in the original API",
  }),
  items_meta: Schema.optionalKey(Schemas.MetaView).annotate({
    description:
      "Where the items stand among all of them; only when items_page or items_per_page is given, and in the answer to a POST when there are more than 10000. Not in the original API",
  }),
}).annotate({ identifier: "Payout", description: "A payout with its items" })

// The endpoints: method, path, input and answer. Paths have no prefix here.

const collaborator = { collaborator_id: id("The collaborator's id") }
const group = { ...collaborator, group_id: id("The product group's id") }
const payout = { payout_id: id("The payout's id") }

const groups = "/collaborators/:collaborator_id/products" as const

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
  success: PageOf(ListedPayout),
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

// Beside the endpoints of the original API: hosts that pay outside report their payments.

export const pay = HttpApiEndpoint.post("pay", "/payouts/:payout_id/pay", {
  params: payout,
  headers: IdempotencyKey,
  payload: PaymentSchemas.PaidRequest,
  success: One(ViewedPayout),
  error: entryErrors,
}).annotateMerge(
  beside(
    "payPayout",
    "Note that a payout was paid outside of the service",
    "A payout that is due is closed first. Refused with 409 when the payout comes to another total than was paid, and while a payment of it is sent or unknown. A payment that is only claimed is given up",
  ),
)

export const fail = HttpApiEndpoint.post("fail", "/payouts/:payout_id/fail", {
  params: payout,
  headers: IdempotencyKey,
  payload: PaymentSchemas.ReasonRequest,
  success: One(ViewedPayout),
  error: entryErrors,
}).annotateMerge(
  beside(
    "failPayout",
    "Note that paying a payout outside of the service failed",
    "A payout that is due is closed first. Refused with 409 while a payment of it is sent or unknown",
  ),
)

export const retry = HttpApiEndpoint.post("retry", "/payouts/:payout_id/retry", {
  params: payout,
  headers: IdempotencyKey,
  success: One(ViewedPayout),
  error: [...always, Invalid, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "retryPayout",
    "Make a failed payout pending again",
    "From then on it can be claimed for a new payment, or paid outside",
  ),
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
  .add(listPayouts, viewPayout, addExpense, addIncome, setPaid, pay, fail, retry)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Payouts",
      description: "What collaborators are owed or were paid",
    }),
  ) {}

class ProductEndpoints extends HttpApiGroup.make("products")
  .add(listProducts, putProducts, putProductLines, viewProduct, removeProduct)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Products", description: "The catalogue of the account" }),
  ) {}

/**
 * Every endpoint with its input and answer. Paths have no prefix here: both `/api/v1` and `/v1`
 * serve all of them.
 *
 * @since 0.2.0
 * @category definition
 * @example
 * ```ts
 * import { Api } from "apportion/http"
 *
 * Object.keys(Api.groups).slice(0, 4) // => ["productGroups", "payouts", "products", "payments"]
 * ```
 */
export class Api extends HttpApi.make("apportion")
  .add(ProductGroupEndpoints, PayoutEndpoints, ProductEndpoints)
  .add(PaymentEndpoints)
  .add(EntryEndpoints, StatementEndpoints)
  .add(EventEndpoints, WebhookEndpoints)
  .add(CollaboratorEndpoints, SaleEndpoints, SettingsEndpoints)
  .add(DeliveryEndpoints, InboxEndpoints)
  .add(ResplitEndpoints)
  .add(RulesEndpoints, OverviewEndpoints, CounterEndpoints)
  .add(AgreementEndpoints)
  .add(PastSaleEndpoints)
  .add(PassEndpoints, SeenEndpoints)
  .annotateMerge(
    OpenApi.annotations({
      title: "Apportion",
      version: "1",
      description:
        "Product groups link collaborators to products; payouts say what collaborators are owed, payments how they are paid.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      servers: [{ url: "/api/v1" }, { url: "/v1" }],
      transform: completeDocument,
    }),
  ) {}
