/**
 * Rule sets, catalogues and policies made of a number: the same ones for the same number, always.
 */
import { Catalogue, type Product, type ProductGroup, type SplitPolicy } from "apportion"
import { Chance } from "../generators/Chance.js"
import { policyOptions } from "../generators/Sales.js"
import type { Question } from "./brute/Answers.js"
import type { Group } from "./brute/Orders.js"

/** Chance of which numbers beside each other are not alike. */
export class Dice extends Chance {
  constructor(seed: number) {
    super(Math.imul(seed, 0x9e3779b1))
  }

  of<const A>(list: readonly [A, ...ReadonlyArray<A>]): A {
    return list[this.below(list.length)] ?? list[0]
  }

  /** A few of a list, seldom none. */
  someOf(list: readonly [string, ...ReadonlyArray<string>]): ReadonlyArray<string> {
    const count = this.of([0, 1, 1, 1, 2, 2, 3])
    return Array.from({ length: count }, () => this.of(list))
  }
}

/** Three values at most, some in several spellings. */
const spellings = {
  tags: ["art", " ART", "café", "CAFE\u0301"],
  vendors: ["Nord", "nord ", "Süd"],
  ids: ["p1", "P1", "p2"],
  words: ["x", "X ", "straße", "STRASSE"],
  countries: ["DE", "de", "AT"],
} as const

const conditionTypes = [
  "order.tag",
  "customer.tag",
  "discount.code",
  "country.code",
  "referer",
] as const

const linkOf = (dice: Dice): Group["link"] => {
  const type = dice.of([
    "products.all",
    "products.tag",
    "products.tag",
    "products.vendor",
    "products",
  ])
  const modifier = dice.of(["WITH", "WITH", "NOT"])
  if (type === "products.all") return { type, modifier: dice.isLucky(0.05) ? "NOT" : "WITH" }
  const { tags, vendors, ids } = spellings
  const values = { "products.tag": tags, "products.vendor": vendors, products: ids } as const
  return { type, modifier, values: dice.someOf(values[type]) }
}

const conditionOf = (
  dice: Dice,
  types: readonly [ProductGroup.ConditionType, ...ReadonlyArray<ProductGroup.ConditionType>],
): Group["condition"] => {
  if (dice.isLucky(0.5)) return null
  const type = dice.of(types)
  const { countries, words } = spellings
  const values = dice.someOf(type === "country.code" ? countries : words)
  return { type, modifier: dice.of(["WITH", "WITH", "NOT"]), values }
}

const datesOf = (dice: Dice): Pick<Group, "startsAt" | "endsAt"> => {
  const start = dice.of([null, null, 10, 20])
  const end = dice.of([null, null, 20, 30])
  return dice.isLucky(0.6) || (start === 20 && end === 20) ? {} : { startsAt: start, endsAt: end }
}

const moneyOf = (dice: Dice, isPriced: boolean): Partial<Group> => {
  const percent = dice.of<number | null>([10, 20, 33.33, 40, 50, 60, 100, 0, null])
  const amount =
    dice.isLucky(isPriced ? 0.3 : 0.1) || percent === null ? dice.of([0, 1, 50, 500]) : null
  const isLimited = dice.isLucky(0.2)
  const least = isLimited ? dice.of([null, 0, 30, 400]) : null
  const most = isLimited ? dice.of([null, 0, 100, 600]) : null
  return {
    percent,
    amount,
    minAmount: least,
    maxAmount: most !== null && least !== null && least > most ? null : most,
    ...(dice.isLucky(0.2) ? { shippingPercent: dice.of([0, 30, 70]) } : {}),
    ...(dice.isLucky(0.2) ? { shippingAmount: dice.of([0, 5]) } : {}),
  }
}

/** The kinds of money that a question is about. */
interface Kind {
  readonly isPriced: boolean
  readonly hasAmounts: boolean
}

