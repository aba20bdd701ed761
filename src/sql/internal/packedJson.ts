/**
 * JSON in few bytes: what is stored of every sale. Whole numbers, ids made of digits and UUIDs take as many bytes as they
 * need, the fields of objects that come again and again are not named each time, and a text that was there before is a
 * number. Whatever JSON can hold is packed, and comes out as it was.
 *
 * The lists of words and shapes are a part of what is stored: they are only ever added to, at their ends.
 */

/** Texts for which one byte stands, 32 at most. */
export const words: ReadonlyArray<string> = [
  ...["", "sale", "refund", "expense", "income", "system", "USD", "EUR", "GBP", "sale.recorded"],
  ...["products.all", "products.tag", "products.vendor", "products", "refund.recorded"],
  ...["payout.opened", "payout.carried", "payout.closed", "WITH", "sale.imported"],
]

/** Fields of objects in the order in which they are packed, 32 objects at most. */
export const shapes: ReadonlyArray<ReadonlyArray<string>> = [
  // An item of a payout.
  ["kind", "createdAt", "originalAmount", "originalCurrency", "currencyExchangeRate", "orderItem"],
  // The item of an order that it is of, its product, and what the order tells beside.
  [
    ...["orderId", "itemId", "groupId", "amount", "discount", "quantity", "taxPercent", "taxName"],
    ...["taxTotal", "grams", "product", "externalId", "splitAt", "refundedAt", "details"],
  ],
  [
    ...["id", "externalId", "externalVariantId", "name", "sku", "vendor", "price", "cost", "tags"],
    "inventoryQuantity",
  ],
  [
    ...["customerEmail", "customerName", "status", "paymentGateway", "shippingAddress"],
    ...["billingAddress", "orderName"],
  ],
  // An expense or income.
  ["kind", "createdAt", "originalCurrency", "currencyExchangeRate", "name", "originalAmount"],
  // An order, and an item of it.
  [
    ...["items", "currency", "createdAt", "details", "tags", "billingCountry", "customerTags"],
    ...[
      "shippingAmount",
      "taxesIncluded",
      "shippingTax",
      "gatewayFee",
      "discountCodes",
      "referers",
    ],
    "id",
  ],
  [
    ...["id", "product", "amount", "quantity", "discount", "taxTotal", "taxPercent", "taxName"],
    "grams",
  ],
  // How an item was split, a share of it, and the whole.
  [
    ...["distributable", "base", "itemId", "amount", "quantity", "discount", "tax", "cost"],
    ...["gatewayFee", "shipping", "deducted", "overAllocated"],
  ],
  [
    ...["percentTotal", "groupId", "itemId", "collaboratorId", "amount", "flatTotal", "base"],
    ...["shippingAmount", "beforeShipping", "claim", "percent", "flatAmount", "deducting"],
  ],
  ["shares", "store", "items", "outranked", "orderId", "currency", "createdAt", "policy"],
  // A group, what it is linked to, and how items are split.
  [
    ...["id", "collaboratorId", "link", "percent", "condition", "amount", "shippingPercent"],
    ...["shippingAmount", "deductForOtherSplits", "minAmount", "maxAmount", "startsAt", "endsAt"],
    "createdAt",
  ],
  ["type", "modifier", "values"],
  [
    ...["discount", "tax", "cost", "gatewayFee", "flatScope", "shipping", "stacking", "rounding"],
    "overAllocation",
  ],
  // Where a share was booked.
  [
    ...["payoutId", "currency", "rate", "reversed", "refunds", "runId", "payoutItemId", "itemId"],
    ...["groupId", "collaboratorId"],
  ],
  // What happened to an account, and what there is to tell of a sale.
  ["type", "data", "at", "actor"],
  [
    ...["orderId", "part", "currency", "items", "shares", "distributable", "sharesTotal"],
    ...["storeTotal", "payoutIds", "payoutAmounts", "soldAt"],
  ],
]

/** What a value begins with. A whole number below 64 is its own beginning; a short text begins with its length. */
export const begins = {
  text: 0x40,
  word: 0x80,
  shape: 0xa0,
  null: 0xc0,
  false: 0xc1,
  true: 0xc2,
  /** In the place of a field that an object lacks. */
  absent: 0xc3,
  whole: 0xc4,
  negative: 0xc5,
  /** Any other number, as JSON writes it. */
  decimal: 0xc6,
  longText: 0xc7,
  /** A text that UTF-8 can't say, by its code units. */
  units: 0xc8,
  /** A text that is a whole number as JSON writes it. */
  digits: 0xc9,
  uuid: 0xca,
  list: 0xcb,
  object: 0xcc,
  /** An object with few of the fields of a shape: which ones, as bits, and those. */
  sparse: 0xcd,
  /** A text that was there before; those that were among the first have a byte of their own from `early` on. */
  again: 0xce,
  early: 0xd0,
} as const

/** How many texts have a byte of their own. */
export const earlyTexts = 0x100 - begins.early

/** Texts that are so short take no fewer bytes when they are a number. */
export const isWorthANumber = (text: string): boolean => text.length > 1

/** Two hexadecimal digits for each byte. */
export const hexadecimal: ReadonlyArray<string> = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
)

export const hexOf = (bytes: Uint8Array): string => {
  let hex = ""
  for (const byte of bytes) hex += hexadecimal[byte] ?? ""
  return hex
}
