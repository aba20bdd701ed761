import * as Result from "effect/Result"
import fc from "fast-check"
import { CountedOrders, plainOf } from "../../analysis/CountedOrders.js"
import type { AnyRules } from "../../analysis/Options.js"
import type { Order, OrderItem } from "../../orders/Order.js"
import * as RuleSet from "../../rules/RuleSet.js"
import type { SplitPolicy } from "../../shares/SplitPolicy.js"
import { appliesTo, type JudgedSale, type Law, saleOf } from "../laws/Law.js"
import { amissOf } from "./asks.js"

/** Counts what orders a rule set was tried with. */
export class Tally {
  orders = 0
  refused = 0
  readonly #matched = new Map<string, number>()
  readonly #missed = new Map<string, number>()

  add({ rules, order, result }: JudgedSale): void {
    this.orders += 1
    if (Result.isFailure(result)) this.refused += 1
    const matched = new Set(
      RuleSet.matchingByItem(rules, order).flatMap((groups) => groups.map(({ id }) => id)),
    )
    for (const id of matched) this.#matched.set(id, this.matched(id) + 1)
    for (const group of rules.groups) {
      const isMissed = order.items.some((item) => amissOf(group, order, item).length === 1)
      if (isMissed) this.#missed.set(group.id, this.missedByOne(group.id) + 1)
    }
  }

  /** In how many orders a group matched an item. */
  matched(groupId: string): number {
    return this.#matched.get(groupId) ?? 0
  }

  /** In how many orders a group would have matched an item but for one thing. */
  missedByOne(groupId: string): number {
    return this.#missed.get(groupId) ?? 0
  }
}

// Taking away from an order whatever does not matter.

/** The same without one of its fields, once for each of them that may be absent. */
const withoutField = <A extends object>(
  value: A,
  needed: ReadonlyArray<string>,
): ReadonlyArray<A> =>
  Object.keys(value)
    .filter((name) => !needed.includes(name))
    .map((name) => {
      const rest = { ...value }
      Reflect.deleteProperty(rest, name)
      return rest
    })

/** The same without one entry of one of its lists. */
const withoutEntry = <A extends object>(value: A, lists: ReadonlyArray<string>): ReadonlyArray<A> =>
  lists.flatMap((name) => {
    const list: unknown = Reflect.get(value, name)
    if (!Array.isArray(list) || list.length < 2) return []
    return list.map((_, place) => ({ ...value, [name]: list.toSpliced(place, 1) }))
  })

const plainAmount = 10_000

/** The plainest amount, in the sign of the item's; beside a discount or a tax it might be too little. */
const plainly = (item: OrderItem): ReadonlyArray<OrderItem> => {
  const amount = Math.sign(item.amount) * plainAmount
  const isAlone = item.discount === undefined && item.taxTotal == null
  return amount === 0 || amount === item.amount || !isAlone ? [] : [{ ...item, amount }]
}

/** One unit, for the price of all of them or for its part of it. */
const singly = (item: OrderItem): ReadonlyArray<OrderItem> => {
  const { quantity, amount, discount, taxTotal } = item
  if (quantity === 1) return []
  const part = (sum: number) => Math.trunc(sum / Math.max(1, quantity))
  const unit = {
    ...item,
    quantity: 1,
    amount: part(amount) || Math.sign(amount),
    ...(discount === undefined ? {} : { discount: part(discount) }),
    ...(taxTotal == null ? {} : { taxTotal: part(taxTotal) }),
  }
  return [{ ...item, quantity: 1 }, unit]
}

/** The price that was left when a discount, or a tax in it, was taken off. */
const netted = (item: OrderItem): ReadonlyArray<OrderItem> => {
  const { discount, ...undiscounted } = item
  const { taxTotal, ...untaxed } = item
  return [
    ...(discount === undefined ? [] : [{ ...undiscounted, amount: item.amount - discount }]),
    ...(taxTotal == null ? [] : [{ ...untaxed, amount: item.amount - taxTotal }]),
  ]
}

/** An item that is less; a product of a catalogue and its price stay as they are. */
const lessOf = (item: OrderItem, isCatalogued: boolean): ReadonlyArray<OrderItem> => {
  const { product } = item
  const products = [...withoutField(product, ["id"]), ...withoutEntry(product, ["tags"])]
  return [
    ...withoutField(item, ["id", "product", "quantity", "amount"]),
    ...(isCatalogued
      ? []
      : [
          ...products.map((less) => ({ ...item, product: less })),
          ...singly(item),
          ...plainly(item),
          ...netted(item),
        ]),
  ]
}

/** The order without one of its items, and with its part of the shipping or with all of it. */
const fewerItems = (order: Order): ReadonlyArray<Order> => {
  const { items, shippingAmount = 0 } = order
  if (items.length < 2) return []
  const rest = shippingAmount - Math.trunc(shippingAmount / items.length)
  return items.flatMap((_, place) => {
    const fewer = { ...order, items: items.toSpliced(place, 1) }
    return shippingAmount === 0 ? [fewer] : [fewer, { ...fewer, shippingAmount: rest }]
  })
}

/** The shipping in the price of the one item there is; twice that, for percentages of it are claimed too. */
const shippingInPrice = (order: Order): ReadonlyArray<Order> => {
  const { items, shippingAmount, ...rest } = order
  const [item] = items
  if (item === undefined || items.length > 1 || shippingAmount === undefined) return []
  const amount = item.amount + shippingAmount
  return [amount, 2 * amount].map((price) => ({ ...rest, items: [{ ...item, amount: price }] }))
}