const groupsOf = (dice: Dice, { isPriced, hasAmounts }: Kind): ReadonlyArray<Group> => {
  const types = [dice.of(conditionTypes), dice.of([...conditionTypes, "referer"])] as const
  const count = dice.of([1, 2, 3, 3, 4, 4, 5, 6])
  const owners = ["ada", "sam", "bob"].slice(0, dice.of([1, 2, 3]))
  return Array.from({ length: count }, (_, index): Group => {
    const condition = conditionOf(dice, types)
    const money = moneyOf(dice, isPriced)
    return {
      id: `g${dice.below(10)}${index}`,
      collaboratorId: owners[dice.below(owners.length)] ?? "ada",
      link: linkOf(dice),
      condition,
      ...(hasAmounts ? money : { percent: money.percent ?? 25 }),
      deductForOtherSplits: condition?.type === "referer" && dice.isLucky(0.5),
      createdAt: dice.of([null, 1, 1, 2]),
      ...datesOf(dice),
    }
  })
}

const productOf = (dice: Dice, index: number): Product.Product => ({
  id: index === 0 ? "p1" : `p${index + 1}`,
  ...(dice.isLucky(0.2) ? { externalId: dice.of(spellings.ids) } : {}),
  ...(dice.isLucky(0.6) ? { vendor: dice.of(spellings.vendors) } : {}),
  tags: dice.someOf(spellings.tags),
  ...(dice.isLucky(0.9)
    ? {
        price: dice.of([0, 1, 50, 99, 500, 1_000, 1_000]),
        cost: dice.of([0, 10, 400, 2_000, -100]),
      }
    : {}),
})

const catalogueOf = (dice: Dice): Catalogue.Catalogue =>
  Catalogue.make(
    Array.from({ length: dice.of([1, 2, 3, 4]) }, (_, index) => productOf(dice, index)),
  )

const policyOf = (dice: Dice): Partial<SplitPolicy.SplitPolicy> => {
  const { discount, cost, flatScope, shipping, stacking, rounding, overAllocation, tax } =
    policyOptions
  return {
    discount: dice.of(discount),
    cost: dice.of(cost),
    tax: dice.of(tax),
    flatScope: dice.of(flatScope),
    shipping: dice.of([...shipping, "store"]),
    stacking: dice.of([...stacking, "most-specific"]),
    rounding: dice.of(rounding),
    overAllocation: dice.of(overAllocation),
  }
}

const places = ["products.tag", "order.tag", "customer.tag", "discount.code", "referer"] as const

const limitsOf = (dice: Dice): Pick<Question, "atMost" | "idsOfProduct"> => ({
  ...(dice.isLucky(0.2) ? { idsOfProduct: dice.of([1, 2]) } : {}),
  ...(dice.isLucky(0.25)
    ? { atMost: { [dice.of(places)]: dice.of([1, 1, 2]), [dice.of(places)]: 1 } }
    : {}),
})

/** The question of a number. */
export const questionOf = (seed: number): Question => {
  const dice = new Dice(seed)
  const isPriced = dice.isLucky(0.5)
  const hasAmounts = dice.isLucky(0.7)
  const groups = groupsOf(dice, { isPriced, hasAmounts })
  const policy = dice.isLucky(0.3) ? {} : policyOf(dice)
  return {
    groups,
    ...(isPriced ? { catalogue: catalogueOf(dice) } : {}),
    ...(dice.isLucky(0.2) ? { from: dice.of([15, 20, 25]) } : {}),
    ...(dice.isLucky(0.3) ? { mostDiscount: dice.of([0, 10, 50, 100]) } : {}),
    policy: { ...policy, gatewayFee: dice.of(policyOptions.gatewayFee) },
    ...(dice.isLucky(0.4) ? { mostTax: dice.of([0, 7, 20, 20, 100]) } : {}),
    ...limitsOf(dice),
  }
}

