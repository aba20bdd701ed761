/** The JSON formats of agreements and of where they stand, for the requests and answers of HTTP. */
import * as Schema from "effect/Schema"
import { kinds } from "../agreements/Agreement.js"
import { draftFindings } from "./RulesSchemas.js"
import { Count, NullableText, Percent, Seconds, Time } from "./Schemas.js"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

const cents = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in cents of the currency` })

const PercentText = Schema.String.annotate({ description: "With two decimals, as 15.00" })

const Groups = Schema.NullOr(Schema.Array(Schema.String)).annotate({
  description: "The product groups whose shares it is about; null: all of them",
})

const Purpose = Schema.Literals(["expense", "advance"])
const Of = Schema.Literals(["share", "sale"])
const PaidBy = Schema.Literals(["share", "store"])

/** What is agreed, or asked for, with its kind. */
const ofKind = <const K extends string, S extends Schema.Top>(kind: K, agreement: S) =>
  Schema.Struct({ kind: Schema.Literal(kind), agreement })

// Agreements as they are answered.

const common = { id: Schema.String, collaborator_id: Schema.String }

const Advance = Schema.Struct({
  ...common,
  currency: Currency,
  amount: cents("What was granted or spent"),
  granted_at: Seconds,
  purpose: Purpose.annotate({ description: "Expenses are recouped before advances" }),
  percent: PercentText,
  groups: Groups,
  also_from: Schema.Array(Schema.String).annotate({
    description: "Other collaborators whose shares are recouped from too",
  }),
}).annotate({
  identifier: "Advance",
  description: "Money that a collaborator had before it was earned, or that was spent for them",
})

const Reserve = Schema.Struct({
  ...common,
  percent: PercentText,
  groups: Groups,
  schedule: Schema.Array(
    Schema.Struct({
      days: Count.annotate({ description: "Days after the sale" }),
      percent: PercentText,
    }),
  ),
}).annotate({
  identifier: "Reserve",
  description: "A percentage of positive shares that is withheld for some days",
})

const Guarantee = Schema.Struct({
  ...common,
  currency: Currency,
  amount: cents("What is earned at least in the period"),
  from: Seconds,
  until: Seconds.annotate({ description: "Unix seconds; the first one after the period" }),
  groups: Groups,
}).annotate({
  identifier: "Guarantee",
  description: "What a collaborator earns at least in a period",
})

const Override = Schema.Struct({
  ...common,
  of: Of.annotate({ description: "What it is a percentage of" }),
  from: NullableText.annotate({
    description: "The collaborator whose share it is about; null: it is of every sale",
  }),
  paid_by: PaidBy.annotate({ description: "What it comes out of" }),
  percent: PercentText,
  groups: Groups,
}).annotate({
  identifier: "Override",
  description: "A percentage of another's share or of the sale, as an agent gets it",
})

const stored = {
  made_at: Seconds,
  made_by: Schema.String.annotate({ description: "Who made it, or changed it last" }),
  ended_at: Schema.NullOr(Schema.Int).annotate({
    description: "Unix seconds; from then on nothing more is booked for it. null: it is in force",
  }),
  ended_by: NullableText,
  is_used: Schema.Boolean.annotate({
    description: "Whether something was booked for it, so that it can only be ended",
  }),
}

const AdvanceBalance = Schema.Struct({
  recouped: cents("What is earned back"),
  open: cents("What is still to be earned back"),
}).annotate({ identifier: "AdvanceBalance", description: "Where an advance stands" })

const ReserveBalance = Schema.Struct({
  currency: Currency,
  reserved: cents("What was withheld in all"),
  released: cents("What was released of it"),
  reversed: cents("What was given back to shares that were refunded"),
  held: cents("What is still to be released"),
  next_release_at: Schema.optionalKey(Schema.NullOr(Schema.Int)).annotate({
    description:
      "When the next part is released, in Unix seconds; null: nothing is held. Not in the list",
  }),
}).annotate({ identifier: "ReserveBalance", description: "Where a reserve stands in a currency" })

const GuaranteeBalance = Schema.Struct({
  earned: cents("What is earned in the period so far"),
  shortfall: Schema.NullOr(Schema.Int).annotate({
    description:
      "What is earned too little, in cents of the currency; null: too much to be booked exactly",
  }),
  is_closed: Schema.Boolean.annotate({
    description: "Whether the period is over and the shortfall booked",
  }),
}).annotate({ identifier: "GuaranteeBalance", description: "Where a guarantee stands" })

const AdvanceStanding = Schema.Struct({
  ...{ ...ofKind("advance", Advance).fields, ...stored },
  balance: AdvanceBalance,
})
const ReserveStanding = Schema.Struct({
  ...{ ...ofKind("reserve", Reserve).fields, ...stored },
  balance: Schema.Array(ReserveBalance).annotate({ description: "By currency" }),
})
const GuaranteeStanding = Schema.Struct({
  ...{ ...ofKind("guarantee", Guarantee).fields, ...stored },
  balance: GuaranteeBalance,
})
const OverrideStanding = Schema.Struct({
  ...{ ...ofKind("override", Override).fields, ...stored },
  balance: Schema.Null.annotate({ description: "It is paid with each sale" }),
})

const AdvanceStatement = Schema.Struct({
  ...{ kind: Schema.Literal("advance"), id: Schema.String, currency: Currency },
  ...{ amount: Advance.fields.amount, balance: AdvanceBalance },
})
const ReserveStatement = Schema.Struct({
  ...{ kind: Schema.Literal("reserve"), id: Schema.String },
  balance: ReserveStanding.fields.balance,
})
const GuaranteeStatement = Schema.Struct({
  ...{ kind: Schema.Literal("guarantee"), id: Schema.String, currency: Currency },
  ...{ amount: Guarantee.fields.amount, from: Seconds, until: Guarantee.fields.until },
  balance: GuaranteeBalance,
})

export const StatementAgreement = Schema.Union([
  AdvanceStatement,
  ReserveStatement,
  GuaranteeStatement,
]).annotate({
  identifier: "StatementAgreement",
  description: "An agreement with a balance, without what is about others",
})

export const AgreementView = Schema.Union([
  AdvanceStanding,
  ReserveStanding,
  GuaranteeStanding,
  OverrideStanding,
]).annotate({ identifier: "Agreement", description: "An agreement, and where it stands" })

const BookedLine = Schema.Struct({
  kind: Schema.Literals([
    ...(["share", "store", "override", "reserve", "release", "recoupment", "shortfall"] as const),
  ]).annotate({
    description:
      "recoupment: of an advance; reserve: withheld; release: paid out of a reserve; shortfall: what a guarantee pays; share: it counts for a guarantee",
  }),
  event: Schema.Literals(["sale", "release", "refund", "close"]),
  collaborator_id: NullableText.annotate({ description: "Whose line it is; null: the store's" }),
  group_id: NullableText,
  currency: Currency,
  amount: cents("What they get, negative for what is taken off"),
  payout_id: NullableText.annotate({
    description: "The payout in which it is by now; null: it has no item of its own in one",
  }),
}).annotate({ identifier: "AgreementBookingLine", description: "A line about an agreement" })

export const AgreementBookingView = Schema.Struct({
  order_id: NullableText.annotate({ description: "null: it is the end of a guarantee" }),
  item_id: NullableText,
  at: Seconds,
  lines: Schema.Array(BookedLine),
}).annotate({
  identifier: "AgreementBooking",
  description: "What was booked for an agreement at one time, of an item of a sale",
})

// Agreements as they are asked for.

const Id = Schema.Union([Schema.String.check(Schema.isMinLength(1)), Count])

const Ids = Schema.Array(Id)

const request = {
  id: Id.annotate({ description: "Its own among those of its kind" }),
  collaborator_id: Id.annotate({ description: "With whom it is agreed, who gets it" }),
  groups: optional(Ids).annotate({
    description: "The product groups whose shares it is about; absent or null: all of them",
  }),
}

const NewAdvance = Schema.Struct({
  ...request,
  currency: Currency,
  amount: Count.annotate({ description: "Cents of the currency" }),
  granted_at: Time,
  purpose: optional(Purpose).annotate({ description: "advance when absent" }),
  percent: optional(Percent).annotate({
    description: "How much of each credited amount it takes at most; 100 when absent",
  }),
  also_from: optional(Ids).annotate({
    description: "Other collaborators whose shares are recouped from too; nobody's when absent",
  }),
}).annotate({ identifier: "NewAdvance", description: "An advance as it is to be" })

const NewReserve = Schema.Struct({
  ...request,
  percent: Percent,
  schedule: Schema.Array(Schema.Struct({ days: Count, percent: Percent })).annotate({
    description:
      "How much of what was withheld is released so many days after the sale; 100 % together",
  }),
}).annotate({ identifier: "NewReserve", description: "A reserve as it is to be" })

const NewGuarantee = Schema.Struct({
  ...request,
  currency: Currency,
  amount: Count.annotate({ description: "Cents of the currency" }),
  from: Time,
  until: Time,
}).annotate({ identifier: "NewGuarantee", description: "A guarantee as it is to be" })

const NewOverride = Schema.Struct({
  ...request,
  of: Of,
  from: optional(Id),
  paid_by: PaidBy,
  percent: Percent,
}).annotate({ identifier: "NewOverride", description: "An override as it is to be" })

export const AgreementRequest = Schema.Union([
  ofKind("advance", NewAdvance),
  ofKind("reserve", NewReserve),
  ofKind("guarantee", NewGuarantee),
  ofKind("override", NewOverride),
]).annotate({ identifier: "NewAgreement", description: "An agreement as it is to be" })

const AgreedView = Schema.Struct({
  kind: Schema.Literals(kinds),
  agreement: Schema.Union([Advance, Reserve, Guarantee, Override]),
}).annotate({ identifier: "Agreed", description: "What is agreed, with its kind" })

export const AgreementPreviewView = Schema.Struct({
  change: Schema.Literals(["made", "changed", "nothing"]).annotate({
    description: "What would be done; nothing: the account has the same agreement",
  }),
  agreed: AgreedView,
  before: Schema.NullOr(AgreedView).annotate({
    description: "What it would replace; null: it is new",
  }),
  ...draftFindings,
}).annotate({
  identifier: "AgreementPreview",
  description: "What putting an agreement would do, and what the linter says of it",
})
