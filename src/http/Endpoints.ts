/** The endpoints: method, path, what they take and what they answer. Paths have no prefix here. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as errors from "./ErrorSchemas.js"
import {
  ChangedGroup,
  GroupChanges,
  ListedGroup,
  ListedPayout,
  ListedProduct,
  NewEntry,
  NewGroup,
  One,
  PageOf,
  Status,
  ViewedGroup,
  ViewedPayout,
} from "./Schemas.js"

const optional = Schema.optionalKey

const id = (description: string) => Schema.NonEmptyString.annotate({ description })
const collaborator = { collaborator_id: id("The collaborator's id") }
const group = { ...collaborator, group_id: id("The product group's id") }
const payout = { payout_id: id("The payout's id") }

const page = { per_page: optional(Schema.Int), page: optional(Schema.Int) }

/** Only endpoints that can be asked twice for one effect have this header. */
const keyed = { "Idempotency-Key": optional(Schema.String) }

const { always, NotFound, Invalid, ofBody, Conflicting } = errors

const groups = "/collaborators/:collaborator_id/products" as const

const created = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.status(201))

export const listGroups = HttpApiEndpoint.get("list", groups, {
  params: collaborator,
  query: { ...page, max_values: optional(Schema.Int) },
  success: PageOf(ListedGroup),
  error: [...always, NotFound, Invalid],
}).annotateMerge(
  OpenApi.annotations({ identifier: "listProductGroups", summary: "List product groups" }),
)

export const createGroup = HttpApiEndpoint.put("create", groups, {
  params: collaborator,
  headers: keyed,
  payload: NewGroup,
  success: created(One(ChangedGroup)),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  OpenApi.annotations({ identifier: "createProductGroup", summary: "Create a product group" }),
)

export const updateGroup = HttpApiEndpoint.put("update", `${groups}/:group_id`, {
  params: group,
  query: page,
  payload: GroupChanges,
  success: One(ChangedGroup),
  error: [...always, ...ofBody, NotFound],
}).annotateMerge(
  OpenApi.annotations({ identifier: "updateProductGroup", summary: "Update a product group" }),
)

export const viewGroup = HttpApiEndpoint.get("view", `${groups}/:group_id`, {
  params: group,
  query: page,
  success: One(ViewedGroup),
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
  query: {
    "paidDate[start_date]": optional(Schema.Int),
    "paidDate[end_date]": optional(Schema.Int),
    "expectedPaymentDate[start_date]": optional(Schema.Int),
    "expectedPaymentDate[end_date]": optional(Schema.Int),
    collaborator: optional(Schema.String),
    status: optional(Status),
    ...page,
  },
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
  headers: keyed,
  payload: NewEntry,
  success: One(ViewedPayout),
  error: entryErrors,
}).annotateMerge(
  OpenApi.annotations({ identifier: "addExpense", summary: "Add an expense to a payout" }),
)

export const addIncome = HttpApiEndpoint.post("addIncome", "/payouts/:payout_id/income", {
  params: payout,
  headers: keyed,
  payload: NewEntry,
  success: One(ViewedPayout),
  error: entryErrors,
}).annotateMerge(
  OpenApi.annotations({ identifier: "addIncome", summary: "Add extra income to a payout" }),
)

export const setPaid = HttpApiEndpoint.post("setPaid", "/payouts/:payout_id/set-paid", {
  params: payout,
  headers: keyed,
  success: One(ViewedPayout),
  error: [...always, Invalid, NotFound, Conflicting],
}).annotateMerge(
  OpenApi.annotations({ identifier: "setPayoutPaid", summary: "Set a payout as manually paid" }),
)

export const listProducts = HttpApiEndpoint.get("list", "/products", {
  query: {
    search: optional(Schema.String),
    collaborator: optional(Schema.String),
    include_collaborators: optional(Schema.Boolean),
    ...page,
  },
  success: PageOf(ListedProduct),
  error: [...always, Invalid],
}).annotateMerge(OpenApi.annotations({ identifier: "listProducts", summary: "List products" }))