const lesserOrders = (order: Order, isCatalogued: boolean): ReadonlyArray<Order> => {
  const { items } = order
  const lists = Object.keys(order).filter((name) => name !== "items")
  return [
    ...fewerItems(order),
    ...withoutField(order, ["id", "currency", "items"]),
    ...withoutEntry(order, lists),
    ...items.flatMap((item, place) =>
      lessOf(item, isCatalogued).map((less) => ({ ...order, items: items.with(place, less) })),
    ),
    ...(isCatalogued ? [] : shippingInPrice(order)),
  ]
}

/** All orders with one part left out, then with two: for example a tax, and that the price includes it. */
function* lesser(order: Order, isCatalogued: boolean): Generator<Order, void> {
  const orders = lesserOrders(order, isCatalogued)
  yield* orders
  for (const less of orders) yield* lesserOrders(less, isCatalogued)
}

const firstOf = <A>(values: Iterable<A>, is: (value: A) => boolean): A | undefined => {
  for (const value of values) if (is(value)) return value
  return undefined
}

/**
 * What is left of an order of which something is true, when everything is taken away without which it remains
 * true: of what is left, no single thing can be left out, and no two.
 */
export const pruned = (
  order: Order,
  isTrue: (order: Order) => boolean,
  options: { readonly isCatalogued: boolean },
): Order => {
  let least = order
  for (;;) {
    const less = firstOf(lesser(least, options.isCatalogued), isTrue)
    if (less === undefined) return least
    least = less
  }
}

// Looking for an order that breaks a law.

/** How fast-check goes about it. */
interface Parameters {
  readonly seed: number | undefined
  readonly path: string | undefined
  readonly numRuns: number
  readonly examples: ReadonlyArray<Order>
}

/** All that decides which orders are tried. */
export interface Search {
  readonly rules: AnyRules
  readonly policy: SplitPolicy
  readonly orders: fc.Arbitrary<Order>
  readonly isCatalogued: boolean
  readonly parameters: Parameters
}

/** An order that breaks a law, and how it was found. */
export interface BrokenLaw {
  readonly law: Law
  readonly reason: string
  readonly sale: JudgedSale
  readonly seed: number
  readonly path: string
  /** How many orders were tried until one broke the law. */
  readonly runs: number
  /** Whether everything was taken away without which the order breaks the law all the same. */
  readonly isPruned: boolean
}

/** The sales of an order: one, or one for each setting of counters at which something changes for it. */
const judge = ({ rules, policy }: Search): ((order: Order) => ReadonlyArray<JudgedSale>) => {
  const counted = new CountedOrders([plainOf(rules)], undefined)
  if (counted.isPlain) return (order) => [saleOf(rules, order, policy)]
  return (order) => {
    const dated = counted.dated(order)
    return counted.settings(dated).map((counters) => saleOf(rules, dated, policy, counters))
  }
}

/** Why a sale breaks a law, if it does. Assertions throw what they have to say. */
export const reasonOf = (law: Law, sale: JudgedSale): string | undefined => {
  try {
    return appliesTo(law, sale) ? law.check(sale) : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const parametersOf = ({ seed, path, numRuns, examples }: Parameters): fc.Parameters<[Order]> => ({
  ...(seed === undefined ? {} : { seed }),
  ...(path === undefined ? {} : { path }),
  numRuns,
  examples: examples.map((order) => [order]),
})

/** What came of trying all laws on the same orders. */
export interface Survey {
  readonly tally: Tally
  readonly seed: number
  /** For each broken law the first sale that broke it, as it came. */
  readonly broken: ReadonlyMap<Law, Omit<BrokenLaw, "seed">>
  /** How many orders each law was about. */
  readonly applied: ReadonlyMap<Law, number>
}

/** Tries all laws on the same orders, and returns those that are broken. */
export const survey = (search: Search, laws: ReadonlyArray<Law>): Survey => {
  const tally = new Tally()
  const broken = new Map<Law, Omit<BrokenLaw, "seed">>()
  const applied = new Map(laws.map((law) => [law, 0]))
  const look = (law: Law, sale: JudgedSale) => {
    const reason = reasonOf(law, sale)
    const { orders: runs } = tally
    if (reason !== undefined && !broken.has(law))
      broken.set(law, { law, reason, sale, runs, path: String(runs - 1), isPruned: false })
    else if (appliesTo(law, sale)) applied.set(law, (applied.get(law) ?? 0) + 1)
  }
  const sold = judge(search)
  const { seed } = fc.check(
    fc.property(search.orders, (order) => {
      const sales = sold(order)
      for (const sale of sales.slice(0, 1)) tally.add(sale)
      for (const law of laws) for (const sale of sales) if (!broken.has(law)) look(law, sale)
    }),
    parametersOf(search.parameters),
  )
  return { tally, seed, broken, applied }
}

/** An order that breaks a law, with nothing in it that could be left out, if one is found. */
export const find = (search: Search, law: Law): BrokenLaw | undefined => {
  const sold = judge(search)
  const breaking = (order: Order) => sold(order).find((sale) => reasonOf(law, sale) !== undefined)
  const breaks = (order: Order) => breaking(order) !== undefined
  const details = fc.check(
    fc.property(search.orders, (order) => !breaks(order)),
    parametersOf(search.parameters),
  )
  const [order] = details.counterexample ?? []
  if (order === undefined) return undefined
  const sale = breaking(pruned(order, breaks, search))
  if (sale === undefined) return undefined
  const { seed, numRuns: runs } = details
  const path = details.counterexamplePath ?? "0"
  return { law, reason: reasonOf(law, sale) ?? "", sale, seed, path, runs, isPruned: true }
}
