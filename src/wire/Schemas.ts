/**
 * The JSON formats of the service, one schema each: for the requests and answers of HTTP, and for the OpenAPI document.
 * The types of the formats are derived from them. The modules named after the formats read and write them, without a
 * schema.
 */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { payoutMeasurements } from "../payouts/Collaborator.js"
import { longestName } from "../payouts/PayoutItem.js"
import { statuses } from "../payouts/PayoutStatus.js"
import { conditionTypes } from "../rules/ProductGroup.js"
import { GroupTermsRequest } from "./CounterSchemas.js"
import type { ProductField } from "./internal/items.js"

/** A text of a pattern, which the OpenAPI document contains too. */
const withPattern = (pattern: RegExp): SchemaAST.Check<string> =>
  Schema.isPattern(pattern, { toJsonSchema: () => [{ pattern: pattern.source }, true] })

/** A whole number of 0 or more. */
export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A whole number of 1 or more. */
export const Position = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** A point in time, in Unix seconds. */
export const Seconds = Schema.Int.annotate({ description: "Unix seconds" })

export const NullableText = Schema.NullOr(Schema.String)

const NullableInt = Schema.NullOr(Schema.Int)

// Pages.

export const MetaView = Schema.Struct({
  current_page: Position.annotate({ description: "As it was asked for" }),
  from: Schema.NullOr(Position).annotate({
    description: "Number of the page's first entry; null when the page is empty",
  }),
  last_page: Position,
  path: Schema.String.annotate({ description: "The list's URL, without its query" }),
  per_page: Position,
  to: Schema.NullOr(Position).annotate({
    description: "Number of the page's last entry; null when the page is empty",
  }),
  total: Count.annotate({ description: "Entries of the whole list" }),
}).annotate({ identifier: "PageMeta", description: "Where a page stands in its list" })

/** A page of entries that have a schema. */
export const PageOf = <S extends Schema.Top>(entry: S) =>
  Schema.Struct({ data: Schema.Array(entry), meta: MetaView })

// Collaborators as they appear inside product groups, products and payouts.

export const PermissionsView = Schema.Struct({
  see_product_price: Schema.Boolean,
  see_product_quantity: Schema.Boolean,
  see_product_discount: Schema.Boolean,
  see_product_tax: Schema.Boolean,
  see_customer_email: Schema.Boolean,
  see_customer_name: Schema.Boolean,
  see_order_status: Schema.Boolean,
  see_order_payment_gateway: Schema.Boolean,
  see_order_shipping_address: Schema.Boolean,
  see_order_billing_address: Schema.Boolean,
  see_product_cost: Schema.Boolean,
  see_product_stock: Schema.Boolean,
}).annotate({ identifier: "Permissions", description: "What a collaborator may see" })

const terms = {
  id: Schema.String,
  currency: Schema.String.check(withPattern(/^[A-Z]{3}$/)).annotate({
    description: "ISO 4217 code",
  }),
  payout_measurement: Schema.Literals(payoutMeasurements),
  payout_frequency: Schema.Int.annotate({
    description:
      "For monthly_date the day, 1 to 28, or -1 for the last one; else every how many months, weeks or days",
  }),
  payout_threshold: Count.annotate({ description: "Cents of the payout's currency" }),
  permissions: PermissionsView,
}

const account = { name: Schema.String, paypal_email: NullableText }

export const PayoutCollaboratorView = Schema.Struct({
  ...terms,
  account: Schema.Struct(account),
}).annotate({
  identifier: "PayoutCollaborator",
  description: "A collaborator, as payouts carry them",
})

export const CollaboratorView = Schema.Struct({
  ...terms,
  should_pay_automatically: Schema.Boolean,
  payout_holding_days: Schema.NullOr(Count),
  notes: NullableText,
  account: Schema.Struct({ ...account, is_managed: Schema.Boolean }),
}).annotate({ identifier: "Collaborator", description: "A collaborator, with all that is known" })

// Products.

export const ProductView = Schema.Struct({
  id: Schema.String,
  external_id: NullableText,
  external_variant_id: NullableText,
  name: NullableText,
  sku: NullableText,
  vendor: NullableText,
  price: NullableInt.annotate({ description: "Cents" }),
  cost: NullableInt.annotate({ description: "Cents" }),
  tags: Schema.Array(Schema.String),
  inventory_quantity: NullableInt,
} satisfies Record<ProductField, Schema.Top>).annotate({
  identifier: "Product",
  description: "A product, or one variant of it",
})

