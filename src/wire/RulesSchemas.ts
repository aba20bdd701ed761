/** The JSON formats of an account's rules as a whole and of drafts of groups, for the requests and answers of HTTP. */
import * as Schema from "effect/Schema"
import { GroupTermsView } from "./CounterSchemas.js"
import { Count, GroupChanges, NullableText, Position, Seconds, Time } from "./Schemas.js"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Id = Schema.Union([Schema.String.check(Schema.isMinLength(1)), Count])

const cents = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in cents of the orders' currency` })

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

const Owner = Schema.Struct({ id: Schema.String, name: NullableText }).annotate({
  identifier: "GroupOwner",
  description: "The collaborator whom a group pays",
})

const Modifier = Schema.String

/** A group in the names of a request. */
const GroupFields = Schema.Struct({
  itemType: Schema.String,
  items: Schema.Array(Schema.String),
  type_modifier: Modifier,
  splitConditionType: NullableText,
  splitConditions: Schema.Array(Schema.String),
  condition_modifier: Schema.NullOr(Modifier),
  type: Schema.Literals(["percentage", "flat", "both"]).annotate({
    description: "both: a percentage and a flat amount",
  }),
  percent: NullableText.annotate({ description: "With two decimals" }),
  amount: Schema.NullOr(Schema.Int),
  deduct_for_other_splits: Schema.Boolean,
  shipping_percent: NullableText,
  shipping_amount: Schema.NullOr(Schema.Int),
  min_amount: Schema.NullOr(Schema.Int),
  max_amount: Schema.NullOr(Schema.Int),
  starts_at: Schema.NullOr(Schema.Int),
  ends_at: Schema.NullOr(Schema.Int),
  terms: Schema.optionalKey(GroupTermsView),
}).annotate({
  identifier: "ProductGroupFields",
  description: "All fields of a group, named as in the request that makes it",
})

const owned = {
  id: Schema.String,
  collaborator: Owner,
  group: GroupFields,
  products_count: Count.annotate({ description: "How many products are linked to it so far" }),
  created_at: Schema.NullOr(Schema.Int),
  updated_at: Seconds,
}

export const OwnedGroupView = Schema.Struct(owned).annotate({
  identifier: "OwnedProductGroup",
  description: "A product group with all its fields",
})

export const ListedOwnedGroup = Schema.Struct({
  ...owned,
  items_count: Count.annotate({ description: "How many items it has; items are the first 20" }),
  split_conditions_count: Count.annotate({
    description: "How many split conditions it has; splitConditions are the first 20",
  }),
}).annotate({
  identifier: "ListedOwnedProductGroup",
  description: "A product group in the list of all groups of the account",
})

// Drafts.

const draft = {
  collaborator_id: Id.annotate({ description: "The collaborator whom the group would pay" }),
  group_id: optional(Id).annotate({
    description: "The group that the draft replaces; absent or null: it is a new one",
  }),
  group: Schema.NullOr(GroupChanges).annotate({
    description:
      "As the request that saves it has it: all fields of a new group, those that change of another; null: the group would be removed",
  }),
}

export const DraftRequest = Schema.Struct(draft).annotate({
  identifier: "NewGroupDraft",
  description: "A product group as it would be",
})

export const DraftBacktestRequest = Schema.Struct({
  ...draft,
  from: optional(Time).annotate({
    description: "Sales recorded then or later; from the beginning of the last month when absent",
  }),
  until: optional(Time).annotate({
    description: "Sales recorded before; until the end of the last month when absent",
  }),
  most: optional(Count).annotate({
    description: "How many parts of orders are looked at, at most 20000; 5000 when absent",
  }),
}).annotate({
  identifier: "NewGroupBacktest",
  description: "A product group as it would be, and the sales that it is tried on",
})

const finding = {
  rule: Schema.String.annotate({ description: "The rule of the linter, as over-allocation" }),
  severity: Schema.Literals(["error", "warning", "note"]),
  message: Schema.String,
  group_ids: Schema.Array(Schema.String).annotate({
    description: "The groups concerned, that which it is about first",
  }),
  agreement_ids: Schema.Array(Schema.String).annotate({ description: "The agreements concerned" }),
}

/** What the linter says of a draft. */
export const draftFindings = {
  checked: Schema.Literals(["all", "collaborator", "none"]).annotate({
    description: "Which rules the linter has looked at in the time it has",
  }),
  findings: Schema.Array(
    Schema.Struct({
      ...finding,
      is_new: Schema.Boolean.annotate({ description: "false: it is there without the draft too" }),
    }),
  ),
  gone: Schema.Array(Schema.Struct(finding)).annotate({
    description: "What the linter finds now and would not with the draft",
  }),
}

const TakenProduct = Schema.Struct({ id: Schema.String, name: NullableText })

export const DraftPreviewView = Schema.Struct({
  group_id: NullableText.annotate({
    description: "How findings name the draft; null: the group would be removed",
  }),
  products_count: Schema.NullOr(Count).annotate({
    description: "How many products it would take; null: it would be removed",
  }),
  products_are_whole: Schema.Boolean.annotate({
    description: "false: the catalogue is large, and there may be more products",
  }),
  products_before: Schema.NullOr(Count).annotate({
    description: "How many products are linked to the group that it replaces; null: none is",
  }),
  products: Schema.Array(TakenProduct).annotate({ description: "The first five" }),
  ...draftFindings,
}).annotate({
  identifier: "GroupDraftPreview",
  description: "What a draft of a product group would take, and what the linter says of it",
})

const DraftTotalView = Schema.Struct({
  currency: Currency,
  collaborator_id: NullableText.annotate({ description: "null: the store" }),
  before: cents("By the rules as they are"),
  after: cents("With the draft"),
  difference: cents("What they would have got in addition"),
})

const DraftExampleView = Schema.Struct({
  order_id: Schema.String,
  part: Position,
  currency: Currency,
  differences: Schema.Array(
    Schema.Struct({
      collaborator_id: Schema.String,
      difference: cents("What they would have got in addition"),
    }),
  ).annotate({ description: "The biggest first" }),
  before_text: Schema.String.annotate({ description: "The items that differ, in words" }),
  after_text: Schema.String,
})

export const DraftBacktestView = Schema.Struct({
  from: Seconds,
  until: Seconds.annotate({ description: "The first second after the period" }),
  time_zone: Schema.String,
  sales: Count.annotate({ description: "How many parts of orders were looked at" }),
  changed: Count.annotate({ description: "How many would have been split otherwise" }),
  is_whole: Schema.Boolean.annotate({ description: "Whether these are all of the period" }),
  totals: Schema.Array(DraftTotalView).annotate({
    description: "Of everybody whose sum differs, whatever was refunded since",
  }),
  biggest: Schema.Array(DraftExampleView).annotate({
    description: "The three sales of each currency that differ most",
  }),
  refused: Schema.Array(
    Schema.Struct({ order_id: Schema.String, part: Position, message: Schema.String }),
  ).annotate({ description: "Sales that the rules would have refused; the first twenty" }),
}).annotate({
  identifier: "GroupBacktest",
  description: "What sales would have come to with a draft of a product group",
})
