import type { Order, OrderItem } from "../../orders/Order.js"
import { foldText, type Product } from "../../orders/Product.js"
import type {
  Condition,
  ConditionType,
  Link,
  LinkType,
  ProductGroup,
} from "../../rules/ProductGroup.js"

// Other spellings of a text that are the same to a rule, and texts that are nearly the same and are not.

/** How a rule compares a text: freely, as a country code, or as it is. */
export type Spelling = "text" | "country" | "id"

const folds: Readonly<Record<Spelling, (value: string) => string>> = {
  text: foldText,
  country: (code) => code.trim().toUpperCase(),
  id: (id) => id,
}

/** A text as a rule compares it. */
export const foldOf = (kind: Spelling, value: string): string => folds[kind](value)

const swapped = (pairs: ReadonlyArray<readonly [RegExp, string]>) =>
  pairs.map(
    ([from, to]) =>
      (value: string) =>
        value.replace(from, to),
  )

/** What may be done to a text; what comes out is told apart by how rules compare it. */
const respellings: ReadonlyArray<(value: string) => string> = [
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  (value) => ` ${value} `,
  (value) => `\t${value}\n`,
  (value) => `\u00a0${value}\u3000`,
  (value) => value.slice(0, 1).toUpperCase() + value.slice(1),
  (value) => value.normalize("NFC"),
  (value) => value.normalize("NFD"),
  (value) => value.normalize("NFD").toUpperCase(),
  // Letters that only full case folding takes for the same.
  ...swapped([
    [/ß/g, "ss"],
    [/ss/gi, "ß"],
    [/ss|ß/gi, "ẞ"],
    [/[σΣ]/g, "ς"],
    [/ς/g, "σ"],
    [/ﬁ/g, "fi"],
    [/fi/gi, "ﬁ"],
    [/s/i, "ſ"],
    [/k/i, "\u212a"],
  ]),
]

const wide = (value: string): string =>
  value.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))

const otherLetter = (letter: string): string => (letter === "e" ? "a" : "e")

const changed = (value: string, place: number): string => {
  const letters = [...value]
  const letter = letters.at(place)
  return letter === undefined ? value : letters.with(place, otherLetter(letter)).join("")
}

/** What a slip of the hand, or a rule that is too kind, would take for the text. */
const slips: ReadonlyArray<(value: string) => string> = [
  (value) => [...value].slice(0, -1).join(""),
  (value) => `${value}s`,
  (value) => changed(value, -1),
  (value) => changed(value, 0),
  (value) => [...value].slice(1).join(""),
  (value) => value.slice(0, 1) + value,
  (value) => value.normalize("NFD").replace(/\p{M}/gu, ""),
  (value) => wide(value),
  (value) => value.replace(/i/i, "ı"),
  (value) => `${value.slice(0, 1)} ${value.slice(1)}`,
  (value) => value.replaceAll(" ", ""),
  () => "",
]

const idSlips: ReadonlyArray<(value: string) => string> = [
  ...[...slips.slice(0, 5), (value: string) => value.toUpperCase()],
  (value) => value.toLowerCase(),
  (value) => ` ${value}`,
  (value) => `0${value}`,
  (value) => `${value}/1`,
]

/** The text as it is, then its other spellings. */
export const spellings = (kind: Spelling, value: string): ReadonlyArray<string> => {
  const folded = foldOf(kind, value)
  const others = respellings.map((respell) => respell(value))
  return [...new Set([value, ...others.filter((other) => foldOf(kind, other) === folded)])]
}

/** Texts like one of the values that are none of them to a rule. */
export const nearMisses = (
  kind: Spelling,
  value: string,
  values: ReadonlySet<string>,
): ReadonlyArray<string> => {
  const found = (kind === "id" ? idSlips : slips).map((slip) => slip(value))
  return [...new Set(found)].filter((text) => !values.has(foldOf(kind, text)))
}

// What groups ask for, links and conditions alike: one of some values at a place of the order.

export type ProductPlace = Exclude<LinkType, "products.all">

/** Where a value stands: in the product, or in the order. */
export type AttributePlace = ProductPlace | ConditionType

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

export const isProductPlace = (place: AttributePlace): place is ProductPlace =>
  place === "products" || place === "products.tag" || place === "products.vendor"

export const kindOf = (place: AttributePlace): Spelling => {
  if (place === "products") return "id"
  return place === "country.code" ? "country" : "text"
}

/** What a group asks for at a place. */
export interface Ask {
  readonly place: AttributePlace
  readonly isWith: boolean
  /** As they are written. */
  readonly values: ReadonlyArray<string>
  /** As they are compared. */
  readonly folded: ReadonlySet<string>
}

const askOf = (
  place: AttributePlace,
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
