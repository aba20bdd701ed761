/**
 * Every way in which a group can ask for products and orders when each attribute has two values, and everything
 * that a product and an order can have of them. What applies to what is worked out here once more, naively.
 */
import type { Order, Product, ProductGroup } from "apportion"

type Link = ProductGroup.Link
type Condition = ProductGroup.Condition

const [one, other] = ["a", "b"]

/** Every set of the two values. */
const subsets: ReadonlyArray<ReadonlyArray<string>> = [[], [one], [other], [one, other]]
const modifiers = ["WITH", "NOT"] as const
const linkTypes = ["products", "products.tag", "products.vendor"] as const
const conditionTypes = [
  "order.tag",
  "customer.tag",
  "discount.code",
  "country.code",
  "referer",
] as const

export type ConditionType = (typeof conditionTypes)[number]
export { conditionTypes }

/** The links: of all products, and WITH and NOT each set of values; `least` leaves out sets with fewer values. */
export const links = (least: number): ReadonlyArray<Link> => [
  ...modifiers.map((modifier): Link => ({ type: "products.all", modifier, values: [] })),
  ...linkTypes.flatMap((type) =>
    modifiers.flatMap((modifier) =>
      subsets
        .filter((values) => values.length >= least)
        .map((values): Link => ({ type, modifier, values })),
    ),
  ),
]

export const conditions = (
  types: ReadonlyArray<ConditionType>,
  least: number,
): ReadonlyArray<Condition | null> => [
  null,
  ...types.flatMap((type) =>
    modifiers.flatMap((modifier) =>
      subsets
        .filter((values) => values.length >= least)
        .map((values): Condition => ({ type, modifier, values })),
    ),
  ),
]

const ids: ReadonlyArray<Pick<Product.Product, "id" | "externalId">> = [
  { id: "x" },
  { id: one },
  { id: "x", externalId: other },
  { id: other, externalId: one },
]

const vendors = [undefined, one, other]

/** Every product that links can tell apart. */
export const products: ReadonlyArray<Product.Product> = ids.flatMap((named) =>
  subsets.flatMap((tags) =>
    vendors.map((vendor) => ({ ...named, tags, ...(vendor === undefined ? {} : { vendor }) })),
  ),
)

/** What an order has of one attribute. */
export type Attributes = Partial<Omit<Order.Order, "id" | "currency" | "items">>

const countries = [null, one, other]

/** Everything that an order can have of what a kind of condition asks for. */
export const attributesFor = (type: ConditionType): ReadonlyArray<Attributes> => {
  switch (type) {
    case "order.tag":
      return subsets.map((tags) => ({ tags }))
    case "customer.tag":
      return subsets.map((customerTags) => ({ customerTags }))
    case "discount.code":
      return subsets.map((discountCodes) => ({ discountCodes }))
    case "referer":
      return subsets.map((referers) => ({ referers }))
    case "country.code":
      return countries.map((billingCountry) => ({ billingCountry }))
  }
}

/** Everything that an order can have of several attributes. */
export const attributesForAll = (types: ReadonlyArray<ConditionType>): ReadonlyArray<Attributes> =>
  types.reduce<ReadonlyArray<Attributes>>(
    (known, type) =>
      known.flatMap((before) => attributesFor(type).map((more) => ({ ...before, ...more }))),
    [{}],
  )

const valuesOf = (product: Product.Product, type: Link["type"]): ReadonlyArray<string> => {
  if (type === "products") return [product.id, product.externalId ?? product.id]
  if (type === "products.tag") return product.tags ?? []
  return product.vendor === undefined ? [] : [product.vendor]
}

const upperCased = (values: ReadonlyArray<string>) => values.map((value) => value.toUpperCase())

const valuesIn = (order: Attributes, type: ConditionType): ReadonlyArray<string> => {
  if (type === "order.tag") return order.tags ?? []
  if (type === "customer.tag") return order.customerTags ?? []
  if (type === "discount.code") return order.discountCodes ?? []
  if (type === "referer") return order.referers ?? []
  return order.billingCountry == null ? [] : upperCased([order.billingCountry])
}

/** Any one value is enough; NOT is the complement, whatever is missing. */
const isAsked = (
  has: ReadonlyArray<string>,
  {
    modifier,
    values,
  }: { readonly modifier: "WITH" | "NOT"; readonly values: ReadonlyArray<string> },
): boolean => {
  const isAny = has.some((value) => values.includes(value))
  return modifier === "WITH" ? isAny : !isAny
}

export const isLinked = (link: Link, product: Product.Product): boolean => {
  if (link.type === "products.all") return link.modifier === "WITH"
  return isAsked(valuesOf(product, link.type), link)
}

export const isMet = (condition: Condition | null, order: Attributes): boolean => {
  if (condition === null) return true
  const { type } = condition
  const values = type === "country.code" ? upperCased(condition.values) : condition.values
  return isAsked(valuesIn(order, type), { ...condition, values })
}

/** Ids come before tags, tags before vendors, those before all products; a condition before none. */
export const placeOf = (link: Link, condition: Condition | null): number =>
  ["products", "products.tag", "products.vendor", "products.all"].indexOf(link.type) * 2 +
  (condition === null ? 1 : 0)
