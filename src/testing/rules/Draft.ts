import { isSeconds } from "../../internal/seconds.js"
import * as Attribute from "../../orders/Attribute.js"
import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import {
  type Ask,
  amissOfTime,
  asksOf,
  isAmong,
  isSelected,
  nearMisses,
  spellings,
} from "./asks.js"

// An order whose attributes are being put together one by one.

type Texts = Readonly<Partial<Record<Attribute.Attribute, ReadonlyArray<string>>>>

/** The values of the order's attributes, and of those of each item's product. */
export interface Draft {
  readonly order: Texts
  readonly items: ReadonlyArray<Texts>
}

/** Where a value of an attribute might be put by mistake: the first other attribute that holds any text. */
const elsewhere = (attribute: Attribute.Attribute): Attribute.Attribute => {
  const isLike = (other: Attribute.Attribute) =>
    other !== attribute && Attribute.kindOf(other) === "text"
  return (
    (Attribute.isOfProducts(attribute)
      ? Attribute.productAttributes.find(isLike)
      : Attribute.orderAttributes.find(isLike)) ?? attribute
  )
}

const textsAt = (
  draft: Draft,
  attribute: Attribute.Attribute,
  item: number,
): ReadonlyArray<string> =>
  (Attribute.isOfProducts(attribute) ? draft.items[item] : draft.order)?.[attribute] ?? []

const withTexts = (
  draft: Draft,
  attribute: Attribute.Attribute,
  item: number,
  texts: ReadonlyArray<string>,
): Draft => {
  if (!Attribute.isOfProducts(attribute))
    return { ...draft, order: { ...draft.order, [attribute]: texts } }
  const items = draft.items.map((each, index) =>
    index === item ? { ...each, [attribute]: texts } : each,
  )
  return { ...draft, items }
}

/** The draft with a text more, in place of another where there can't be more. */
export const put = (
  draft: Draft,
  attribute: Attribute.Attribute,
  item: number,
  text: string,
): Draft => {
  const texts = textsAt(draft, attribute, item)
  if (texts.includes(text)) return draft
  return withTexts(draft, attribute, item, Attribute.withValue(attribute, texts, text))
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
  const text = picked(spellings(ask.attribute, chosen), spelling)
  return text === undefined ? draft : put(draft, ask.attribute, item, text)
}

const without = (draft: Draft, ask: Ask, item: number): Draft => {
  const texts = textsAt(draft, ask.attribute, item)
  const kept = texts.filter((text) => !isAmong(ask, text))
  return kept.length === texts.length ? draft : withTexts(draft, ask.attribute, item, kept)
}

/** The draft, changed to have the wanted value. */
export const meet = (draft: Draft, ask: Ask, item: number, choice: Choice): Draft =>
  ask.isWith ? putOneOf(draft, ask, item, choice) : without(draft, ask, item)

/** No value in place of the wanted one, a similar value, or the wanted value in another attribute. */
const putNearly = (draft: Draft, ask: Ask, item: number, { value, near }: Choice): Draft => {
  const chosen = picked(ask.values, value)
  if (chosen === undefined || near === 0) return draft
  const misses = nearMisses(ask.attribute, chosen, ask.folded)
  const miss = picked([...misses, undefined], near - 1)
  return miss === undefined
    ? put(draft, elsewhere(ask.attribute), item, chosen)
    : put(draft, ask.attribute, item, miss)
}

/** The draft, changed to just miss the wanted value. */
export const miss = (draft: Draft, ask: Ask, item: number, choice: Choice): Draft =>
  ask.isWith
    ? putNearly(without(draft, ask, item), ask, item, choice)
    : putOneOf(draft, ask, item, choice)

/** The same value, another spelling, a similar value, or the value in an attribute that the rule does not match. */
export const strew = (
  draft: Draft,
  attribute: Attribute.Attribute,
  item: number,
  value: string,
  how: { readonly kind: "spelt" | "nearly" | "elsewhere"; readonly pick: number },
): Draft => {
  if (how.kind === "elsewhere") return put(draft, elsewhere(attribute), item, value)
  const all =
    how.kind === "spelt"
      ? spellings(attribute, value)
      : nearMisses(attribute, value, new Set([Attribute.foldOf(attribute)(value)]))
  return put(draft, attribute, item, picked(all, how.pick) ?? value)
}

/** What is made of a draft where it says nothing. */
export interface Blank {
  /** The id of a product that no rule names. */
  readonly productId: string
  /** Whether absent values are written as an empty list or `null`. */
  readonly writesEmpty: boolean
  /** Whether an id of the rules is put into the product's external id. */
  readonly isExternal: boolean
}

const idsOf = (
  texts: ReadonlyArray<string>,
  { productId, isExternal }: Blank,
): readonly [id: string, externalId?: string] => {
  // An id is never empty; an external id may be.
  const [first, second] = isExternal ? [...texts].reverse() : texts
  if (first === undefined) return [productId]
  if (second !== undefined && first !== "") return [first, second]
  if (second !== undefined && second !== "") return [second, first]
  return isExternal || first === "" ? [productId, first] : [first]
}

/** The product of one of the draft's items. */
export const productOf = (texts: Texts, blank: Blank): Product => {
  const [id, externalId] = idsOf(texts.products ?? [], blank)
  const attributes = Attribute.productAttributes.map((attribute) => {
    const values = attribute === "products" ? [] : (texts[attribute] ?? [])
    const isSaid = values.length > 0 || (blank.writesEmpty && attribute !== "products")
    return isSaid ? Attribute.inProduct[attribute](values) : {}
  })
  return Object.assign({ id }, externalId === undefined ? {} : { externalId }, ...attributes)
}

