/** Making an order so that a group applies to an item of it, or fails to by exactly one thing. */

import { isSeconds } from "../../internal/seconds.js"
import type { Product } from "../../orders/Product.js"
import type { ProductGroup } from "../../rules/ProductGroup.js"
import { amissOfTime, asksOf, isSelected } from "./asks.js"
import { type Choice, type Draft, meet, miss } from "./Draft.js"

/** What is aimed at: a group that is to apply to an item, but for one thing if it is told. */
export interface Aim {
  readonly group: ProductGroup
  readonly item: number
  readonly amiss: Facet | undefined
  readonly choice: Choice
}

/** What a group can be missed by. */
export type Facet = "link" | "condition" | "start" | "end" | "time"

/** All that a group can be missed by. */
export const facetsOf = (group: ProductGroup): ReadonlyArray<Facet> => {
  const { link, condition } = asksOf(group)
  const { startsAt, endsAt } = group
  const isDated = startsAt !== null || endsAt !== null
  const facets: ReadonlyArray<readonly [Facet, boolean]> = [
    ["link", link !== undefined],
    ["condition", condition !== undefined],
    ["start", startsAt !== null && isSeconds(startsAt - 1)],
    ["end", endsAt !== null],
    ["time", isDated],
  ]
  return facets.flatMap(([facet, isThere]) => (isThere ? [facet] : []))
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
