/** Payouts with their items, and what is added to them. */
import * as Schema from "effect/Schema"
import { statuses } from "../payouts/PayoutStatus.js"
import { PayoutCollaborator } from "./CollaboratorSchemas.js"
import { Meta, Position, Seconds } from "./PageSchemas.js"

const nullableText = Schema.NullOr(Schema.String)
const nullableNumber = Schema.NullOr(Schema.Int)
const Cents = Schema.Int.annotate({ description: "Cents" })

export const Status = Schema.Literals(statuses)

const SoldProduct = Schema.Struct({
  id: Schema.String,
  external_id: Schema.String,
  external_variant_id: Schema.String,
  name: Schema.String,
  sku: nullableText,
  vendor: Schema.String,
  price: Cents,
  cost: Cents,
  tags: Schema.Array(Schema.String),
  inventory_quantity: nullableNumber,
}).annotate({ identifier: "SoldProduct", description: "A product, as it was when it was sold" })

const OrderItem = Schema.Struct({
  amount: Cents,
  discount: Cents,
  quantity: Schema.Int,
  tax_percent: Schema.NullOr(Schema.Finite),
  tax_name: nullableText,
  tax_total: nullableNumber,
  grams: Schema.Int,
  product: SoldProduct,
  external_id: Schema.String,
  split_at: Seconds,
  refunded_at: Schema.NullOr(Seconds),
}).annotate({
  identifier: "OrderItem",
  description: "What was sold. Amounts are cents of the order's currency",
})

const PayoutItem = Schema.Struct({
  amount: Schema.Int.annotate({
    description: "Cents of the payout's currency, negative for an expense",
  }),
  original_amount: Schema.Int.annotate({ description: "Cents of original_currency" }),
  original_currency: Schema.String,
  currency_exchange_rate: nullableText.annotate({
    description: "null: the currencies are the same",
  }),
  is_expenses: Schema.Boolean,
  expense_name: nullableText.annotate({ description: "Name of the expense or the extra income" }),
  orderItem: Schema.NullOr(OrderItem),
}).annotate({
  identifier: "PayoutItem",
  description: "A share of a sale, an expense or an extra income",
})

const entry = {
  id: Schema.String,
  currency: Schema.String,
  collaborator: PayoutCollaborator,
  status: Status,
  to_be_paid_at: Seconds,
  paid_at: Schema.NullOr(Seconds).annotate({ description: "null: it was not paid yet" }),
}

export const ListedPayout = Schema.Struct(entry).annotate({
  identifier: "ListedPayout",
  description: "A payout in a list",
})

export const ViewedPayout = Schema.Struct({
  ...entry,
  total: Schema.Int.annotate({ description: "Sum of the items, in cents" }),
  items: Schema.Array(PayoutItem),
  items_meta: Schema.optionalKey(Meta).annotate({
    description:
      "Where the items stand among all of them; only when items_page or items_per_page is given, and in the answer to a POST when there are more than 10000. Not in the original API",
  }),
}).annotate({ identifier: "Payout", description: "A payout with its items" })

export const NewEntry = Schema.Struct({
  amount: Position.annotate({ description: "Cents above 0, for an expense too" }),
  name: Schema.String.check(Schema.isMinLength(1)).annotate({
    description: "1 to 200 characters, not counting spaces at its ends",
  }),
}).annotate({ identifier: "NewEntry", description: "An expense or an extra income" })
