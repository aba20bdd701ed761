/** The JSON formats of passes, and of what a collaborator reads with one: what they may not see is absent. */
import * as Schema from "effect/Schema"
import { all as languages } from "../languages/Language.js"
import { statuses } from "../payouts/PayoutStatus.js"
import { AgreementLineView, lineKinds } from "./LedgerSchemas.js"
import { Count, NullableText, OrderItem, Position, Seconds, SoldProduct } from "./Schemas.js"

const optional = Schema.optionalKey

const nullableTime = (description: string) =>
  Schema.NullOr(Schema.Int).annotate({ description: `Unix seconds; null: ${description}` })

const Language = Schema.Literals(languages)

// Passes.

const passFields = {
  id: Schema.String,
  collaborator_id: Schema.String,
  language: Language.annotate({ description: "The language in which it is shown at first" }),
  created_at: Seconds,
  created_by: Schema.String.annotate({ description: "Who created it" }),
  expires_at: Seconds.annotate({ description: "Unix seconds; from then on it is refused" }),
  revoked_at: nullableTime("it was not revoked"),
  revoked_by: NullableText.annotate({ description: "Who revoked it; null: nobody did" }),
}

export const PassView = Schema.Struct(passFields).annotate({
  identifier: "Pass",
  description: "A link with which a collaborator reads what they may see",
})

export const PassWithToken = Schema.Struct({
  ...passFields,
  token: NullableText.annotate({
    description:
      "What opens it, for the fragment of a link: /statement/#<token>. Shown this once; null when the answer is repeated for a key",
  }),
}).annotate({ identifier: "NewPass", description: "A pass, with its token" })

export const PassRequest = Schema.Struct({
  expires_at: optional(Schema.NullOr(Schema.Int)).annotate({
    description: "Unix seconds, a minute to 366 days from now; 30 days when absent",
  }),
  language: optional(Schema.NullOr(Language)).annotate({ description: "en when absent" }),
}).annotate({ identifier: "PassRequest", description: "The options of a new pass" })

// What its holder reads.

export const OpenedPassView = Schema.Struct({
  collaborator: Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    currency: Schema.String.annotate({ description: "ISO 4217 code" }),
  }),
  language: Language,
  expires_at: Seconds,
  time_zone: Schema.String.annotate({
    description: "IANA name of the zone in which the account's payouts have their dates",
  }),
}).annotate({ identifier: "OpenedPass", description: "Whose pass it is" })

const { price, cost, inventory_quantity, ...product } = SoldProduct.fields

const SeenProduct = Schema.Struct({
  ...product,
  price: optional(price),
  cost: optional(cost),
  inventory_quantity: optional(inventory_quantity),
}).annotate({ identifier: "SeenProduct", description: "A product, as it was when it was sold" })

const { amount, discount, quantity, tax_percent, tax_name, tax_total } = OrderItem.fields
const { grams, external_id, split_at, refunded_at } = OrderItem.fields

const details = {
  order_name: optional(NullableText),
  order_status: optional(NullableText),
  payment_gateway: optional(NullableText),
  customer_name: optional(NullableText),
  customer_email: optional(NullableText),
  shipping_address: optional(NullableText),
  billing_address: optional(NullableText),
}

const SeenOrderItem = Schema.Struct({
  ...{ order_id: Schema.String, item_id: Schema.String, group_id: Schema.String },
  ...{ grams, external_id, split_at, refunded_at },
  product: SeenProduct,
  amount: optional(amount),
  discount: optional(discount),
  quantity: optional(quantity),
  tax_percent: optional(tax_percent),
  tax_name: optional(tax_name),
  tax_total: optional(tax_total),
  ...details,
}).annotate({
  identifier: "SeenOrderItem",
  description: "What was sold, without what the collaborator may not see",
})

export const SeenItemView = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["sale", "refund", "expense", "income"]),
  created_at: Seconds,
  amount: Schema.Int.annotate({ description: "Cents of the payout's currency" }),
  original_amount: Schema.Int.annotate({ description: "Cents of original_currency" }),
  original_currency: Schema.String,
  currency_exchange_rate: NullableText.annotate({
    description: "null: the currencies are the same",
  }),
  name: NullableText.annotate({ description: "Of an expense or income; null of a sale" }),
  agreement: Schema.NullOr(AgreementLineView),
  asked: Schema.NullOr(Schema.Int).annotate({
    description: "What an entry asks to be paid back, in cents; null: it asks for nothing",
  }),
  is_adjustment: Schema.Boolean.annotate({
    description: "Whether it is what splitting a past sale again has changed",
  }),
  order_item: Schema.NullOr(SeenOrderItem).annotate({ description: "null of an entry" }),
}).annotate({ identifier: "SeenItem", description: "An item of a payout" })

export const SeenLineView = Schema.Struct({
  payout_id: Schema.String,
  currency: Schema.String,
  at: Seconds.annotate({ description: "Unix seconds; when it was noted" }),
  kind: Schema.Literals(lineKinds),
  amount: Schema.Int.annotate({
    description: "What it adds to the balance, in cents; payments take away",
  }),
  item: Schema.NullOr(SeenItemView).annotate({
    description: "What it is about; null of payments, and of what was taken out again",
  }),
}).annotate({ identifier: "SeenLine", description: "A line of a statement" })

const payoutFields = {
  id: Schema.String,
  currency: Schema.String,
  status: Schema.Literals(statuses),
  opened_at: Seconds,
  to_be_paid_at: Seconds,
  paid_at: nullableTime("it was not paid yet"),
  total: Schema.Int.annotate({ description: "Sum of the items, in cents" }),
  items_count: Count,
}

export const SeenPayoutEntry = Schema.Struct(payoutFields).annotate({
  identifier: "ListedSeenPayout",
  description: "A payout in a list, as its collaborator sees it",
})

export const SeenPayoutView = Schema.Struct({
  ...payoutFields,
  items: Schema.Array(SeenItemView).annotate({
    description: "Those of the page, in the order in which they were added",
  }),
  items_page: Position,
  items_per_page: Position,
}).annotate({ identifier: "SeenPayout", description: "A payout, as its collaborator sees it" })
