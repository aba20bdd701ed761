/** The JSON formats of overviews of what was sold, for the answers of HTTP. */
import * as Schema from "effect/Schema"
import { Count, NullableText, Seconds } from "./Schemas.js"

const cents = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in cents of the currency` })

const figures = {
  sales: Count.annotate({ description: "How many parts of orders were recorded" }),
  refunds: Count.annotate({ description: "How many refunds they have by now" }),
  came_in: cents("What is left of them without refunds: shares and store together"),
  shares: cents("What collaborators have of it"),
  store: cents("What the store has of it"),
}

const amounts = {
  amount: cents("What they have of these sales"),
  months: Schema.Array(Schema.Int).annotate({
    description: "The same for each month of the currency, in their order",
  }),
}

const CurrencyOverviewView = Schema.Struct({
  currency: Schema.String.annotate({ description: "ISO 4217 code" }),
  ...figures,
  months: Schema.Array(
    Schema.Struct({
      month: Schema.String.annotate({ description: "As 2025-12, in the time zone" }),
      ...figures,
    }),
  ).annotate({ description: "Every month of the period" }),
  collaborators: Schema.Array(
    Schema.Struct({
      collaborator_id: Schema.String,
      collaborator_name: NullableText,
      ...amounts,
    }),
  ).annotate({ description: "Those with the most" }),
  others: Schema.NullOr(
    Schema.Struct({
      collaborators: Count.annotate({ description: "How many they are" }),
      ...amounts,
    }),
  ).annotate({ description: "All collaborators that are not listed; null: there are none" }),
}).annotate({ identifier: "CurrencyOverview", description: "What was sold in one currency" })

const NullableTime = Schema.NullOr(Schema.Int)

export const OverviewView = Schema.Struct({
  from: Seconds,
  until: Seconds.annotate({ description: "The first second after the period" }),
  time_zone: Schema.String,
  first_sale_at: NullableTime.annotate({
    description: "When the account's first sale was recorded; null: it has none",
  }),
  last_sale_at: NullableTime.annotate({
    description: "When the account's last sale was recorded; null: it has none",
  }),
  currencies: Schema.Array(CurrencyOverviewView),
}).annotate({ identifier: "Overview", description: "What was sold in a period" })
