/**
 * The formats in which hosts write the data of an account, one schema each: its collaborators, its products, its
 * settings.
 */
import * as Schema from "effect/Schema"
import type { PolicyJson } from "./Policy.js"
import { Count, NullableText, Position, WholeProductView } from "./Schemas.js"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Id = Schema.Union([Schema.String.check(Schema.isMinLength(1)), Count]).annotate({
  description: "A text, or a whole number",
})

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

const permission = optional(Schema.Boolean)

const terms = {
  payout_measurement: optional(
    Schema.Literals(["month", "monthly_date", "month_day", "week", "day"]),
  ),
  payout_frequency: optional(Schema.Int).annotate({
    description:
      "For monthly_date the day, 1 to 28, or -1 for the last one; else every how many months, weeks or days",
  }),
  payout_threshold: optional(Count).annotate({ description: "Cents of the payout's currency" }),
  payout_holding_days: optional(Count).annotate({ description: "null: payouts are not held" }),
  should_pay_automatically: optional(Schema.Boolean),
  notes: optional(Schema.String).annotate({ description: "null: none" }),
  permissions: optional(
    Schema.Struct({
      see_product_price: permission,
      see_product_quantity: permission,
      see_product_discount: permission,
      see_product_tax: permission,
      see_customer_email: permission,
      see_customer_name: permission,
      see_order_status: permission,
      see_order_payment_gateway: permission,
      see_order_shipping_address: permission,
      see_order_billing_address: permission,
      see_product_cost: permission,
      see_product_stock: permission,
    }),
  ).annotate({ description: "What the collaborator may see" }),
  account: optional(
    Schema.Struct({
      name: optional(Schema.String),
      paypal_email: optional(Schema.String).annotate({ description: "null: none" }),
      is_managed: optional(Schema.Boolean),
    }),
  ),
}

export const NewCollaborator = Schema.Struct({
  id: Id.annotate({ description: "The host's own id, a text or a whole number" }),
  currency: Currency,
  ...terms,
}).annotate({
  identifier: "NewCollaborator",
  description:
    "Who gets shares. Without more than id and currency they are paid once a month, from the first cent, and see nothing but their own money",
})

export const CollaboratorChanges = Schema.Struct({
  currency: optional(Currency),
  ...terms,
}).annotate({
  identifier: "CollaboratorChanges",
  description:
    "The fields to change: the others stay as they are, those of permissions and account too, and the result is checked as a whole. null clears payout_holding_days, notes and paypal_email, and leaves the others as they are",
})

/** How many products one request puts at most. */
export const mostProducts = 1_000

export const NewProduct = Schema.Struct({
  id: optional(Id).annotate({ description: "Needed unless there is an external_id" }),
  external_id: optional(Id),
  external_variant_id: optional(Id),
  name: optional(Schema.String),
  sku: optional(Id),
  vendor: optional(Schema.String),
  price: optional(Schema.Int).annotate({ description: "Cents" }),
  cost: optional(Schema.Int).annotate({ description: "Cents" }),
  tags: optional(Schema.Array(Schema.String)),
  inventory_quantity: optional(Schema.Int),
  other_ids: optional(Schema.Array(Id)).annotate({
    description: "More ids by which groups can name it, such as sku:PRINT-A4",
  }),
} satisfies Record<keyof typeof WholeProductView.fields, Schema.Top>).annotate({
  identifier: "NewProduct",
  description: "A product, or one variant of it",
})

export const NewProducts = Schema.Struct({
  products: Schema.Array(NewProduct).check(Schema.isMinLength(1), Schema.isMaxLength(mostProducts)),
}).annotate({
  identifier: "NewProducts",
  description: "Products that are added, or replace those with the same keys",
})

export const KeyedProduct = Schema.Struct({
  key: Schema.String.annotate({
    description:
      "What the entry is known by: its id, and for a variant the id, a slash and external_variant_id; a slash or a percent sign within them is escaped",
  }),
  ...WholeProductView.fields,
}).annotate({ identifier: "KeyedProduct", description: "A product as the catalogue has it" })

/** Why a line of a body was refused. */
export const LineRefusal = Schema.NullOr(
  Schema.Struct({
    status: Schema.Int.annotate({
      description: "What a request with this line alone would be answered",
    }),
    message: Schema.String,
    errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  }),
).annotate({ description: "Why nothing came of the line; null: it was taken" })

