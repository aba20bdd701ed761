/** The same things written otherwise: in another order, in other spellings. */

import type { Order } from "../../orders/Order.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import { kindOf, type Spelling, spellings } from "../rules/asks.js"

/** Other orders of a list: turned round, begun in the middle, every second one first. */
export const reordered = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  if (list.length < 2) return []
  const middle = Math.ceil(list.length / 2)
  const isEven = (_: A, index: number) => index % 2 === 0
  const isOdd = (_: A, index: number) => index % 2 === 1
  return [
    [...list].reverse(),
    [...list.slice(middle), ...list.slice(0, middle)],
    [...list.filter(isOdd), ...list.filter(isEven)],
  ]
}

/** What is made of a rule set once: many groups take time to be prepared. */
const kept = (make: (rules: RuleSet.RuleSet) => ReadonlyArray<RuleSet.RuleSet>): typeof make => {
  const known = new WeakMap<RuleSet.RuleSet, ReadonlyArray<RuleSet.RuleSet>>()
  return (rules) => {
    const made = known.get(rules) ?? make(rules)
    known.set(rules, made)
    return made
  }
}

/** Rule sets of the same groups in other orders. */
export const reorderedRules = /* @__PURE__ */ kept((rules) =>
  reordered(rules.groups).map(RuleSet.make),
)

/** A rule set that is the same and another object in all its parts. */
export const copiedRules = /* @__PURE__ */ kept((rules) => [structuredClone(rules)])

type Respell = (kind: Spelling, text: string) => string

/** The round-th spelling of each text; texts beside one another get different ones. */
const respelling = (round: number): Respell => {
  let place = 0
  return (kind, text) => {
    const all = spellings(kind, text)
    place += 1
    return all[(round * place) % all.length] ?? text
  }
}

const respeltProduct = (product: Product, respell: Respell): Product => {
  const { vendor, tags } = product
  return {
    ...product,
    ...(vendor === undefined ? {} : { vendor: respell("text", vendor) }),
    ...(tags === undefined ? {} : { tags: tags.map((tag) => respell("text", tag)) }),
  }
}

const lists = ["tags", "customerTags", "discountCodes", "referers"] as const

const respeltWith = (order: Order, respell: Respell): Order => {
  const texts = lists.map((name) => ({ [name]: order[name]?.map((text) => respell("text", text)) }))
  const { billingCountry, items } = order
  const country =
    billingCountry == null ? {} : { billingCountry: respell("country", billingCountry) }
  return Object.assign({}, order, ...texts, country, {
    items: items.map((item) => ({ ...item, product: respeltProduct(item.product, respell) })),
  })
}

const respeltGroup = (group: ProductGroup, respell: Respell): ProductGroup => {
  const { link, condition } = group
  const { type } = link
  const all = (kind: Spelling, values: ReadonlyArray<string>) =>
    values.map((value) => respell(kind, value))
  return {
    ...group,
    link: type === "products.all" ? link : { ...link, values: all(kindOf(type), link.values) },
    condition: condition && {
      ...condition,
      values: all(kindOf(condition.type), condition.values),
    },
  }
}

const rounds = [1, 2, 5]

/** Rule sets whose groups ask for the same in other spellings. */
export const respeltRules = /* @__PURE__ */ kept(({ groups }) =>
  rounds.map((round) => {
    const respell = respelling(round)
    return RuleSet.make(groups.map((group) => respeltGroup(group, respell)))
  }),
)

/** The order in other spellings, each of which is the same to every rule. */
export const respelt = (order: Order): ReadonlyArray<Order> =>
  rounds.map((round) => respeltWith(order, respelling(round)))
