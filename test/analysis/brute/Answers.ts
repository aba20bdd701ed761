/**
 * The questions of the analyses, answered by looking at every order. What applies to an order is asked of the
 * engine, and so is what is claimed of it and paid for it.
 */
import { type Order, type Product, type ProductGroup, RuleSet, Split, SplitPolicy } from "apportion"
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
  const split = Split.orderResult(rules, order, { ...policy, overAllocation: "reject" })
  return Result.isFailure(split) && split.failure._tag === "OverAllocated"
}

/** The percentages of a group alone. */
const percentages = (group: Group): Group => ({
  ...group,
  percent: group.percent ?? 0,
  amount: null,
  minAmount: null,
  // What a maximum of 0 leaves is nothing, of whatever amount.
  maxAmount: group.maxAmount === 0 ? 0 : null,
})

const largestDiscount = (amount: number, { mostDiscount = 0 }: Question): number =>
  Number((BigInt(amount) * BigInt(Math.round(mostDiscount * 100))) / 10_000n)

const large = 10_000_000_000

/** The sales on which too much may be claimed: of anything, or of a product at its price. */
const salesOf = (
  product: Product.Product | undefined,
  question: Question,
): ReadonlyArray<Figures> => {
  const amount = product?.price ?? large
  const discount = largestDiscount(amount, question)
  const isPaidOn = question.policy?.discount === "ignore"
  const isPriced = product?.price !== undefined
  const sales = isPriced || isPaidOn ? [{ amount }, { amount, discount }] : [{ amount }]
  const isShared = question.policy?.shipping === "share"
  return [...sales, ...(isShared ? [{ amount: 0, shippingAmount: large }] : [])]
}

/** Whether too much can be claimed, and of which products; the fewest attributes with which it can. */
export const overAllocation = (
  brute: Brute,
): { readonly size: number | undefined; readonly products: ReadonlySet<string> } => {
  const { question, policy } = brute
  const withoutMoney = RuleSet.make(question.groups.map(percentages))
  let size: number | undefined
  const products = new Set<string>()
  for (const each of brute.kinds) {
    const [item] = each.order.items
    if (item === undefined) continue
    const isKnown = question.catalogue !== undefined
    const isPriced = isKnown && item.product.price !== undefined
    const isOver = salesOf(isKnown ? item.product : undefined, question).some((sale) =>
      isOverAllocated(
        isPriced && sale.shippingAmount === undefined ? brute.rules : withoutMoney,
        priced(each.order, sale),
        policy,
      ),
    )
    if (!isOver) continue
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
  const split = Split.order(rules, order, { ...policy, overAllocation: "allow", rounding: "floor" })
  const claims = split.shares
    .filter(({ claim }) => claim !== 0)
    .map(({ collaboratorId, claim }) => `${collaboratorId} ${claim}`)
  return claims.sort().join("; ")
}

const claimSales: ReadonlyArray<Figures> = [
  { amount: 10_000 },
  { amount: 777, quantity: 3, shippingAmount: 1_000 },
]

/** An order on which other claims are made under the other rules. */
export const whereClaimsDiffer = (
  brute: Brute,
  other: RuleSet.RuleSet,
): Order.Order | undefined => {
  for (const { order } of brute.kinds) {
    for (const sale of claimSales) {
      const sold = priced(order, sale)
      if (claimsOf(brute.rules, sold, brute.policy) !== claimsOf(other, sold, brute.policy))
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
  ...(shipping === "store"
    ? []
    : [...amounts, 0].flatMap((amount) => [
        { amount, shippingAmount: 1_001 },
        { amount, shippingAmount: 10 },
      ])),
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
  const policy = { ...brute.policy, overAllocation: "allow" } as const
  for (const { order } of brute.kinds) {
    const id = order.items[0]?.product.id ?? ""
    if (!unpaid.has(id)) continue
    for (const sale of [
      { amount: large, quantity: 10 },
      { amount: large, shippingAmount: large },
    ]) {
      const { shares } = Split.order(brute.rules, priced(order, sale), policy)
      if (shares.some(({ amount }) => amount > 0)) unpaid.delete(id)
    }
  }
  return unpaid
}
