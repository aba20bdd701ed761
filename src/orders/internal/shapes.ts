import {
  finite,
  flag,
  id,
  integer,
  listOf,
  nullable,
  objectOf,
  optional,
  seconds,
  text,
} from "../../internal/fields.js"
import { cents, nonNegative } from "../../money/internal/amounts.js"

// What the fields of an order, its items and their products must be.

const texts = /* @__PURE__ */ optional(/* @__PURE__ */ listOf(text))
const someText = /* @__PURE__ */ optional(text)
const anyText = /* @__PURE__ */ optional(/* @__PURE__ */ nullable(text))
const someCents = /* @__PURE__ */ optional(cents)

export const productShape = {
  id,
  externalId: someText,
  externalVariantId: someText,
  otherIds: /* @__PURE__ */ optional(/* @__PURE__ */ listOf(id)),
  name: someText,
  sku: anyText,
  vendor: someText,
  price: someCents,
  cost: someCents,
  tags: texts,
  inventoryQuantity: /* @__PURE__ */ optional(/* @__PURE__ */ nullable(integer)),
}

export const itemShape = {
  id,
  product: /* @__PURE__ */ objectOf(productShape),
  quantity: nonNegative,
  amount: cents,
  discount: someCents,
  taxTotal: /* @__PURE__ */ optional(/* @__PURE__ */ nullable(cents)),
  taxPercent: /* @__PURE__ */ optional(/* @__PURE__ */ nullable(finite)),
  taxName: anyText,
  grams: /* @__PURE__ */ optional(integer),
}

export const detailsShape = {
  customerEmail: anyText,
  customerName: anyText,
  status: anyText,
  paymentGateway: anyText,
  shippingAddress: anyText,
  billingAddress: anyText,
  orderName: anyText,
}

export const orderShape = {
  id,
  currency: id,
  createdAt: /* @__PURE__ */ optional(/* @__PURE__ */ nullable(seconds)),
  tags: texts,
  customerTags: texts,
  discountCodes: texts,
  billingCountry: anyText,
  referers: texts,
  taxesIncluded: /* @__PURE__ */ optional(flag),
  shippingAmount: someCents,
  shippingTax: someCents,
  gatewayFee: someCents,
  items: /* @__PURE__ */ listOf(/* @__PURE__ */ objectOf(itemShape)),
  details: /* @__PURE__ */ optional(/* @__PURE__ */ objectOf(detailsShape)),
}
