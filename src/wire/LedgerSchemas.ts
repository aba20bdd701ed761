/** The JSON formats of collaborators' entries, balances and statements, one schema each. */
import * as Schema from "effect/Schema"
import { longestName } from "../payouts/PayoutItem.js"
import { statuses } from "../payouts/PayoutStatus.js"
import { StatementAgreement } from "./AgreementSchemas.js"
import { StatementTermView } from "./CounterSchemas.js"
import { Count, NullableText, Position, Seconds } from "./Schemas.js"

const optional = Schema.optionalKey

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

const cents = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in cents of the currency` })

const nullableTime = (description: string) =>
  Schema.NullOr(Schema.Int).annotate({ description: `Unix seconds; null: ${description}` })

// Entries.

const purposes = ["write-off", "request", "repayment"] as const

export const BookedEntryView = Schema.Struct({
  payout_id: Schema.String.annotate({ description: "The payout that it is in" }),
  id: Schema.String,
  kind: Schema.Literals(["expense", "income"]),
  purpose: Schema.NullOr(Schema.Literals(purposes)).annotate({
    description: "What is done about a balance below zero; null: a plain expense or income",
  }),
  amount: cents("What it adds to the payout: below 0 for an expense, 0 for a request"),
  asked: Schema.NullOr(Position).annotate({
    description: "What a request asks for, in cents of the currency; null: it is none",
  }),
  currency: Currency,
  name: Schema.String,
  created_at: Seconds,
}).annotate({ identifier: "BookedEntry", description: "An entry booked for a collaborator" })

const entryFields = {
  id: optional(Schema.NullOr(Schema.String.check(Schema.isMinLength(1)))).annotate({
    description: "One is made when absent. Asked again with the same id, it has one effect",
  }),
  name: Schema.String.check(Schema.isMinLength(1)).annotate({
    description: `1 to ${longestName} characters, not counting spaces at its ends`,
  }),
  currency: optional(Schema.NullOr(Schema.String)).annotate({
    description: "ISO 4217 code; the collaborator's own when absent",
  }),
}

export const CollaboratorEntryRequest = Schema.Struct({
  ...entryFields,
  amount: Position.annotate({ description: "Above 0, in cents of the currency" }),
}).annotate({ identifier: "NewCollaboratorEntry", description: "What is booked" })

export const DebtEntryRequest = Schema.Struct({
  ...entryFields,
  amount: optional(Schema.NullOr(Position)).annotate({
    description: "Above 0, in cents of the currency; all that is owed when absent",
  }),
}).annotate({ identifier: "NewDebtEntry", description: "What is given up or asked back" })

// Balances.

export const BalanceView = Schema.Struct({
  collaborator_id: Schema.String,
  currency: Currency,
  collecting: cents("In the active payout"),
  pending: cents("In closed payouts that wait to be paid"),
  under_way: cents("In payouts with a payment under way"),
  failed: cents("In payouts whose payment failed"),
  total: cents("The sum of these four: what is owed to the collaborator, or below 0, by them"),
  paid: cents("What was paid so far, by any means"),
}).annotate({ identifier: "Balance", description: "A collaborator's balance in a currency" })

export const CollaboratorBalancesView = Schema.Struct({
  collaborator_id: Schema.String,
  collaborator_name: Schema.String,
  balances: Schema.Array(BalanceView).annotate({ description: "By currency" }),
}).annotate({ identifier: "CollaboratorBalances", description: "A collaborator's balances" })

export const DebtView = Schema.Struct({
  collaborator_id: Schema.String,
  collaborator_name: Schema.String,
  currency: Currency,
  balance: cents("Below 0: what is owed"),
  since: Seconds.annotate({
    description: "Unix seconds; since when it is below 0 without a break",
  }),
  days: Count.annotate({ description: "How long that is by now, in whole days" }),
}).annotate({ identifier: "BalanceBelowZero", description: "A balance below zero" })

// Statements.

export const FiguresView = Schema.Struct({
  currency: Currency,
  opening: cents("What there was to get when the period began"),
  sales: cents("Shares of sales"),
  adjustments: cents("What re-splits changed of shares of past sales"),
  refunds: cents("What refunds took back, below 0"),
  expenses: cents("Below 0"),
  incomes: cents("Extra income, what was written off and repaid"),
  removed: cents("Expenses and incomes that were taken out again"),
  paid: cents("What was paid, less payments that came back"),
  closing: cents("What there is to get at the end of the period"),
})

export const StatementView = Schema.Struct({
  collaborator: Schema.Struct({ id: Schema.String, name: Schema.String }),
  from: nullableTime("from the beginning"),
  until: nullableTime("to the end"),
  statements: Schema.Array(FiguresView).annotate({
    description: "One for each currency in which the collaborator ever had a payout, by currency",
  }),
  agreements: Schema.Array(StatementAgreement).annotate({
    description:
      "The collaborator's own advances, reserves and guarantees, as they stand now, whatever the period is",
  }),
  terms: Schema.Array(StatementTermView).annotate({
    description: "Where the terms of their product groups stand now, whatever the period is",
  }),
}).annotate({
  identifier: "Statement",
  description:
    "Opening balance, sales, adjustments, refunds, expenses, incomes and removed, less what was paid, come to the closing balance",
})

export const lineKinds = [
  ...(["sale", "adjustment", "refund", "expense", "income", "removal", "payment"] as const),
  "returned payment",
] as const

export const AgreementLineView = Schema.Struct({
  kind: Schema.Literals(["override", "reserve", "release", "recoupment", "shortfall"]),
  event: Schema.Literals(["sale", "refund", "release", "close"]).annotate({
    description: "What it was booked with; refund: something is taken back",
  }),
  agreement_id: Schema.String,
  order_id: NullableText.annotate({ description: "null: it is about no sale" }),
}).annotate({
  identifier: "AgreementLine",
  description: "What an entry is about that was booked for an agreement; null: it was not",
})

export const LineItem = Schema.Struct({
  id: Schema.String,
  name: Schema.String.annotate({ description: "The entry's, or the product's" }),
  order_id: NullableText,
  order_item_id: NullableText,
  group_id: NullableText,
  quantity: Schema.NullOr(Count),
  adjustment: Schema.NullOr(
    Schema.Struct({
      run_id: Schema.String.annotate({ description: "The run of the re-split" }),
      before: cents("The whole share under the split that was in force"),
      after: cents("The whole share under the new one"),
    }),
  ).annotate({ description: "What a re-split changed of the share; null: it is none" }),
  agreement: Schema.NullOr(AgreementLineView),
})

export const StatementLine = Schema.Struct({
  payout_id: Schema.String,
  currency: Currency,
  at: Seconds.annotate({ description: "Unix seconds; when it was noted" }),
  kind: Schema.Literals(lineKinds),
  amount: cents("What it adds to the balance; payments take away"),
  item: Schema.NullOr(LineItem).annotate({
    description: "What it is about; null of payments, and of what was taken out again",
  }),
}).annotate({ identifier: "StatementLine", description: "A line of a statement" })

// Histories of payouts.

export const HistoryEntryView = Schema.Struct({
  version: Position.annotate({ description: "The payout's version after the change" }),
  at: Seconds,
  actor: Schema.String.annotate({ description: "Who made the change" }),
  status: Schema.Literals(statuses).annotate({ description: "The payout's status after it" }),
  total: cents("What the payout comes to after it"),
  before: Schema.NullOr(Schema.Int).annotate({
    description: "What it came to before, in cents of the currency; null: it was opened",
  }),
  items_count: Count,
  put: Schema.Array(
    Schema.Struct({
      ...{ id: Schema.String, kind: Schema.Literals(["sale", "refund", "expense", "income"]) },
      amount: Schema.Int,
    }),
  ).annotate({ description: "Items that were added, or put in the place of those with their ids" }),
  removed: Schema.Array(Schema.String).annotate({ description: "Ids of items that were removed" }),
  hash: NullableText.annotate({
    description: "SHA-256 over this entry and the hash of the one before; null: it has none",
  }),
}).annotate({ identifier: "PayoutHistoryEntry", description: "A change of a payout" })

// Explanations for one collaborator.

const stepNames = [
  ...(["price", "discount", "tax", "cost", "gateway fee", "not below zero"] as const),
  ...(["deducted for others", "percent", "flat", "minimum", "maximum", "cap"] as const),
  ...(["shipping", "over-allocation"] as const),
] as const

const Steps = Schema.Array(
  Schema.Struct({ what: Schema.Literals(stepNames), amount: cents("What it adds") }),
)

const SeenShare = Schema.Struct({
  group_id: Schema.String,
  amount: cents("The share"),
  percent: NullableText.annotate({ description: "As 12.50; null: the group has none" }),
  steps: Steps.annotate({ description: "They add up to the amount" }),
  base: Schema.NullOr(
    Schema.Struct({
      steps: Steps,
      amount: cents("What the percentage was computed on"),
      exact: Schema.String.annotate({ description: "The percentage of it before rounding" }),
      rounded: Schema.Literals(["up", "down", "exactly"]),
    }),
  ).annotate({
    description: "null: there is no percentage, or it would tell what may not be seen",
  }),
})

const explanation = {
  order_id: Schema.String,
  currency: Currency,
  flat_scope: Schema.Literals(["unit", "item", "order"]),
  shipping: Schema.Literals(["store", "share", "charge", "all"]),
  items: Schema.Array(
    Schema.Struct({
      item_id: Schema.String,
      quantity: Schema.NullOr(Schema.Int).annotate({
        description: "null: the permissions hide it",
      }),
      shares: Schema.Array(SeenShare),
      outranked: Schema.Array(
        Schema.Struct({ group_id: Schema.String, by_group_id: Schema.String }),
      ),
    }),
  ),
  text: Schema.String.annotate({ description: "The same in words" }),
}

export const ExplanationView = Schema.Struct({
  ...explanation,
  adjustments: Schema.Array(
    Schema.Struct(explanation).annotate({ identifier: "SeenAdjustment" }),
  ).annotate({
    description: "The splits that are in force since the part was split again, the latest last",
  }),
}).annotate({
  identifier: "SeenExplanation",
  description:
    "Why one collaborator got what they got of a part of an order, as they may see it: nothing of what others or the store get",
})
