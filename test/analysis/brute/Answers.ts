/**
 * The questions of the analyses, answered by looking at every order. What applies to an order is asked of the
 * engine, and so is what is claimed of it and paid for it.
 */
import { type Order, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
import { Result } from "effect"
import {
  type Figures,
  type Group,
  type Possible,
  possibleOrders,
  priced,
  type Scene,
} from "./Orders.js"

export interface Question extends Scene {
  readonly groups: ReadonlyArray<Group>
  readonly policy?: Partial<SplitPolicy.SplitPolicy> | undefined
  readonly mostDiscount?: number | undefined
  readonly mostTax?: number | undefined
}

type Made = ProductGroup.ProductGroup

/** An order with what the engine says of it. */
interface Looked extends Possible {
  /** The groups that apply, most specific first. */
  readonly applying: ReadonlyArray<Made>
  /** Those of them that count. */
  readonly counting: ReadonlyArray<Made>
}

const matching = (rules: RuleSet.RuleSet, order: Order.Order): ReadonlyArray<Made> =>
  order.items.flatMap((item) => RuleSet.matchingGroups(rules, order, item))

const winners = (applying: ReadonlyArray<Made>, stacking: SplitPolicy.SplitPolicy["stacking"]) =>
  stacking === "all"
    ? applying
    : applying.filter(
        (group, place) =>
          applying.findIndex(({ collaboratorId }) => collaboratorId === group.collaboratorId) ===
          place,
      )

const smallestOfEach = (
  orders: ReadonlyArray<Looked>,
  { catalogue }: Question,
  others: RuleSet.RuleSet | undefined,
): ReadonlyArray<Looked> => {
  const kinds = new Map<string, Looked>()
  for (const looked of orders) {
    const product = catalogue === undefined ? "" : looked.order.items[0]?.product.id
    const also = others === undefined ? [] : matching(others, looked.order)
    const key = [looked.applying, also].map((groups) => groups.map(({ id }) => id).join())
    const known = kinds.get(`${product} ${key}`)
    if (known === undefined || looked.size < known.size) kinds.set(`${product} ${key}`, looked)
  }
  return [...kinds.values()]
}

/** All orders of a question, looked at once. */
export class Brute {
  readonly policy: SplitPolicy.SplitPolicy
  /** The policy under which too much is refused, the one under which it is paid, and that without any odd cents. */
  readonly refusing: SplitPolicy.SplitPolicy
  readonly paying: SplitPolicy.SplitPolicy
  readonly claiming: SplitPolicy.SplitPolicy
  readonly rules: RuleSet.RuleSet
  readonly question: Question
  readonly orders: ReadonlyArray<Looked>
  /** Of the orders of one product to which the same groups apply, the smallest: all are split in the same way. */
  readonly kinds: ReadonlyArray<Looked>

  constructor(
    question: Question,
    possible: ReadonlyArray<Possible> = possibleOrders(question.groups, question),
    others?: RuleSet.RuleSet,
  ) {
    this.question = question
    this.policy = SplitPolicy.make(question.policy)
    this.refusing = { ...this.policy, overAllocation: "reject" }
    this.paying = { ...this.policy, overAllocation: "allow" }
    this.claiming = { ...this.paying, rounding: "floor" }
    this.rules = RuleSet.make(question.groups)
    this.orders = possible.map(({ order, size }) => {
      const applying = matching(this.rules, order)
      return { order, size, applying, counting: winners(applying, this.policy.stacking) }
    })
    this.kinds = smallestOfEach(this.orders, question, others)
  }

  /** For a group, the places of the orders to which it applies. */
  appliesTo(groupId: string): ReadonlySet<number> {
    return this.placesOf(groupId, "applying")
  }

  countsOn(groupId: string): ReadonlySet<number> {
    return this.placesOf(groupId, "counting")
  }

  private placesOf(groupId: string, which: "applying" | "counting"): ReadonlySet<number> {
    return new Set(
      this.orders.flatMap((looked, place) =>
        looked[which].some(({ id }) => id === groupId) ? [place] : [],
      ),
    )
  }
}

const isOverAllocated = (
  rules: RuleSet.RuleSet,
  order: Order.Order,
  policy: SplitPolicy.SplitPolicy,
): boolean => {
  const split = Split.orderResult(rules, order, policy)
  return Result.isFailure(split) && split.failure._tag === "OverAllocated"
}

/** The percentages of a group alone. */
const percentages = (group: Group): Group => ({
  ...group,
  percent: group.percent ?? 0,
  amount: null,
  minAmount: null,
})

const large = 10_000_000_000

/** A percentage of an amount, rounded down. */
const part = (amount: number, percent: number): number =>
  Number((BigInt(amount) * BigInt(Math.round(percent * 100))) / 10_000n)

/** The tax in what was paid, at a rate on the rest of it. */
const included = (paid: number, rate: number): number => {
  const points = BigInt(Math.round(rate * 100))
  return Number((BigInt(paid) * points) / (10_000n + points))
}

/** What may be taken off an amount, as percentages: a discount, and a tax; `null`: as much tax as was paid. */
interface Off {
  readonly discounts: ReadonlyArray<number>
  readonly taxes: ReadonlyArray<number | null>
}

const discountedBy = (figures: Figures, { discounts, taxes }: Off): ReadonlyArray<Figures> =>
  discounts.flatMap((percent) => {
    const discount = part(figures.amount, percent)
    const paid = figures.amount - discount
    return taxes.map((rate) => ({
      ...figures,
      discount,
      tax: rate === null ? paid : included(paid, rate),
    }))
  })

/** Sales of anything, for percentages: any discount and any tax is possible of which nothing is said. */
const salesOfAny = (
  [first, ...others]: readonly [Figures, ...ReadonlyArray<Figures>],
  { mostDiscount = 100, mostTax }: Question,
): ReadonlyArray<Figures> => {
  const discounts = [mostDiscount, mostDiscount * 0.37]
  const taxes = [0, Math.min(mostTax ?? 20, 20), mostTax ?? null]
  const least = { discounts: [mostDiscount], taxes: [0, mostTax ?? null] }
  const { amount } = first
  return [
    first,
    ...discountedBy(first, { discounts, taxes }),
    ...others.flatMap((other) => discountedBy(other, least)),
    { ...first, taxOnTop: part(amount, 20), discount: part(amount, mostDiscount) },
    { ...first, gatewayFee: part(amount, 3), cost: part(amount, 11) },
    { ...first, shippingAmount: amount },
    { amount: 0, shippingAmount: large, shippingTax: large / 5 },
  ]
}

/** Sales of units of a product at its price, with no more off it than is said. */
const salesAt = (
  price: number,
  { mostDiscount = 0, mostTax = 0 }: Question,
): ReadonlyArray<Figures> => {
  const units = (quantity: number) => ({ amount: price * quantity, quantity })
  const off = {
    discounts: [...new Set([0, mostDiscount, mostDiscount * 0.37])],
    taxes: [...new Set([0, mostTax])],
  }
  const least = { discounts: [mostDiscount], taxes: [mostTax] }
  const nearly = part(price, mostDiscount) - 1
  return [
    ...discountedBy(units(1), off),
    ...(nearly > 0 ? [{ ...units(1), discount: nearly }] : []),
    ...[3, 10_000].flatMap((quantity) => discountedBy(units(quantity), least)),
    { ...units(1), shippingAmount: 101, taxOnTop: part(price, 20) },
    { ...units(1), gatewayFee: part(price, 3) },
  ]
}

/** The orders like one that are tried: at any price, of percentages alone, and at the price of its product. */
export const tried = (
  { question }: Brute,
  order: Order.Order,
): { readonly any: ReadonlyArray<Order.Order>; readonly atPrice: ReadonlyArray<Order.Order> } => {
  const isKnown = question.catalogue !== undefined
  const [price] = isKnown ? order.items.map(({ product }) => product.price) : []
  const units = (quantity: number) => ({ amount: (price ?? 0) * quantity, quantity })
  const any = [{ amount: large }, { amount: 7 }, { amount: 102 }] as const
  // Nobody is paid for costing the store something, but at a price.
  const isPaid = order.items.some(({ product }) => (product.cost ?? 0) < 0)
  const cost = isPaid ? { cost: 0 } : isKnown ? { cost: undefined } : {}
  const sales = salesOfAny(price === undefined ? any : [units(10_000), units(1)], question)
  return {
    any: sales.map((sale) => priced(order, { ...sale, ...cost })),
    atPrice: price === undefined ? [] : salesAt(price, question).map((sale) => priced(order, sale)),
  }
}

/** Whether too much is claimed on an order like one, of the groups or of their percentages alone. */
const isTooMuch = (brute: Brute, withoutMoney: RuleSet.RuleSet, order: Order.Order): boolean => {
  const { any, atPrice } = tried(brute, order)
  const isOver = (rules: RuleSet.RuleSet) => (sold: Order.Order) =>
    isOverAllocated(rules, sold, brute.refusing)
  return any.some(isOver(withoutMoney)) || atPrice.some(isOver(brute.rules))
}

/** Whether too much can be claimed, and of which products; the fewest attributes with which it can. */
export const overAllocation = (
  brute: Brute,
): { readonly size: number | undefined; readonly products: ReadonlySet<string> } => {
  const { question } = brute
  const withoutMoney = RuleSet.make(question.groups.map(percentages))
  let size: number | undefined
  const products = new Set<string>()
  for (const each of brute.kinds) {
    const [item] = each.order.items
    if (item === undefined) continue
    if (!isTooMuch(brute, withoutMoney, each.order)) continue
    products.add(item.product.id)
    if (size === undefined || each.size < size) size = each.size
  }
  return { size, products }
}

/** What each collaborator claims, where no odd cent depends on anyone's name and nothing is cut. */
const claimsOf = (
  rules: RuleSet.RuleSet,
  order: Order.Order,
  policy: SplitPolicy.SplitPolicy,
): string => {
  const split = Split.order(rules, order, policy)
  const claims = split.shares
    .filter(({ claim }) => claim !== 0)
    .map(({ collaboratorId, claim }) => `${collaboratorId} ${claim}`)
  return claims.sort().join("; ")
}

const claimSales: ReadonlyArray<Figures> = [
  { amount: 10_000 },
  // In equal parts for two or three there is no odd cent, which would go to a group by its place.
  { amount: 777, quantity: 3, shippingAmount: 1_020 },
]

/** An order on which other claims are made under the other rules. */
export const whereClaimsDiffer = (
  brute: Brute,
  other: RuleSet.RuleSet,
): Order.Order | undefined => {
  for (const { order } of brute.kinds) {
    for (const sale of claimSales) {
      const sold = priced(order, sale)
      if (claimsOf(brute.rules, sold, brute.claiming) !== claimsOf(other, sold, brute.claiming))
        return sold
    }
  }
  return undefined
}

/** What each collaborator is paid, as a text; `refused` for an order that is refused. */
export const paidFor = (
  rules: RuleSet.RuleSet,
  order: Order.Order,
  policy: SplitPolicy.SplitPolicy,
): string => {
  const split = Split.orderResult(rules, order, policy)
  if (Result.isFailure(split)) return "refused"
  const sums = new Map<string, bigint>()
  for (const { collaboratorId, amount } of split.success.shares) {
    sums.set(collaboratorId, (sums.get(collaboratorId) ?? 0n) + BigInt(amount))
  }
  const paid = [...sums].filter(([, sum]) => sum !== 0n).map(([id, sum]) => `${id} ${sum}`)
  return paid.sort().join("; ")
}

const amounts = [10_000, 1, 3, 5, 10, 50, 101, 777, 9_999, 1_000_000]

/** Sales of one item, of all sizes. */
export const tellingSales = (
  shipping: SplitPolicy.SplitPolicy["shipping"],
): ReadonlyArray<Figures> => [
  ...amounts.map((amount) => ({ amount })),
  { amount: 30_000, quantity: 3 },
  { amount: 10_000, discount: 2_500 },
  { amount: 12_000, tax: 2_000, gatewayFee: 333 },
  { amount: 10_000, quantity: 2, taxOnTop: 1_900, cost: 1_111 },
  ...(shipping === "store"
    ? []
    : [...amounts, 0].flatMap((amount) => [
        { amount, shippingAmount: 1_001 },
        { amount, shippingAmount: 10 },
        { amount, shippingAmount: 1 },
      ])),
  ...(shipping === "store" ? [] : [{ amount: 120, tax: 20, shippingAmount: 12, shippingTax: 2 }]),
]

/** The fewest attributes with which anyone is paid otherwise under the other rules. */
export const fewestWherePaidOtherwise = (
  brute: Brute,
  other: RuleSet.RuleSet,
): number | undefined => {
  const sales = tellingSales(brute.policy.shipping)
  const bySize = [...brute.kinds].sort((a, b) => a.size - b.size)
  const found = bySize.find(({ order }) =>
    sales.some((sale) => {
      const sold = priced(order, sale)
      return paidFor(brute.rules, sold, brute.policy) !== paidFor(other, sold, brute.policy)
    }),
  )
  return found?.size
}

/** The products of which nobody is ever paid anything. */
export const unpaidProducts = (brute: Brute): ReadonlySet<string> => {
  const { catalogue } = brute.question
  const unpaid = new Set((catalogue?.products ?? []).map(({ id }) => id))
  for (const { order } of brute.kinds) {
    const id = order.items[0]?.product.id ?? ""
    if (!unpaid.has(id)) continue
    for (const sale of [
      { amount: large },
      { amount: large, quantity: 10 },
      { amount: large, shippingAmount: large },
    ]) {
      const { shares } = Split.order(brute.rules, priced(order, sale), brute.paying)
      if (shares.some(({ amount }) => amount > 0)) unpaid.delete(id)
    }
  }
  return unpaid
}
