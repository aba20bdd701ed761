/**
 * What rules match: the attributes of a product, which links name, and those of an order, which conditions name. Only
 * this module says how an attribute is read, written, compared, bounded and put in words; each of these is a separate
 * table, so that a bundle holds only those that it uses.
 */
import { fold, foldCountry } from "./internal/attributeText.js"

export { isBroughtId, sources as broughtFacts } from "./internal/broughtFacts.js"

import type { Order } from "./Order.js"
import type { Product } from "./Product.js"
import { quoted } from "./Words.js"

/** The attributes of a product that a link can name, most specific first. */
export const productAttributes = ["products", "products.tag", "products.vendor"] as const

/** The attributes of an order that a condition can name. */
export const orderAttributes = [
  "order.tag",
  "customer.tag",
  "discount.code",
  "country.code",
  "referer",
] as const

export type ProductAttribute = (typeof productAttributes)[number]

export type OrderAttribute = (typeof orderAttributes)[number]

export type Attribute = ProductAttribute | OrderAttribute

/** All attributes, those of products first. */
export const all: ReadonlyArray<Attribute> = /* @__PURE__ */ [
  productAttributes,
  orderAttributes,
].flat()

/** Whether an attribute is one of products; the others are of orders. */
export const isOfProducts = (attribute: Attribute): attribute is ProductAttribute =>
  productAttributes.some((each) => each === attribute)

const none: ReadonlyArray<string> = []

/** The values of a product, as they are written there. */
export const ofProduct: {
  readonly [A in ProductAttribute]: (product: Product) => ReadonlyArray<string>
} = {
  products: ({ id, externalId, otherIds }) => {
    const own = externalId === undefined || externalId === id ? [id] : [id, externalId]
    return otherIds === undefined || otherIds.length === 0
      ? own
      : [...new Set([...own, ...otherIds])]
  },
  "products.tag": ({ tags }) => tags ?? none,
  "products.vendor": ({ vendor }) => (vendor === undefined ? none : [vendor]),
}

/** The values of an order, as they are written there. */
export const ofOrder: { readonly [A in OrderAttribute]: (order: Order) => ReadonlyArray<string> } =
  {
    "order.tag": ({ tags }) => tags ?? none,
    "customer.tag": ({ customerTags }) => customerTags ?? none,
    "discount.code": ({ discountCodes }) => discountCodes ?? none,
    "country.code": ({ billingCountry }) => (billingCountry == null ? none : [billingCountry]),
    referer: ({ referers }) => referers ?? none,
  }

/** The fields of a product with these values. */
export const inProduct: {
  readonly [A in ProductAttribute]: (values: ReadonlyArray<string>) => Partial<Product>
} = {
  products: ([id, externalId, ...otherIds]) => ({
    ...(id === undefined ? {} : { id }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(otherIds.length === 0 ? {} : { otherIds }),
  }),
  "products.tag": (tags) => ({ tags }),
  "products.vendor": ([vendor]) => (vendor === undefined ? {} : { vendor }),
}

/** The fields of an order with these values. */
export const inOrder: {
  readonly [A in OrderAttribute]: (values: ReadonlyArray<string>) => Partial<Order>
} = {
  "order.tag": (tags) => ({ tags }),
  "customer.tag": (customerTags) => ({ customerTags }),
  "discount.code": (discountCodes) => ({ discountCodes }),
  "country.code": ([billingCountry = null]) => ({ billingCountry }),
  referer: (referers) => ({ referers }),
}

const bounds = { products: 2, "products.vendor": 1, "country.code": 1 } as const

/** An attribute of which an order or its product can have any number of values. */
export type UnboundedAttribute = Exclude<Attribute, keyof typeof bounds>

const isUnbounded = (attribute: Attribute): attribute is UnboundedAttribute =>
  !Object.hasOwn(bounds, attribute)

/** The attributes of which there can be any number of values. */
export const unboundedAttributes: ReadonlyArray<UnboundedAttribute> = /* @__PURE__ */ all.filter(
  isUnbounded,
)

/** How many values of an attribute there can be; of ids, without those that products bring. */
export const mostOf = (attribute: Attribute): number =>
  isUnbounded(attribute) ? Number.POSITIVE_INFINITY : bounds[attribute]

/** The values plus one more, which replaces the last one when there can be no more. */
export const withValue = (
  attribute: Attribute,
  values: ReadonlyArray<string>,
  value: string,
): ReadonlyArray<string> => [...values.slice(0, mostOf(attribute) - 1), value]

/** What kind of text an attribute's values are: an id, a country's code, or any text. */
export type ValueKind = "id" | "country" | "text"

const kinds: { readonly [A in Attribute]?: ValueKind } = {
  products: "id",
  "country.code": "country",
}

export const kindOf = (attribute: Attribute): ValueKind => kinds[attribute] ?? "text"

const folds: { readonly [K in ValueKind]: (value: string) => string } = {
  id: (id) => id,
  country: foldCountry,
  text: fold,
}

/** How rules compare values: ids as they are, other texts trimmed and ignoring case. */
export const foldOf = (attribute: Attribute): ((value: string) => string) =>
  folds[kindOf(attribute)]

const formats: {
  readonly [K in ValueKind]: { readonly pattern: RegExp; readonly expected?: string }
} = {
  id: { pattern: /\S/ },
  country: {
    pattern: /^\s*[A-Za-z]{2}\s*$/,
    expected: "a country code of two letters, as US",
  },
  text: { pattern: /\S/ },
}

/** What a value in a rule must be, for kinds where not being blank is not enough. */
export const expectedOf = (attribute: Attribute): string | undefined =>
  formats[kindOf(attribute)].expected

/** Whether a rule can name this value. */
export const isAskable = (attribute: Attribute, value: string): boolean =>
  formats[kindOf(attribute)].pattern.test(value)

/** Whether the share of a group with a condition of this kind can be deducted from the base of the others. */
export const isDeductible = (attribute: unknown): boolean => attribute === "referer"

const nouns: { readonly [A in Attribute]: string } = {
  products: "id",
  "products.tag": "tag",
  "products.vendor": "vendor",
  "order.tag": "order tag",
  "customer.tag": "customer tag",
  "discount.code": "discount code",
  "country.code": "billing country",
  referer: "referer",
}

/** The noun for values of an attribute: `tag`, or `tags` for several. */
export const nounOf = (attribute: Attribute, count = 1): string => {
  const noun = nouns[attribute]
  if (count === 1) return noun
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** The same where the context does not say that a product is meant: `product tag`. */
export const fullNounOf = (attribute: Attribute, count = 1): string =>
  `${isOfProducts(attribute) ? "product " : ""}${nounOf(attribute, count)}`

/** Values with their noun: `the tag "art"`, `the tags "art", "music"`, `no tag`. */
export const phrase = (
  attribute: Attribute,
  values: ReadonlyArray<string>,
  list: (values: ReadonlyArray<string>) => string = (texts) => quoted(texts),
): string =>
  values.length === 0
    ? `no ${nounOf(attribute)}`
    : `the ${nounOf(attribute, values.length)} ${list(values)}`