/** Few groups that apply to nearly everything, so that many of them meet: what decides on a cent shows there. */
export const crowdOf = (seed: number): Question => {
  const dice = new Dice(seed)
  const ids = ["a", "g", "m", "s", "z"]
  const groups = Array.from({ length: dice.of([2, 3, 3, 4]) }, (): Group => {
    const condition = dice.isLucky(0.25) ? conditionOf(dice, ["referer", "order.tag"]) : null
    return {
      id: ids.splice(dice.below(ids.length), 1).join(),
      collaboratorId: dice.of(["ada", "ben", "ben", "sam"]),
      link: dice.isLucky(0.85) ? { type: "products.all" } : linkOf(dice),
      condition,
      percent: dice.of([10, 10, 20, 30, 33.33, 50, 90]),
      ...(dice.isLucky(0.2) ? { amount: dice.of([0, 3, 50]) } : {}),
      ...(dice.isLucky(0.2) ? { maxAmount: dice.of([0, 5, 100]) } : {}),
      ...(dice.isLucky(0.2) ? { shippingPercent: dice.of([0, 10, 50]) } : {}),
      deductForOtherSplits: condition?.type === "referer" && dice.isLucky(0.5),
      createdAt: dice.of([null, 1, 2]),
    }
  })
  return {
    groups,
    policy: {
      ...policyOf(dice),
      gatewayFee: dice.of(policyOptions.gatewayFee),
      ...(dice.isLucky(0.6) ? { stacking: "all" } : {}),
      ...(dice.isLucky(0.4) ? { shipping: "all" } : {}),
      ...(dice.isLucky(0.3) ? { overAllocation: "rank" } : {}),
    },
    mostDiscount: dice.of([undefined, 0, 10, 30]),
    mostTax: dice.of([undefined, 0, 20]),
  }
}

/** The same groups, of which one has another age or another name, or applies to a little less. */
const movedIn = (groups: ReadonlyArray<Group>, seed: number): ReadonlyArray<Group> => {
  const dice = new Dice(seed + 2_000_003)
  const place = dice.below(groups.length)
  const group = groups[place]
  if (group === undefined) return groups
  const without = { type: "referer", modifier: "NOT", values: ["r"] } as const
  const change = dice.of<() => Partial<Group>>([
    () => ({ createdAt: dice.of([null, 1, 2, 3]) }),
    () => ({ createdAt: dice.of([null, 1, 2, 3]) }),
    () => ({ condition: without, deductForOtherSplits: false }),
    () => ({ id: dice.of(["b", "k", "y"]) }),
  ])
  return groups.with(place, { ...group, ...change() })
}

/** The question of a number; one in four is about few groups that meet everywhere. */
export const questionAt = (seed: number): Question =>
  seed % 4 === 0 ? crowdOf(seed) : questionOf(seed)

/** The same groups with something else about one or two of them, which may matter or not. */
const changed = (groups: ReadonlyArray<Group>, seed: number): ReadonlyArray<Group> => {
  const dice = new Dice(seed + 1_000_003)
  const place = dice.below(groups.length)
  const others = [...groups]
  const group = groups[place]
  if (group === undefined) return groups
  const more: ReadonlyArray<() => Partial<Group>> = [
    () => ({ id: `a${place}` }),
    () => ({ percent: dice.of([10, 33.33, 40]) }),
    () => ({ createdAt: dice.of([null, 1, 2, 3]) }),
    () => ({ link: linkOf(dice) }),
    () => ({ deductForOtherSplits: false }),
    () => ({ maxAmount: null, minAmount: null }),
    () => ({ maxAmount: dice.of([0, 100]), minAmount: null }),
    () => ({ amount: dice.of([0, 1, 50]) }),
    () => ({ shippingPercent: dice.of([0, 30, null]), shippingAmount: dice.of([0, 5, null]) }),
    () => ({ link: { ...group.link, values: [...(group.link.values ?? [])].reverse() } }),
  ]
  const change = more[dice.below(more.length + 1)]
  if (change === undefined) others.splice(place, 1)
  else others.splice(place, 1, { ...group, ...change() })
  return others
}

/** The groups of the question of a number with a change. */
export const changedAt = (seed: number, groups: ReadonlyArray<Group>): ReadonlyArray<Group> =>
  (seed % 4 === 0 ? movedIn : changed)(groups, seed)
