/** Collaborators as they stand inside product groups, products and payouts. */
import * as Schema from "effect/Schema"
import { payoutMeasurements } from "../payouts/Collaborator.js"
import { Count } from "./PageSchemas.js"
import { withPattern } from "./Pattern.js"

const Permissions = Schema.Struct({
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

const always = {
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
  permissions: Permissions,
}

/** A collaborator inside a payout. */
export const PayoutCollaborator = Schema.Struct({
  ...always,
  account: Schema.Struct({ name: Schema.String, paypal_email: Schema.NullOr(Schema.String) }),
}).annotate({
  identifier: "PayoutCollaborator",
  description: "A collaborator, as payouts carry them",
})

/** A collaborator inside a product group or a product. */
export const Collaborator = Schema.Struct({
  ...always,
  should_pay_automatically: Schema.Boolean,
  payout_holding_days: Schema.NullOr(Count),
  notes: Schema.NullOr(Schema.String),
  account: Schema.Struct({
    name: Schema.String,
    paypal_email: Schema.NullOr(Schema.String),
    is_managed: Schema.Boolean,
  }),
}).annotate({ identifier: "Collaborator", description: "A collaborator, with all that is known" })
