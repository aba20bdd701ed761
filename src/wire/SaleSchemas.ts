/**
 * The JSON formats of sales and refunds, one schema each, for the requests and answers of HTTP and the OpenAPI
 * document.
 */
import * as Schema from "effect/Schema"
import { LineRefusal, NewProduct } from "./AccountSchemas.js"
import { CarriedView, ShareTermsView } from "./CounterSchemas.js"
import type { ItemJson, OrderJson } from "./Order.js"
import { Count, NullableText, Position, Seconds, Time, WholeProductView } from "./Schemas.js"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Cents = Schema.Int.annotate({ description: "Cents of the order's currency" })

const Currency = Schema.String.annotate({ description: "ISO 4217 code" })

// Orders as hosts send them.

const Id = Schema.Union([Schema.String.check(Schema.isMinLength(1)), Count])

const texts = optional(Schema.Array(Schema.String))

const NewItem = Schema.Struct({
  id: optional(Id).annotate({ description: "Another name of external_id" }),
  external_id: optional(Id).annotate({
    description: "The item's own id within the order; needed under this name or as id",
  }),
  amount: Cents.annotate({ description: "Cents for all units; negative in a return" }),
  discount: optional(Cents),
  quantity: optional(Count).annotate({ description: "1 when absent" }),
  tax_percent: optional(Schema.Union([Schema.Finite, Schema.String])),
  tax_name: optional(Schema.String),
  tax_total: optional(Cents),
  grams: optional(Schema.Int),
  product: NewProduct.annotate({
    description: "What it leaves out is taken from the catalogue",
  }),
}).annotate({ identifier: "NewSaleItem", description: "What was sold" })

const Customer = Schema.Struct({
  tags: texts,
  email: optional(Schema.String),
  name: optional(Schema.String),
})