/** A product with fields that the original API does not have. */
export const WholeProductView = Schema.Struct({
  ...ProductView.fields,
  other_ids: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "More ids by which groups can name it, such as sku:PRINT-A4; absent: it has none",
  }),
}).annotate({ identifier: "WholeProduct", description: "A product, with all that rules look at" })

export const ListedProductView = Schema.Struct({
  ...ProductView.fields,
  collaborators: Schema.optionalKey(Schema.Array(CollaboratorView)).annotate({
    description:
      "The collaborators whose groups the product is linked to, when include_collaborators is set",
  }),
}).annotate({ identifier: "ListedProduct", description: "A product in the catalogue's list" })

// Product groups, in requests and answers.

const PercentText = Schema.String.check(withPattern(/^\d{1,3}\.\d{2}$/))
const PercentNumber = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
const NullableCents = Schema.NullOr(Count)
const Condition = Schema.Literals(conditionTypes)

const optional = Schema.optionalKey

const linkTypes = [
  "products.all",
  "products.tag",
  "products.vendor",
  "products",
  "product.all",
  "product.tag",
  "product.vendor",
  "product",
] as const

const Modifier = Schema.Literals(["WITH", "NOT"])
export const Percent = Schema.Union([
  PercentNumber,
  Schema.String.check(withPattern(/^\d{1,3}(?:\.\d{1,2})?$/)),
]).annotate({ description: "0 to 100, with at most two decimals" })
export const Time = Schema.Union([Schema.Int, Schema.String]).annotate({
  description: "Unix seconds, or an ISO 8601 time with its offset",
})

const request = {
  items: optional(Schema.Array(Schema.Union([Schema.String, Count]))).annotate({
    description:
      "Tags, vendors or product ids, as itemType says; needed unless that is products.all. Only product ids can be numbers",
  }),
  type_modifier: optional(
    Schema.Union([Modifier, Schema.Array(Modifier).check(Schema.isMaxLength(1))]),
  ).annotate({ description: "WITH when absent" }),
  splitConditionType: optional(Schema.NullOr(Condition)).annotate({
    description: "null: the group is for every order",
  }),
  splitConditions: optional(Schema.Array(Schema.String)).annotate({
    description: "Values of splitConditionType; two-letter codes for country.code",
  }),
  condition_modifier: optional(Schema.NullOr(Modifier)).annotate({
    description: "WITH when absent or null",
  }),
  type: optional(Schema.Literals(["percentage", "flat", "both"])).annotate({
    description:
      "Which of percentage and amount counts; the other is ignored. Beyond the specification: both, the group pays a percentage and a flat amount",
  }),
  percentage: optional(Schema.NullOr(Percent)).annotate({
    description: "Needed when type is percentage or both, under this name or as percent",
  }),
  percent: optional(Schema.NullOr(Percent)).annotate({
    description: "Another name of percentage",
  }),
  amount: optional(NullableCents).annotate({
    description: "Cents; needed when type is flat or both",
  }),
  deduct_for_other_splits: optional(Schema.Boolean).annotate({
    description: "Deduct this share from what the others' percentages are of; only with referer",
  }),
  shipping_percent: optional(Schema.NullOr(Percent)),
  shipping_amount: optional(NullableCents).annotate({ description: "Cents for each unit" }),
  min_amount: optional(NullableCents).annotate({
    description: "Least for an item, in cents; its part of the shipping comes on top",
  }),
  max_amount: optional(NullableCents).annotate({
    description: "Most for an item, in cents; its part of the shipping comes on top",
  }),
  starts_at: optional(Schema.NullOr(Time)),
  ends_at: optional(Schema.NullOr(Time)),
  terms: optional(Schema.NullOr(GroupTermsRequest)),
}

const LinkType = Schema.Literals(linkTypes)

export const NewGroup = Schema.Struct({ itemType: LinkType, ...request }).annotate({
  identifier: "NewProductGroup",
  description: "A product group to be made. Fields that are not listed are ignored",
})

export const GroupChanges = Schema.Struct({ itemType: optional(LinkType), ...request }).annotate({
  identifier: "ProductGroupChanges",
  description:
    "The fields to change: the others stay as they are, and the resulting group is checked as a whole. Fields that are not listed are ignored",
})

