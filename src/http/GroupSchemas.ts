/** Product groups: what a request says and what an answer shows. */
import * as Schema from "effect/Schema"
import { conditionTypes } from "../groups/ProductGroup.js"
import { Collaborator } from "./CollaboratorSchemas.js"
import { Count, Meta, Seconds } from "./PageSchemas.js"
import { withPattern } from "./Pattern.js"
import { Product } from "./ProductSchemas.js"

const optional = Schema.optionalKey
const Condition = Schema.Literals(conditionTypes)
const Cents = Schema.NullOr(Count)
const PercentText = Schema.String.check(withPattern(/^\d{1,3}\.\d{2}$/))
const PercentNumber = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const shown = <P extends Schema.Top>(percent: P) => ({
  id: Schema.String,
  type: Schema.Literals(["products.all", "product.tag", "products.vendor", "products"]),
  type_values: Schema.Array(Schema.String).annotate({
    description: "Tags, vendors or product ids",
  }),
  condition: Schema.NullOr(Condition),
  condition_values: Schema.NullOr(Schema.Array(Schema.String)),
  amount: Cents.annotate({ description: "Flat amount in cents; null: a percentage is paid" }),
  shipping_amount: Cents.annotate({ description: "Cents for each unit" }),
  percent: Schema.NullOr(percent),
  shipping_percent: Schema.NullOr(percent),
  created_at: Seconds,
  updated_at: Seconds,
  collaborator: Collaborator,
})

const products = {
  products: Schema.Struct({ data: Schema.Array(Product), meta: Meta }).annotate({
    description: "The products linked so far; linking goes on in the background",
  }),
}

const counted = (what: string) =>
  optional(Count).annotate({
    description: `How many ${what} there are; only when max_values is given. Not in the original API`,
  })

export const ListedGroup = Schema.Struct({
  ...shown(PercentText),
  type_values_count: counted("type_values"),
  condition_values_count: counted("condition_values"),
  products_count: Count.annotate({ description: "How many products are linked so far" }),
}).annotate({ identifier: "ListedProductGroup", description: "A product group in a list" })

export const ViewedGroup = Schema.Struct({ ...shown(PercentText), ...products }).annotate({
  identifier: "ProductGroup",
  description: "A product group; percentages are texts with two decimals",
})

export const ChangedGroup = Schema.Struct({ ...shown(PercentNumber), ...products }).annotate({
  identifier: "ChangedProductGroup",
  description: "A product group that was just made or changed; percentages are numbers",
})

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
const Percent = Schema.Union([
  PercentNumber,
  Schema.String.check(withPattern(/^\d{1,3}(?:\.\d{1,2})?$/)),
]).annotate({ description: "0 to 100, with at most two decimals" })
const Time = Schema.Union([Schema.Int, Schema.String]).annotate({
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
  type: optional(Schema.Literals(["percentage", "flat"])).annotate({
    description: "Which of percentage and amount counts; the other is ignored",
  }),
  percentage: optional(Schema.NullOr(Percent)).annotate({
    description: "Needed when type is percentage, under this name or as percent",
  }),
  percent: optional(Schema.NullOr(Percent)).annotate({
    description: "Another name of percentage",
  }),
  amount: optional(Cents).annotate({ description: "Cents; needed when type is flat" }),
  deduct_for_other_splits: optional(Schema.Boolean).annotate({
    description: "Deduct this share from what the others' percentages are of; only with referer",
  }),
  shipping_percent: optional(Schema.NullOr(Percent)),
  shipping_amount: optional(Cents).annotate({ description: "Cents for each unit" }),
  min_amount: optional(Cents).annotate({
    description: "Least for an item, in cents; its part of the shipping comes on top",
  }),
  max_amount: optional(Cents).annotate({
    description: "Most for an item, in cents; its part of the shipping comes on top",
  }),
  starts_at: optional(Schema.NullOr(Time)),
  ends_at: optional(Schema.NullOr(Time)),
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
