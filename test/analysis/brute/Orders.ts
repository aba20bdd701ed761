/**
 * Every order of one item that a list of groups can tell from others: all products, all that conditions ask for,
 * all times. Nothing is left out for being unlikely, and nothing is clever.
 */
import type { Analysis, Catalogue, Order, Product, ProductGroup } from "apportion"
import { normalText } from "../../oracle/Oracle.js"

export type Group = ProductGroup.GroupInput

/** An order that is possible, and how many attributes it has. */
export interface Possible {
  readonly order: Order.Order
  readonly size: number
}

/** What an order can be beyond what the groups say. */
export interface Scene {
  readonly catalogue?: Catalogue.Catalogue | undefined
  readonly from?: number | undefined
  /** How many values an order has at most, by where they stand. */
  readonly atMost?: Analysis.Options["atMost"]
  readonly idsOfProduct?: Analysis.Options["idsOfProduct"]
}

interface Some<A> {
  readonly what: A
  readonly size: number
}

type Values = ReadonlyArray<string>

const exactly = (text: string): string => text
const countryOf = (text: string): string => text.trim().toUpperCase()

/** Values that are not the same to a rule, the first spelling of each. */
const distinct = (values: Values, normal: (text: string) => string): Values => {
  const seen = new Map<string, string>()
  for (const value of values) if (!seen.has(normal(value))) seen.set(normal(value), value)
  return [...seen.values()]
}

const linked = (groups: ReadonlyArray<Group>, type: ProductGroup.LinkType): Values =>
  groups.flatMap(({ link }) => (link.type === type ? (link.values ?? []) : []))

const asked = (groups: ReadonlyArray<Group>, type: ProductGroup.ConditionType): Values =>
  groups.flatMap(({ condition }) => (condition?.type === type ? condition.values : []))

const subsets = (values: Values): ReadonlyArray<Values> => {
  const [first, ...rest] = values
  if (first === undefined) return [[]]
  const without = subsets(rest)
  return [...without, ...without.map((list) => [first, ...list])]
}

const some = (values: Values, most = values.length): ReadonlyArray<Some<Values>> =>
  subsets(values)
    .filter(({ length }) => length <= most)
    .map((what) => ({ what, size: what.length }))

const one = (values: Values): ReadonlyArray<Some<string | undefined>> => [
  { what: undefined, size: 0 },
  ...values.map((what) => ({ what, size: 1 })),
]

/** Ids by which no group knows a product, one of them, and two. */
const identities = (
  ids: Values,
): ReadonlyArray<Some<Pick<Product.Product, "id" | "externalId">>> => [
  { what: { id: "unheard of" }, size: 0 },
  ...ids.map((id) => ({ what: { id }, size: 1 })),
  ...ids.map((externalId) => ({ what: { id: "unheard of", externalId }, size: 1 })),
  ...ids.flatMap((id) =>
    ids.flatMap((externalId) => (id === externalId ? [] : [{ what: { id, externalId }, size: 2 }])),
  ),
]

const anyProduct = (
  groups: ReadonlyArray<Group>,
  { idsOfProduct = 2, atMost = {} }: Scene,
): ReadonlyArray<Some<Product.Product>> =>
  identities(distinct(linked(groups, "products"), exactly))
    .filter(({ size }) => size <= idsOfProduct)
    .flatMap((identity) =>
      one(distinct(linked(groups, "products.vendor"), normalText)).flatMap((vendor) =>
        some(distinct(linked(groups, "products.tag"), normalText), atMost["products.tag"]).map(
          (tags) => ({
            what: {
              ...identity.what,
              ...(vendor.what === undefined ? {} : { vendor: vendor.what }),
              tags: tags.what,
            },
            size: identity.size + vendor.size + tags.size,
          }),
        ),
      ),
    )

const productsOf = (
  groups: ReadonlyArray<Group>,
  scene: Scene,
): ReadonlyArray<Some<Product.Product>> =>
  scene.catalogue === undefined
    ? anyProduct(groups, scene)
    : scene.catalogue.products.map((what) => ({ what, size: 0 }))

const firstSecond = -62_135_596_800
const lastSecond = 253_402_300_799

