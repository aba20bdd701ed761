/**
 * All rule sets of a small scope against all orders of it: what the library does with each item is compared
 * with what the rules say. Of rule sets that differ only in the names of their values, one is looked at.
 */
import { type Order, type Product, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import {
  type Attributes,
  attributesForAll,
  type ConditionType,
  conditions,
  conditionTypes,
  isLinked,
  isMet,
  links,
  placeOf,
  products,
} from "./Shapes.js"

/** One way to ask, with what it applies to. */
interface Shape {
  readonly link: ProductGroup.Link
  readonly condition: ProductGroup.Condition | null
  readonly place: number
  readonly linked: ReadonlyArray<boolean>
}

/** A rule set to look at. */
interface Case {
  readonly shapes: ReadonlyArray<Shape>
  /** Whose each group is. */
  readonly owners: ReadonlyArray<number>
  /** When each group was made. */
  readonly ages: ReadonlyArray<number | null>
  readonly stacking: "most-specific" | "all"
}

/** How much was looked at. */
export interface Counts {
  readonly ruleSets: number
  readonly lines: number
  readonly paid: number
  readonly outranked: number
  readonly unpaid: number
}

const percents = [10, 20, 30]
const amount = 10_000

/** What the rules say of an item: who is paid, and who lost to whom. */
interface Expected {
  readonly paid: ReadonlyArray<{ readonly groupId: string; readonly amount: number }>
  readonly lost: ReadonlyArray<{ readonly groupId: string; readonly byGroupId: string }>
}

const idOf = (index: number): string => `g${index}`

/** Groups by number, the most specific first: by place, then the newer one, then the smaller id. */
const rankedOf = ({ shapes, ages }: Case): ReadonlyArray<number> => {
  const age = (index: number) => ages[index] ?? Number.NEGATIVE_INFINITY
  const place = (index: number) => shapes[index]?.place ?? 0
  const byAge = (a: number, b: number) => (age(a) === age(b) ? a - b : age(a) > age(b) ? -1 : 1)
  return shapes.map((_, index) => index).sort((a, b) => place(a) - place(b) || byAge(a, b))
}

const expectedOf = (each: Case, matching: ReadonlyArray<number>): Expected => {
  const winners = new Map<number, number>()
  const lost: Array<Expected["lost"][number]> = []
  for (const index of matching) {
    // Where all are paid, each group is its own owner.
    const owner = each.stacking === "all" ? index : (each.owners[index] ?? 0)
    const winner = winners.get(owner)
    if (winner === undefined) winners.set(owner, index)
    else lost.push({ groupId: idOf(index), byGroupId: idOf(winner) })
  }
  const paid = [...winners.values()].sort((a, b) => a - b)
  return {
    paid: paid.map((index) => ({
      groupId: idOf(index),
      amount: ((percents[index] ?? 0) * amount) / 100,
    })),
    lost,
  }
}

/** The answer for each set of groups that may match: bit by bit, one for each group. */
const expectations = (each: Case): ReadonlyArray<Expected> => {
  const ranked = rankedOf(each)
  return Array.from({ length: 2 ** each.shapes.length }, (_, mask) =>
    expectedOf(
      each,
      ranked.filter((index) => (mask & (1 << index)) !== 0),
    ),
  )
}

const maskOf = (bits: ReadonlyArray<boolean>): number =>
  bits.reduce((mask, bit, index) => (bit ? mask | (1 << index) : mask), 0)

const groupsOf = ({ shapes, owners, ages }: Case): ReadonlyArray<ProductGroup.GroupInput> =>
  shapes.map(({ link, condition }, index) => ({
    id: idOf(index),
    collaboratorId: `c${owners[index]}`,
    link,
    condition,
    percent: percents[index] ?? 0,
    createdAt: ages[index] ?? null,
  }))

const itemIdOf = (place: number): string => `i${place}`

/** An order of some products, by their places. */
const orderOf = (attributes: Attributes, places: ReadonlyArray<number>): Order.Order => ({
  id: "o",
  currency: "USD",
  ...attributes,
  items: places.flatMap((place) => {
    const product = products[place]
    return product === undefined ? [] : [{ id: itemIdOf(place), product, quantity: 1, amount }]
  }),
})

/** A rule set and an item of an order on which the library does not do what the rules say. */
export interface Difference {
  readonly groups: ReadonlyArray<ProductGroup.GroupInput>
  readonly attributes: Attributes
  readonly product: Product.Product | undefined
  readonly expected: Expected | undefined
}

/** Goes along a split, item by item, with what was expected. The place of the first item that differs, or -1. */
const differing = (
  split: Split.Split,
  expected: ReadonlyArray<Expected | undefined>,
  places: ReadonlyArray<number>,
): number => {
  let share = 0
  let loser = 0
  for (const [index, place] of places.entries()) {
    const wanted = expected[index]
    const itemId = itemIdOf(place)
    for (const { groupId, amount } of wanted?.paid ?? []) {
      const got = split.shares[share]
      if (got?.itemId !== itemId || got.groupId !== groupId || got.amount !== amount) return place
      share += 1
    }
    for (const { groupId, byGroupId } of wanted?.lost ?? []) {
      const got = split.outranked[loser]
      if (got?.itemId !== itemId || got.groupId !== groupId || got.byGroupId !== byGroupId) {
        return place
      }
      loser += 1
    }
  }
  const isAll = share === split.shares.length && loser === split.outranked.length
  return isAll ? -1 : (places.at(-1) ?? 0)
}

/** What is asked of a rule set: which products, in which orders. */
interface Asked {
  readonly places: ReadonlyArray<number>
  readonly orders: ReadonlyArray<readonly [attributes: Attributes, order: Order.Order]>
}

export type SplitOrder = typeof Split.order

/** Looks at rule sets, one after the other, and counts. */
export class Looking {
  private ruleSets = 0
  private lines = 0
  private paid = 0
  private outranked = 0
  private readonly split: SplitOrder
  difference: Difference | undefined

  constructor(split: SplitOrder = Split.order) {
    this.split = split
  }

  get counts(): Counts {
    const { ruleSets, lines, paid, outranked } = this
    return { ruleSets, lines, paid, outranked, unpaid: lines - paid }
  }

  /** Looks at a rule set with every order; false once there is a difference. */
  look(each: Case, asked: Asked): boolean {
    const { shapes, stacking } = each
    const groups = groupsOf(each)
    const rules = RuleSet.make(groups)
    const all = expectations(each)
    const { places, orders } = asked
    const linked = places.map((place) =>
      maskOf(shapes.map((shape) => shape.linked[place] === true)),
    )
    this.ruleSets += 1
    for (const [attributes, order] of orders) {
      const met = maskOf(shapes.map(({ condition }) => isMet(condition, attributes)))
      const expected = linked.map((mask) => all[mask & met])
      const place = differing(this.split(rules, order, policies[stacking]), expected, places)
      this.count(expected)
      if (place === -1) continue
      this.difference = {
        groups,
        attributes,
        product: products[place],
        expected: expected[places.indexOf(place)],
      }
      return false
    }
    return true
  }

  private count(expected: ReadonlyArray<Expected | undefined>): void {
    this.lines += expected.length
    for (const wanted of expected) {
      if (wanted === undefined) continue
      if (wanted.paid.length > 0) this.paid += 1
      if (wanted.lost.length > 0) this.outranked += 1
    }
  }
}

const policies = {
  "most-specific": SplitPolicy.defaults,
  all: SplitPolicy.make({ stacking: "all" }),
}

const shapesOf = (types: ReadonlyArray<ConditionType>, least: number): ReadonlyArray<Shape> =>
  links(least).flatMap((link) =>
    conditions(types, least).map((condition) => ({
      link,
      condition,
      place: placeOf(link, condition),
      linked: products.map((product) => isLinked(link, product)),
    })),
  )

const known = new Map<string, Asked>()

/**
 * Every order that groups can tell from others if they look at these attributes of it, of every product that their
 * links can tell from others.
 */
const askedFor = (
  types: ReadonlyArray<ConditionType>,
  links: ReadonlyArray<ProductGroup.LinkType>,
): Asked => {
  const key = [...types, ...new Set(links)].sort().join()
  const before = known.get(key)
  if (before !== undefined) return before
  const places = [...products.keys()].filter((place) => isTold(products[place], links))
  const orders = attributesForAll(types).map(
    (attributes) => [attributes, orderOf(attributes, places)] as const,
  )
  const asked = { places, orders }
  known.set(key, asked)
  return asked
}

/** Whether a product has something only where one of the links looks. */
const isTold = (
  product: Product.Product | undefined,
  links: ReadonlyArray<ProductGroup.LinkType>,
): boolean =>
  product !== undefined &&
  (links.includes("products") || (product.id === "x" && product.externalId === undefined)) &&
  (links.includes("products.tag") || product.tags?.length === 0) &&
  (links.includes("products.vendor") || product.vendor === undefined)

const linkTypesOf = (shapes: ReadonlyArray<Shape>): ReadonlyArray<ProductGroup.LinkType> =>
  shapes.map(({ link }) => link.type)

/** Who may own three groups: one, two of them, or three collaborators. */
const ownersOfThree = [
  [0, 0, 0],
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
  [0, 1, 2],
]
const ownersOfTwo = [
  [0, 0],
  [0, 1],
]
const agesOfThree = [
  [null, null, null],
  [1, 2, 3],
  [2, null, 2],
]
const agesOfTwo = [
  [null, null],
  [1, 2],
]

/** Whether two groups of one collaborator stand at the same place, so that the newer one counts. */
const isDecidedByAge = (shapes: ReadonlyArray<Shape>, owners: ReadonlyArray<number>): boolean => {
  const places = shapes.map(({ place }, index) => `${owners[index]} ${place}`)
  return new Set(places).size < places.length
}

/** The ways in which groups of some shapes can belong to people, can have been made, and are paid. */
const casesOf = (
  shapes: ReadonlyArray<Shape>,
  owners: ReadonlyArray<ReadonlyArray<number>>,
  ages: ReadonlyArray<ReadonlyArray<number | null>>,
): ReadonlyArray<Case> => {
  const [someone = []] = owners
  const [never = []] = ages
  const contests = owners.flatMap((owner) =>
    (isDecidedByAge(shapes, owner) ? ages : [never]).map((age) => ({ owners: owner, ages: age })),
  )
  return [
    { shapes, owners: someone, ages: never, stacking: "all" },
    ...contests.map((contest) => ({ shapes, ...contest, stacking: "most-specific" as const })),
  ]
}

const singleOf = (values: ReadonlyArray<string>): string =>
  values.length === 1 ? (values[0] ?? "") : ""

/** Whether of each attribute the first value that a group names alone is the first of the two. */
const isFirstOfItsTwins = (shapes: ReadonlyArray<Shape>): boolean => {
  const seen = new Map<string, string>()
  for (const { link, condition } of shapes) {
    for (const each of [link, condition]) {
      const single = each === null ? "" : singleOf(each.values)
      if (each !== null && single !== "" && !seen.has(each.type)) seen.set(each.type, single)
    }
  }
  return [...seen.values()].every((value) => value === "a")
}

/** Every rule set of one group, whatever it asks for, with every order that has any of the attributes. */
function* ofOneGroup(): Generator<readonly [Case, Asked], void> {
  const asked = askedFor(conditionTypes, ["products", "products.tag", "products.vendor"])
  for (const shape of shapesOf(conditionTypes, 0)) {
    yield [{ shapes: [shape], owners: [0], ages: [null], stacking: "most-specific" }, asked]
  }
}

/** Every rule set of two groups, with every order that has what one of the two asks for. */
function* ofTwoGroups(): Generator<readonly [Case, Asked], void> {
  const shapes = shapesOf(conditionTypes, 0)
  for (const [place, first] of shapes.entries()) {
    for (const second of shapes.slice(place)) {
      const both = [first.condition, second.condition].flatMap((each) => each?.type ?? [])
      const asked = askedFor([...new Set(both)].sort(), linkTypesOf([first, second]))
      if (!isFirstOfItsTwins([first, second])) continue
      for (const each of casesOf([first, second], ownersOfTwo, agesOfTwo)) yield [each, asked]
    }
  }
}

/** Every rule set of three groups that look at one attribute of the order, with every order that has it. */
function* ofThreeGroups(): Generator<readonly [Case, Asked], void> {
  for (const type of conditionTypes) {
    const shapes = shapesOf([type], 1)
    for (const [first, one] of shapes.entries()) {
      for (const [second, two] of shapes.slice(first).entries()) {
        for (const three of shapes.slice(first + second)) {
          const all = [one, two, three]
          if (!isFirstOfItsTwins(all)) continue
          const asked = askedFor([type], linkTypesOf(all))
          for (const each of casesOf(all, ownersOfThree, agesOfThree)) yield [each, asked]
        }
      }
    }
  }
}

const scopes = { 1: ofOneGroup, 2: ofTwoGroups, 3: ofThreeGroups }

/** How many groups the rule sets have that are looked at. */
export type GroupCount = keyof typeof scopes

/**
 * Looks at the rule sets of so many groups, or at one of `every` so many, beginning with the one at `first`, until
 * there is a difference.
 */
export const lookAt = (
  groupCount: GroupCount,
  { every = 1, first = 0, split }: { every?: number; first?: number; split?: SplitOrder } = {},
  onProgress?: (counts: Counts) => void,
): Looking => {
  const looking = new Looking(split)
  let number = 0
  for (const [each, asked] of scopes[groupCount]()) {
    number += 1
    if ((number - 1) % every !== first) continue
    if (!looking.look(each, asked)) return looking
    onProgress?.(looking.counts)
  }
  return looking
}
