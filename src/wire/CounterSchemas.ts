/** The JSON format of terms and counters, for the requests and answers of HTTP. */
import * as Schema from "effect/Schema"

const Per = Schema.Literals(["group", "collaborator"])

const Period = Schema.Literals(["lifetime", "year", "month", "payout"])

const Counted = Schema.Literals(["units", "base", "share"])

/** What a group pays where that depends on what came before. */
export const GroupTermsView = Schema.Struct({
  tiers: Schema.NullOr(
    Schema.Struct({
      counted: Counted,
      per: Per,
      period: Period,
      bands: Schema.Array(Schema.Struct({ from: Schema.Int, percent: Schema.String })),
    }),
  ),
  cap: Schema.NullOr(Schema.Struct({ amount: Schema.Int, per: Per, period: Period })),
}).annotate({
  identifier: "GroupTerms",
  description:
    "What the group pays where that depends on what came before: tiers, which take the place of a percentage, and a cap",
})

const reach = {
  per: Schema.optionalKey(Per).annotate({ description: "group when absent" }),
  period: Schema.optionalKey(Period).annotate({ description: "lifetime when absent" }),
}

/** The same in a request. */
export const GroupTermsRequest = Schema.Struct({
  tiers: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        counted: Counted.annotate({
          description: "Units sold, or cents of the percentage's base or of the goods paid",
        }),
        ...reach,
        bands: Schema.Array(
          Schema.Struct({
            from: Schema.Int.annotate({ description: "Units or cents; 0 in the first band" }),
            percent: Schema.Union([Schema.Finite, Schema.String]),
          }),
        ).annotate({ description: "Rising; each earns its percentage up to the next" }),
      }),
    ),
  ),
  cap: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        amount: Schema.Int.annotate({ description: "The most in a period, in cents" }),
        ...reach,
      }),
    ),
  ),
}).annotate({
  identifier: "NewGroupTerms",
  description: "Beyond the specification: tiers, a cap, or both",
})

/** What terms did to a share. */
export const ShareTermsView = Schema.Struct({
  tiers: Schema.NullOr(
    Schema.Struct({
      counted: Counted,
      counter: Schema.String.annotate({ description: "The key of the counter" }),
      before: Schema.Int,
      after: Schema.Int,
      bands: Schema.Array(
        Schema.Struct({ from: Schema.Int, percent: Schema.String, counted: Schema.Int }),
      ),
    }),
  ),
  cap: Schema.NullOr(
    Schema.Struct({
      counter: Schema.String.annotate({ description: "The key of the counter" }),
      amount: Schema.Int,
      before: Schema.Int,
      after: Schema.Int,
      left: Schema.Int,
      cut: Schema.Int.annotate({ description: "What the share would have had on top" }),
    }),
  ),
}).annotate({ description: "Only where the group has terms: what they did" })

/** A remainder before and after an item. */
export const CarriedView = Schema.Struct({ before: Schema.Int, after: Schema.Int }).annotate({
  description:
    "Only where remainders are carried: that before and after the item, in ten-thousandths of a cent",
})

const stand = {
  group_id: Schema.String,
  currency: Schema.String.annotate({ description: "ISO 4217 code" }),
  period: Schema.String.annotate({
    description:
      "lifetime, the year or month of now, as 2026-03, or payout: that which collects now",
  }),
  per: Schema.Literals(["group", "collaborator"]),
}

/** Where a group's terms stand, as the statement of its collaborator has it. */
export const StatementTermView = Schema.Union([
  Schema.Struct({
    ...{ kind: Schema.Literal("tiers"), ...stand, counted: Counted },
    count: Schema.optionalKey(Schema.Int).annotate({
      description: "Units, or cents of the currency; absent where it may not be seen",
    }),
    percent: Schema.String.annotate({ description: "Of what is sold next, as 12.50" }),
    next: Schema.NullOr(Schema.Struct({ from: Schema.Int, percent: Schema.String })).annotate({
      description: "The next band, and from where on; null: there is none",
    }),
  }),
  Schema.Struct({
    ...{ kind: Schema.Literal("cap"), ...stand },
    amount: Schema.Int.annotate({ description: "The most that is paid in the period, in cents" }),
    count: Schema.Int.annotate({ description: "What was paid in it, in cents" }),
    left: Schema.Int.annotate({ description: "What is left under it, in cents" }),
  }),
]).annotate({
  identifier: "StatementTerm",
  description: "Which band a product group has reached, or what is left under its cap",
})

/** A counter of an account. */
export const CounterView = Schema.Struct({
  key: Schema.String.annotate({
    description: "As units/USD/2026/group/g1, or remainder/USD/store",
  }),
  count: Schema.Int.annotate({
    description: "Units, or cents of the currency; of a remainder ten-thousandths of a cent",
  }),
  counted: Schema.Literals(["units", "base", "share", "remainder"]),
  currency: Schema.String.annotate({ description: "ISO 4217 code" }),
  period: Schema.NullOr(Schema.String).annotate({
    description:
      "lifetime, a year, a month as 2026-03, or payout: with the payout's id; null for a remainder",
  }),
  per: Schema.Literals(["group", "collaborator", "store"]),
  id: Schema.NullOr(Schema.String).annotate({
    description: "Of the group or the collaborator; null for the store",
  }),
})