export const NewSale = Schema.Struct({
  id: Id.annotate({ description: "The order's own id, a text or a whole number" }),
  currency: Currency,
  created_at: optional(Time).annotate({ description: "Now when absent" }),
  tags: texts,
  customer: optional(Customer),
  discount_codes: texts,
  billing_country: optional(Schema.String),
  referer: optional(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  taxes_included: optional(Schema.Boolean),
  shipping_amount: optional(Cents),
  shipping_tax: optional(Cents),
  gateway_fee: optional(Cents),
  status: optional(Schema.String),
  payment_gateway: optional(Schema.String),
  shipping_address: optional(Schema.String),
  billing_address: optional(Schema.String),
  name: optional(Schema.String).annotate({ description: "The order's name in the shop, as #1001" }),
  items: Schema.Array(NewItem),
}).annotate({ identifier: "NewSale", description: "An order that was paid for" })

// Recorded sales.

const ItemView = Schema.Struct({
  external_id: Schema.String,
  amount: Cents,
  discount: Cents,
  quantity: Count,
  tax_percent: Schema.NullOr(Schema.Finite),
  tax_name: NullableText,
  tax_total: Schema.NullOr(Schema.Int),
  grams: Schema.NullOr(Schema.Int),
  product: WholeProductView,
} satisfies Record<keyof ItemJson, Schema.Top>).annotate({ identifier: "SaleItem" })

const OrderView = Schema.Struct({
  id: Schema.String,
  currency: Currency,
  created_at: Schema.NullOr(Seconds),
  tags: Schema.Array(Schema.String),
  customer: Schema.Struct({
    tags: Schema.Array(Schema.String),
    email: NullableText,
    name: NullableText,
  }),
  discount_codes: Schema.Array(Schema.String),
  billing_country: NullableText,
  referer: Schema.Array(Schema.String),
  taxes_included: Schema.Boolean,
  shipping_amount: Cents,
  shipping_tax: Schema.optionalKey(Schema.Int),
  gateway_fee: Cents,
  status: NullableText,
  payment_gateway: NullableText,
  shipping_address: NullableText,
  billing_address: NullableText,
  name: Schema.optionalKey(Schema.String),
  items: Schema.Array(ItemView),
} satisfies Record<keyof OrderJson, Schema.Top>).annotate({
  identifier: "SaleOrder",
  description: "An order as it was split: completed from the catalogue",
})

const share = {
  item_id: Schema.String,
  group_id: Schema.String,
  collaborator_id: Schema.String,
  amount: Cents.annotate({ description: "All that the collaborator gets of the item" }),
  shipping_amount: Cents.annotate({ description: "The part of it that comes from shipping" }),
  base: Cents.annotate({ description: "What the percentage is of" }),
  percent: NullableText,
  flat_amount: Schema.NullOr(Schema.Int),
  carried: Schema.optionalKey(CarriedView),
  terms: Schema.optionalKey(ShareTermsView),
}

const ShareView = Schema.Struct(share).annotate({ identifier: "Share" })

const PostedShare = Schema.Struct({
  ...share,
  payout_id: Schema.String,
  payout_item_id: Schema.String,
  payout_currency: Currency,
  rate: NullableText.annotate({
    description: "The rate at which it was converted; null: the currencies are the same",
  }),
}).annotate({ identifier: "PostedShare", description: "A share, and the payout it went to" })

const StoreRest = Schema.Struct({
  item_id: Schema.String,
  amount: Cents,
  carried: Schema.optionalKey(CarriedView),
}).annotate({
  identifier: "StoreRest",
  description: "What stays with the store of an item",
})

const amounts = {
  amount: Schema.optionalKey(Cents),
  quantity: Schema.optionalKey(Position),
  remaining: Schema.optionalKey(Schema.Literal(true)),
  shipping_amount: Schema.optionalKey(Cents),
  shipping_total: Schema.optionalKey(Cents),
}

const saidOfRefund = {
  id: Schema.String,
  order_id: Schema.String,
  item_id: Schema.String,
  ...amounts,
  refunded_at: Seconds,
}

const FullyRefunded = Schema.Boolean.annotate({
  description: "Whether nothing of the item remains",
})

const StoreGivesBack = Cents.annotate({ description: "What the store gives back" })

export const RefundView = Schema.Struct({
  ...saidOfRefund,
  recorded_at: Seconds,
  fully_refunded: FullyRefunded,
  shares: Schema.Array(
    Schema.Struct({
      group_id: Schema.String,
      collaborator_id: Schema.String,
      amount: Cents.annotate({ description: "What is taken back of the share" }),
      shipping_amount: Cents,
    }),
  ),
  store: StoreGivesBack,
}).annotate({ identifier: "Refund", description: "A refund of one item, and what it takes back" })

export const PreviewedRefund = Schema.Struct({
  ...saidOfRefund,
  currency: Currency,
  recorded: Schema.Boolean.annotate({
    description: "Whether it is recorded already: the same refund again takes nothing back",
  }),
  fully_refunded: FullyRefunded,
  collaborators: Schema.Array(
    Schema.Struct({
      collaborator_id: Schema.String,
      collaborator_name: NullableText,
      amount: Cents.annotate({
        description: "What is taken back of all their shares, also of what re-splits changed",
      }),
      keeps: Cents.annotate({ description: "What they have of these after it" }),
    }),
  ),
  store: StoreGivesBack,
}).annotate({ identifier: "PreviewedRefund", description: "What a refund would take back of whom" })

export const RefundRequest = Schema.Struct({
  id: Id.annotate({ description: "The refund's own id: the same one has one effect" }),
  item_id: Id,
  amount: optional(Cents).annotate({
    description: "What of the item's price is given back, in cents; below 0 for a return",
  }),
  quantity: optional(Position).annotate({ description: "How many units come back" }),
  remaining: optional(Schema.Literal(true)).annotate({ description: "All that is left of it" }),
  shipping_amount: optional(Cents).annotate({ description: "What of the shipping is given back" }),
  shipping_total: optional(Cents).annotate({
    description: "What was paid for the order's shipping; needed with shipping_amount",
  }),
  refunded_at: optional(Time).annotate({ description: "Now when absent" }),
}).annotate({
  identifier: "NewRefund",
  description:
    "A refund of one item: exactly one of amount, quantity, remaining and shipping_amount says how much",
})

const AdjustmentView = Schema.Struct({
  run_id: Schema.String.annotate({ description: "The re-split" }),
  recorded_at: Seconds,
  shares: Schema.Array(
    Schema.Struct({
      item_id: Schema.String,
      group_id: Schema.String,
      collaborator_id: Schema.String,
      amount: Cents.annotate({ description: "What they got in addition; below 0: less" }),
    }),
  ),
  store: Schema.Array(Schema.Struct({ item_id: Schema.String, amount: Cents })),
}).annotate({
  identifier: "Adjustment",
  description: "By how much a re-split changed what each has of a sale",
})

const part = {
  order_id: Schema.String,
  part: Position.annotate({
    description:
      "1 for the order as it came first; what was added to it later is a part of its own",
  }),
  recorded_at: Seconds,
  order: OrderView,
  shares: Schema.Array(PostedShare),
  store: Schema.Array(StoreRest),
  refunds: Schema.Array(RefundView),
  adjustments: Schema.optionalKey(Schema.Array(AdjustmentView)).annotate({
    description: "What re-splits changed of it, in their order; absent: nothing",
  }),
}

export const SalePart = Schema.Struct(part).annotate({
  identifier: "SalePart",
  description: "A part of a recorded order, as it was split",
})

const Step = Schema.Struct({
  what: Schema.String.annotate({ description: "As price, discount, tax, percent, shipping" }),
  amount: Cents,
}).annotate({ identifier: "Step", description: "A step of a computation, and what it adds" })

const OutrankedView = Schema.Struct({
  item_id: Schema.String,
  group_id: Schema.String,
  collaborator_id: Schema.String,
  by_group_id: Schema.String.annotate({ description: "The group that counts instead" }),
}).annotate({ identifier: "Outranked" })

const ExplainedShare = Schema.Struct({
  group_id: Schema.String,
  collaborator_id: Schema.String,
  amount: Cents,
  base: Cents,
  percent: NullableText,
  exact: NullableText.annotate({ description: "The percentage of the base before rounding" }),
  rounded: Schema.Literals(["up", "down", "exactly"]),
  deducting: Schema.Boolean,
  steps: Schema.Array(Step),
  carried: Schema.optionalKey(CarriedView),
  terms: Schema.optionalKey(ShareTermsView),
}).annotate({ identifier: "ExplainedShare", description: "The steps add up to the amount" })

export const ExplainedItem = Schema.Struct({
  item_id: Schema.String,
  quantity: Count,
  distributable: Cents.annotate({ description: "What the item brought in" }),
  base_steps: Schema.Array(Step),
  base: Cents,
  deducted: Cents,
  shipping: Cents,
  over_allocated: Schema.Boolean,
  shares: Schema.Array(ExplainedShare),
  outranked: Schema.Array(OutrankedView),
  store: Cents,
}).annotate({ identifier: "ExplainedItem", description: "How an item was split" })

const explained = {
  explanation: Schema.Array(ExplainedItem),
  text: Schema.String.annotate({
    description: "The explanation in words, with the names of collaborators that have one",
  }),
}

export const ViewedSale = Schema.Struct({
  id: Schema.String.annotate({ description: "The order's id" }),
  parts: Schema.Array(
    Schema.Struct({ ...part, ...explained }).annotate({ identifier: "ExplainedSalePart" }),
  ),
}).annotate({ identifier: "Sale", description: "A recorded order, and why each got what they got" })

const Notes = Schema.Array(Schema.String).annotate({
  description:
    "What of the order changes nothing, in words: shipping or a fee that differs from what was recorded, without new items to bring the rest; and the products that the catalogue does not know",
})

export const RecordedSale = Schema.Struct({
  id: Schema.String.annotate({ description: "The order's id" }),
  new_item_ids: Schema.Array(Schema.String).annotate({
    description: "The items that this request recorded; none: the order was recorded before",
  }),
  known_item_ids: Schema.Array(Schema.String).annotate({
    description: "The items that were recorded before: nothing about them changed",
  }),
  notes: Notes,
  parts: Schema.Array(SalePart),
}).annotate({ identifier: "RecordedSale", description: "What recording an order came to" })

export const PreviewedSale = Schema.Struct({
  id: Schema.String.annotate({ description: "The order's id" }),
  order: OrderView,
  shares: Schema.Array(ShareView),
  store: Schema.Array(StoreRest),
  ...explained,
}).annotate({ identifier: "PreviewedSale", description: "What recording an order would come to" })

export const SaleLine = Schema.Struct({
  line: Position.annotate({ description: "The number of the line, blank ones counted" }),
  order_id: NullableText.annotate({ description: "null: the line has none that can be read" }),
  new_items: Count.annotate({ description: "How many items were recorded" }),
  known_items: Count.annotate({ description: "How many of its items were recorded before" }),
  notes: Notes,
  refusal: LineRefusal,
}).annotate({ identifier: "SaleLine", description: "What came of a line" })

// Sales and refunds of the past.

export const NewPastEntry = Schema.Struct({
  sale: optional(NewSale).annotate({ description: "An order with its time" }),
  refund: optional(
    Schema.Struct({
      order_id: Id.annotate({ description: "The order that it is of" }),
      ...RefundRequest.fields,
    }),
  ).annotate({ description: "A refund of an item, with its time in refunded_at" }),
}).annotate({
  identifier: "NewPastEntry",
  description: "A sale or a refund of the past: exactly one of the two",
})

export const PastLine = Schema.Struct({
  line: Position.annotate({ description: "The number of the line, blank ones counted" }),
  order_id: NullableText.annotate({ description: "null: the line has none that can be read" }),
  refund_id: NullableText.annotate({ description: "null: the line is no refund" }),
  outcome: Schema.NullOr(Schema.Literals(["imported", "recorded", "known"])).annotate({
    description:
      "imported: it is here, and paid; recorded: as usual, because it is later, or a refund of what was not paid in the past; known: it was here before; null: it was refused",
  }),
  refusal: LineRefusal,
}).annotate({ identifier: "PastLine", description: "What came of a line" })