/** What the draft says of the order. */
export const attributesOf = ({ order }: Draft, { writesEmpty }: Blank): Partial<Order> => {
  const attributes = Attribute.orderAttributes.map((attribute) => {
    const values = order[attribute] ?? []
    return values.length > 0 || writesEmpty ? Attribute.inOrder[attribute](values) : {}
  })
  return Object.assign({}, ...attributes)
}

// Makes an order with an item to which a group applies, or fails to apply by exactly one attribute.

/** What is aimed at: a group that is to apply to an item, but for one thing if `amiss` is given. */
export interface Aim {
  readonly group: ProductGroup
  readonly item: number
  readonly amiss: MissKind | undefined
  readonly choice: Choice
}

/** What a group can be missed by. */
export type MissKind = "link" | "condition" | "start" | "end" | "time"

/** All that a group can be missed by. */
export const missesOf = (group: ProductGroup): ReadonlyArray<MissKind> => {
  const { link, condition } = asksOf(group)
  const { startsAt, endsAt } = group
  const isDated = startsAt !== null || endsAt !== null
  const misses: ReadonlyArray<readonly [MissKind, boolean]> = [
    ["link", link !== undefined],
    ["condition", condition !== undefined],
    ["start", startsAt !== null && isSeconds(startsAt - 1)],
    ["end", endsAt !== null],
    ["time", isDated],
  ]
  return misses.flatMap(([kind, isThere]) => (isThere ? [kind] : []))
}

/** The draft with what the aim asks of its attributes. */
export const aimed = (draft: Draft, { group, item, amiss, choice }: Aim): Draft => {
  const { link, condition } = asksOf(group)
  const linked =
    link === undefined ? draft : (amiss === "link" ? miss : meet)(draft, link, item, choice)
  return condition === undefined
    ? linked
    : (amiss === "condition" ? miss : meet)(linked, condition, item, choice)
}

/** The seconds at which a group is just in force. */
const edgesOf = ({ startsAt, endsAt }: ProductGroup): ReadonlyArray<number> => [
  ...(startsAt === null ? [] : [startsAt]),
  ...(endsAt === null || !isSeconds(endsAt - 1) ? [] : [endsAt - 1]),
]

/** The moments around everything that begins or ends, for orders that aim at no date. */
export const momentsOf = (groups: ReadonlyArray<ProductGroup>): ReadonlyArray<number> => {
  const edges = groups.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
  const moments = edges.flatMap((edge) => (edge === null ? [] : [edge, edge - 1]))
  return [...new Set(moments)].filter(isSeconds)
}

const isInForce = (group: ProductGroup, at: number): boolean => amissOfTime(group, at) === undefined

/** Keeps what is so, unless that is nothing. */
const preferring = <A>(list: ReadonlyArray<A>, is: (one: A) => boolean): ReadonlyArray<A> => {
  const kept = list.filter(is)
  return kept.length === 0 ? list : kept
}

/** Where a group is in force as the last aim wants it, and the others' too if there is such a time. */
const timeInForce = (aims: ReadonlyArray<Aim>, last: Aim): number | undefined => {
  const others = aims.filter((aim) => aim !== last && aim.amiss === undefined)
  const edges = [last, ...others].flatMap(({ group }) => edgesOf(group))
  const possible = others.reduce<ReadonlyArray<number>>(
    (list, { group }) => preferring(list, (at) => isInForce(group, at)),
    edges.filter((at) => isInForce(last.group, at)),
  )
  return possible[last.choice.value % possible.length]
}

/**
 * When the order is made, by the last of the aims that has something to say about it; `null` when none has.
 */
export const timeOf = (aims: ReadonlyArray<Aim>): number | undefined | null => {
  const dated = aims.filter(({ group }) => group.startsAt !== null || group.endsAt !== null)
  const last = dated.at(-1)
  if (last === undefined) return null
  const { startsAt, endsAt } = last.group
  if (last.amiss === "start" && startsAt !== null) return startsAt - 1
  if (last.amiss === "end" && endsAt !== null) return endsAt
  return last.amiss === "time" ? undefined : timeInForce(dated, last)
}

/** Which products a group selects, remembered for each list of products. */
export class Selection {
  readonly #products: ReadonlyArray<Product>
  readonly #known = new Map<ProductGroup, ReadonlySet<number>>()

  constructor(products: ReadonlyArray<Product>) {
    this.#products = products
  }

  #of(group: ProductGroup): ReadonlySet<number> {
    const before = this.#known.get(group)
    if (before !== undefined) return before
    const places = this.#products.flatMap((product, index) =>
      isSelected(group, product) ? [index] : [],
    )
    const selected = new Set(places)
    this.#known.set(group, selected)
    return selected
  }

  /** A product that all aims want if there is one, else one that the last of them want. */
  pick(aims: ReadonlyArray<Aim>, pick: number): Product | undefined {
    const all = [...this.#products.keys()]
    const possible = aims.reduceRight<ReadonlyArray<number>>((list, { group, amiss }) => {
      const selected = this.#of(group)
      return preferring(list, (index) => selected.has(index) === (amiss !== "link"))
    }, all)
    return this.#products[possible[pick % possible.length] ?? -1]
  }
}