/** No time, and for each date the second before, the second itself, and the one after. */
const timesOf = (
  groups: ReadonlyArray<Group>,
  { from }: Scene,
): ReadonlyArray<Some<number | undefined>> => {
  const dates = groups.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
  const near = [from, ...dates].flatMap((date) => (date == null ? [] : [date - 1, date, date + 1]))
  const times = [...new Set(near)].filter(
    (time) => (from ?? firstSecond) <= time && time <= lastSecond,
  )
  return [{ what: undefined, size: 0 }, ...times.map((what) => ({ what, size: 1 }))]
}

type Circumstances = Omit<Order.Order, "id" | "currency" | "items">

const circumstances = (
  groups: ReadonlyArray<Group>,
  { atMost = {} }: Scene,
): ReadonlyArray<Some<Circumstances>> => {
  const of = (type: Exclude<ProductGroup.ConditionType, "country.code">) =>
    some(distinct(asked(groups, type), normalText), atMost[type])
  const countries = one(distinct(asked(groups, "country.code"), countryOf))
  return of("order.tag").flatMap((tags) =>
    of("customer.tag").flatMap((customerTags) =>
      of("discount.code").flatMap((discountCodes) =>
        of("referer").flatMap((referers) =>
          countries.map((country) => ({
            what: {
              tags: tags.what,
              customerTags: customerTags.what,
              discountCodes: discountCodes.what,
              referers: referers.what,
              ...(country.what === undefined ? {} : { billingCountry: country.what }),
            },
            size: tags.size + customerTags.size + discountCodes.size + referers.size + country.size,
          })),
        ),
      ),
    ),
  )
}

/** All orders that the groups can tell apart, and more; of one unit, that costs nothing yet. */
export const possibleOrders = (
  groups: ReadonlyArray<Group>,
  scene: Scene = {},
): ReadonlyArray<Possible> => {
  const times = timesOf(groups, scene)
  const around = circumstances(groups, scene)
  return productsOf(groups, scene).flatMap((product) =>
    around.flatMap((circumstance) =>
      times.map((time) => ({
        order: {
          id: "1",
          currency: scene.catalogue?.currency ?? "USD",
          ...circumstance.what,
          ...(time.what === undefined ? {} : { createdAt: time.what }),
          items: [{ id: "1", product: product.what, quantity: 1, amount: 0 }],
        },
        size: product.size + circumstance.size + time.size,
      })),
    ),
  )
}

/** The money of a sale: everything that claims, or what they are of, may depend on. */
export interface Figures {
  readonly amount: number
  readonly quantity?: number | undefined
  readonly discount?: number | undefined
  /** Tax that is in the amount. */
  readonly tax?: number | undefined
  /** Tax that comes on top of the amount. */
  readonly taxOnTop?: number | undefined
  readonly shippingAmount?: number | undefined
  /** Tax on the shipping, in it or on top of it as that on the amount is. */
  readonly shippingTax?: number | undefined
  readonly gatewayFee?: number | undefined
  /** What a unit costs the store; what the product says where it is absent. */
  readonly cost?: number | undefined
}

/** The order at other figures. */
export const priced = (order: Order.Order, figures: Figures): Order.Order => {
  const { amount, quantity = 1, discount = 0, tax = 0, taxOnTop = 0, cost } = figures
  const { shippingAmount = 0, shippingTax = 0, gatewayFee = 0 } = figures
  return {
    ...order,
    taxesIncluded: tax > 0,
    shippingAmount,
    shippingTax,
    gatewayFee,
    items: order.items.map((item) => ({
      ...item,
      amount,
      quantity,
      discount,
      taxTotal: tax > 0 ? tax : taxOnTop,
      product: cost === undefined ? item.product : { ...item.product, cost },
    })),
  }
}

/** How many attributes an order has, counted anew: values that groups name, and its time. */
export const sizeOf = (
  order: Order.Order,
  groups: ReadonlyArray<Group>,
  isKnownProduct: boolean,
): number => {
  const [item] = order.items
  const ids = new Set(linked(groups, "products"))
  const product = item?.product
  const named = [product?.id, product?.externalId].filter((id) => id !== undefined && ids.has(id))
  const ofProduct =
    named.length + Number(product?.vendor !== undefined) + (product?.tags ?? []).length
  return (
    (isKnownProduct ? 0 : ofProduct) +
    [order.tags, order.customerTags, order.discountCodes, order.referers].flatMap(
      (list) => list ?? [],
    ).length +
    Number(order.billingCountry != null) +
    Number(order.createdAt != null)
  )
}
