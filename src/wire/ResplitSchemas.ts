/** The JSON formats of re-splits of past sales, one schema each, for the requests and answers of HTTP. */
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { PolicyOptions } from "./AccountSchemas.js"
import { ExplainedItem } from "./SaleSchemas.js"
import { Count, NewGroup, NullableText, Position, Seconds, Time } from "./Schemas.js"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Id = Schema.Union([Schema.String.check(Schema.isMinLength(1)), Count])

const cents = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in cents of the orders' currency` })

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

const Month = Schema.String.annotate({ description: "As 2025-12, in the account's time zone" })

const NullableTime = Schema.NullOr(Schema.Int)

// Requests.

const chosen = {
  collaborator: optional(Id).annotate({
    description: "Only sales in which the collaborator with this id has a share",
  }),
  product: optional(Id).annotate({
    description: "Only sales of the product with this id or external_id",
  }),
  recorded_from: optional(Time).annotate({ description: "Only sales recorded then or later" }),
  recorded_to: optional(Time).annotate({ description: "Only sales recorded then or before" }),
  sold_from: optional(Time).annotate({ description: "Only sales of orders made then or later" }),
  sold_to: optional(Time).annotate({ description: "Only sales of orders made then or before" }),
  order_ids: optional(Schema.Array(Id)).annotate({ description: "Only sales of these orders" }),
  completes: optional(Schema.Boolean).annotate({
    description:
      "Whether what the orders leave out of their products is filled in from the catalogue as it is now; false when absent",
  }),
}

const GivenGroup = Schema.Struct({
  id: Id,
  collaborator_id: Id,
  ...NewGroup.fields,
  created_at: optional(Time).annotate({ description: "The newer of two equals counts" }),
}).annotate({
  identifier: "GivenProductGroup",
  description: "A product group as it would be, with its id and whose it is",
})

const { time_zone: _, ...policyOptions } = PolicyOptions

/** The rules that sales are split again by. */
const rules = {
  groups: optional(Schema.Array(GivenGroup)).annotate({
    description: "All rules, in place of the account's product groups as they are",
  }),
  policy: optional(
    Schema.Struct(Record.map(policyOptions, (option) => Schema.optionalKey(option))),
  ).annotate({
    description: "In place of the account's policy; what it leaves out has its default",
  }),
}

export const ResplitPreviewRequest = Schema.Struct({
  ...chosen,
  ...rules,
  biggest: optional(Count).annotate({
    description: "How many sales are explained of each currency, at most 1000; 10 when absent",
  }),
}).annotate({
  identifier: "NewResplitPreview",
  description: "Which sales are split again; all when nothing is said",
})

export const NewResplit = Schema.Struct({
  id: Id.annotate({
    description: "Names the run, in 1 to 200 characters: the same again has one effect",
  }),
  reason: optional(Schema.String).annotate({ description: "Why, in at most 500 characters" }),
  ...chosen,
  ...rules,
}).annotate({ identifier: "NewResplit", description: "A re-split that is proposed" })

export const ResplitApproval = Schema.Struct({
  digest: Schema.String.annotate({ description: "The digest of the preview that was looked at" }),
}).annotate({ identifier: "NewResplitApproval", description: "What is approved" })

// Answers.

const place = { order_id: Schema.String, part: Position }

const SalePlaceView = Schema.Struct(place).annotate({
  identifier: "SalePlace",
  description: "A part of a recorded order",
})

const ResplitTotalView = Schema.Struct({
  collaborator_id: NullableText.annotate({ description: "null: the store" }),
  currency: Currency,
  month: Month,
  before: cents("What they have of these sales, without what was refunded"),
  after: cents("What they would have"),
  difference: cents("What they get in addition"),
}).annotate({
  identifier: "ResplitTotal",
  description: "What it changes for a party in the sales of a month",
})

const Explained = Schema.Struct({
  explanation: Schema.Array(ExplainedItem),
  text: Schema.String.annotate({ description: "The explanation in words" }),
}).annotate({ identifier: "ResplitExplanation", description: "The items that differ, explained" })

const ResplitExampleView = Schema.Struct({
  ...place,
  currency: Currency,
  month: Month,
  differences: Schema.Array(
    Schema.Struct({
      collaborator_id: Schema.String,
      difference: cents("What they get in addition"),
    }),
  ).annotate({ description: "The biggest first" }),
  refunds: Count.annotate({
    description: "How many refunds it has: the differences are of what is left",
  }),
  before: Explained,
  after: Explained,
}).annotate({ identifier: "ResplitExample", description: "A sale of which much changes" })

const figures = {
  digest: Schema.String.annotate({
    description: "A hash of all that it changes: who approves it, approves this",
  }),
  sales: Count.annotate({ description: "How many parts of orders were looked at" }),
  changed: Count.annotate({ description: "How many of them it changes" }),
  totals: Schema.Array(ResplitTotalView).annotate({
    description: "By currency, collaborator (the store last) and month",
  }),
}

export const ResplitPreviewView = Schema.Struct({
  ...figures,
  refused: Schema.Array(Schema.Struct({ ...place, message: Schema.String })).annotate({
    description: "Sales that the rules refuse, which stay as they are; the first hundred",
  }),
  biggest: Schema.Array(ResplitExampleView).annotate({
    description: "The sales with the biggest differences, by currency",
  }),
}).annotate({ identifier: "ResplitPreview", description: "What a re-split would change" })

const Chosen = Schema.Struct({
  collaborator: NullableText,
  product: NullableText,
  recorded_from: NullableTime,
  recorded_to: NullableTime,
  sold_from: NullableTime,
  sold_to: NullableTime,
  order_ids: Schema.NullOr(Schema.Array(Schema.String)),
  completes: Schema.Boolean,
  has_groups: Schema.Boolean.annotate({
    description: "Whether it has rules of its own in place of the account's product groups",
  }),
  has_policy: Schema.Boolean.annotate({
    description: "Whether it has a policy of its own in place of the account's",
  }),
}).annotate({ identifier: "ResplitRequest", description: "Which sales are split again, by what" })

export const ResplitView = Schema.Struct({
  id: Schema.String,
  reason: NullableText,
  status: Schema.Literals(["proposed", "approved", "booking", "booked"]).annotate({
    description: "booking: it was begun and is not done",
  }),
  request: Chosen,
  ...figures,
  proposed_at: Seconds,
  proposed_by: Schema.String,
  approved_at: NullableTime.annotate({ description: "Unix seconds; null: it was not approved" }),
  approved_by: NullableText,
  booked_at: NullableTime.annotate({ description: "Unix seconds; null: it is not booked yet" }),
  batches: Count.annotate({ description: "In how many steps it is booked" }),
  booked_batches: Count.annotate({ description: "How many of them are booked" }),
  adjusted: Count.annotate({ description: "How many parts of orders were adjusted so far" }),
  left_out: Schema.Array(SalePlaceView).annotate({
    description: "Those that changed while others were booked, and were left as they are",
  }),
}).annotate({ identifier: "Resplit", description: "A run of a re-split, and what became of it" })