export const ProductLine = Schema.Struct({
  line: Position.annotate({ description: "The number of the line, blank ones counted" }),
  key: NullableText.annotate({ description: "What the entry is known by; null: it was refused" }),
  refusal: LineRefusal,
}).annotate({ identifier: "ProductLine", description: "What came of a line" })

export const PolicyView = Schema.Struct({
  discount: Schema.Literals(["deduct", "ignore"]),
  tax: Schema.Literals(["remove", "keep", "share"]),
  cost: Schema.Literals(["ignore", "deduct"]),
  gateway_fee: Schema.Literals(["ignore", "deduct"]),
  flat_scope: Schema.Literals(["unit", "item", "order"]),
  shipping: Schema.Literals(["store", "share", "charge", "all"]),
  stacking: Schema.Literals(["most-specific", "all"]),
  rounding: Schema.Literals(["largest-remainder", "floor", "carry"]).annotate({
    description:
      "carry: what rounding leaves is carried from sale to sale; not where groups have terms",
  }),
  over_allocation: Schema.Literals(["reject", "scale", "rank", "allow"]),
  time_zone: Schema.String.annotate({
    description:
      "IANA name of the zone in which the store's days begin, and payout dates are computed",
  }),
} satisfies Record<keyof PolicyJson, Schema.Top>).annotate({
  identifier: "Policy",
  description:
    "How sales are split from now on; recorded ones keep the policy they were split with",
})

export const SessionView = Schema.Struct({
  actor: Schema.String.annotate({ description: "Whom histories show as the author of changes" }),
  scopes: Schema.Array(Schema.Literals(["read", "record", "manage", "payouts"])).annotate({
    description: "What the access token may be used for",
  }),
  time_zone: Schema.String.annotate({ description: "The account's, by which its months go" }),
}).annotate({ identifier: "Session", description: "Who asks, and what they may do" })

export const SettingsView = Schema.Struct({
  policy: PolicyView,
  payment_fees: Schema.Literals(["store", "collaborator"]).annotate({
    description: "Who bears the fees of rails",
  }),
  group_values: Count.annotate({
    description: "How many values the link of a product group may have, and how many its condition",
  }),
  maturity_days: Count.annotate({
    description: "How many days after its sale a share can be closed",
  }),
  event_days: Count.annotate({ description: "For how many days events are kept" }),
  idempotency_seconds: Count.annotate({
    description: "For how many seconds the answer under an idempotency key is kept",
  }),
  version: Count.annotate({ description: "How often the account has changed its settings" }),
  since: Schema.NullOr(Schema.Int).annotate({
    description: "When it changed them last, in Unix seconds; null: never",
  }),
}).annotate({ identifier: "Settings", description: "How the service treats the account" })

/** The options of a policy that sales are recorded or split again with. */
export const PolicyOptions = PolicyView.fields

/** The options of the policy to change. */
const PolicyChanges = Schema.Struct({
  discount: optional(PolicyOptions.discount),
  tax: optional(PolicyOptions.tax),
  cost: optional(PolicyOptions.cost),
  gateway_fee: optional(PolicyOptions.gateway_fee),
  flat_scope: optional(PolicyOptions.flat_scope),
  shipping: optional(PolicyOptions.shipping),
  stacking: optional(PolicyOptions.stacking),
  rounding: optional(PolicyOptions.rounding),
  over_allocation: optional(PolicyOptions.over_allocation),
  time_zone: optional(PolicyOptions.time_zone),
} satisfies Record<keyof PolicyJson, Schema.Top>)

export const SettingsChanges = Schema.Struct({
  policy: optional(PolicyChanges).annotate({
    description: "The options to change; null: none is the account's own any more",
  }),
  maturity_days: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_650 })),
  ).annotate({ description: "How many days after its sale a share can be closed" }),
}).annotate({
  identifier: "SettingsChanges",
  description:
    "The settings to change: the others stay as they are, and null is what whoever runs the service has chosen again",
})

const { policy, maturity_days } = SettingsView.fields

const InForce = Schema.Struct({ policy, maturity_days })

export const SettingsChangeView = Schema.Struct({
  version: Position.annotate({ description: "1 for the account's first change" }),
  since: Schema.Int.annotate({ description: "Since when it counts, in Unix seconds" }),
  actor: Schema.String,
  before: InForce.annotate({ description: "What was in force until then" }),
  after: InForce.annotate({ description: "What was in force since then" }),
}).annotate({ identifier: "SettingsChange", description: "A change of the account's settings" })
