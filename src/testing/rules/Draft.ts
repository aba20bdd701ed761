/** An order while its attributes are put together, one after the other. */

import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ConditionType } from "../../rules/ProductGroup.js"
import {
  type Ask,
  type AttributePlace,
  foldOf,
  isAmong,
  isProductPlace,
  kindOf,
  nearMisses,
  spellings,
} from "./asks.js"

type Texts = Readonly<Partial<Record<AttributePlace, ReadonlyArray<string>>>>

/** What stands where: in the order, and in each item's product. */
export interface Draft {
  readonly order: Texts
  readonly items: ReadonlyArray<Texts>
}

/** How many values there can be at a place; any number when it is not told. */
const limits: Readonly<Partial<Record<AttributePlace, number>>> = {
  "products.vendor": 1,
  "country.code": 1,
  products: 2,
}

/** Where a value of a place might be put by mistake. */
const elsewhere: Readonly<Record<AttributePlace, AttributePlace>> = {
  "products.tag": "products.vendor",
  "products.vendor": "products.tag",
  products: "products.tag",
  "order.tag": "customer.tag",
  "customer.tag": "order.tag",
  "discount.code": "order.tag",
  "country.code": "order.tag",
  referer: "discount.code",
}

const textsAt = (draft: Draft, place: AttributePlace, item: number): ReadonlyArray<string> =>
  (isProductPlace(place) ? draft.items[item] : draft.order)?.[place] ?? []

const withTexts = (
  draft: Draft,
  place: AttributePlace,
  item: number,
  texts: ReadonlyArray<string>,
): Draft => {
  if (!isProductPlace(place)) return { ...draft, order: { ...draft.order, [place]: texts } }
  const items = draft.items.map((each, index) =>
    index === item ? { ...each, [place]: texts } : each,
  )
  return { ...draft, items }
}

/** The draft with a text more, in the place of another where there can't be more. */
export const put = (draft: Draft, place: AttributePlace, item: number, text: string): Draft => {
  const texts = textsAt(draft, place, item)
  if (texts.includes(text)) return draft
  const kept = texts.slice(0, (limits[place] ?? texts.length + 1) - 1)
  return withTexts(draft, place, item, [...kept, text])
}

/** Which of the possible ways is taken; 0 is always the plainest. */
export interface Choice {
  readonly value: number
  readonly spelling: number
  readonly near: number
}

const picked = <A>(list: ReadonlyArray<A>, at: number): A | undefined => list[at % list.length]

const putOneOf = (draft: Draft, ask: Ask, item: number, { value, spelling }: Choice): Draft => {
  const chosen = picked(ask.values, value)
  if (chosen === undefined) return draft
  const text = picked(spellings(kindOf(ask.place), chosen), spelling)
  return text === undefined ? draft : put(draft, ask.place, item, text)
}

const without = (draft: Draft, ask: Ask, item: number): Draft => {
  const texts = textsAt(draft, ask.place, item)
  const kept = texts.filter((text) => !isAmong(ask, text))
  return kept.length === texts.length ? draft : withTexts(draft, ask.place, item, kept)
}

/** The draft, but as it is asked for. */
export const meet = (draft: Draft, ask: Ask, item: number, choice: Choice): Draft =>
  ask.isWith ? putOneOf(draft, ask, item, choice) : without(draft, ask, item)

/** Nothing in the place of what is asked for, something like it, or the very thing where it is not looked for. */
const putNearly = (draft: Draft, ask: Ask, item: number, { value, near }: Choice): Draft => {
  const chosen = picked(ask.values, value)
  if (chosen === undefined || near === 0) return draft
  const misses = nearMisses(kindOf(ask.place), chosen, ask.folded)
  const miss = picked([...misses, undefined], near - 1)
  return miss === undefined
    ? put(draft, elsewhere[ask.place], item, chosen)
    : put(draft, ask.place, item, miss)
}

/** The draft, but not as it is asked for, closely. */
export const miss = (draft: Draft, ask: Ask, item: number, choice: Choice): Draft =>
  ask.isWith
    ? putNearly(without(draft, ask, item), ask, item, choice)
    : putOneOf(draft, ask, item, choice)

/** The value as it is, in another spelling, nearly as it is, or in a place where nobody looks for it. */
export const strew = (
  draft: Draft,
  place: AttributePlace,
  item: number,
  value: string,
  how: { readonly kind: "spelt" | "nearly" | "elsewhere"; readonly pick: number },
): Draft => {
  const kind = kindOf(place)
  if (how.kind === "elsewhere") return put(draft, elsewhere[place], item, value)
  const all =
    how.kind === "spelt"
      ? spellings(kind, value)
      : nearMisses(kind, value, new Set([foldOf(kind, value)]))
  return put(draft, place, item, picked(all, how.pick) ?? value)
}

/** What is made of a draft where it says nothing. */
export interface Blank {
  /** The id of a product that no rule names. */
  readonly productId: string
  /** Whether what is absent is written as an empty list or `null`. */
  readonly writesEmpty: boolean
  /** Whether an id of the rules is put into the product's external id. */
  readonly isExternal: boolean
}

const listed = (
  name: keyof Order | keyof Product,
  texts: ReadonlyArray<string> | undefined,
  { writesEmpty }: Blank,
): object => (texts?.length || writesEmpty ? { [name]: texts ?? [] } : {})

const idsOf = (texts: ReadonlyArray<string>, { productId, isExternal }: Blank) => {
  // An id is never empty; an external id may be.
  const [first, second] = isExternal ? [...texts].reverse() : texts
  if (first === undefined) return { id: productId }
  if (second !== undefined && first !== "") return { id: first, externalId: second }
  if (second !== undefined && second !== "") return { id: second, externalId: first }
  return isExternal || first === "" ? { id: productId, externalId: first } : { id: first }
}

/** The product of one of the draft's items. */
export const productOf = (texts: Texts, blank: Blank): Product => {
  const [vendor] = texts["products.vendor"] ?? []
  return {
    ...idsOf(texts.products ?? [], blank),
    ...(vendor === undefined ? {} : { vendor }),
    ...listed("tags", texts["products.tag"], blank),
  }
}

const orderLists: ReadonlyArray<readonly [ConditionType, keyof Order]> = [
  ["order.tag", "tags"],
  ["customer.tag", "customerTags"],
  ["discount.code", "discountCodes"],
  ["referer", "referers"],
]

/** What the draft says of the order. */
export const attributesOf = ({ order }: Draft, blank: Blank): Partial<Order> => {
  const [billingCountry = null] = order["country.code"] ?? []
  const lists = orderLists.map(([place, name]) => listed(name, order[place], blank))
  const country = billingCountry !== null || blank.writesEmpty ? { billingCountry } : {}
  return Object.assign({}, ...lists, country)
}