const view = <P extends Schema.Top>(percent: P) => ({
  id: Schema.String,
  type: Schema.Literals(["products.all", "product.tag", "products.vendor", "products"]),
  type_values: Schema.Array(Schema.String).annotate({
    description: "Tags, vendors or product ids",
  }),
  condition: Schema.NullOr(Condition),
  condition_values: Schema.NullOr(Schema.Array(Schema.String)),
  amount: NullableCents.annotate({
    description: "Flat amount in cents; null: a percentage is paid",
  }),
  shipping_amount: NullableCents.annotate({ description: "Cents for each unit" }),
  percent: Schema.NullOr(percent),
  shipping_percent: Schema.NullOr(percent),
  created_at: Seconds,
  updated_at: Seconds,
  collaborator: CollaboratorView,
})

const products = {
  products: PageOf(ProductView).annotate({
    description: "The products linked so far; linking goes on in the background",
  }),
}

export const ListedGroup = Schema.Struct({
  ...view(PercentText),
  products_count: Count.annotate({ description: "How many products are linked so far" }),
}).annotate({ identifier: "ListedProductGroup", description: "A product group in a list" })

export const ViewedGroup = Schema.Struct({ ...view(PercentText), ...products }).annotate({
  identifier: "ProductGroup",
  description: "A product group; percentages are texts with two decimals",
})

export const ChangedGroup = Schema.Struct({ ...view(PercentNumber), ...products }).annotate({
  identifier: "ChangedProductGroup",
  description: "A product group that was just made or changed; percentages are numbers",
})

// Payouts with their items, and requests that add to them.

export const PayoutEntry = Schema.Struct({
  id: Schema.String,
  currency: Schema.String,
  collaborator: PayoutCollaboratorView,
  status: Schema.Literals(statuses),
  to_be_paid_at: Seconds,
  paid_at: Schema.NullOr(Seconds).annotate({ description: "null: it was not paid yet" }),
}).annotate({ identifier: "ListedPayout", description: "A payout in a list" })

const Cents = Schema.Int.annotate({ description: "Cents" })

export const SoldProduct = Schema.Struct({
  id: Schema.String,
  external_id: Schema.String,
  external_variant_id: Schema.String,
  name: Schema.String,
  sku: NullableText,
  vendor: Schema.String,
  price: Cents,
  cost: Cents,
  tags: Schema.Array(Schema.String),
  inventory_quantity: NullableInt,
} satisfies Record<ProductField, Schema.Top>).annotate({
  identifier: "SoldProduct",
  description: "A product, as it was when it was sold",
})

export const OrderItem = Schema.Struct({
  amount: Cents,
  discount: Cents,
  quantity: Schema.Int,
  tax_percent: Schema.NullOr(Schema.Finite),
  tax_name: NullableText,
  tax_total: NullableInt,
  grams: Schema.Int,
  product: SoldProduct,
  external_id: Schema.String,
  split_at: Seconds,
  refunded_at: Schema.NullOr(Seconds),
}).annotate({
  identifier: "OrderItem",
  description: "What was sold. Amounts are cents of the order's currency",
})

export const PayoutItem = Schema.Struct({
  amount: Schema.Int.annotate({
    description: "Cents of the payout's currency, negative for an expense",
  }),
  original_amount: Schema.Int.annotate({ description: "Cents of original_currency" }),
  original_currency: Schema.String,
  currency_exchange_rate: NullableText.annotate({
    description: "null: the currencies are the same",
  }),
  is_expenses: Schema.Boolean,
  expense_name: NullableText.annotate({ description: "Name of the expense or the extra income" }),
  orderItem: Schema.NullOr(OrderItem),
}).annotate({
  identifier: "PayoutItem",
  description: "A share of a sale, an expense or an extra income",
})

export const WholePayout = Schema.Struct({
  ...PayoutEntry.fields,
  total: Schema.Int.annotate({ description: "Sum of the items, in cents" }),
  items: Schema.Array(PayoutItem),
}).annotate({ identifier: "Payout", description: "A payout with its items" })

export const EntryRequest = Schema.Struct({
  amount: Position.annotate({ description: "Cents above 0, for an expense too" }),
  name: Schema.String.check(Schema.isMinLength(1)).annotate({
    description: `1 to ${longestName} characters, not counting spaces at its ends`,
  }),
}).annotate({ identifier: "NewEntry", description: "An expense or an extra income" })
