/**
 * What rules look at: the attributes of a product, which links name, and those of an order, which conditions name.
 * How an attribute is read, written, compared, bounded and put in words is said here and nowhere else; each of it is
 * a table of its own, so that a bundle holds only those that it uses.
 */
import { fold, foldCountry } from "./internal/attributeText.js"
import type { Order } from "./Order.js"
import type { Product } from "./Product.js"
import { quoted } from "./Words.js"

/** What a link can name of a product, most specific first. */
export const productAttributes = ["products", "products.tag", "products.vendor"] as const

/** What a condition can name of an order. */
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

/** All of them, of products first. */
export const all: ReadonlyArray<Attribute> = /* @__PURE__ */ [
  productAttributes,
  orderAttributes,
].flat()

/** Whether an attribute is one of products; the others are of orders. */
export const isOfProducts = (attribute: Attribute): attribute is ProductAttribute =>
  productAttributes.some((each) => each === attribute)

const none: ReadonlyArray<string> = []

/** The values that a product has, as they are written there. */
export const ofProduct: {
  readonly [A in ProductAttribute]: (product: Product) => ReadonlyArray<string>
} = {
  products: ({ id, externalId }) =>
    externalId === undefined || externalId === id ? [id] : [id, externalId],
  "products.tag": ({ tags }) => tags ?? none,
  "products.vendor": ({ vendor }) => (vendor === undefined ? none : [vendor]),
}

/** The values that an order has, as they are written there. */
export const ofOrder: { readonly [A in OrderAttribute]: (order: Order) => ReadonlyArray<string> } =
  {
    "order.tag": ({ tags }) => tags ?? none,
    "customer.tag": ({ customerTags }) => customerTags ?? none,
    "discount.code": ({ discountCodes }) => discountCodes ?? none,
    "country.code": ({ billingCountry }) => (billingCountry == null ? none : [billingCountry]),
    referer: ({ referers }) => referers ?? none,
  }

/** The fields of a product that has these values. */
export const inProduct: {
  readonly [A in ProductAttribute]: (values: ReadonlyArray<string>) => Partial<Product>
} = {
  products: ([id, externalId]) => ({
    ...(id === undefined ? {} : { id }),
    ...(externalId === undefined ? {} : { externalId }),
  }),
  "products.tag": (tags) => ({ tags }),
  "products.vendor": ([vendor]) => (vendor === undefined ? {} : { vendor }),
}

/** The fields of an order that has these values. */
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

/** How many values of an attribute there can be. */
export const mostOf = (attribute: Attribute): number =>
  isUnbounded(attribute) ? Number.POSITIVE_INFINITY : bounds[attribute]

/** The values with one more, in place of the last one where there can be no more. */
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

/** How rules compare values: ids as they are, other texts without regard to case and to spaces around them. */
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

/** What a value must be where a rule names it, where it must be more than not blank. */
export const expectedOf = (attribute: Attribute): string | undefined =>
  formats[kindOf(attribute)].expected

/** Whether a value can be what a rule asks for. */
export const isAskable = (attribute: Attribute, value: string): boolean =>
  formats[kindOf(attribute)].pattern.test(value)

/** Whether what a group gets on a condition of this kind can be taken off the base of the others. */
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

/** What values of an attribute are called: `tag`, or of several `tags`. */
export const nounOf = (attribute: Attribute, count = 1): string => {
  const noun = nouns[attribute]
  if (count === 1) return noun
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

/** The same where nothing around it says that a product is meant: `product tag`. */
export const fullNounOf = (attribute: Attribute, count = 1): string =>
  `${isOfProducts(attribute) ? "product " : ""}${nounOf(attribute, count)}`

/** Values with what they are called: `the tag "art"`, `the tags "art", "music"`, `no tag`. */
export const phrase = (
  attribute: Attribute,
  values: ReadonlyArray<string>,
  list: (values: ReadonlyArray<string>) => string = (texts) => quoted(texts),
): string =>
  values.length === 0
    ? `no ${nounOf(attribute)}`
    : `the ${nounOf(attribute, values.length)} ${list(values)}`
