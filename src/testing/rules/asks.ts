/** What groups ask for, links and conditions alike: one of some values at a place of the order. */
import type {
  Condition,
  ConditionType,
  Link,
  LinkType,
  ProductGroup,
} from "../../groups/ProductGroup.js"
import type { Order, OrderItem } from "../../matching/Order.js"
import type { Product } from "../../matching/Product.js"
import { foldOf, type Kind } from "./spellings.js"

export type ProductPlace = Exclude<LinkType, "products.all">

/** Where a value stands: in the product, or in the order. */
export type Place = ProductPlace | ConditionType

export const productPlaces: ReadonlyArray<ProductPlace> = [
  "products.tag",
  "products.vendor",
  "products",
]

export const orderPlaces: ReadonlyArray<ConditionType> = [
  "order.tag",
  "customer.tag",
  "discount.code",
  "country.code",
  "referer",
]

export const isProductPlace = (place: Place): place is ProductPlace =>
  place === "products" || place === "products.tag" || place === "products.vendor"

export const kindOf = (place: Place): Kind => {
  if (place === "products") return "id"
  return place === "country.code" ? "country" : "text"
}

/** What a group asks for at a place. */
export interface Ask {
  readonly place: Place
  readonly isWith: boolean
  /** As they are written. */
  readonly values: ReadonlyArray<string>
  /** As they are compared. */
  readonly folded: ReadonlySet<string>
}

const askOf = (
  place: Place,
  { modifier, values }: Pick<Link | Condition, "modifier" | "values">,
) => ({
  place,
  isWith: modifier === "WITH",
  values,
  folded: new Set(values.map((value) => foldOf(kindOf(place), value))),
})

/** What a group asks for; where it asks for nothing there is nothing. */
interface Asks {
  readonly link: Ask | undefined
  readonly condition: Ask | undefined
}

const known = /* @__PURE__ */ new WeakMap<ProductGroup, Asks>()

/** What a group asks for, worked out when it is first asked. */
export const asksOf = (group: ProductGroup): Asks => {
  const before = known.get(group)
  if (before !== undefined) return before
  const { link, condition } = group
  const asks = {
    link: link.type === "products.all" ? undefined : askOf(link.type, link),
    condition: condition === null ? undefined : askOf(condition.type, condition),
  }
  known.set(group, asks)
  return asks
}

/** Whether a text is one of the values. */
export const isAmong = ({ place, folded }: Ask, text: string): boolean =>
  folded.has(foldOf(kindOf(place), text))

/** Whether what is there is as it is asked for. */
export const isMet = (ask: Ask, present: ReadonlyArray<string>): boolean =>
  present.some((text) => isAmong(ask, text)) === ask.isWith

/** What a product has at a place. */
export const ofProduct = (product: Product, place: ProductPlace): ReadonlyArray<string> => {
  const { id, externalId, tags = [], vendor } = product
  if (place === "products.tag") return tags
  if (place === "products.vendor") return vendor === undefined ? [] : [vendor]
  return externalId === undefined ? [id] : [id, externalId]
}

/** What an order has at a place. */
export const ofOrder = (order: Order, place: ConditionType): ReadonlyArray<string> => {
  const { tags, customerTags, discountCodes, billingCountry, referers } = order
  switch (place) {
    case "order.tag":
      return tags ?? []
    case "customer.tag":
      return customerTags ?? []
    case "discount.code":
      return discountCodes ?? []
    case "country.code":
      return billingCountry == null ? [] : [billingCountry]
    case "referer":
      return referers ?? []
  }
}

/** Whether a group's link selects a product. */
export const isSelected = (group: ProductGroup, product: Product): boolean => {
  const ask = asksOf(group).link
  return ask === undefined
    ? group.link.modifier === "WITH"
    : isProductPlace(ask.place) && isMet(ask, ofProduct(product, ask.place))
}

/** Whether an order is as a group asks for. */
export const isConditionMet = (group: ProductGroup, order: Order): boolean => {
  const ask = asksOf(group).condition
  return ask === undefined || isProductPlace(ask.place) || isMet(ask, ofOrder(order, ask.place))
}

/** What can be amiss between a group and an item of an order. */
export type Amiss = "link" | "condition" | "too early" | "too late" | "no time"

/** Whether a group is in force at a time, and if not, why. */
export const amissOfTime = (
  { startsAt, endsAt }: ProductGroup,
  at: number | null | undefined,
): Amiss | undefined => {
  if (startsAt === null && endsAt === null) return undefined
  if (at == null) return "no time"
  if (startsAt !== null && at < startsAt) return "too early"
  return endsAt !== null && at >= endsAt ? "too late" : undefined
}

/** Everything that keeps a group from applying to an item; nothing when it applies. */
export const amissOf = (
  group: ProductGroup,
  order: Order,
  item: OrderItem,
): ReadonlyArray<Amiss> => {
  const found: Array<Amiss> = []
  if (!isSelected(group, item.product)) found.push("link")
  if (!isConditionMet(group, order)) found.push("condition")
  const time = amissOfTime(group, order.createdAt)
  return time === undefined ? found : [...found, time]
}
